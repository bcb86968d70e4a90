import { sql } from 'kysely';
import { CHECK_VERB, TABLE_HEADS, USAGE } from '#lib/messages/commandLine.ts';
import { indexDetail } from '#lib/messages/daemonIndexes.ts';
import { diskMessage } from '#lib/messages/disk.ts';
import { explainCheck } from '#lib/messages/explained/daemonCheck.ts';
import { START_UP } from '#lib/messages/startUp.ts';
import { createMailer } from '#lib/server/access/notifications/mailer.ts';
import { signOnOptions } from '#lib/server/access/single-sign-on/options.ts';
import { CALLBACK_PATH, providerOf } from '#lib/server/access/single-sign-on/singleSignOn.ts';
import { checkDaemons, type DaemonCheck } from '#lib/server/chains/health/checkDaemons.ts';
import { createCoins } from '#lib/server/kdf/coins/coins.ts';
import { keySettings } from '#lib/server/platform/config/secretFiles.ts';
import type { Config } from '#lib/server/platform/config/types.ts';
import { openAsIs } from '#lib/server/database.ts';
import { startError } from '#lib/server/platform/database/startError.ts';
import { diskSpaceOf, diskStatus } from '#lib/server/platform/disk/diskSpace.ts';
import { AppError, isAppError } from '#lib/server/platform/errors/appError.ts';
import { readSecretKey } from '#lib/server/platform/secrets/secretKey.ts';
import { hostFault } from '../../start/hostFault.ts';
import { readConfig } from '../config.ts';
import { checkKdfs } from '../nodes.ts';
import { table } from '../table.ts';
import type { Verb } from '../verb.ts';

const TIMEOUT_MS = 5_000;

const words = ({ problems }: DaemonCheck): string =>
	problems
		.map((problem) => {
			const { what, next } = explainCheck(problem);
			return `${what} ${next}`;
		})
		.join(' ');

function row(check: DaemonCheck): string[] {
	const { daemon, release, height, can } = check;
	const pubkey = daemon.pubkey ?? '-';
	return [
		daemon.id,
		daemon.url,
		daemon.health.state,
		daemon.name ?? '-',
		String(daemon.ccid ?? '-'),
		release ?? '-',
		String(height ?? '-'),
		pubkey.length > 20 ? `${pubkey.slice(0, 8)}…${pubkey.slice(-6)}` : pubkey,
		can.join() || '-',
		words(check)
	];
}

/** Checks that the PostgreSQL database answers; reports why it does not. True on SQLite. */
async function checkDatabase(
	{ databaseUrl, dataDir }: Config,
	err: (line: string) => void
): Promise<boolean> {
	if (databaseUrl === null) return true;
	const place = { url: databaseUrl, dataDir };
	const db = openAsIs(place);
	try {
		await sql`select 1`.execute(db);
		return true;
	} catch (error) {
		const explained = startError(error, place, { file: '', isIndex: false });
		if (!isAppError(explained, 'database')) throw error;
		err(explained.message);
		return false;
	} finally {
		await db.close();
	}
}

/** Checks that the server can listen on the configured host; reports when it cannot. */
async function checkHost({ host }: Config, err: (line: string) => void): Promise<boolean> {
	const fault = await hostFault(host);
	if (fault !== null) err(START_UP.hostUnusable(host, fault));
	return fault === null;
}

/** Checks the free space of the data folder's disk; reports when it is too low. */
async function checkDisk(config: Config, err: (line: string) => void): Promise<boolean> {
	const space = await diskSpaceOf(config.dataDir)();
	// File systems such as /proc have size 0 and cannot hold data.
	if (space.size === 0) {
		err(CHECK_VERB.noFolder(config.dataDir));
		return false;
	}
	const status = diskStatus(space, config.indexDiskReserve, config.databaseUrl === null);
	const words = diskMessage(status);
	if (words !== null) err(words);
	return words === null;
}

/**
 * Checks the secret key of the environment; reports why it is unusable. The key file is created by the first
 * start.
 */
function checkKey({ dataDir }: Config, env: NodeJS.ProcessEnv, err: (line: string) => void) {
	const source = { dataDir, ...keySettings(env) };
	if (!source.secretKey) return true;
	try {
		readSecretKey(source, false);
		return true;
	} catch (error) {
		if (!isAppError(error, 'secret')) throw error;
		err(error.message);
		return false;
	}
}

/**
 * Checks the coins file; reports why it is unusable. Single invalid entries are listed with the coins
 * instead.
 */
async function checkCoins({ coinsFile }: Config, err: (line: string) => void): Promise<boolean> {
	const { coins, problems } = await createCoins(coinsFile).catalog();
	if (coins.length > 0 || problems.length === 0) return true;
	for (const problem of problems) err(problem);
	return false;
}

/**
 * Checks that the single sign-on provider responds and accepts this client; prints the result and the
 * redirect URI.
 */
async function checkSignOn(config: Config, out: (line: string) => void): Promise<boolean> {
	const options = signOnOptions(config);
	if (options === null) return true;
	const { issuer } = options.config;
	try {
		const accepts = await providerOf(options).acceptsClient();
		out(
			CHECK_VERB.signOn[accepts === false ? 'refused' : accepts ? 'accepted' : 'reached'](issuer)
		);
		if (accepts !== false) out(CHECK_VERB.redirectUri(`${options.origin}${CALLBACK_PATH}`));
		return accepts !== false;
	} catch (error) {
		if (!isAppError(error, 'sign-on.unavailable')) throw error;
		out(CHECK_VERB.signOn.unreachable(issuer));
		return false;
	}
}

/**
 * Checks that notices can be sent by email: logs in at the mail server without sending. True when none is
 * configured.
 */
async function checkMail(
	{ smtp }: Config,
	out: (line: string) => void,
	err: (line: string) => void
): Promise<boolean> {
	if (smtp === null) return true;
	const mailer = createMailer(smtp);
	try {
		await mailer.check();
		out(CHECK_VERB.mail(smtp.host, smtp.port));
		return true;
	} catch (error) {
		if (!isAppError(error, 'notice')) throw error;
		err(CHECK_VERB.noMail(smtp.host, smtp.port));
		return false;
	} finally {
		mailer.close();
	}
}

export const verb: Verb = {
	usage: USAGE.check,
	async run(args, { env, out, err }) {
		if (args.length > 0) throw new AppError('usage.no-arguments');
		const config = readConfig(env);
		for (const note of config.notes) err(note);
		const hasDatabase = await checkDatabase(config, err);
		const settingsFine = [
			hasDatabase,
			await checkHost(config, err),
			await checkDisk(config, err),
			checkKey(config, env, err),
			await checkCoins(config, err)
		].every(Boolean);
		const hasSignOn = await checkSignOn(config, out);
		const hasMail = await checkMail(config, out, err);
		// Refused passwords of trading nodes are remembered in the database.
		const hasNodes = hasDatabase && (await checkKdfs(config, env, out));
		const nodesFine = hasNodes && settingsFine && hasSignOn && hasMail;
		if (config.daemons.length === 0 && config.nodes.length > 0) {
			return config.notes.length === 0 && nodesFine ? 0 : 1;
		}
		if (config.daemons.length === 0) {
			err(CHECK_VERB.none(config.komodoHome));
			return 1;
		}
		const checks = await checkDaemons(config, { timeoutMs: TIMEOUT_MS });
		for (const line of table(TABLE_HEADS.check, checks.map(row))) out(line);
		const indexes = checks.flatMap(({ daemon, indexes }) =>
			indexes.map((fact) => [daemon.id, fact.name, fact.state, indexDetail(fact)])
		);
		if (indexes.length > 0) {
			out('');
			for (const line of table(TABLE_HEADS.indexes, indexes)) out(line);
		}
		const fine = nodesFine && checks.every(({ problems }) => problems.length === 0);
		return config.notes.length === 0 && fine ? 0 : 1;
	}
};
