import { withStatus, type ErrorArea } from './define.ts';

/** Single sign-on. Messages contain neither the provider's text nor a claim. */
export const signOn = {
	'sign-on.off': {
		status: 404,
		message: () => 'Single sign-on is not set up here. Log in with your name and password.'
	},
	'sign-on.unavailable': {
		status: 502,
		message: () =>
			'The provider of single sign-on cannot be reached, or it does not know this installation. Try again; if it stays so, ask your admin to run "npm run komodeck -- check".'
	},
	...withStatus(400, {
		'sign-on.declined': () =>
			'The provider did not confirm the login, so nothing was changed. Try again.',
		'sign-on.answer-invalid': () =>
			'The answer of the provider failed a check, so nothing was changed. Try again; if it stays so, ask your admin.',
		'sign-on.flow-unknown': () =>
			'This login did not begin in this browser, was used before, or took longer than 10 minutes. Nothing was changed: start again.'
	}),
	...withStatus(403, {
		'sign-on.logged-out': () =>
			'The single sign-on provider ended this login while it was being finished. You are not signed in: start again.',
		'sign-on.no-account': () =>
			'You have no account here yet. Ask your admin for an invitation; if you have an account with a password, log in and link it on your account page.',
		'sign-on.not-set-up': () =>
			'This installation is not set up yet, so no account was created. Open the setup link in the server log to create the first admin, then log in again.',
		'sign-on.unlinked': () =>
			'This account of the provider was unlinked from an account here that can still be used, so it opens no other one. Log in to that account in another way and link it again, or ask your admin.',
		'sign-on.no-role': () =>
			'Your account at the provider gives you no role here. Ask your admin for one.',
		'sign-on.domain': () =>
			'Your email address is not verified at the provider, or its domain may not log in here. Ask your admin.',
		'sign-on.disabled': () => 'Your account is disabled. Ask your admin.',
		'sign-on.other-identity': () =>
			'You logged in to the provider as another member, so nothing was confirmed. Log in there with the account that is linked to yours.',
		'sign-on.not-anew': () =>
			'The provider did not ask you to log in again, so nothing was confirmed. Log out there and try again, or ask your admin.'
	}),
	...withStatus(409, {
		'sign-on.other-member': () =>
			'This account of the provider belongs to another member here, so nothing was changed.',
		'sign-on.linked-already': () =>
			'Your account is linked to the provider already. Unlink it first to link another one.',
		'sign-on.not-linked': () =>
			'This account of the provider is no longer linked to yours, so nothing was changed. Reload the page to see what is linked.',
		'sign-on.last-way': () =>
			'This is the last way into your account, so it stays. To unlink it, ask your admin for a way to log in with a password first.'
	}),
	'sign-on.local-closed': {
		status: 403,
		field: 'password',
		message: () =>
			'Login with a password is closed here, so no password was set. Continue with single sign-on, or ask your admin.'
	},
	'sign-on.break-glass-missing': {
		status: 409,
		field: 'break-glass-admin',
		message: () =>
			'Enter the name of an admin who is not disabled and has a password: without one, an outage of the provider locks everyone out. Nothing was changed.'
	}
} satisfies ErrorArea<'sign-on'>;
