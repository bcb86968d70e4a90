/** Faults of a daemon while pages are read. */
import type { FaultKind } from '../../src/devnet/daemon/fault.ts';

/** Longer than any test reads pages: a response within that time would rightly be shown. */
export const LATE_MS = 120_000;

export const DAEMON_FAULTS: readonly { kind: FaultKind; ms?: number }[] = [
	{ kind: 'down' },
	{ kind: 'warm-up' },
	{ kind: 'latency', ms: LATE_MS },
	{ kind: 'work-queue-full' },
	{ kind: 'truncate' },
	{ kind: 'wrong-password' }
];
