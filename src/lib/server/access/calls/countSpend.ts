/** Counts what calls spend, and tells which errors of counting deny a call. */
import type { Denial } from '#lib/messages/denials.ts';
import { isTrap } from '../../chains/daemon/refuseTraps.ts';
import { isAppError } from '../../platform/errors/appError.ts';
import type { TokenSpending } from '../api-tokens/spending.ts';
import type { Member } from '../identity/identity.ts';
import { denialOf, isRefused } from '../rights/refused.ts';
import type { Rights } from '../rights/rights.ts';
import type { MeasuredSpend } from '../rights/spend.ts';

/** Reverts the counting of a spend that was never sent. */
export type GiveBack = () => Promise<void>;

/** The id under which the API token's use is counted; null for a session. */
export const tokenOf = (identity: Member): string | null =>
	identity.via === 'token' ? identity.token.countedAs : null;

/**
 * Converts an error of a limit, an API token's limit, a policy rule or a trap address to a denial. Rethrows
 * any other error.
 */
export function overLimit(error: unknown): Denial {
	if (isAppError(error, 'token-limit')) return { code: 'token-limit', why: error.coded };
	if (isTrap(error)) return { code: 'recipient', why: error.coded };
	if (!isRefused(error)) throw error;
	return denialOf(error);
}

/**
 * Judges a measured spend and counts it, for the member and for the API token that the request came with.
 * @returns reverts the counting, for a spend that was never sent
 * @throws {AppError} `limit`, `policy`, `token-limit`
 */
export async function countSpend(
	{
		rights,
		tokenSpending
	}: {
		rights: Pick<Rights, 'recordSpend' | 'giveBack' | 'withRequest'>;
		tokenSpending: TokenSpending;
	},
	identity: Member,
	measured: MeasuredSpend
): Promise<GiveBack> {
	const spend = { ...measured, token: tokenOf(identity) };
	try {
		const counted = await tokenSpending.recordSpend(identity, spend, (within) =>
			rights.recordSpend(spend, within)
		);
		return () =>
			tokenSpending.giveBack(identity, spend, (within) => rights.giveBack(counted, within));
	} catch (error) {
		if (!isRefused(error)) throw error;
		throw await rights.withRequest(error, spend, { kind: 'bytes', subject: null });
	}
}
