/** Words of the audit log for a change of the fee cap. */
import { formatCoins } from '#lib/chain/amount.ts';
import { ANY } from './tables.ts';

export const FEE_CHANGED = 'limit.fee-changed';

export const feeTarget = (chain: string): string => (chain === ANY ? 'every chain' : chain);

export const feeWords = (cap: bigint | null): string =>
	cap === null ? 'none' : `${formatCoins(cap)} coins`;
