/** Controls of second factors. */
import type { Control } from './control.ts';

const APP = 'src/lib/server/access/second-factors/appCodes.ts';
const CODES = 'src/lib/server/access/second-factors/recoveryCodeStore.ts';

export const secondFactorControls: readonly Control[] = [
	{
		name: 'code-once',
		stops: 'Whoever saw a code of an app uses it after its member.',
		edits: [
			{
				file: APP,
				text: 'step > (found.row.last_step ?? -1n)',
				replacement: "(!stands('code-once') || step > (found.row.last_step ?? -1n))"
			},
			{
				file: APP,
				text: 'if (numUpdatedRows !== 1n) throw',
				replacement: "if (numUpdatedRows !== 1n && stands('code-once')) throw"
			}
		],
		attacks: ['code-of-an-app-twice']
	},
	{
		name: 'recovery-code-once',
		stops: 'A recovery code that was used opens the account again.',
		edits: [
			{
				file: CODES,
				text: 'if (!found?.vouched || found.row.used_at !== null) return null;',
				replacement:
					"if (!found?.vouched || (stands('recovery-code-once') && found.row.used_at !== null)) return null;"
			},
			{
				file: CODES,
				text: 'if (numUpdatedRows !== 1n) throw',
				replacement: "if (numUpdatedRows !== 1n && stands('recovery-code-once')) throw"
			}
		],
		attacks: ['recovery-code-twice']
	},
	{
		name: 'login-of-one-browser',
		stops: 'A copied cookie of a login under way is used in another browser.',
		file: 'src/lib/server/access/second-factors/challenges.ts',
		text: 'if (!row || !sameText(row.mac, macOf(row, browser))) return null;',
		replacement:
			"if (!row || (stands('login-of-one-browser') && !sameText(row.mac, macOf(row, browser)))) return null;",
		attacks: ['login-under-way-in-another-browser', 'passkey-answer-in-another-browser']
	},
	{
		name: 'logins-end-with-sessions',
		stops: 'Whoever is logged out finishes a login that they began before.',
		file: 'src/lib/server/access/accounts/pendingLogins.ts',
		text: "	await trx\n		.deleteFrom('factor_challenges')\n		.where('account_id', '=', accountId)",
		replacement:
			"	if (!stands('logins-end-with-sessions')) return;\n	await trx\n		.deleteFrom('factor_challenges')\n		.where('account_id', '=', accountId)",
		attacks: ['login-from-before-the-sessions-ended']
	},
	{
		name: 'step-up',
		stops: 'Whoever finds an open browser sends without the second factor.',
		file: 'src/lib/server/access/policy/allow.ts',
		text: "return lacksStepUp(identity.session, Date.now()) ? 'confirm' : 'allowed';",
		replacement:
			"return stands('step-up') && lacksStepUp(identity.session, Date.now()) ? 'confirm' : 'allowed';",
		attacks: ['send-without-the-factor']
	}
];
