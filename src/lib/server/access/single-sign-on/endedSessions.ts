/** Ending of sessions that began by single sign-on. */
import type { Executor } from '../../platform/database/database.ts';
import { sha256Hex } from '../../platform/secrets/digest.ts';
import { endPendingLogins } from '../accounts/pendingLogins.ts';
import type { Audit } from '../audit/audit.ts';
import type { AccessTables } from '../tables.ts';
import type { LogoutClaims } from './logoutToken.ts';
import { ofLogout } from './ofLogout.ts';

/**
 * Records a logout by the provider as processed.
 * @param forgetAt from when it would be refused for its age alone, Unix milliseconds
 * @returns false where it was processed before
 */
export async function takeLogout(
	trx: Executor<AccessTables>,
	{ iss, jti, sub, sid }: LogoutClaims,
	forgetAt: number,
	now: number
): Promise<boolean> {
	await trx.deleteFrom('sign_on_logouts').where('forget_at', '<=', BigInt(now)).execute();
	const { numInsertedOrUpdatedRows = 0n } = await trx
		.insertInto('sign_on_logouts')
		.values({
			token_id: sha256Hex(JSON.stringify([iss, jti])),
			forget_at: forgetAt,
			issuer: iss,
			subject: sub ?? null,
			provider_session: sid ?? null
		})
		.onConflict((conflict) => conflict.doNothing())
		.executeTakeFirst();
	return numInsertedOrUpdatedRows > 0n;
}

/** Ends the sessions and pending logins that a logout concerns, and logs it for each member. */
export async function endByProvider(
	trx: Executor<AccessTables>,
	audit: Audit,
	logout: Omit<LogoutClaims, 'jti'>
): Promise<void> {
	// Before the sessions: a login that completes concurrently then either has its session already, which is
	// ended next, or fails.
	await trx
		.deleteFrom('factor_challenges')
		.where('purpose', '=', 'login')
		.where(ofLogout(logout))
		.execute();
	const ended = await trx
		.deleteFrom('sessions')
		.where(ofLogout(logout))
		.returning('account_id')
		.execute();
	for (const [id, sessions] of Map.groupBy(ended, (row) => row.account_id)) {
		const { name } = await trx
			.selectFrom('accounts')
			.select('name')
			.where('id', '=', id)
			.executeTakeFirstOrThrow();
		const detail = {
			by: { code: 'account-means', params: { means: 'single-sign-on' } },
			sessions: sessions.length
		};
		await audit.append({ actor: 'provider', action: 'session.ended', target: name, detail }, trx);
	}
}

/**
 * A login by a provider, and from when on a logout that names another session there, or none, concerns it.
 */
interface LoginAt extends Pick<LogoutClaims, 'iss' | 'sub' | 'sid'> {
	/** The `forget_at` of a logout that arrived when the browser came back. */
	forgetAt: number;
}

/**
 * Whether a logout arrived while a login was being completed, and so found no session to end. A logout of the
 * login's own session at the provider counts whenever it arrived, since no login starts from that session
 * again.
 */
export async function isLoggedOut(
	trx: Executor<AccessTables>,
	{ iss, sub, sid, forgetAt }: LoginAt
): Promise<boolean> {
	const found = await trx
		.selectFrom('sign_on_logouts')
		.select('token_id')
		.where('issuer', '=', iss)
		.where(({ or, eb }) => or([eb('subject', 'is', null), eb('subject', '=', sub ?? '')]))
		.where(({ or, and, eb }) => {
			const isSince = eb('forget_at', '>=', BigInt(forgetAt));
			if (sid === undefined) return and([isSince, eb('subject', 'is not', null)]);
			return or([
				eb('provider_session', '=', sid),
				and([isSince, eb('provider_session', 'is', null)])
			]);
		})
		.limit(1)
		.executeTakeFirst();
	return found !== undefined;
}

/** Ends the sessions of an account that began by a provider. Returns their number. */
export async function endOfIssuer(
	trx: Executor<AccessTables>,
	accountId: string,
	issuer: string
): Promise<number> {
	await endPendingLogins(trx, accountId);
	const { numDeletedRows } = await trx
		.deleteFrom('sessions')
		.where('account_id', '=', accountId)
		.where('issuer', '=', issuer)
		.executeTakeFirst();
	return Number(numDeletedRows);
}
