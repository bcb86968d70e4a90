/** Every setting of the environment: its valid values, and an example or default. */
import {
	ENV_EXAMPLE_HEAD,
	LOG_LEVELS,
	SETTING_WORDS,
	type SettingWords
} from '#lib/messages/settings.ts';
import { readFinality } from './finality.ts';
import { CHAIN_HEIGHT, CHAIN_KEY, hostList } from './lists.ts';
import { isAuditExport, SMTP_TLS } from './mail.ts';
import { SECRET_SETTINGS } from './secretFiles.ts';
import { CLAIM, DOMAIN, isIssuer, isLabel, roleMap, SCOPES } from './signOn.ts';

interface Setting {
	/** Whether a value is valid; when absent, every value is. */
	fits?: (value: string) => boolean;
	/** An example, or the default. */
	example: string;
}

const matches =
	(pattern: RegExp) =>
	(value: string): boolean =>
		pattern.test(value);
const everyPart =
	(fits: (part: string) => boolean) =>
	(value: string): boolean =>
		value.split(',').every((part) => fits(part.trim()));
/** An origin as people write it: capital letters and a default port are accepted. */
const isOrigin = (value: string): boolean =>
	/^https?:\/\/[^/?#@\\\s]+\/?$/i.test(value) && URL.canParse(value);

const isPostgres = (value: string): boolean =>
	/^postgres(ql)?:\/\//.test(value) && URL.canParse(value);

/** Values of settings that are not set. */
export const DEFAULTS = { PORT: '3000', KOMODECK_DATA: 'data' } as const;

/** In the order in which `docs/settings.md` and `.env.example` name them. */
export const SETTINGS = {
	HOST: { example: '127.0.0.1' },
	PORT: {
		fits: (value) => /^\d{1,5}$/.test(value) && Number(value) <= 65535,
		example: DEFAULTS.PORT
	},
	KOMODECK_HOSTS: { fits: (value) => hostList(value) !== null, example: 'deck.lan,10.0.0.5' },
	KOMODECK_DATA: { example: DEFAULTS.KOMODECK_DATA },
	KOMODECK_CONFIG: { example: 'komodeck.json' },
	KOMODO_HOME: { example: '~/.komodo' },
	DATABASE_URL: {
		fits: isPostgres,
		example: 'postgres://user@host/name'
	},
	DATABASE_READ_URL: {
		fits: isPostgres,
		example: 'postgres://user@standby/name'
	},
	KOMODECK_ORIGIN: { fits: isOrigin, example: 'https://deck.example.org' },
	KOMODECK_ADMIN_USER: { example: 'ada' },
	KOMODECK_ADMIN_PASSWORD: { example: '' },
	KOMODECK_PUBLIC: { fits: matches(/^[01]$/), example: '0' },
	KOMODECK_REQUESTS: { fits: matches(/^[1-9]\d{0,8}$/), example: '1000' },
	KOMODECK_CALLS: { fits: matches(/^[1-9]\d{0,8}$/), example: '20000' },
	KOMODECK_DRAIN_SECONDS: { fits: matches(/^(?:[1-5]?\d{1,2}|600)$/), example: '10' },
	KOMODECK_INDEX_FROM: { fits: everyPart(matches(CHAIN_HEIGHT)), example: 'KMD=3000000' },
	KOMODECK_INDEX_DISK_RESERVE: { fits: matches(/^[1-9]\d{0,5}$/), example: '256' },
	KOMODECK_FINALITY: {
		fits: everyPart((part) => readFinality(part) !== null),
		example: 'ALPHA=20,BETA=10+notarized'
	},
	KOMODECK_FUNGIBLE_TOKENS: { fits: matches(/^[01]$/), example: '1' },
	KOMODECK_COINS: { example: '~/.komodo/coins_config.json' },
	KOMODECK_PRIVATE_SERVERS: { example: '10.0.0.0/8,electrum.lan' },
	KOMODECK_SELF_IMPORT: { fits: everyPart(matches(CHAIN_KEY)), example: 'SELF=02…' },
	KOMODECK_SECRET_KEY: { example: '' },
	KOMODECK_SECRET_KEY_PREVIOUS: { example: '' },
	KOMODECK_SIGN_ON_ISSUER: { fits: isIssuer, example: 'https://id.example.org' },
	KOMODECK_SIGN_ON_CLIENT_ID: { example: 'komodeck' },
	KOMODECK_SIGN_ON_CLIENT_SECRET: { example: '' },
	KOMODECK_SIGN_ON_SCOPES: { fits: matches(SCOPES), example: 'openid profile email' },
	KOMODECK_SIGN_ON_ROLE_CLAIM: { fits: matches(CLAIM), example: 'groups' },
	KOMODECK_SIGN_ON_ROLES: {
		fits: (value) => roleMap(value) !== null,
		example: 'komodeck-admins=admin,komodeck-team=operator'
	},
	KOMODECK_SIGN_ON_ACCOUNTS: { fits: matches(/^(first-login|invitation)$/), example: 'invitation' },
	KOMODECK_SIGN_ON_LABEL: { fits: isLabel, example: 'Example ID' },
	KOMODECK_SIGN_ON_DOMAINS: { fits: everyPart(matches(DOMAIN)), example: 'example.org' },
	KOMODECK_AUDIT_DAYS: { fits: matches(/^[1-9]\d{0,4}$/), example: '365' },
	KOMODECK_SMTP_HOST: { fits: matches(/^[\w.:-]{1,253}$/), example: 'smtp.example.org' },
	KOMODECK_SMTP_PORT: {
		fits: (value) => /^[1-9]\d{0,4}$/.test(value) && Number(value) <= 65535,
		example: '587'
	},
	KOMODECK_SMTP_TLS: {
		fits: (value) => SMTP_TLS.some((one) => one === value),
		example: 'starttls'
	},
	KOMODECK_SMTP_USER: { example: 'komodeck' },
	KOMODECK_SMTP_PASSWORD: { example: '' },
	KOMODECK_MAIL_FROM: {
		fits: matches(/^[\w.+-]{1,64}@[\w.-]{1,253}$/),
		example: 'komodeck@example.org'
	},
	KOMODECK_AUDIT_EXPORT: { fits: isAuditExport, example: 'syslogs://siem.example.org:6514' },
	KOMODECK_AUDIT_EXPORT_TOKEN: { example: '' },
	LOG_LEVEL: {
		fits: (value) => LOG_LEVELS.some((level) => level === value),
		example: 'info'
	},
	// A field name (RFC 9110, 5.1). Anything else names no header, and every caller would appear to have the
	// proxy's address.
	ADDRESS_HEADER: { fits: matches(/^[\w!#$%&'*+.^`|~-]{1,100}$/), example: 'X-Forwarded-For' },
	XFF_DEPTH: { fits: matches(/^[1-9]\d?$/), example: '1' }
} as const satisfies Readonly<Record<keyof typeof SETTING_WORDS, Setting>>;

/**
 * Holds, within this process, the folder that discovery used at the start: once devnet has started,
 * `KOMODO_HOME` is devnet's.
 */
export const OWN_HOME = 'KOMODECK_OWN_HOME';

export type SettingName = keyof typeof SETTINGS;
/** The values that are set; an empty variable counts as unset. */
export type Settings = Readonly<Partial<Record<SettingName, string>>>;

export const NAMES = Object.keys(SETTINGS) as SettingName[];

/**
 * Reads and validates the settings.
 * @returns a sentence per mistake; no sentence contains a value
 */
export function readSettings(env: NodeJS.ProcessEnv): { values: Settings; problems: string[] } {
	const values: Partial<Record<SettingName, string>> = {};
	const problems: string[] = [];
	for (const name of NAMES) {
		const value = env[name];
		if (value === undefined || value === '') continue;
		const { fits }: Setting = SETTINGS[name];
		const { invalid = '' }: SettingWords = SETTING_WORDS[name];
		if (fits === undefined || fits(value)) values[name] = value;
		else problems.push(`${name} ${invalid}.`);
	}
	return { values, problems };
}

/** Variables that Kubernetes adds to the environment when a service is called komodeck. */
const OF_A_SERVICE = /^\w+_(?:SERVICE_(?:HOST|PORT)\w*|PORT_\d+_\w+)=|^KOMODECK_PORT=tcp:/;

/**
 * Returns variables with our prefix that are no setting: a misspelled name has no effect and should not go
 * unnoticed.
 */
export function strayNames(env: NodeJS.ProcessEnv): string[] {
	const ours = new Set<string>([...NAMES, ...SECRET_SETTINGS.map((name) => `${name}_FILE`)]);
	return Object.keys(env)
		.filter((name) => name.startsWith('KOMODECK_') && name !== OWN_HOME && !ours.has(name))
		.filter((name) => env[name] !== '' && !OF_A_SERVICE.test(`${name}=${env[name]}`))
		.toSorted();
}

/** Returns the text of `.env.example`: every setting, commented out. */
export const envExample = (): string =>
	[
		ENV_EXAMPLE_HEAD,
		...NAMES.map(
			(name) => `\n# ${SETTING_WORDS[name].meaning}\n# ${name}=${SETTINGS[name].example}`
		),
		''
	].join('\n');
