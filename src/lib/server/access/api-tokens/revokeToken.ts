import { touch } from '../../platform/audit-trail/recorded.ts';
import type { Executor } from '../../platform/database/database.ts';
import type { AccessTables } from '../tables.ts';

/** Revokes an API token in the transaction that records it; false when the account has no such token. */
export async function revokeToken(
	within: Executor<AccessTables>,
	accountId: string,
	tokenId: string
): Promise<boolean> {
	const { numUpdatedRows } = await within
		.updateTable('api_tokens')
		.set({ revoked_at: Date.now() })
		.where('id', '=', tokenId)
		.where('account_id', '=', accountId)
		.where('revoked_at', 'is', null)
		.executeTakeFirst();
	if (numUpdatedRows > 0n) touch(within, 'api_tokens', [tokenId], ['revoked_at']);
	return numUpdatedRows > 0n;
}
