import { ofField, withStatus, type ErrorArea } from './define.ts';

/** Second factors. Messages do not reveal which of several checks of a code failed. */
export const factor = {
	...ofField('code', 403, {
		'factor.wrong-code': () =>
			'This code is wrong, or was used already. Enter the next code that your app shows, or a recovery code that you have not used.',
		'factor.needed': () => 'Confirm with your second factor: the password alone is not enough here.'
	}),
	'factor.wrong-passkey': {
		status: 403,
		field: 'passkey',
		message: () =>
			'This passkey was refused, or it took too long. Nothing was done: try again, or choose another way.'
	},
	...withStatus(403, {
		'factor.no-passkeys': () =>
			'Passkeys work over HTTPS or at localhost only, and never at an IP address.',
		'factor.required': () =>
			'The role of this member requires a second factor, and there is none yet: log in with a browser and set it up.'
	}),
	...ofField('name', 409, {
		'factor.passkey-known': () => 'This passkey is set up already.',
		'factor.most': ({ most }: { most: number }) =>
			`A member has at most ${most} factors: remove one that you no longer use.`
	}),
	...withStatus(410, {
		'factor.login-over': () => 'This login took too long or was used already. Log in again.',
		'factor.set-up-over': () =>
			'This setup took too long or was used already. Nothing was added: start again.'
	}),
	'factor.unknown': {
		status: 404,
		message: () => 'There is no such second factor.'
	},
	'factor.name': {
		status: 400,
		field: 'name',
		message: ({ most }: { most: number }) => `Enter a name of 1 to ${most} characters.`
	},
	'factor.last-required': {
		status: 409,
		message: () =>
			'Your role requires a second factor, so the last one stays. Add another one first, then remove this one.'
	}
} satisfies ErrorArea<'factor'>;
