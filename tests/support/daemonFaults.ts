/** The trouble that a daemon can be in while pages are read. */
import type { FaultKind } from './devnet.ts';

/** Longer than anybody looks at pages: an answer that came meanwhile would be shown, and rightly so. */
export const LATE_MS = 120_000;

export const DAEMON_FAULTS: readonly { kind: FaultKind; ms?: number }[] = [
	{ kind: 'down' },
	{ kind: 'warm-up' },
	{ kind: 'latency', ms: LATE_MS },
	{ kind: 'work-queue-full' },
	{ kind: 'truncate' },
	{ kind: 'wrong-password' }
];
