/** What every new API token has: its text, and its place among the tokens of its member. */
import { randomBytes } from 'node:crypto';
import type { Executor } from '../../platform/database/database.ts';
import { AppError } from '../../platform/errors/appError.ts';
import type { AccessTables } from '../tables.ts';

/** Marks our tokens, so that scanners for leaked secrets recognise them. */
export const PREFIX = 'kdk_';

/** Most tokens of a member that are not revoked, expired ones included, so that they fit on a page. */
export const MOST_TOKENS = 100;

export const newText = (): string => PREFIX + randomBytes(32).toString('base64url');

/** Whether a token may have this name. */
export function isTokenName(name: string): boolean {
	const { length } = name.trim();
	return length > 0 && length <= 80;
}

/**
 * Refuses a further token beyond {@link MOST_TOKENS}. The caller holds the audit lock, under which tokens are
 * created.
 * @throws {AppError} `account.too-many-tokens`
 */
export async function refuseMore(within: Executor<AccessTables>, accountId: string): Promise<void> {
	const { n } = await within
		.selectFrom('api_tokens')
		.select((select) => select.fn.countAll<bigint>().as('n'))
		.where('account_id', '=', accountId)
		.where('revoked_at', 'is', null)
		.executeTakeFirstOrThrow();
	if (n >= BigInt(MOST_TOKENS))
		throw new AppError('account.too-many-tokens', { most: MOST_TOKENS });
}
