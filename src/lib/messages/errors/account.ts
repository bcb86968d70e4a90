import { duration } from '#lib/text/duration.ts';
import { plural } from '#lib/text/plural.ts';
import type { ErrorArea } from './define.ts';

const NAME_INVALID = {
	actor: 'In the audit log this name stands for the console itself: choose another one.',
	title: 'This name reads like an office and not like a person: choose another one.',
	characters:
		'Use 1 to 64 letters, digits and the signs . _ @ + - and begin with a letter or digit.',
	scripts: 'Use letters of one alphabet: a name that mixes them passes for another.'
} as const;

/** Accounts, passwords, logins, invitation links and API tokens. No message holds a credential. */
export const account = {
	'account.unknown': { status: 404, message: () => 'There is no such account.' },
	'account.name-invalid': {
		status: 400,
		field: 'name',
		message: ({ reason }: { reason: keyof typeof NAME_INVALID }) => NAME_INVALID[reason]
	},
	'account.name-taken': {
		status: 409,
		field: 'name',
		message: ({ name }: { name: string }) => `There is an account named ${name} already.`
	},
	'account.name-confusable': {
		status: 409,
		field: 'name',
		message: ({ other }: { other: string }) =>
			`There is an account named ${other}, and the two look alike. Choose a name that differs.`
	},
	'account.role-unknown': {
		status: 400,
		field: 'role',
		message: () => 'There is no such role.'
	},
	'account.changed-since': {
		status: 409,
		message: () =>
			'The account was changed once more since this page was made. Nothing was confirmed. Look at what it is now.'
	},
	'account.session-ended': {
		status: 401,
		message: () => 'Your session has ended. Nothing was changed. Log in again.'
	},
	'account.last-admin': {
		status: 409,
		field: 'role',
		message: () => 'No one else is an admin: make another member an admin first.'
	},
	'account.break-glass-admin': {
		status: 409,
		field: 'role',
		message: () =>
			'Login with a password is closed for everyone else, so this member must stay an enabled admin: without one, an outage of the provider locks everyone out. Nothing was changed. Name another break-glass admin in the security settings first, or open login with a password.'
	},
	'account.disabled': {
		status: 409,
		message: ({ name }: { name: string }) => `${name} is disabled. Enable the account first.`
	},
	'account.changed-outside': {
		status: 403,
		message: () =>
			'This account was changed outside of Komodeck, so it is closed. An admin must confirm it on the page of the member, or at the server with "komodeck user confirm".'
	},
	'account.password-too-short': {
		status: 400,
		field: 'password',
		message: ({ least }: { least: number }) => `Use at least ${least} characters.`
	},
	'account.password-too-long': {
		status: 400,
		field: 'password',
		message: ({ most }: { most: number }) => `Use at most ${most} characters.`
	},
	'account.password-common': {
		status: 400,
		field: 'password',
		message: () =>
			'This is one of the first passwords that a guesser tries: a common word, a row of keys or a repetition. Use several words, or use a password manager.'
	},
	'account.password-is-name': {
		status: 400,
		field: 'password',
		message: () =>
			'This password is made of the account’s name or the name of this program. Use several other words, or use a password manager.'
	},
	'account.role-moved': {
		status: 409,
		message: ({ name, role }: { name: string; role: string }) =>
			`${name} has another role by now: granting the request would change it to ${role}. Nothing was changed. Reload the page and decide again.`
	},
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
	'account.token-invalid': {
		status: 401,
		message: () => 'The token is unknown, expired or revoked.'
	},
	'account.token-name-invalid': {
		status: 400,
		field: 'name',
		message: () => 'Give the token a name of 1 to 80 characters.'
	},
	'account.token-role-too-high': {
		status: 403,
		field: 'role',
		message: () => 'A token can do at most what its member can do.'
	},
	'account.token-expiry-past': {
		status: 400,
		field: 'expires',
		message: () => 'The end must be in the future.'
	},
	'account.token-expiry-far': {
		status: 400,
		field: 'expires',
		message: ({ days }: { days: number }) => `A token may live at most ${plural(days, 'day')}.`
	},
	'account.token-endless': {
		status: 400,
		field: 'expires',
		message: ({ days }: { days: number }) =>
			`A token needs an end, at most ${plural(days, 'day')} from now.`
	},
	'account.too-many-tokens': {
		status: 409,
		field: 'name',
		message: ({ most }: { most: number }) =>
			`This account has ${most} API tokens, and no more are possible. Revoke one that is not needed; those that have expired count, too.`
	},
	'account.token-elsewhere': {
		status: 403,
		message: (_: { account: string; token: string; address: string }) =>
			'This API token is not for use from this address. Nothing was done.'
	}
} satisfies ErrorArea<'account'>;
