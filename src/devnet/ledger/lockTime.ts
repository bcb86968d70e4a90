import type { Transaction } from '../../lib/chain/transaction.ts';
import type { LedgerApi } from './api.ts';

/** From here on a lock time is Unix seconds, below it a height. */
export const LOCKTIME_THRESHOLD = 500_000_000;
const MEDIAN_OF = 11;
/** How far the daemon's own payments and its mempool lie apart, seconds. */
const MARGIN = 777;
const LONGEST_IN_MEMPOOL = 3600;

/** Median of the times of the last eleven blocks, Unix seconds. */
export const medianTimePast = (ledger: Pick<LedgerApi, 'height' | 'blockAt'>): number => {
	const times = Array.from({ length: MEDIAN_OF }, (_, back) => ledger.blockAt(ledger.height - back))
		.flatMap((block) => (block ? [block.header.time] : []))
		.sort((a, b) => a - b);
	return times[Math.floor(times.length / 2)] ?? 0;
};

/** KMD takes no transaction that claims interest for an hour that has passed (`komodo_validate_interest`). */
export const isTooOldForInterest = (
	{ locktime }: Transaction,
	ledger: Pick<LedgerApi, 'height' | 'blockAt'>
): boolean =>
	locktime >= LOCKTIME_THRESHOLD && locktime < medianTimePast(ledger) + MARGIN - LONGEST_IN_MEMPOOL;
