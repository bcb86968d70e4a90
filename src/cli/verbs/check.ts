import { z } from 'zod';
import { explainUpstream } from '#lib/server/gateway/explain.ts';
import { createGateway } from '#lib/server/gateway/gateway.ts';
import type { DaemonInfo, Gateway } from '#lib/server/gateway/types.ts';
import { UpstreamError } from '#lib/server/gateway/types.ts';
import { readConfig } from '../config.ts';
import { checkNodes } from '../nodes.ts';
import { table } from '../table.ts';
import { UsageError, type Verb } from '../verb.ts';

const PATIENCE_MS = 5_000;
const HEAD = 'DAEMON ADDRESS STATE CHAIN CCID VERSION HEIGHT PUBKEY CAN PROBLEM'.split(' ');

const Info = z.object({
	result: z.looseObject({
		blocks: z.coerce.number().optional(),
		sapling: z.coerce.number().optional(),
		KMDversion: z.string().optional()
	})
});
const Help = z.object({ result: z.string() });

/** What a daemon can do, by the methods that its `help` lists. */
const CAPABILITIES: readonly [string, RegExp][] = [
	['tokens', /^tokencreate\b/m],
	['migration', /^migrate_createburntransaction\b/m],
	['address index', /^getaddressutxos\b/m],
	['wallet', /^getwalletinfo\b/m]
];

interface Finding {
	row: string[];
	ok: boolean;
}

async function ask<T>(
	gateway: Gateway,
	id: string,
	method: 'getinfo' | 'help',
	schema: z.ZodType<T>
): Promise<T | null> {
	const answer = await gateway.forward(id, method, '[]', { patience: PATIENCE_MS });
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
	const info = (): DaemonInfo => gateway.daemon(id)!;
	try {
		const identity = await ask(gateway, id, 'getinfo', Info);
		const { health, purposes, pubkey } = info();
		if (identity === null) facts.problem = 'getinfo answers in a form that is not known.';
		if (health.state === 'wrong-chain') facts.problem = health.detail ?? 'It serves another chain.';
		if (identity === null || facts.problem !== '') return { row: row(info(), facts), ok: false };
		const { blocks, sapling, KMDversion } = identity.result;
		facts.version = KMDversion ?? String(info().version ?? '-');
		facts.height = blocks === undefined ? '-' : String(blocks);
		const help = await ask(gateway, id, 'help', Help);
		const can = CAPABILITIES.filter(([, pattern]) => pattern.test(help?.result ?? '')).map(
			([name]) => name
		);
		const saplingOn =
			sapling !== undefined && blocks !== undefined && sapling >= 0 && sapling <= blocks;
		if (saplingOn) can.unshift('sapling');
		else if (sapling !== undefined) facts.problem = 'Sapling is not active yet.';
		facts.can = can.join(',') || '-';
		if (pubkey === null && purposes.includes('wallet') && can.includes('tokens')) {
			facts.problem = 'It runs without -pubkey, so it cannot build token transactions.';
		}
	} catch (error) {
		if (!(error instanceof UpstreamError)) throw error;
		const { what, next } = explainUpstream(error);
		facts.problem = `${what} ${next}`;
	}
	return { row: row(info(), facts), ok: facts.problem === '' };
}

export const verb: Verb = {
	usage: [
		[
			'check',
			'asks every daemon and trading node who it is and what it can do; exit code 1 when something is wrong'
		]
	],
	async run(args, { env, out, err }) {
		if (args.length > 0) throw new UsageError('The verb takes no arguments.');
		const config = readConfig(env);
		for (const note of config.notes) err(note);
		const nodesFine = await checkNodes(config, env, out);
		if (config.daemons.length === 0 && config.nodes.length > 0) {
			return config.notes.length === 0 && nodesFine ? 0 : 1;
		}
		if (config.daemons.length === 0) {
			err(`No daemon is configured, and none was found in ${config.komodoHome}.`);
			return 1;
		}
		const gateway = createGateway(config, { probeEvery: null });
		try {
			const findings = await Promise.all(config.daemons.map(({ id }) => look(gateway, id)));
			const rows = findings.map((finding) => finding.row);
			for (const line of table(HEAD, rows)) out(line);
			const fine = nodesFine && findings.every((finding) => finding.ok);
			return config.notes.length === 0 && fine ? 0 : 1;
		} finally {
			await gateway.close();
		}
	}
};
