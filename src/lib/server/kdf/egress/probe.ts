/** What the probes of servers of all kinds have in common. */
import type { ElectrumProtocol } from './electrumServer.ts';

/** Result of probing one server. */
export interface Probe {
	url: string;
	/** `HTTP` for a node of an EVM chain, `gRPC` for a lightwalletd server. */
	protocol: ElectrumProtocol | 'HTTP' | 'gRPC';
	ok: boolean;
	/** Duration of the probe, milliseconds. */
	ms: number;
	/** Software that the server reports, shortened; null when the probe failed. */
	software: string | null;
	/** Height of its tip; null when the probe failed. */
	height: number | null;
	/** Message why the probe failed; null when it did not. */
	reason: string | null;
	/** Whether it is in a private network that is not listed: no node is sent there. */
	forbidden: boolean;
}

export interface ProbeOptions {
	/** Timeout of the whole probe, milliseconds. */
	timeoutMs?: number;
}

export const TIMEOUT_MS = 6_000;
/** Most characters of a server's software that are shown. */
export const MOST_LETTERS = 80;
/** Number of servers that are probed at the same time. */
export const AT_ONCE = 8;
