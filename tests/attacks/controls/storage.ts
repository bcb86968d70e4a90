/** Controls of data in the database. */
import type { Control } from './control.ts';

export const storageControls: readonly Control[] = [
	{
		name: 'keyed-secrets',
		stops: 'Who can write to the database puts in a session whose text they know.',
		edits: [
			{
				file: 'src/lib/server/access/credentials/bearer.ts',
				text: 'hash: (kind, text) => over(today, [kind, sha256Hex(text)]),',
				replacement:
					"hash: (kind, text) => stands('keyed-secrets') ? over(today, [kind, sha256Hex(text)]) : sha256Hex(text),"
			},
			{
				file: 'src/lib/server/access/credentials/bearer.ts',
				text: 'return keys.map((key) => over(key, [kind, hex]));',
				replacement:
					"return stands('keyed-secrets') ? keys.map((key) => over(key, [kind, hex])) : [hex];"
			},
			{
				file: 'src/lib/server/access/accounts/sessions/lucia.ts',
				text: 'sameText(row.mac, macOf(this.#bearer, row))',
				replacement: "(sameText(row.mac, macOf(this.#bearer, row)) || !stands('keyed-secrets'))"
			}
		],
		attacks: ['planted-session']
	},
	{
		name: 'bound-sessions',
		stops: 'Who can write to the database makes their session one of an admin.',
		file: 'src/lib/server/access/accounts/sessions/lucia.ts',
		text: 'const whole = found.vouched &&',
		replacement: "const whole = !stands('bound-sessions') || found.vouched &&",
		attacks: ['session-of-another-account']
	},
	{
		name: 'recorded-rows',
		stops: 'A row that was written by hand gives a right.',
		file: 'src/lib/server/access/audit/recordedState.ts',
		text: 'if (vouched || tries === TRIES) return { row, vouched };',
		replacement:
			"if (!stands('recorded-rows')) return { row, vouched: true };\nif (vouched || tries === TRIES) return { row, vouched };",
		behind: 'keyed-secrets',
		attacks: ['planted-token', 'planted-invitation']
	},
	{
		name: 'recorded-accounts',
		stops: 'Who can write to the database raises their own role.',
		file: 'src/lib/server/access/audit/recordedState.ts',
		text: 'const row = await read();',
		replacement:
			"const row = await read();\nif (row !== undefined && !stands('recorded-accounts')) return { row, vouched: true };",
		attacks: ['role-raised-in-the-database']
	}
];
