/**
 * Purpose of each setting of the environment, and the error for an invalid value, which follows the name of the
 * setting. `.env.example` is generated from them.
 */

/** The first lines of `.env.example`. */
export const ENV_EXAMPLE_HEAD =
	'# Settings of Komodeck. Copy this file to .env and remove the # of each line that you set.\n# Put a value that contains a # in double quotes; otherwise it ends there.';

/** One setting. */
export interface SettingWords {
	/** Purpose, as a phrase. */
	meaning: string;
	/** Follows the name of the setting: "must be …". */
	invalid?: string;
}

/** Log levels in ascending order of severity. */
export const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;

export const SETTING_WORDS = {
	HOST: { meaning: 'address to listen at; 127.0.0.1 is this machine only' },
	PORT: { meaning: 'port of the pages and the RPC API', invalid: 'must be a port, 0 to 65535' },
	KOMODECK_HOSTS: {
		meaning: 'further host names that requests may name',
		invalid: 'must be host names like deck.lan,10.0.0.5:3000, without http:// and without wildcards'
	},
	KOMODECK_DATA: { meaning: 'data folder' },
	KOMODECK_CONFIG: { meaning: 'JSON file with daemons and trading nodes, instead of discovery' },
	KOMODO_HOME: { meaning: 'where discovery looks' },
	DATABASE_URL: {
		meaning: 'a PostgreSQL address, instead of SQLite in the data folder',
		invalid: 'must be an address like postgres://user@host/name'
	},
	DATABASE_READ_URL: {
		meaning: 'a hot standby of that database, for lists and the explorer',
		invalid: 'must be an address like postgres://user@host/name'
	},
	KOMODECK_ORIGIN: {
		meaning: 'the public address when a proxy stands in front',
		invalid: 'must be an origin like https://deck.example.org, without a path'
	},
	KOMODECK_ADMIN_USER: { meaning: 'name of the first account' },
	KOMODECK_ADMIN_PASSWORD: { meaning: 'password of the first account' },
	KOMODECK_PUBLIC: { meaning: '1: chain data without a login', invalid: 'must be 0 or 1' },
	KOMODECK_REQUESTS: {
		meaning: 'pages that one member may request within ten seconds',
		invalid: 'must be a number of requests'
	},
	KOMODECK_CALLS: {
		meaning: 'calls that one member may make within ten seconds',
		invalid: 'must be a number of calls'
	},
	KOMODECK_DRAIN_SECONDS: {
		meaning:
			'seconds, up to 600, that a server still answers after SIGTERM, while /readyz returns 503; default 0',
		invalid: 'must be a number of seconds from 0 to 600'
	},
	KOMODECK_INDEX_FROM: {
		meaning: 'first indexed heights, by chain; genesis where none is named',
		invalid: 'must be like KMD=3000000,ALPHA=0: the first height that is indexed, by chain'
	},
	KOMODECK_INDEX_DISK_RESERVE: {
		meaning: 'megabytes that the index leaves free on the disk of the data folder',
		invalid:
			'must be a number of megabytes from 1 to 999999, which the index leaves free on the disk'
	},
	KOMODECK_FINALITY: {
		meaning: 'when a block is final, by chain',
		invalid:
			'must be like ALPHA=20,BETA=10+notarized,GAMMA=10/notarized: when a block is final, by chain'
	},
	KOMODECK_FUNGIBLE_TOKENS: {
		meaning: '0: fungible tokens cannot migrate',
		invalid: 'must be 0 or 1'
	},
	KOMODECK_COINS: { meaning: 'coins file of the trading node' },
	KOMODECK_PRIVATE_SERVERS: { meaning: 'private servers that may be reached' },
	KOMODECK_SELF_IMPORT: {
		meaning: 'ac_pubkey of chains with ac_import=PUBKEY',
		invalid: 'must be like SELF=02… with the 66 hex digits of ac_pubkey, by chain'
	},
	KOMODECK_SECRET_KEY: {
		meaning: 'key for encryption and HMACs, instead of a file in the data folder'
	},
	KOMODECK_SECRET_KEY_PREVIOUS: {
		meaning: 'the previous key, for the one start that changes the key'
	},
	KOMODECK_SIGN_ON_ISSUER: {
		meaning: 'issuer of single sign-on by OpenID Connect; sign-on is off when not set',
		invalid: 'must be an address like https://id.example.org, or http:// on this machine only'
	},
	KOMODECK_SIGN_ON_CLIENT_ID: { meaning: 'client id of this installation at the provider' },
	KOMODECK_SIGN_ON_CLIENT_SECRET: {
		meaning: 'client secret of this installation; none for a public client'
	},
	KOMODECK_SIGN_ON_SCOPES: {
		meaning: 'scopes that are requested from the provider',
		invalid: 'must be words separated by spaces, openid among them'
	},
	KOMODECK_SIGN_ON_ROLE_CLAIM: {
		meaning: 'claim of the ID token that decides the role at every login',
		invalid: 'must be the name of a claim, like groups or realm_access.roles'
	},
	KOMODECK_SIGN_ON_ROLES: {
		meaning: 'role of each value of that claim; the first that fits counts',
		invalid: 'must be like admins=admin,team=operator with viewer, operator, notary or admin'
	},
	KOMODECK_SIGN_ON_ACCOUNTS: {
		meaning: 'invitation: only invited members; first-login: an account at the first login',
		invalid: 'must be first-login or invitation'
	},
	KOMODECK_SIGN_ON_LABEL: {
		meaning: 'name of the provider on the button of the login page',
		invalid: 'must be 1 to 40 visible characters'
	},
	KOMODECK_SIGN_ON_DOMAINS: {
		meaning: 'domains of verified email addresses that may log in; all when not set',
		invalid: 'must be domains like example.org,example.com'
	},
	KOMODECK_AUDIT_DAYS: {
		meaning: 'days that audit events are kept at least; permanently when not set',
		invalid: 'must be a number of days from 1 to 99999'
	},
	KOMODECK_SMTP_HOST: {
		meaning: 'mail server for notices by email; needs KOMODECK_MAIL_FROM',
		invalid: 'must be the name or address of a server, without a port'
	},
	KOMODECK_SMTP_PORT: {
		meaning: 'port of the mail server; 587, with tls 465, with none 25 when not set',
		invalid: 'must be a port, 1 to 65535'
	},
	KOMODECK_SMTP_TLS: {
		meaning: 'starttls, tls from the start, or none on a private network',
		invalid: 'must be starttls, tls or none'
	},
	KOMODECK_SMTP_USER: { meaning: 'user name at the mail server' },
	KOMODECK_SMTP_PASSWORD: { meaning: 'password at the mail server' },
	KOMODECK_MAIL_FROM: {
		meaning: 'sender address of notices',
		invalid: 'must be an email address like komodeck@example.org'
	},
	KOMODECK_AUDIT_EXPORT: {
		meaning: 'where each audit event is sent to: https:// with JSON lines, syslog:// or syslogs://',
		invalid:
			'must be an address like https://siem.example.org/events, syslog://host:601 or syslogs://host:6514, without a login'
	},
	KOMODECK_AUDIT_EXPORT_TOKEN: { meaning: 'bearer token for audit events over https' },
	LOG_LEVEL: {
		meaning: `what is logged: ${LOG_LEVELS.join(', ')}`,
		invalid: `must be one of ${LOG_LEVELS.join(', ')}`
	},
	ADDRESS_HEADER: {
		meaning: 'header in which the proxy writes the client’s address',
		invalid: 'must be the name of a header like X-Forwarded-For'
	},
	XFF_DEPTH: {
		meaning: 'number of proxies in a row',
		invalid: 'must be a number of proxies from 1 to 99'
	}
} as const satisfies Readonly<Record<string, SettingWords>>;
