/** Ends sessions that began by single sign-on. */
import type { Executor } from '../../platform/database/database.ts';
import { sha256Hex } from '../../platform/secrets/digest.ts';
import { endLoginsUnderWay } from '../accounts/loginsUnderWay.ts';
import type { Audit } from '../audit/audit.ts';
import type { AccessTables } from '../tables.ts';
import type { LogoutClaims } from './logoutToken.ts';
import { ofLogout } from './ofLogout.ts';

/**
 * Notes a logout of the provider as done.
 * @param forgetAt from when it would be refused for its age alone, Unix milliseconds
 * @returns false where it was done before
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

/** Ends the sessions and begun logins that a logout is about, with an event for each member. */
export async function endByProvider(
	trx: Executor<AccessTables>,
	audit: Audit,
	logout: Omit<LogoutClaims, 'jti'>
): Promise<void> {
	// Before the sessions: a login that is finished at the same moment has its session by then, or gets none.
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
		const detail = { by: 'single sign-on', sessions: sessions.length };
		await audit.append({ actor: 'provider', action: 'session.ended', target: name, detail }, trx);
	}
}

/** What a provider said of a login, and from when on a logout of another session there, or of none, is about it, too. */
interface LoginAt extends Pick<LogoutClaims, 'iss' | 'sub' | 'sid'> {
	/** What `forget_at` is of a logout that came when the browser was back. */
	forgetAt: number;
}

/**
 * Whether a logout came while a login was being finished, and so ended no session of it: the one of its session at the
 * provider whenever it came, because no login begins by that again.
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

/** Ends the sessions of an account that began by a provider; how many there were. */
export async function endOfIssuer(
	trx: Executor<AccessTables>,
	accountId: string,
	issuer: string
): Promise<number> {
	await endLoginsUnderWay(trx, accountId);
	const { numDeletedRows } = await trx
		.deleteFrom('sessions')
		.where('account_id', '=', accountId)
		.where('issuer', '=', issuer)
		.executeTakeFirst();
	return Number(numDeletedRows);
}
