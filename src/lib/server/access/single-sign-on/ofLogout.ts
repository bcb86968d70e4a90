import { expressionBuilder, type Expression, type SqlBool } from 'kysely';
import type { AccessTables } from '../tables.ts';
import type { LogoutClaims } from './logoutToken.ts';

/**
 * What a logout at the provider is about: what began by its session there, or, where it names none, by the identity.
 * What began by a session of which the provider said no name is about any of its identity.
 */
export function ofLogout({ iss, sub, sid }: Omit<LogoutClaims, 'jti'>): Expression<SqlBool> {
	// Begun logins have columns of the same names.
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
