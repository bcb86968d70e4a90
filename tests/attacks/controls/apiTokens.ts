/** Controls that limit an API token's rights and lifetime. */
import type { Control } from './control.ts';

const REPLACING = 'src/lib/server/access/api-tokens/replace.ts';
const VERIFYING = 'src/lib/server/access/api-tokens/verify.ts';
const LIFETIME = 'src/lib/server/access/api-tokens/lifetime.ts';
const SPENDING = 'src/lib/server/access/api-tokens/spending.ts';

export const apiTokenControls: readonly Control[] = [
	{
		name: 'token-networks',
		stops: 'A token works from anywhere.',
		file: VERIFYING,
		text: 'if (networks !== null && !isWithin(from.address, networks)) {',
		replacement:
			"if (networks !== null && !isWithin(from.address, networks) && stands('token-networks')) {",
		attacks: ['token-from-another-network']
	},
	{
		name: 'address-of-the-connection',
		stops: 'Where no proxy stands in front, a header of the caller says from where a call comes.',
		file: 'src/lib/server/platform/net/callerAddress.ts',
		text: 'if (proxy === null) return connected;',
		replacement:
			"if (proxy === null) return (request) => stands('address-of-the-connection') ? connected(request) : String(request.headers['x-forwarded-for'] ?? connected(request));",
		attacks: ['token-under-a-forged-address']
	},
	{
		name: 'token-wallets',
		stops: 'A token uses a wallet of its member that is not in its list.',
		file: 'src/lib/server/access/calls/authorizeCall.ts',
		text: '(wallet === null || !identity.token.wallets.includes(wallet));',
		replacement:
			"(wallet === null || !identity.token.wallets.includes(wallet)) && stands('token-wallets');",
		attacks: ['token-beyond-its-wallets']
	},
	{
		name: 'token-amount',
		stops: 'A token sends more with one transaction than it may.',
		file: SPENDING,
		text: 'if (each !== null && takes > each) {',
		replacement: "if (each !== null && takes > each && stands('token-amount')) {",
		attacks: ['token-beyond-its-amount']
	},
	{
		name: 'token-day',
		stops: 'Many sends of a token take more than it may within a day.',
		file: SPENDING,
		text: 'if (most !== null && used + takes > most) {',
		replacement: "if (most !== null && used + takes > most && stands('token-day')) {",
		attacks: ['sends-beyond-the-day-of-a-token']
	},
	{
		name: 'token-counted-on',
		stops: 'Whoever replaces a token begins its day anew.',
		file: REPLACING,
		text: 'counted_as: row.counted_as ?? row.id,',
		replacement: "counted_as: stands('token-counted-on') ? (row.counted_as ?? row.id) : null,",
		attacks: ['day-of-a-replaced-token']
	},
	{
		name: 'token-recipients',
		stops: 'A token pays whomever it likes.',
		file: SPENDING,
		text: "if (stranger !== undefined) throw new AppError('token-limit.recipient',",
		replacement:
			"if (stranger !== undefined && stands('token-recipients')) throw new AppError('token-limit.recipient',",
		attacks: ['token-beyond-its-recipients']
	},
	{
		name: 'token-measured',
		stops: 'A token with amounts sends what nobody can tell beforehand.',
		file: SPENDING,
		text: "if (takes === null) throw new AppError('token-limit.unmeasured');",
		replacement:
			"if (takes === null && !stands('token-measured')) return 0n;\n\tif (takes === null) throw new AppError('token-limit.unmeasured');",
		attacks: ['send-of-a-token-that-cannot-be-measured']
	},
	{
		name: 'limited-token-without-pages',
		stops: 'A token that may call one method reads and posts what its role may.',
		file: 'src/lib/server/access/policy/allow.ts',
		text: "isLimited(identity.token) ? 'token-limited'",
		replacement:
			"isLimited(identity.token) && stands('limited-token-without-pages') ? 'token-limited'",
		attacks: ['limited-token-at-a-page']
	},
	{
		name: 'replaced-token-revoked',
		stops: 'A token that leaked works on after it was replaced.',
		file: REPLACING,
		text: "set(when === 'now' ? { revoked_at: now } : { expires_at: last })",
		replacement:
			"set(when === 'now' ? { revoked_at: stands('replaced-token-revoked') ? now : null } : { expires_at: last })",
		attacks: ['replaced-token']
	},
	{
		name: 'replaced-token-ends',
		stops: 'A token that was replaced goes on for more than an hour.',
		file: REPLACING,
		text: 'Math.min(expiresAt ?? Infinity, now + REPLACED_MS)',
		replacement:
			"Math.min(expiresAt ?? Infinity, stands('replaced-token-ends') ? now + REPLACED_MS : Infinity)",
		attacks: ['replaced-token-that-goes-on']
	},
	{
		name: 'offered-lifetimes',
		stops: 'A crafted form chooses an end that is not offered.',
		file: 'src/lib/server/access/api-tokens/tokenRequest.ts',
		text: "note('expires', lifetimesOf(rule).includes(expires) ?",
		replacement:
			"note('expires', lifetimesOf(rule).includes(expires) || !stands('offered-lifetimes') ?",
		attacks: ['token-of-a-hundred-years'],
		behind: 'longest-lifetime'
	},
	{
		name: 'longest-lifetime',
		stops: 'A token lives longer than admins allow.',
		edits: [
			{
				file: LIFETIME,
				text: "if (rule.endless) return null;\n\t\tthrow new AppError('account.token-endless'",
				replacement:
					"if (rule.endless || !stands('longest-lifetime')) return null;\n\t\tthrow new AppError('account.token-endless'"
			},
			{
				file: LIFETIME,
				text: 'if (wanted > now + rule.mostDays * DAY_MS) {',
				replacement: "if (wanted > now + rule.mostDays * DAY_MS && stands('longest-lifetime')) {"
			}
		],
		attacks: ['token-of-a-hundred-years'],
		behind: 'offered-lifetimes'
	}
];
