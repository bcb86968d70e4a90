import { expressionBuilder, type Expression, type SqlBool } from 'kysely';
import type { AccessTables } from '../tables.ts';
import type { LogoutClaims } from './logoutToken.ts';

/**
 * SQL condition for the sessions that a logout at the provider concerns: those of the named session there,
 * or, where it names none, those of the identity. A session for which the provider told no session id is
 * concerned by every logout of its identity.
 */
export function ofLogout({ iss, sub, sid }: Omit<LogoutClaims, 'jti'>): Expression<SqlBool> {
	// Pending logins have columns of the same names.
	const where = expressionBuilder<AccessTables, 'sessions'>();
	return where.and([
		where('issuer', '=', iss),
		...(sub === undefined
			? []
			: [
					where('account_id', 'in', (select) =>
						select
							.selectFrom('identities')
							.select('account_id')
							.where('issuer', '=', iss)
							.where('subject', '=', sub)
					)
				]),
		...(sid === undefined
			? []
			: [
					where.or([
						where('provider_session', '=', sid),
						...(sub === undefined ? [] : [where('provider_session', 'is', null)])
					])
				])
	]);
}
