/**
 * Measures the RPC API against two pass-through proxies, shared reads, and small responses beside a huge one.
 */
import { execFileSync } from 'node:child_process';
import { resolve } from 'node:path';
import { Pool } from 'undici';
import {
	ADMIN,
	processorMs,
	startApp,
	startScript,
	type AppProcess,
	type Process
} from './processes.ts';
import { longestWait } from '../support/longestWait.ts';
import { ms, percentile, times, type Measure } from './table.ts';

const ROOT = resolve(import.meta.dirname, '../..');
/** Calls of a round: sequential ones, and those of many concurrent callers. */
const CALLS = { one: 500, many: 4_000 };
const CALLERS = 32;
const ROUNDS = 9;
/** Hashes in the huge response: with 67 characters each they make 64 MB. */
const HASHES = 1_000_000;
/** What must at least arrive of it. */
const HUGE_BYTES = 60_000_000;
/** Number of requests for it. */
const HUGE = 7;

const body = (method: string, id: number, params: unknown[] = []): string =>
	JSON.stringify({ jsonrpc: '1.0', id, method, params });

type Ask = (method: string, params?: unknown[]) => Promise<string>;

function asker(url: string, path: string, token: string, connections: number): [Ask, Pool] {
	const pool = new Pool(url, { connections });
	let id = 0;
	const ask: Ask = async (method, params = []) => {
		const answer = await pool.request({
			path,
			method: 'POST',
			headers: { 'content-type': 'text/plain', authorization: `Bearer ${token}` },
			body: body(method, ++id, params)
		});
		const text = await answer.body.text();
		if (answer.statusCode !== 200)
			throw new Error(`${path} answered ${answer.statusCode}: ${text}`);
		return text;
	};
	return [ask, pool];
}

/** Different parameters each time, so that no read is shared. */
async function one(ask: Ask): Promise<number[]> {
	const taken: number[] = [];
	for (let n = 0; n < CALLS.one; n++) {
		const began = performance.now();
		await ask('getblockhash', [n]);
		taken.push(performance.now() - began);
	}
	return taken;
}

/** Calls a second. */
async function many(ask: Ask): Promise<number> {
	let left = CALLS.many;
	const began = performance.now();
	await Promise.all(
		Array.from({ length: CALLERS }, async () => {
			while (left > 0) await ask('getblockhash', [left--]);
		})
	);
	return (CALLS.many * 1000) / (performance.now() - began);
}

/** A viewer's token, made at the command line. */
export function newToken(app: AppProcess): string {
	const said = execFileSync(
		process.execPath,
		['src/cli/main.ts', 'token', 'create', '--user', ADMIN.user, '--role', 'viewer'],
		{ cwd: ROOT, env: { ...process.env, KOMODECK_DATA: app.dataDir, DATABASE_URL: '' } }
	);
	return said.toString().trim().split(/\s+/).at(-1)!;
}

/** Measurements of a way in one round. */
interface Round {
	/** Milliseconds of single calls. */
	p50: number;
	p95: number;
	/** Calls a second with many concurrent callers. */
	rate: number;
	/** Milliseconds of processor time per call. */
	processor: number;
}

/** One way between a script and the daemon, with its measurements. */
interface Way {
	name: string;
	process: Process;
	ask: Ask;
	pool: Pool;
	rounds: Round[];
}

function way(name: string, process: Process, path: string, token: string): Way {
	const [ask, pool] = asker(process.url, path, token, CALLERS);
	return { name, process, ask, pool, rounds: [] };
}

async function measureRound({ ask, process }: Way): Promise<Round> {
	const taken = await one(ask);
	const before = processorMs(process);
	const rate = await many(ask);
	const processor = (processorMs(process) - before) / CALLS.many;
	return { p50: percentile(taken, 0.5), p95: percentile(taken, 0.95), rate, processor };
}

/**
 * The ways alternate, so that other load affects all; each is warmed up like a server that runs for a minute.
 */
async function measureWays(ways: readonly Way[]): Promise<void> {
	for (let warm = 0; warm < 3; warm++) for (const each of ways) await many(each.ask);
	for (let round = 0; round < ROUNDS; round++) {
		for (const each of ways) each.rounds.push(await measureRound(each));
	}
}

/**
 * Time and processor use of the RPC API relative to another way: the median of the rounds, compared round by
 * round.
 */
function against(
	rpc: Way,
	other: Way,
	goals: { time: number; rate: number; processor: number | null }
): Measure[] {
	const middle = (of: keyof Round) => {
		const values = rpc.rounds.map((round) => round[of]);
		const ratios = values.map((value, at) => value / other.rounds[at]![of]);
		return { value: percentile(values, 0.5), ratio: percentile(ratios, 0.5) };
	};
	const atMost = (what: string, of: 'p50' | 'p95' | 'processor', goal: number | null): Measure => {
		const { value, ratio } = middle(of);
		return {
			what,
			figure: `${ms(value)}, ${times(ratio)} of ${other.name}`,
			goal: goal === null ? '' : `at most ${times(goal)}`,
			met: goal === null ? null : ratio <= goal
		};
	};
	const { value: rate, ratio } = middle('rate');
	return [
		atMost('RPC API, 1 caller, p50', 'p50', goals.time),
		atMost('RPC API, 1 caller, p95', 'p95', null),
		{
			what: `RPC API, ${CALLERS} callers, different calls`,
			figure: `${Math.round(rate)} calls a second, ${times(ratio)} of ${other.name}`,
			goal: `at least ${times(goals.rate)}`,
			met: ratio >= goals.rate
		},
		atMost('RPC API, processor time of a call', 'processor', goals.processor)
	];
}

export async function measureRpc(): Promise<Measure[]> {
	const daemon = await startScript('cannedDaemon.ts', { LARGE: String(HASHES) });
	const app = await startApp(daemon.url);
	const token = newToken(app);
	const bare = await startScript('passThrough.ts', { TARGET: daemon.url });
	const checking = await startScript('passThrough.ts', { TARGET: daemon.url, TOKEN: token });
	const rpc = way('the RPC API', app, '/api/rpc/ALPHA', token);
	const barest = way('a bare pass-through', bare, '/', token);
	const checked = way('one that checks a token', checking, '/', token);
	const ways = [barest, checked, rpc];
	try {
		await measureWays(ways);
		const counted = async (): Promise<number> =>
			Number(await (await fetch(`${daemon.url}/getnetworkinfo`)).text());
		const [atOnce, atOncePool] = asker(app.url, '/api/rpc/ALPHA', token, 100);
		const before = await counted();
		await Promise.all(Array.from({ length: 100 }, () => atOnce('getnetworkinfo')));
		const calls = (await counted()) - before;
		await atOncePool.destroy();
		return [
			...against(rpc, barest, { time: 1.5, rate: 0.7, processor: 1.8 }),
			...against(rpc, checked, { time: 1.2, rate: 0.9, processor: null }),
			{
				what: '100 identical reads at once',
				figure: `${calls} upstream calls`,
				goal: '1 upstream call',
				met: calls === 1
			},
			await beside(app, rpc.pool, token)
		];
	} finally {
		for (const { pool } of ways) await pool.destroy();
		for (const each of [checking, bare, app, daemon]) await each.stop();
	}
}

/**
 * The longest wait of other callers while a response of 64 MB passes. They run in a separate thread and do not
 * call the daemon, which generates that response: neither may delay the timed requests.
 */
async function beside(app: AppProcess, pool: Pool, token: string): Promise<Measure> {
	const waits: number[] = [];
	let bytes = 0;
	let arrived = true;
	for (let n = 0; n < HUGE; n++) {
		const { longest, failed } = await longestWait(`${app.url}/healthz`, async () => {
			const answer = await pool.request({
				path: '/api/rpc/ALPHA',
				method: 'POST',
				headers: { 'content-type': 'text/plain', authorization: `Bearer ${token}` },
				body: body('tokenlist', 0)
			});
			bytes = 0;
			for await (const chunk of answer.body) bytes += (chunk as Buffer).length;
			if (answer.statusCode !== 200 || bytes < HUGE_BYTES) arrived = false;
		});
		if (failed !== null) throw new Error(`others were not served: ${failed}`);
		waits.push(longest);
	}
	return {
		what: `others beside an answer of ${Math.round(bytes / 1_000_000)} MB`,
		figure: `wait at most ${ms(percentile(waits, 0.5))} in the middle of ${HUGE} times, ${ms(Math.max(...waits))} in the worst`,
		goal: 'the whole answer, and at most 100 ms',
		met: arrived && Math.max(...waits) <= 100
	};
}
