import { ofField, withStatus, type ErrorArea } from './define.ts';

/** Why a notice cannot be delivered, or a choice cannot be saved. Messages contain no server response. */
export const notice = {
	'notice.email-invalid': {
		status: 400,
		field: 'email',
		message: () => 'Enter one email address, such as ada@example.org.'
	},
	'notice.email-off': {
		status: 409,
		field: 'email',
		message: () =>
			'This installation sends no email. An admin sets KOMODECK_SMTP_HOST and KOMODECK_MAIL_FROM.'
	},
	'notice.links-throttled': {
		status: 429,
		field: 'email',
		message: () =>
			'Five links were sent within the last hour. Nothing was changed. Try again in an hour.'
	},
	...withStatus(410, {
		'notice.link-unusable': () =>
			'This link was used, has expired, or belongs to another account. Enter the address again to get another.',
		'notice.gone': () => 'The notice or its recipient is gone.'
	}),
	...withStatus(502, {
		'notice.mail-refused': () =>
			'The mail server refused the email. The log of the mail server says why.',
		'notice.mail-settings': () =>
			'The mail server refuses Komodeck, whatever the email. An admin checks KOMODECK_SMTP_USER, KOMODECK_SMTP_PASSWORD and KOMODECK_MAIL_FROM.',
		'notice.mail-unreachable': () =>
			'The mail server did not take the email: no connection, or no answer in time.',
		'notice.answered': ({ status }: { status: number }) =>
			`The server answered with status ${status}.`
	}),
	...withStatus(409, {
		'notice.other-version': () =>
			'The notice is of another version of Komodeck. A server of that version sends it.',
		'notice.too-many-browsers': ({ most }: { most: number }) =>
			`Notifications are on in ${most} browsers, and no more are possible. Turn them off in one.`
	}),
	...ofField('url', 400, {
		'notice.https-needed': () =>
			'Enter an address that begins with https://. Plain http:// is for private servers that KOMODECK_PRIVATE_SERVERS lists.',
		'notice.url-invalid': () => 'Enter a whole address, such as https://hooks.example.org/komodeck.'
	}),
	'notice.no-kind': {
		status: 400,
		field: 'kinds',
		message: () => 'Choose at least one kind of notices.'
	},
	'notice.too-many-webhooks': {
		status: 409,
		field: 'url',
		message: ({ most }: { most: number }) =>
			`There are ${most} webhooks, and no more are possible. Remove one that is not needed.`
	},
	'notice.webhook-unknown': { status: 404, message: () => 'This webhook was removed.' },
	'notice.browser-invalid': {
		status: 400,
		message: () => 'This browser gave no usable push subscription. Nothing was changed.'
	}
} satisfies ErrorArea<'notice'>;
