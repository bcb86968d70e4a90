/** Controls of passkeys. */
import type { Control } from './control.ts';

const PASSKEYS = 'src/lib/server/access/second-factors/passkeys.ts';
const CHALLENGES = 'src/lib/server/access/second-factors/challenges.ts';
const PASSKEY_LOGIN = 'src/lib/server/access/accounts/sign-in/passkeyLogin.ts';
const CHANGED_OUTSIDE = 'src/lib/server/access/accounts/sign-in/changedOutside.ts';

export const passkeyControls: readonly Control[] = [
	{
		name: 'challenge-once',
		stops: 'Whoever saw what a passkey signed logs in with it once more.',
		file: CHALLENGES,
		text: 'const { numDeletedRows } = await within',
		replacement:
			"if (!stands('challenge-once')) return true;\n\t\t\tconst { numDeletedRows } = await within",
		attacks: ['passkey-answer-twice']
	},
	{
		name: 'challenge-purpose',
		stops: 'What a passkey signed to confirm a session ends a login.',
		file: CHALLENGES,
		text: "where('purpose', '=', purpose),",
		replacement: "...(stands('challenge-purpose') ? [where('purpose', '=', purpose)] : []),",
		attacks: ['passkey-answer-of-another-ceremony'],
		behind: 'login-of-one-browser'
	},
	{
		name: 'challenge-end',
		stops: 'What a passkey signed long ago, and nobody used, logs in.',
		file: CHALLENGES,
		text: "where('expires_at', '>', BigInt(clock()))",
		replacement: "...(stands('challenge-end') ? [where('expires_at', '>', BigInt(clock()))] : [])",
		attacks: ['passkey-answer-too-late']
	},
	{
		name: 'passkey-count',
		stops: 'A copy of a passkey logs in beside it.',
		edits: [
			{
				file: PASSKEYS,
				text: 'if (count <= last && (count > 0n || last > 0n))',
				replacement: "if (stands('passkey-count') && count <= last && (count > 0n || last > 0n))"
			},
			{
				file: PASSKEYS,
				text: ".where('sign_count', count === 0n ? '<=' : '<', count)",
				replacement:
					".$if(stands('passkey-count'), (q) => q.where('sign_count', count === 0n ? '<=' : '<', count))"
			}
		],
		attacks: ['passkey-copy-that-counts-behind']
	},
	{
		name: 'passkey-origin',
		stops: 'What a passkey signed at the page of somebody else logs them in here.',
		file: PASSKEYS,
		text: 'expectedOrigin: origin,',
		replacement:
			"expectedOrigin: stands('passkey-origin') ? origin : JSON.parse(Buffer.from(answer.response.clientDataJSON, 'base64url').toString()).origin,",
		attacks: ['passkey-at-another-origin']
	},
	{
		name: 'passkey-name',
		stops: 'What was signed for another site logs in here.',
		file: PASSKEYS,
		text: 'expectedRPID: rpId,',
		replacement: "expectedRPID: stands('passkey-name') ? rpId : [rpId, 'evil.example'],",
		attacks: ['passkey-for-another-name']
	},
	{
		name: 'passkey-person',
		stops: 'Whoever finds a security key logs in with it, without its PIN.',
		file: PASSKEYS,
		text: 'requireUserVerification: true,\n\t\t\t\t// The count',
		replacement: "requireUserVerification: stands('passkey-person'),\n\t\t\t\t// The count",
		attacks: ['passkey-of-whoever-holds-it']
	},
	{
		name: 'passkey-of-its-member',
		stops: 'Who knows the password of another member ends the login with a passkey of their own.',
		file: PASSKEYS,
		text: 'if (account !== null && row.account_id !== account.id) return refused;',
		replacement:
			"if (stands('passkey-of-its-member') && account !== null && row.account_id !== account.id) return refused;",
		attacks: ['passkey-of-another-member']
	},
	{
		name: 'passkey-on-record',
		stops: 'Who can write to the database puts their own key in the place of a member’s.',
		file: PASSKEYS,
		text: 'return found?.vouched ? found.row : null;',
		replacement:
			"return found && (found.vouched || !stands('passkey-on-record')) ? found.row : null;",
		attacks: ['passkey-key-written-by-hand']
	},
	{
		name: 'passkey-disabled',
		stops: 'A disabled member gets a session by a passkey.',
		edits: [
			{
				file: PASSKEY_LOGIN,
				text: '|| found === null || found.disabled || isClosed) {',
				replacement:
					"|| found === null || (stands('passkey-disabled') && found.disabled) || isClosed) {"
			},
			{
				file: CHANGED_OUTSIDE,
				text: 'disabled_at: null,',
				replacement: "...(stands('passkey-disabled') ? { disabled_at: null } : {}),"
			},
			{
				file: CHANGED_OUTSIDE,
				text: 'return found === null || found.disabled ? undefined : found;',
				replacement:
					"return found === null || (stands('passkey-disabled') && found.disabled) ? undefined : found;"
			}
		],
		attacks: ['passkey-of-a-disabled-member']
	},
	{
		name: 'passkey-local-login',
		stops: 'Where members log in by single sign-on only, a passkey goes past it.',
		file: PASSKEY_LOGIN,
		text: 'const isClosed = found !== null && !',
		replacement: "const isClosed = stands('passkey-local-login') && found !== null && !",
		attacks: ['passkey-while-local-login-is-closed']
	},
	{
		name: 'passkey-one-answer',
		stops: 'Answers tell which passkeys are a member’s.',
		file: PASSKEY_LOGIN,
		text: "throw new AppError('factor.wrong-passkey');",
		replacement:
			"throw new AppError(stands('passkey-one-answer') || found !== null ? 'factor.wrong-passkey' : 'factor.unknown');",
		attacks: ['enumeration-by-passkey']
	},
	{
		name: 'passkey-tries',
		stops: 'Answers of passkeys are tried without a pause.',
		file: PASSKEY_LOGIN,
		text: 'const takeBack = await throttle.attempt({\n',
		replacement:
			"const takeBack = !stands('passkey-tries') ? async () => undefined : await throttle.attempt({\n",
		attacks: ['passkey-tries-without-a-pause']
	}
];
