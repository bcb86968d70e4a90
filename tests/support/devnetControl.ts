/** The client of the control API of a development network. */
import type { FaultKind } from '../../src/devnet/daemon/fault.ts';

interface ChainState {
	name: string;
	height: number;
	tip: string;
	mempool: number;
	notarized: number;
}

export interface DevnetState {
	profile: string;
	automatic: boolean;
	now: number;
	chains: ChainState[];
	daemons: { id: string; chain: string; pubkey: string; address: string; open: boolean }[];
}

/** The control API of a running network. */
export interface Control {
	url: string;
	password: string;
	mine(chain: string, n?: number): Promise<{ height: number; tip: string; blocks: string[] }>;
	/** A full round for one chain: notarization, KMD block, back-notarization, block. */
	notarize(chain: string): Promise<{
		notarization: string | null;
		backNotarization: string | null;
		height: number;
		kmdHeight: number;
	}>;
	/** Only the notarization on KMD, mined unless told otherwise. */
	notarizeKmd(
		chain: string,
		mine?: boolean
	): Promise<{ notarization: string | null; kmdHeight: number }>;
	/** `early`: even if its notarization on KMD is not mined. */
	backNotarize(
		chain: string,
		early?: boolean
	): Promise<{ backNotarization: string | null; height: number }>;
	/**
	 * `empty`: transactions of the removed blocks wait in the mempool instead of being in the new blocks.
	 * `lose`: they are in neither, and only the transaction index still knows them.
	 */
	reorg(
		chain: string,
		depth: number,
		empty?: boolean,
		lose?: boolean
	): Promise<{ removed: string[]; added: string[] }>;
	fault(
		daemon: string,
		kind: FaultKind,
		more?: { ms?: number; method?: string; count?: number; phase?: 'before' | 'after' }
	): Promise<unknown>;
	clock(advance: number): Promise<{ now: number }>;
	auto(on: boolean): Promise<unknown>;
	/** `hasPubkey` false simulates a daemon that was started without `-pubkey`. */
	wallet(
		daemon: string,
		change: { locked?: boolean; hasKey?: boolean; hasPubkey?: boolean }
	): Promise<unknown>;
	/** Switches a daemon's transaction index on or off, as if it had been started so. */
	txIndex(daemon: string, on: boolean): Promise<unknown>;
	/** Does the same with the indexes that building tokens and burns needs; omitted ones are kept. */
	buildingIndexes(
		daemon: string,
		change: { addressIndex?: boolean; spentIndex?: boolean }
	): Promise<unknown>;
	/**
	 * `commission` is the `ac_perc` that the daemon reports; 0 removes it. `upgraded`: its first blocks were
	 * stored by a release that kept no coin supply. `wallet` false is `-disablewallet`.
	 */
	started(
		daemon: string,
		change: { commission?: number; upgraded?: boolean; wallet?: boolean }
	): Promise<unknown>;
	/** Makes the first peer of a daemon claim this many blocks; 0 removes the claim. */
	claim(daemon: string, blocks: number): Promise<unknown>;
	state(): Promise<DevnetState>;
	/** Digests of the state that the consensus of each chain depends on. */
	digests(): Promise<string[]>;
	/** The trading node and the servers that it can use. */
	node(): Promise<TradingNodeState>;
	/** Restarts the trading node; `hd` switches between a single key and an HD wallet. */
	restartNode(change: { hd?: boolean; https?: boolean }): Promise<TradingNodeState>;
	/** The simulated hardware wallet. */
	device(change: {
		plugged?: boolean;
		pin?: string;
		asksAlways?: boolean;
	}): Promise<TradingNodeState['device']>;
	/**
	 * `hold` keeps each task in its step, `untilSeen` until its status was requested; `paceMs` is the minimum
	 * time of a step.
	 */
	kdfTasks(change: { hold?: boolean; untilSeen?: boolean; paceMs?: number }): Promise<unknown>;
	kdfFault(
		kind: FaultKind,
		more?: { ms?: number; method?: string; count?: number; phase?: 'before' | 'after' }
	): Promise<unknown>;
	/**
	 * Has the trading node leave the member at `path` out of the results of a method, or write `value` there; without
	 * a method, results are complete again. One name of the path stands for each element of a list.
	 */
	kdfResults(change?: {
		method: string;
		path: readonly string[];
		value?: string | null;
	}): Promise<unknown>;
	/** Accepts the oldest connection that the trading node requested from a remote signer. */
	agree(): Promise<{ topic: string }>;
	/** Switches the Electrum server of a coin off and on, or slows it down. */
	electrum(
		ticker: string,
		change: { up?: boolean; line?: 'tcp' | 'ssl'; latency?: number }
	): Promise<unknown>;
	evm(up: boolean): Promise<unknown>;
	/** Has the server of the EVM chain refuse a method; null for none. */
	evmRefuses(method: string | null): Promise<unknown>;
	/** Switches the lightwalletd server of the shielded coin off and on. */
	lightwalletd(up: boolean): Promise<unknown>;
	/** Whether the trading node's disk has the proving keys of shielded coins. */
	zcashParams(there: boolean): Promise<unknown>;
}

export interface TradingNodeState {
	open: boolean;
	hd: boolean;
	faults: { kind: FaultKind }[];
	wrongPasswords: { [peer: string]: number };
	coins: { ticker: string; passive: boolean }[];
	tasks: { id: number; family: string; subject: string; state: string; details: unknown }[];
	device: {
		plugged: boolean;
		ready: boolean;
		pin: string;
		/** The positions to press for the PIN while the device shows its digits, else null. */
		positions: string | null;
		grid: string | null;
		wrongPins: number;
		pubkey: string;
	};
	electrum: { ticker: string; ports: { tcp: number; ssl: number }; open: ('tcp' | 'ssl')[] }[];
}

/** The control API of a running network. */
export function controlOf({ url, password }: { url: string; password: string }): Control {
	const ask = async <T>(method: 'GET' | 'POST', path: string, body?: unknown): Promise<T> => {
		const response = await fetch(`${url}${path}`, {
			method,
			headers: {
				authorization: `Bearer ${password}`,
				'content-type': 'application/json',
				// A slow test could send on a keep-alive connection just when the server closes it.
				connection: 'close'
			},
			...(body === undefined ? {} : { body: JSON.stringify(body) })
		});
		const value = (await response.json()) as T & { error?: string };
		if (!response.ok) throw new Error(`control ${path}: ${response.status} ${value.error ?? ''}`);
		return value;
	};
	return {
		url,
		password,
		mine: (chain, n = 1) => ask('POST', '/mine', { chain, n }),
		notarize: (chain) => ask('POST', '/notarize', { chain }),
		notarizeKmd: (chain, mine = true) => ask('POST', '/notarize-kmd', { chain, mine }),
		backNotarize: (chain, early = false) => ask('POST', '/back-notarize', { chain, early }),
		reorg: (chain, depth, empty = false, lose = false) =>
			ask('POST', '/reorg', { chain, depth, empty, lose }),
		fault: (daemon, kind, more = {}) => ask('POST', '/fault', { daemon, kind, ...more }),
		clock: (advance) => ask('POST', '/clock', { advance }),
		auto: (on) => ask('POST', '/auto', { on }),
		wallet: (daemon, change) => ask('POST', '/wallet', { daemon, ...change }),
		claim: (daemon, blocks) => ask('POST', '/claims', { daemon, blocks }),
		started: (daemon, change) => ask('POST', '/started', { daemon, ...change }),
		txIndex: (daemon, on) => ask('POST', '/indexes', { daemon, txIndex: on }),
		buildingIndexes: (daemon, change) => ask('POST', '/indexes', { daemon, ...change }),
		state: () => ask('GET', '/state'),
		digests: () => ask('GET', '/digests'),
		node: () => ask('GET', '/node'),
		restartNode: (change) => ask('POST', '/node/restart', change),
		device: (change) => ask('POST', '/node/device', change),
		kdfTasks: (change) => ask('POST', '/node/tasks', change),
		kdfFault: (kind, more = {}) => ask('POST', '/node/fault', { kind, ...more }),
		kdfResults: (change) => ask('POST', '/node/results', change ?? {}),
		agree: () => ask('POST', '/node/agree'),
		electrum: (ticker, change) => ask('POST', '/electrum', { ticker, ...change }),
		evm: (up) => ask('POST', '/evm', { up }),
		evmRefuses: (method) => ask('POST', '/evm', { refuses: method }),
		lightwalletd: (up) => ask('POST', '/lightwalletd', { up }),
		zcashParams: (there) => ask('POST', '/node/disk', { zcashParams: there })
	};
}
