import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { z } from 'zod';
import { MEGABYTE } from '../database/diskSpace.ts';
import { readHost, type RequestHost } from '../http/host.ts';
import { readPrivateList } from '../net/ranges.ts';
import { discoverDaemons } from './discover.ts';
import { ConfigError } from './error.ts';
import { readConfigFile } from './file.ts';
import { readFinality, type FinalityRule } from './finality.ts';
import { withSecretFiles } from './secretFiles.ts';
import type { Config, DaemonConfig } from './types.ts';

/** An empty variable counts as one that is not set. */
const text = (schema: z.ZodType<string, string>) =>
	z.preprocess((value) => (value === '' ? undefined : value), schema.optional());

/** A chain and its first indexed height. */
const INDEX_FROM = /^([^\s=,]{1,64})=(\d{1,9})$/;

function indexFrom(text: string | undefined): ReadonlyMap<string, number> {
	const parts = (text ?? '').split(',').map((part) => INDEX_FROM.exec(part.trim()));
	return new Map(parts.flatMap((part) => (part ? [[part[1]!, Number(part[2])] as const] : [])));
}

function finality(text: string | undefined): ReadonlyMap<string, FinalityRule> {
	const rules = (text ?? '').split(',').map((part) => readFinality(part.trim()));
	return new Map(rules.filter((rule) => rule !== null));
}

/** A chain and its `ac_pubkey`. */
const SELF_IMPORT = /^([^\s=,]{1,64})=(0[23][0-9a-fA-F]{64})$/;

/** The `ac_pubkey` of the chains that were started with `ac_import=PUBKEY`, by chain. */
function selfImport(text: string | undefined): ReadonlyMap<string, string> {
	const parts = (text ?? '').split(',').map((part) => SELF_IMPORT.exec(part.trim()));
	return new Map(
		parts.flatMap((part) => (part ? [[part[1]!, part[2]!.toLowerCase()] as const] : []))
	);
}

/** Host names with or without a port; null when one is none. */
function hostList(text: string): readonly RequestHost[] | null {
	const hosts = text.split(',').map((part) => readHost(part.trim()));
	return hosts.every((host) => host !== null) ? hosts : null;
}

/** What the environment says of a chain wins over what a file of one daemon says. */
function withImportMode(daemon: DaemonConfig, pubkeys: ReadonlyMap<string, string>): DaemonConfig {
	const acPubkey = pubkeys.get(daemon.chain);
	return acPubkey === undefined ? daemon : { ...daemon, acImport: 'PUBKEY', acPubkey };
}

const Environment = z.object({
	HOST: text(z.string()),
	PORT: text(
		z
			.string()
			.refine(
				(value) => /^\d{1,5}$/.test(value) && Number(value) <= 65535,
				'must be a port, 0 to 65535'
			)
	),
	KOMODECK_DATA: text(z.string()),
	KOMODECK_CONFIG: text(z.string()),
	DATABASE_URL: text(
		z
			.string()
			.refine(
				(value) => /^postgres(ql)?:\/\//.test(value) && URL.canParse(value),
				'must be an address like postgres://user@host/name'
			)
	),
	KOMODECK_ORIGIN: text(
		z
			.string()
			.refine(
				(value) =>
					URL.canParse(value) &&
					/^https?:$/.test(new URL(value).protocol) &&
					new URL(value).origin === value.replace(/\/$/, ''),
				'must be an origin like https://deck.example.org, without a path'
			)
	),
	KOMODECK_HOSTS: text(
		z
			.string()
			.refine(
				(value) => hostList(value) !== null,
				'must be host names like deck.lan,10.0.0.5:3000, without http:// and without wildcards'
			)
	),
	KOMODECK_ADMIN_USER: text(z.string()),
	KOMODECK_ADMIN_PASSWORD: text(z.string()),
	KOMODO_HOME: text(z.string()),
	KOMODECK_INDEX_FROM: text(
		z
			.string()
			.refine(
				(value) => value.split(',').every((part) => INDEX_FROM.test(part.trim())),
				'must be like KMD=3000000,ALPHA=0: the first height that is indexed, by chain'
			)
	),
	KOMODECK_INDEX_DISK_RESERVE: text(
		z
			.string()
			.refine(
				(value) => /^[1-9]\d{0,5}$/.test(value),
				'must be a number of megabytes from 1 to 999999: room on the disk that the index leaves'
			)
	),
	KOMODECK_SELF_IMPORT: text(
		z
			.string()
			.refine(
				(value) => value.split(',').every((part) => SELF_IMPORT.test(part.trim())),
				'must be like SELF=02… with the 66 hex digits of ac_pubkey, by chain'
			)
	),
	KOMODECK_FINALITY: text(
		z
			.string()
			.refine(
				(value) => value.split(',').every((part) => readFinality(part.trim()) !== null),
				'must be like ALPHA=20,BETA=10+notarized,GAMMA=10/notarized: when a block is final, by chain'
			)
	),
	KOMODECK_REQUESTS: text(
		z.string().refine((value) => /^[1-9]\d{0,8}$/.test(value), 'must be a number of requests')
	),
	KOMODECK_CALLS: text(
		z.string().refine((value) => /^[1-9]\d{0,8}$/.test(value), 'must be a number of calls')
	),
	KOMODECK_COINS: text(z.string()),
	KOMODECK_PRIVATE_SERVERS: text(z.string()),
	KOMODECK_PUBLIC: text(z.enum(['0', '1'], 'must be 0 or 1'))
});

/** Where Komodo keeps its data on this platform (Komodo daemon 0.9.0). */
function defaultHome(env: NodeJS.ProcessEnv): string {
	if (process.platform === 'darwin') return join(homedir(), 'Library/Application Support/Komodo');
	const appData = env['APPDATA'];
	if (process.platform === 'win32' && appData) return join(appData, 'Komodo');
	return join(homedir(), '.komodo');
}

/** The coins file: the named one, else the one beside the nodes, with its server lists where it has them. */
function coinsFile(named: string | undefined, home: string): string | null {
	if (named !== undefined) return resolve(named);
	const found = ['coins_config.json', 'coins'].map((name) => join(home, name)).find(existsSync);
	return found ?? null;
}

/**
 * Reads the settings from the environment and the daemons from the configuration file, or by discovery when
 * no file is named.
 * @throws {ConfigError} with a sentence per mistake; no message holds a value
 */
export function loadConfig(given: NodeJS.ProcessEnv): Config {
	const env = withSecretFiles(given);
	const parsed = Environment.safeParse(env);
	const problems = parsed.success
		? []
		: parsed.error.issues.map((issue) => `${issue.path.join('.')} ${issue.message}.`);
	const hasUser = Boolean(env['KOMODECK_ADMIN_USER']);
	const hasPassword = Boolean(env['KOMODECK_ADMIN_PASSWORD']);
	if (hasUser !== hasPassword) {
		problems.push('KOMODECK_ADMIN_USER and KOMODECK_ADMIN_PASSWORD must be set together.');
	}
	if (!parsed.success || problems.length > 0) throw new ConfigError(problems);
	const values = parsed.data;
	const komodoHome = resolve(values.KOMODO_HOME ?? defaultHome(env));
	const found =
		values.KOMODECK_CONFIG === undefined
			? discoverDaemons(komodoHome)
			: { ...readConfigFile(values.KOMODECK_CONFIG), notes: [] };
	const pubkeys = selfImport(values.KOMODECK_SELF_IMPORT);
	const port = Number(values.PORT ?? '3000');
	const onPort = [...found.daemons, ...found.nodes].find((upstream) => upstream.port === port);
	if (onPort !== undefined) {
		throw new ConfigError([
			`${'chain' in onPort ? 'The daemon' : 'The trading node'} ${onPort.id} has the port ${port}, on which the pages are: give it another one.`
		]);
	}
	return {
		host: values.HOST ?? '127.0.0.1',
		port,
		dataDir: resolve(values.KOMODECK_DATA ?? 'data'),
		databaseUrl: values.DATABASE_URL ?? null,
		origin: values.KOMODECK_ORIGIN === undefined ? null : new URL(values.KOMODECK_ORIGIN).origin,
		hosts: values.KOMODECK_HOSTS === undefined ? [] : (hostList(values.KOMODECK_HOSTS) ?? []),
		admin:
			values.KOMODECK_ADMIN_USER === undefined || values.KOMODECK_ADMIN_PASSWORD === undefined
				? null
				: { user: values.KOMODECK_ADMIN_USER, password: values.KOMODECK_ADMIN_PASSWORD },
		indexFrom: indexFrom(values.KOMODECK_INDEX_FROM),
		indexDiskReserve: Number(values.KOMODECK_INDEX_DISK_RESERVE ?? '256') * MEGABYTE,
		finality: finality(values.KOMODECK_FINALITY),
		requestsPer10s: Number(values.KOMODECK_REQUESTS ?? '1000'),
		callsPer10s: Number(values.KOMODECK_CALLS ?? '20000'),
		publicBrowsing: values.KOMODECK_PUBLIC === '1',
		komodoHome,
		daemons: found.daemons.map((daemon) => withImportMode(daemon, pubkeys)),
		nodes: found.nodes,
		coinsFile: coinsFile(values.KOMODECK_COINS, komodoHome),
		privateServers: readPrivateList(
			values.KOMODECK_PRIVATE_SERVERS ?? '',
			'KOMODECK_PRIVATE_SERVERS'
		),
		notes: found.notes
	};
}
