/** Rows of second factors. */
import { touch } from '../../platform/audit-trail/recorded.ts';
import type { Executor } from '../../platform/database/database.ts';
import { AppError } from '../../platform/errors/appError.ts';
import type { AccessTables } from '../tables.ts';

/** Most factors of one member. */
const MOST_FACTORS = 10;

/** Returns the factors of an account, oldest first. */
export const factorsOf = (within: Executor<AccessTables>, accountId: string) =>
	within
		.selectFrom('second_factors')
		.selectAll()
		.where('account_id', '=', accountId)
		.orderBy('created_at')
		.orderBy('id')
		.execute();

/**
 * Refuses a factor beyond the limit.
 * @throws {AppError} `factor.most`
 */
export function refuseMore(rows: readonly unknown[]): void {
	if (rows.length >= MOST_FACTORS) throw new AppError('factor.most', { most: MOST_FACTORS });
}

/** Stores since when an account has a second factor, Unix milliseconds; null: it has none. */
export async function markAccount(
	trx: Executor<AccessTables>,
	accountId: string,
	second_factor_at: bigint | null
): Promise<void> {
	await trx.updateTable('accounts').set({ second_factor_at }).where('id', '=', accountId).execute();
	touch(trx, 'accounts', [accountId], ['second_factor_at']);
}
