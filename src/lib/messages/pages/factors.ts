/** Texts of the pages on which members set up, view and remove second factors. */
import { plural } from '#lib/text/plural.ts';

export const FACTORS = {
	title: 'Second factor',
	lead: (hasPassword: boolean): string =>
		`Logging in, sending and administration ask for it besides, or instead of, ${hasPassword ? 'your password' : 'single sign-on'}.`,
	required: {
		title: 'Your role requires a second factor.',
		text: 'Set one up to go on. Until then nothing else is open.'
	},
	list: {
		title: 'Your factors',
		caption: 'Your second factors',
		none: (hasPassword: boolean): string =>
			`None yet: ${hasPassword ? 'your password' : 'single sign-on'} alone opens your account.`,
		columns: {
			name: 'Name',
			kind: 'Kind',
			added: 'Added',
			lastUsed: 'Last used',
			actions: 'Actions'
		},
		kinds: { totp: 'Authenticator app', passkey: 'Passkey' },
		never: 'Never',
		rename: 'Rename',
		renameOf: (name: string): string => `Rename ${name}`,
		name: 'Name',
		save: 'Save name',
		cancel: 'Cancel',
		renamed: 'Factor renamed.',
		remove: 'Remove',
		removeOf: (name: string): string => `Remove ${name}`,
		removed: 'Factor removed.',
		added: 'Factor added. Your other sessions are logged out if it is your first.'
	},
	app: {
		title: 'Authenticator app',
		note: 'Shows a new code every 30 seconds, without a connection',
		begin: 'Set up app',
		scan: 'Scan this code with your app, or type the secret.',
		qr: 'QR code for your authenticator app',
		secret: 'the secret',
		name: 'Name',
		nameHint: 'What you call this app or phone',
		standardName: 'Authenticator app',
		code: 'Code',
		codeHint: 'Six digits that the app shows now',
		add: 'Add app'
	},
	passkey: {
		title: 'Passkeys',
		note: 'Your device or security key logs you in, by fingerprint, face or PIN; no password needed',
		name: 'Name',
		nameHint: 'What you call this device or key',
		standardName: 'Passkey',
		add: 'Add passkey',
		created: 'Waiting for your device or security key.',
		again: 'Try again',
		use: 'Use passkey',
		confirm: 'Confirm with passkey',
		noScript: 'Passkeys need JavaScript.',
		/** Why passkeys are unavailable. */
		off: {
			insecure: 'Passkeys are off here: they need HTTPS.',
			address: 'Passkeys are off here: they do not work at an IP address.',
			elsewhere: 'Passkeys are off here: they work at the public address of this installation.'
		},
		/** Why a passkey operation failed. */
		faults: {
			unsupported: 'This browser does not support passkeys.',
			cancelled: 'No passkey was used: canceled, or it took too long.',
			known: 'This device or key has a passkey for your account already.',
			failed: 'The passkey did not work. Try again, or choose another way.'
		}
	},
	codes: {
		title: 'Recovery codes',
		/** Above the codes themselves, while they are shown. */
		newTitle: 'New recovery codes',
		note: 'For when every other factor is lost; each works once',
		left: (n: number): string => `${plural(n, 'unused code')} left.`,
		none: 'You get them with your first factor.',
		shown: 'Keep these codes apart from your other factors. They won’t be shown again.',
		copied: 'the recovery codes',
		renew: 'Replace recovery codes',
		go: 'Continue'
	},
	login: {
		title: 'Second factor',
		lead: (name: string): string => `Log in as ${name}`,
		code: 'Code',
		codeHint: 'Of your authenticator app, or a recovery code',
		submit: 'Log in',
		again: 'Start again',
		missing: 'Enter a code.'
	}
} as const;
