import { CONFIG_NOTES } from '#lib/messages/configNotes.ts';
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { MEGABYTE } from '../disk/diskSpace.ts';
import { AppError } from '../errors/appError.ts';
import { readPrivateList } from '../net/ranges.ts';
import { discoverDaemons } from './discover.ts';
import { readConfigFile } from './file.ts';
import {
	chainsNamedTwice,
	finality,
	hostList,
	indexFrom,
	selfImport,
	unknownChains
} from './lists.ts';
import { auditExportConfig, smtpConfig } from './mail.ts';
import { namedPath } from './namedFile.ts';
import { withSecretFiles } from './secretFiles.ts';
import {
	DEFAULTS,
	OWN_HOME,
	readSettings,
	strayNames,
	type SettingName,
	type Settings
} from './settings.ts';
import { signOnOfEnvironment, signOnOrigin } from './signOn.ts';
import type { Config, DaemonConfig } from './types.ts';

/** Applies KOMODECK_SELF_IMPORT: what the environment says about a chain overrides the file of a single daemon. */
function withImportMode(daemon: DaemonConfig, pubkeys: ReadonlyMap<string, string>): DaemonConfig {
	const acPubkey = pubkeys.get(daemon.chain);
	return acPubkey === undefined ? daemon : { ...daemon, acImport: 'PUBKEY', acPubkey };
}

/** Komodo's default data folder on this platform (Komodo daemon 0.9.0). */
function defaultHome(env: NodeJS.ProcessEnv): string {
	if (process.platform === 'darwin') return join(homedir(), 'Library/Application Support/Komodo');
	const appData = env['APPDATA'];
	if (process.platform === 'win32' && appData) return join(appData, 'Komodo');
	return join(homedir(), '.komodo');
}

/**
 * Returns the named coins file, else the one in the home folder, preferring `coins_config.json`, which has
 * server lists.
 */
function coinsFile(named: string | undefined, home: string): string | null {
	if (named !== undefined) return namedPath(named);
	const found = ['coins_config.json', 'coins'].map((name) => join(home, name)).find(existsSync);
	return found ?? null;
}

/** Settings that only qualify another one and have no effect while that one is not set. */
const PARTNERS = {
	KOMODECK_SMTP_PORT: 'KOMODECK_SMTP_HOST',
	KOMODECK_SMTP_TLS: 'KOMODECK_SMTP_HOST',
	KOMODECK_SMTP_USER: 'KOMODECK_SMTP_HOST',
	KOMODECK_SMTP_PASSWORD: 'KOMODECK_SMTP_USER',
	KOMODECK_AUDIT_EXPORT_TOKEN: 'KOMODECK_AUDIT_EXPORT',
	KOMODECK_SIGN_ON_CLIENT_SECRET: 'KOMODECK_SIGN_ON_ISSUER',
	KOMODECK_SIGN_ON_SCOPES: 'KOMODECK_SIGN_ON_ISSUER',
	KOMODECK_SIGN_ON_ROLE_CLAIM: 'KOMODECK_SIGN_ON_ISSUER',
	KOMODECK_SIGN_ON_ROLES: 'KOMODECK_SIGN_ON_ISSUER',
	KOMODECK_SIGN_ON_ACCOUNTS: 'KOMODECK_SIGN_ON_ISSUER',
	KOMODECK_SIGN_ON_LABEL: 'KOMODECK_SIGN_ON_ISSUER',
	KOMODECK_SIGN_ON_DOMAINS: 'KOMODECK_SIGN_ON_ISSUER',
	XFF_DEPTH: 'ADDRESS_HEADER'
} as const satisfies Partial<Record<SettingName, SettingName>>;

/** Returns a sentence for each setting that has no effect because another one is missing. */
const withoutPartner = (values: Settings): string[] =>
	Object.entries(PARTNERS).flatMap(([name, partner]) =>
		values[name as keyof typeof PARTNERS] !== undefined && values[partner] === undefined
			? [CONFIG_NOTES.alone(name, partner)]
			: []
	);

/**
 * Reads the settings from the environment and the daemons from the configuration file, or by discovery when no
 * file is named.
 * @throws {AppError} `config`, `mm2`; messages never contain a value
 */
export function loadConfig(given: NodeJS.ProcessEnv): Config {
	const env = withSecretFiles(given);
	const { values, problems } = readSettings(env);
	if (
		(values.KOMODECK_ADMIN_USER === undefined) !==
		(values.KOMODECK_ADMIN_PASSWORD === undefined)
	) {
		problems.push(CONFIG_NOTES.adminIncomplete);
	}
	if (values.DATABASE_READ_URL !== undefined && values.DATABASE_URL === undefined) {
		problems.push(CONFIG_NOTES.standbyAlone);
	}
	const ownSignOn = signOnOfEnvironment(values, problems);
	if ((values.KOMODECK_SMTP_HOST === undefined) !== (values.KOMODECK_MAIL_FROM === undefined)) {
		problems.push(CONFIG_NOTES.mailIncomplete);
	}
	problems.push(...chainsNamedTwice(values));
	if (problems.length > 0) throw new AppError('config.invalid', { problems });
	const komodoHome = namedPath(values.KOMODO_HOME ?? defaultHome(env));
	const found =
		values.KOMODECK_CONFIG === undefined
			? { ...discoverDaemons(komodoHome), signOn: null }
			: { ...readConfigFile(values.KOMODECK_CONFIG), notes: [] };
	const pubkeys = selfImport(values.KOMODECK_SELF_IMPORT);
	const port = Number(values.PORT ?? DEFAULTS.PORT);
	const onPort = [...found.daemons, ...found.nodes].find((upstream) => upstream.port === port);
	if (onPort !== undefined) {
		throw new AppError('config.port-of-pages', {
			kind: 'chain' in onPort ? 'daemon' : 'node',
			id: onPort.id,
			port
		});
	}
	const host = values.HOST ?? '127.0.0.1';
	const origin =
		values.KOMODECK_ORIGIN === undefined ? null : new URL(values.KOMODECK_ORIGIN).origin;
	const signOn = ownSignOn ?? found.signOn;
	if (signOn !== null && signOnOrigin({ origin, host, port }) === null) {
		throw new AppError('config.invalid', { problems: [CONFIG_NOTES.signOnOrigin] });
	}
	const chains = found.daemons.map(({ chain }) => chain);
	const proxyHeader =
		values.ADDRESS_HEADER === undefined
			? null
			: { name: values.ADDRESS_HEADER.toLowerCase(), depth: Number(values.XFF_DEPTH ?? '1') };
	const exportToken = values.KOMODECK_AUDIT_EXPORT_TOKEN ?? null;
	const auditExport = auditExportConfig(values.KOMODECK_AUDIT_EXPORT, exportToken);
	return {
		host,
		port,
		dataDir: namedPath(values.KOMODECK_DATA ?? DEFAULTS.KOMODECK_DATA),
		databaseUrl: values.DATABASE_URL ?? null,
		databaseReadUrl: values.DATABASE_READ_URL ?? null,
		origin,
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
		drainSeconds: Number(values.KOMODECK_DRAIN_SECONDS ?? '0'),
		auditDays: values.KOMODECK_AUDIT_DAYS === undefined ? null : Number(values.KOMODECK_AUDIT_DAYS),
		fungibleTokens: values.KOMODECK_FUNGIBLE_TOKENS !== '0',
		proxyHeader,
		publicBrowsing: values.KOMODECK_PUBLIC === '1',
		signOn,
		komodoHome,
		daemons: found.daemons.map((daemon) => withImportMode(daemon, pubkeys)),
		nodes: found.nodes,
		coinsFile: coinsFile(values.KOMODECK_COINS, komodoHome),
		privateServers: readPrivateList(
			values.KOMODECK_PRIVATE_SERVERS ?? '',
			'KOMODECK_PRIVATE_SERVERS'
		),
		smtp: smtpConfig(values),
		auditExport,
		notes: [
			...strayNames(given).map(CONFIG_NOTES.noSetting),
			...withoutPartner(values),
			...(auditExport?.kind === 'syslog' && exportToken !== null
				? [CONFIG_NOTES.tokenOfSyslog]
				: []),
			...(proxyHeader !== null &&
			proxyHeader.name !== 'x-forwarded-for' &&
			values.XFF_DEPTH !== undefined
				? [CONFIG_NOTES.depthOfOther]
				: []),
			...found.notes,
			...unknownChains(values, chains)
		]
	};
}

/**
 * Reads the settings and the daemons' files again as the next start would, ignoring devnet.
 * @throws {AppError} `config`, `mm2`; messages never contain a value
 */
export function loadNextConfig(env: NodeJS.ProcessEnv): Config {
	const own = env[OWN_HOME];
	return loadConfig(own === undefined ? env : { ...env, KOMODO_HOME: own });
}
