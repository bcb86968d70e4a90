import type { Transaction } from '../../lib/chain/transaction.ts';
import type { LedgerApi } from './api.ts';

/** Lock times of at least this value are Unix seconds; smaller ones are heights. */
export const LOCKTIME_THRESHOLD = 500_000_000;
const MEDIAN_OF = 11;
/** Seconds that the mempool adds to the median time, which the daemon's own payments have as lock time. */
const MARGIN = 777;
const LONGEST_IN_MEMPOOL = 3600;

/** Median time of the last eleven blocks, Unix seconds. */
export const medianTimePast = (ledger: Pick<LedgerApi, 'height' | 'blockAt'>): number => {
	const times = Array.from({ length: MEDIAN_OF }, (_, back) => ledger.blockAt(ledger.height - back))
		.flatMap((block) => (block ? [block.header.time] : []))
		.sort((a, b) => a - b);
	return times[Math.floor(times.length / 2)] ?? 0;
};

/**
 * True when KMD refuses a transaction because its lock time is too old for claiming interest
 * (`komodo_validate_interest`).
 */
export const isTooOldForInterest = (
	{ locktime }: Transaction,
	ledger: Pick<LedgerApi, 'height' | 'blockAt'>
): boolean =>
	locktime >= LOCKTIME_THRESHOLD && locktime < medianTimePast(ledger) + MARGIN - LONGEST_IN_MEMPOOL;
