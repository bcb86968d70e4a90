/** Controls of administration. */
import type { Control } from './control.ts';

export const accessControls: readonly Control[] = [
	{
		name: 'session-only',
		stops: 'A leaked API token of an admin makes invitations, links for new passwords and tokens.',
		file: 'src/lib/server/access/policy/allow.ts',
		text: "if (identity.via === 'token') return 'session-only';",
		replacement:
			"if (identity.via === 'token') return stands('session-only') ? 'session-only' : 'allowed';",
		attacks: ['token-administers']
	},
	{
		name: 'labels-by-session',
		stops:
			'A leaked API token gives the address of a thief the label of a colleague, and reads the address book.',
		file: 'src/lib/server/access/policy/allow.ts',
		text: "return identity.via === 'token' && verdict !== 'forbidden' ? 'session-only' : verdict;",
		replacement:
			"return identity.via === 'token' && verdict !== 'forbidden' && stands('labels-by-session') ? 'session-only' : verdict;",
		attacks: ['label-by-a-token']
	},
	{
		name: 'recent-password',
		stops: 'Whoever finds the open browser of an admin becomes one for good.',
		file: 'src/lib/server/access/policy/confirmation.ts',
		text: 'return confirmedAt !== null',
		replacement: "return !stands('recent-password') || confirmedAt !== null",
		attacks: ['open-browser-administers', 'open-browser-silences-notices']
	},
	{
		name: 'known-device',
		stops: 'Whoever sends wrong passwords for a name keeps its person out.',
		file: 'src/lib/server/access/credentials/loginThrottle.ts',
		text: 'if (attempt.device !== null) {',
		replacement: "if (attempt.device !== null && stands('known-device')) {",
		attacks: ['owner-kept-out']
	},
	{
		name: 'password-rules',
		stops: 'People choose what a guesser tries first.',
		file: 'src/lib/server/access/accounts/password.ts',
		text: 'switch (easyToGuess(text, name)) {',
		replacement: "switch (stands('password-rules') ? easyToGuess(text, name) : null) {",
		attacks: ['password-of-a-list']
	},
	{
		name: 'skeletons',
		stops: 'Somebody joins under a name that passes for a colleague or for the program.',
		file: 'src/lib/server/access/identity/names.ts',
		text: "return skeleton(plain.replaceAll(/[@+]/g, ''));",
		replacement:
			"return stands('skeletons') ? skeleton(plain.replaceAll(/[@+]/g, '')) : nameKeyOf(name);",
		attacks: ['name-that-passes-for-another']
	},
	{
		name: 'access-revoked',
		stops: 'What somebody made who knew the old password works under the new one.',
		file: 'src/lib/server/access/accounts/accounts.ts',
		text: '	const now = Date.now();\n	await endPendingLogins',
		replacement:
			"	if (!stands('access-revoked')) return { sessions: 0, tokens: 0 };\n	const now = Date.now();\n	await endPendingLogins",
		attacks: ['token-after-a-new-password']
	}
];
