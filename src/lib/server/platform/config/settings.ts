/** Every setting of the environment: what it may be, what it is for, and what it is when it is not set. */
import { z } from 'zod';
import { readFinality } from './finality.ts';
import { CHAIN_HEIGHT, CHAIN_KEY, hostList } from './lists.ts';

const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;

interface Setting {
	/** What it is for, as a phrase. */
	meaning: string;
	/** What it may be; anything where it is left out. */
	check?: z.ZodType<string, string>;
	/** An example, or what it is when it is not set. */
	example: string;
}

const matching = (pattern: RegExp, message: string) => z.string().regex(pattern, message);
const every = (fits: (part: string) => boolean, message: string) =>
	z.string().refine((value) => value.split(',').every((part) => fits(part.trim())), message);

/** In the order in which the README and `.env.example` name them. */
export const SETTINGS = {
	HOST: { meaning: 'where to listen: this machine only', example: '127.0.0.1' },
	PORT: {
		meaning: 'port of the pages and the RPC API',
		check: z
			.string()
			.refine(
				(value) => /^\d{1,5}$/.test(value) && Number(value) <= 65535,
				'must be a port, 0 to 65535'
			),
		example: '3000'
	},
	KOMODECK_HOSTS: {
		meaning: 'further host names that requests may name',
		check: z
			.string()
			.refine(
				(value) => hostList(value) !== null,
				'must be host names like deck.lan,10.0.0.5:3000, without http:// and without wildcards'
			),
		example: 'deck.lan,10.0.0.5'
	},
	KOMODECK_DATA: { meaning: 'data folder', example: 'data' },
	KOMODECK_CONFIG: {
		meaning: 'JSON file with daemons and trading nodes, instead of discovery',
		example: 'komodeck.json'
	},
	KOMODO_HOME: { meaning: 'where discovery looks', example: '~/.komodo' },
	DATABASE_URL: {
		meaning: 'a PostgreSQL address, instead of SQLite in the data folder',
		check: z
			.string()
			.refine(
				(value) => /^postgres(ql)?:\/\//.test(value) && URL.canParse(value),
				'must be an address like postgres://user@host/name'
			),
		example: 'postgres://user@host/name'
	},
	KOMODECK_ORIGIN: {
		meaning: 'the public address when a proxy stands in front',
		check: z
			.string()
			.refine(
				(value) =>
					URL.canParse(value) &&
					/^https?:$/.test(new URL(value).protocol) &&
					new URL(value).origin === value.replace(/\/$/, ''),
				'must be an origin like https://deck.example.org, without a path'
			),
		example: 'https://deck.example.org'
	},
	KOMODECK_ADMIN_USER: { meaning: 'name of the first account', example: 'ada' },
	KOMODECK_ADMIN_PASSWORD: { meaning: 'password of the first account', example: '' },
	KOMODECK_PUBLIC: {
		meaning: '1: chain data without a login',
		check: z.enum(['0', '1'], 'must be 0 or 1'),
		example: '0'
	},
	KOMODECK_REQUESTS: {
		meaning: 'pages that one member may request within ten seconds',
		check: matching(/^[1-9]\d{0,8}$/, 'must be a number of requests'),
		example: '1000'
	},
	KOMODECK_CALLS: {
		meaning: 'calls that one member may make within ten seconds',
		check: matching(/^[1-9]\d{0,8}$/, 'must be a number of calls'),
		example: '20000'
	},
	KOMODECK_INDEX_FROM: {
		meaning: 'first indexed heights, by chain; genesis where none is named',
		check: every(
			(part) => CHAIN_HEIGHT.test(part),
			'must be like KMD=3000000,ALPHA=0: the first height that is indexed, by chain'
		),
		example: 'KMD=3000000'
	},
	KOMODECK_INDEX_DISK_RESERVE: {
		meaning: 'megabytes on the disk of the data folder that the index leaves',
		check: matching(
			/^[1-9]\d{0,5}$/,
			'must be a number of megabytes from 1 to 999999: room on the disk that the index leaves'
		),
		example: '256'
	},
	KOMODECK_FINALITY: {
		meaning: 'when a block is final, by chain',
		check: every(
			(part) => readFinality(part) !== null,
			'must be like ALPHA=20,BETA=10+notarized,GAMMA=10/notarized: when a block is final, by chain'
		),
		example: 'ALPHA=20,BETA=10+notarized'
	},
	KOMODECK_COINS: {
		meaning: 'coins file of the trading node',
		example: '~/.komodo/coins_config.json'
	},
	KOMODECK_PRIVATE_SERVERS: {
		meaning: 'private servers that may be reached',
		example: '10.0.0.0/8,electrum.lan'
	},
	KOMODECK_SELF_IMPORT: {
		meaning: 'ac_pubkey of chains with ac_import=PUBKEY',
		check: every(
			(part) => CHAIN_KEY.test(part),
			'must be like SELF=02… with the 66 hex digits of ac_pubkey, by chain'
		),
		example: 'SELF=02…'
	},
	KOMODECK_SECRET_KEY: {
		meaning: 'key for what is encrypted or sealed, instead of a file in the data folder',
		example: ''
	},
	KOMODECK_SECRET_KEY_PREVIOUS: {
		meaning: 'the key before, for the one start that changes the key',
		example: ''
	},
	KOMODECK_AUDIT_DAYS: {
		meaning: 'days that audit events are kept at least; permanently when not set',
		check: matching(/^[1-9]\d{0,4}$/, 'must be a number of days from 1 to 99999'),
		example: '365'
	},
	LOG_LEVEL: {
		meaning: `what is logged: ${LOG_LEVELS.join(', ')}`,
		check: z.enum(LOG_LEVELS, `must be one of ${LOG_LEVELS.join(', ')}`),
		example: 'info'
	},
	ADDRESS_HEADER: {
		meaning: 'header in which a proxy in front writes the address of a request',
		example: 'X-Forwarded-For'
	},
	XFF_DEPTH: {
		meaning: 'how many proxies stand in a row',
		check: matching(/^[1-9]\d?$/, 'must be a number of proxies from 1 to 99'),
		example: '1'
	}
} as const satisfies Readonly<Record<string, Setting>>;

type Name = keyof typeof SETTINGS;
/** What is set; an empty variable counts as one that is not. */
type Settings = Readonly<Partial<Record<Name, string>>>;

export const NAMES = Object.keys(SETTINGS) as Name[];

/**
 * Reads the settings.
 * @returns a sentence per mistake, none of which holds a value
 */
export function readSettings(env: NodeJS.ProcessEnv): { values: Settings; problems: string[] } {
	const values: Partial<Record<Name, string>> = {};
	const problems: string[] = [];
	for (const name of NAMES) {
		const value = env[name];
		if (value === undefined || value === '') continue;
		const { check }: Setting = SETTINGS[name];
		const read = check?.safeParse(value);
		if (read && !read.success) problems.push(`${name} ${read.error.issues[0]!.message}.`);
		else values[name] = value;
	}
	return { values, problems };
}

/** The text of `.env.example`: every setting, switched off. */
export const envExample = (): string =>
	[
		'# Settings of Komodeck. Copy this file to .env and take the # away from what you set.',
		...NAMES.map((name) => `\n# ${SETTINGS[name].meaning}\n# ${name}=${SETTINGS[name].example}`),
		''
	].join('\n');
