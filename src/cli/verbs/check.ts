import { z } from 'zod';
import { recordedText } from '#lib/messages/errors/recorded.ts';
import { explainDaemon } from '#lib/messages/explained/daemon.ts';
import { createGateway, readsOnly } from '#lib/server/chains/daemon/gateway.ts';
import type { DaemonInfo, Gateway } from '#lib/server/chains/daemon/types.ts';
import { capabilitiesOf, type Identity } from '#lib/server/chains/health/capabilities.ts';
import { INDEX_NAMES, indexFact } from '#lib/server/chains/health/indexes.ts';
import { readIndexes, readProbes } from '#lib/server/chains/health/read.ts';
import type { Config } from '#lib/server/platform/config/types.ts';
import { diskSpaceOf, diskStanding } from '#lib/server/platform/database/diskSpace.ts';
import { AppError, isAppError } from '#lib/server/platform/errors/appError.ts';
import { readConfig } from '../config.ts';
import { checkKdfs } from '../nodes.ts';
import { table } from '../table.ts';
import type { Verb } from '../verb.ts';

const TIMEOUT_MS = 5_000;
const HEAD = 'DAEMON ADDRESS STATE CHAIN CCID VERSION HEIGHT PUBKEY CAN PROBLEM'.split(' ');

const Info = z.object({
	result: z.looseObject({
		blocks: z.coerce.number().optional(),
		sapling: z.coerce.number().optional(),
		KMDversion: z.string().optional(),
		CCid: z.coerce.number().optional(),
		pubkey: z.string().optional(),
		notaryid: z.coerce.number().optional(),
		balance: z.unknown().optional()
	})
});
const INDEX_HEAD = 'DAEMON INDEX STATE MEANING'.split(' ');
const MAIN = 'KMD';

/** What `getinfo` says, as far as what the daemon can follows from it. */
function identityOf({ result }: z.infer<typeof Info>): Identity {
	const { CCid = 0, blocks, sapling, pubkey, balance, notaryid } = result;
	return {
		ccid: CCid,
		blocks: blocks ?? null,
		sapling: sapling ?? null,
		pubkey: pubkey ?? null,
		hasWallet: balance !== undefined,
		notaryId: notaryid ?? -1
	};
}

/** What every daemon that answers can. */
const UNLISTED: readonly string[] = ['read'];

interface Finding {
	row: string[];
	/** One row for each index; none when the daemon did not answer. */
	indexes: string[][];
	ok: boolean;
}

async function ask<T>(
	gateway: Gateway,
	id: string,
	method: 'getinfo',
	schema: z.ZodType<T>
): Promise<T | null> {
	const answer = await gateway.proxy(id, method, '[]', { timeout: TIMEOUT_MS });
	const parsed = schema.safeParse(jsonOf(answer.body.toString('utf8')));
	return parsed.success ? parsed.data : null;
}

/** What JSON text says; null for what is none. */
function jsonOf(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return null;
	}
}

function row(
	daemon: DaemonInfo,
	facts: { version: string; height: string; can: string; problem: string }
): string[] {
	const pubkey = daemon.pubkey ?? '-';
	return [
		daemon.id,
		daemon.url,
		daemon.health.state,
		daemon.name ?? '-',
		daemon.ccid === null ? '-' : String(daemon.ccid),
		facts.version,
		facts.height,
		pubkey.length > 20 ? `${pubkey.slice(0, 8)}…${pubkey.slice(-6)}` : pubkey,
		facts.can,
		facts.problem
	];
}

async function look(gateway: Gateway, id: string): Promise<Finding> {
	const facts = { version: '-', height: '-', can: '-', problem: '' };
	const rows: string[][] = [];
	const info = (): DaemonInfo => gateway.daemon(id)!;
	try {
		const identity = await ask(gateway, id, 'getinfo', Info);
		const { health, purposes, pubkey } = info();
		if (identity === null) facts.problem = 'getinfo answers in a form that is not known.';
		if (health.state === 'wrong-chain' && health.reason !== null)
			facts.problem = recordedText(health.reason);
		if (identity === null || facts.problem !== '')
			return { row: row(info(), facts), indexes: rows, ok: false };
		const { blocks, KMDversion } = identity.result;
		facts.version = KMDversion ?? String(info().version ?? '-');
		facts.height = blocks === undefined ? '-' : String(blocks);
		const [indexes, probes] = await Promise.all([
			readIndexes(gateway, info(), 'check', TIMEOUT_MS),
			readProbes(gateway, info(), 'check', TIMEOUT_MS)
		]);
		const own = identityOf(identity);
		const isMain = info().chain === MAIN;
		const can = capabilitiesOf({ isMain, identity: own, indexes, probes, importMode: null });
		facts.can = can.flatMap((one) => (one.can && !UNLISTED.includes(one.id) ? one.id : [])).join();
		facts.can ||= '-';
		if (can.some((one) => one.id === 'sapling' && one.can === false))
			facts.problem = 'Sapling is not active yet.';
		for (const name of INDEX_NAMES) {
			const { state, detail } = indexFact(name, indexes[name], own.ccid !== 0);
			rows.push([id, name, state, detail]);
		}
		if (pubkey === null && purposes.includes('wallet') && (identity.result.CCid ?? 0) !== 0) {
			facts.problem = 'It runs without -pubkey, so it cannot build token transactions.';
		}
	} catch (error) {
		if (!isAppError(error, 'daemon')) throw error;
		const { what, next } = explainDaemon(error.coded);
		facts.problem = `${what} ${next}`;
	}
	return { row: row(info(), facts), indexes: rows, ok: facts.problem === '' };
}

/** Whether the disk of the data folder has room; says what it lacks. */
async function checkDisk(config: Config, err: (line: string) => void): Promise<boolean> {
	const space = await diskSpaceOf(config.dataDir)();
	const { words } = diskStanding(space, config.indexDiskReserve, config.databaseUrl === null);
	if (words !== null) err(words);
	return words === null;
}

export const verb: Verb = {
	usage: [
		[
			'check',
			'asks every daemon and trading node who it is and what it can do; exit code 1 when something is wrong'
		]
	],
	async run(args, { env, out, err }) {
		if (args.length > 0) throw new AppError('usage.no-arguments');
		const config = readConfig(env);
		for (const note of config.notes) err(note);
		const hasDisk = await checkDisk(config, err);
		const nodesFine = (await checkKdfs(config, env, out)) && hasDisk;
		if (config.daemons.length === 0 && config.nodes.length > 0) {
			return config.notes.length === 0 && nodesFine ? 0 : 1;
		}
		if (config.daemons.length === 0) {
			err(`No daemon is configured, and none was found in ${config.komodoHome}.`);
			return 1;
		}
		const gateway = createGateway(config, { pollEvery: null, refusal: readsOnly });
		try {
			const findings = await Promise.all(config.daemons.map(({ id }) => look(gateway, id)));
			const rows = findings.map((finding) => finding.row);
			for (const line of table(HEAD, rows)) out(line);
			const indexes = findings.flatMap((finding) => finding.indexes);
			if (indexes.length > 0) {
				out('');
				for (const line of table(INDEX_HEAD, indexes)) out(line);
			}
			const fine = nodesFine && findings.every((finding) => finding.ok);
			return config.notes.length === 0 && fine ? 0 : 1;
		} finally {
			await gateway.close();
		}
	}
};
