import { duration } from '#lib/text/duration.ts';
import { plural } from '#lib/text/plural.ts';
import { ofField, withStatus, type ErrorArea } from './define.ts';

const NAME_INVALID = {
	actor: 'In the audit log this name stands for the console itself: choose another one.',
	title: 'This name reads like an office and not like a person: choose another one.',
	characters:
		'Use 1 to 64 letters, digits and the signs . _ @ + - and begin with a letter or digit.',
	scripts: 'Use letters of one alphabet: a name that mixes them passes for another.'
} as const;

/** Accounts, passwords, logins, invitation links and API tokens. Messages never contain a credential. */
export const account = {
	'account.unknown': { status: 404, message: () => 'There is no such account.' },
	...ofField('name', 400, {
		'account.name-invalid': ({ reason }: { reason: keyof typeof NAME_INVALID }) =>
			NAME_INVALID[reason],
		'account.token-name-invalid': () => 'Give the token a name of 1 to 80 characters.'
	}),
	...ofField('name', 409, {
		'account.name-taken': ({ name }: { name: string }) =>
			`There is an account named ${name} already.`,
		'account.name-confusable': ({ other }: { other: string }) =>
			`There is an account named ${other}, and the two look alike. Choose a name that differs.`,
		'account.too-many-tokens': ({ most }: { most: number }) =>
			`This account has ${most} API tokens, and no more are possible. Revoke one that is not needed; those that have expired count, too.`
	}),
	'account.role-unknown': {
		status: 400,
		field: 'role',
		message: () => 'There is no such role.'
	},
	...withStatus(409, {
		'account.changed-since': () =>
			'The account was changed once more since this page was made. Nothing was confirmed. Look at what it is now.',
		'account.disabled': ({ name }: { name: string }) =>
			`${name} is disabled. Enable the account first.`,
		'account.role-moved': ({ name, role }: { name: string; role: string }) =>
			`${name} has another role by now: granting the request would change it to ${role}. Nothing was changed. Reload the page and decide again.`
	}),
	...withStatus(401, {
		'account.session-ended': () => 'Your session has ended. Nothing was changed. Log in again.',
		'account.token-invalid': () => 'The API token is unknown, expired or revoked.'
	}),
	...ofField('role', 409, {
		'account.last-admin': () => 'No one else is an admin: make another member an admin first.',
		'account.break-glass-admin': () =>
			'Login with a password is closed for everyone else, so this member must stay an enabled admin: without one, an outage of the provider locks everyone out. Nothing was changed. Name another break-glass admin in the security settings first, or open login with a password.'
	}),
	...withStatus(403, {
		'account.not-admin': () => 'You are not an admin any more. Nothing was changed.',
		'account.changed-outside': () =>
			'This account was changed outside of Komodeck, so it is closed. An admin must confirm it on the page of the member, or at the server with "npm run komodeck -- user confirm NAME".',
		'account.token-elsewhere': (_: { account: string; token: string; address: string }) =>
			'This API token is not for use from this address. Nothing was done.'
	}),
	...ofField('password', 400, {
		'account.password-too-short': ({ least }: { least: number }) =>
			`Use at least ${least} characters.`,
		'account.password-too-long': ({ most }: { most: number }) => `Use at most ${most} characters.`,
		'account.password-common': () =>
			'This is one of the first passwords that a guesser tries: a common word, a row of keys or a repetition. Use several words, or use a password manager.',
		'account.password-is-name': () =>
			'This password is made of the account’s name or the name of this program. Use several other words, or use a password manager.'
	}),
	'account.wrong-credentials': {
		status: 401,
		field: 'password',
		message: () => 'Name or password is wrong.'
	},
	'account.wrong-password': {
		status: 403,
		field: 'password',
		message: () => 'This is not your password.'
	},
	'account.wrong-current-password': {
		status: 403,
		field: 'current',
		message: () => 'This is not the current password.'
	},
	'account.throttled': {
		status: 429,
		message: ({ retryAfter }: { retryAfter: number }) =>
			`Too many attempts. Try again in ${duration(retryAfter, Math.ceil)}.`
	},
	'account.link-unusable': {
		status: 410,
		message: () => 'This link was used, has expired, or is not complete.'
	},
	'account.token-role-too-high': {
		status: 403,
		field: 'role',
		message: () => 'A token can do at most what its member can do.'
	},
	...ofField('expires', 400, {
		'account.token-expiry-past': () => 'The end must be in the future.',
		'account.token-expiry-far': ({ days }: { days: number }) =>
			`An API token can last at most ${plural(days, 'day')}.`,
		'account.token-endless': ({ days }: { days: number }) =>
			`An API token needs an end, at most ${plural(days, 'day')} from now.`
	})
} satisfies ErrorArea<'account'>;
