/** Controls of single sign-on. */
import type { Control } from './control.ts';

const PROVIDER = 'src/lib/server/access/single-sign-on/provider.ts';
const FLOWS = 'src/lib/server/access/single-sign-on/flows.ts';
const USE_CASE = 'src/lib/server/access/single-sign-on/singleSignOn.ts';

export const signOnControls: readonly Control[] = [
	{
		name: 'id-token-signature',
		stops: 'An ID token that the provider did not sign signs somebody in.',
		edits: [
			{
				file: PROVIDER,
				text: 'oidc.enableNonRepudiationChecks(configuration);',
				replacement:
					"if (stands('id-token-signature')) oidc.enableNonRepudiationChecks(configuration);"
			},
			{
				// Discovery runs each time, so that the control can be turned off.
				file: PROVIDER,
				text: 'age < DISCOVERED_FOR',
				replacement: 'age < 0 * DISCOVERED_FOR'
			}
		],
		attacks: ['forged-id-token']
	},
	{
		name: 'id-token-nonce',
		stops: 'An ID token of another login signs a browser in.',
		file: PROVIDER,
		text: 'expectedNonce: nonce,',
		replacement: "...(stands('id-token-nonce') ? { expectedNonce: nonce } : {}),",
		attacks: ['id-token-of-another-flow']
	},
	{
		name: 'sign-on-state',
		stops: 'A browser is signed in as somebody who began the login elsewhere.',
		edits: [
			{
				file: FLOWS,
				text: 'if (!sameText(state, secretsOf(cookie).state)) return null;',
				replacement:
					"if (stands('sign-on-state') && !sameText(state, secretsOf(cookie).state)) return null;"
			},
			{
				file: PROVIDER,
				text: 'expectedState: state,',
				replacement: "expectedState: stands('sign-on-state') ? state : (query.get('state') ?? ''),"
			}
		],
		attacks: ['sign-on-of-another-browser'],
		behind: 'id-token-nonce'
	},
	{
		name: 'sign-on-once',
		stops: 'The address at which a browser came back signs in again.',
		file: FLOWS,
		text: '.set({ used_at: now() })',
		replacement: ".set({ used_at: stands('sign-on-once') ? now() : null })",
		attacks: ['sign-on-answer-twice']
	},
	{
		name: 'response-issuer',
		stops: 'The answer of another issuer is taken for that of the configured one.',
		file: PROVIDER,
		text: 'url.search = query.toString();',
		replacement:
			"url.search = query.toString();\nif (!stands('response-issuer')) url.searchParams.set('iss', config.issuer);",
		attacks: ['answer-of-another-issuer']
	},
	{
		name: 'identity-by-subject',
		stops: 'Somebody takes over an account whose name the provider lets them have.',
		file: USE_CASE,
		text: 'const account = await addAccountUnderOneOf(trx, namesFor(claims), role);',
		replacement:
			"const taken = stands('identity-by-subject') ? undefined : await trx.selectFrom('accounts').select(['id', 'name', 'role']).where('name', '=', claims.preferred_username ?? '').executeTakeFirst();\nconst account = taken ?? (await addAccountUnderOneOf(trx, namesFor(claims), role));",
		attacks: ['account-of-the-same-name']
	},
	{
		name: 'claims-of-the-token',
		stops: 'A role that stands beside the signed token makes an admin.',
		file: PROVIDER,
		text: 'return readClaims(answer.claims());',
		replacement:
			"return readClaims(stands('claims-of-the-token') ? answer.claims() : { ...answer, ...answer.claims() });",
		attacks: ['role-beside-the-id-token']
	},
	{
		name: 'own-identity',
		stops: 'A member takes the identity of another away.',
		file: 'src/lib/server/access/single-sign-on/identities.ts',
		text: ".where('account_id', '=', account.id)\n\t\t.returning('label')",
		replacement:
			".$if(stands('own-identity'), (query) => query.where('account_id', '=', account.id))\n\t\t.returning('label')",
		attacks: ['identity-of-another-unlinked']
	},
	{
		name: 'unlinked-stays-theirs',
		stops:
			'A member unlinks their identity, gets another account by it, and approves what they ask for.',
		edits: [
			{
				file: USE_CASE,
				text: 'if ((await unlinkedFrom(trx, claims)) !== null)',
				replacement:
					"if (stands('unlinked-stays-theirs') && (await unlinkedFrom(trx, claims)) !== null)"
			},
			{
				file: 'src/lib/server/access/single-sign-on/identities.ts',
				text: 'before !== null && before !== account.id',
				replacement: "stands('unlinked-stays-theirs') && before !== null && before !== account.id"
			}
		],
		attacks: ['second-account-by-unlinking']
	},
	{
		name: 'anew-at-the-provider',
		stops: 'A session at the provider confirms administration without anybody being there.',
		file: USE_CASE,
		text: "if (!isAnew) throw new AppError('sign-on.not-anew');",
		replacement:
			"if (!isAnew && stands('anew-at-the-provider')) throw new AppError('sign-on.not-anew');",
		attacks: ['confirmed-without-a-new-login']
	},
	{
		name: 'logout-token-checked',
		stops: 'Anybody logs members out in the name of the provider.',
		edits: [
			{
				file: PROVIDER,
				text: 'const { payload } = await jwtVerify(token, keys, {',
				replacement:
					"if (!stands('logout-token-checked')) return readLogout({ ...decodeJwt(token), iss: config.issuer });\n\t\t\t\tconst { payload } = await jwtVerify(token, keys, {"
			},
			{
				file: PROVIDER,
				text: 'import { createRemoteJWKSet, customFetch, jwtVerify,',
				replacement: 'import { createRemoteJWKSet, customFetch, decodeJwt, jwtVerify,'
			}
		],
		attacks: ['forged-logout']
	},
	{
		name: 'logout-event',
		stops: 'An ID token, which others have seen, logs its member out.',
		file: 'src/lib/server/access/single-sign-on/logoutToken.ts',
		text: 'Claims.parse(claims);',
		replacement: "stands('logout-event') ? Claims.parse(claims) : (claims as LogoutClaims);",
		attacks: ['id-token-as-logout']
	},
	{
		name: 'logout-once',
		stops: 'Whoever has seen a logout sends it again after the next login.',
		file: USE_CASE,
		text: 'if (!(await takeLogout(trx, logout, forgetAt, now()))) {',
		replacement:
			"if (!(await takeLogout(trx, logout, forgetAt, now())) && stands('logout-once')) {",
		attacks: ['logout-twice']
	},
	{
		name: 'break-glass-admin-stays',
		stops:
			'While local login is closed, the one admin whom a password lets in is disabled or demoted.',
		file: 'src/lib/server/access/accounts/lastAdmin.ts',
		text: 'if (await localLogin.restsOn({ name }, trx))',
		replacement:
			"if (stands('break-glass-admin-stays') && (await localLogin.restsOn({ name }, trx)))",
		attacks: ['break-glass-admin-taken-away']
	},
	{
		name: 'usable-passwords',
		stops: 'A member unlinks their last way in, because of a password that opens nothing.',
		file: 'src/lib/server/access/single-sign-on/waysIn.ts',
		text: 'if (withPassword && (await localLogin.isOpenFor(withPassword, trx))) return;',
		replacement:
			"if (withPassword && (!stands('usable-passwords') || (await localLogin.isOpenFor(withPassword, trx)))) return;",
		attacks: ['last-way-in-unlinked']
	},
	{
		name: 'local-login-closed',
		stops: 'A password still opens an account although local login is closed.',
		file: 'src/lib/server/access/accounts/localLogin.ts',
		text: 'if (await isOpen(within)) return true;',
		replacement: "if (!stands('local-login-closed') || (await isOpen(within))) return true;",
		attacks: ['password-while-local-login-is-closed']
	}
];
