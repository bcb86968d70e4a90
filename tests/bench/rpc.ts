/** The RPC API against a bare pass-through; shared reads; a huge answer beside small ones. */
import { execFileSync } from 'node:child_process';
import { resolve } from 'node:path';
import { Pool } from 'undici';
import { ADMIN, startApp, startScript, type AppProcess } from './processes.ts';
import { ms, percentile, times, type Measure } from './table.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const CALLS = 1_500;
const WARM = 300;
const CALLERS = 32;
/** Hashes in the huge answer: 67 characters each make 64 MB. */
const HASHES = 1_000_000;

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

/** Different parameters each time, so that no two reads are the same one. */
async function one(ask: Ask): Promise<number[]> {
	const taken: number[] = [];
	for (let n = 0; n < WARM + CALLS; n++) {
		const began = performance.now();
		await ask('getblockhash', [n]);
		if (n >= WARM) taken.push(performance.now() - began);
	}
	return taken;
}

async function many(ask: Ask): Promise<number> {
	let left = CALLS * 4;
	const began = performance.now();
	await Promise.all(
		Array.from({ length: CALLERS }, async () => {
			while (left > 0) await ask('getblockhash', [left--]);
		})
	);
	return (CALLS * 4 * 1000) / (performance.now() - began);
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

export async function measureRpc(): Promise<Measure[]> {
	const daemon = await startScript('cannedDaemon.ts', { LARGE: String(HASHES) });
	const app = await startApp(daemon.url);
	const token = newToken(app);
	const bare = await startScript('passThrough.ts', { TARGET: daemon.url, TOKEN: token });
	const [throughRpcApi, rpcPool] = asker(app.url, '/api/rpc/ALPHA', token, CALLERS);
	const [throughBare, barePool] = asker(bare.url, '/', token, CALLERS);
	try {
		// In turns, so that what the machine does meanwhile falls on both.
		const rpc: number[] = [];
		const pass: number[] = [];
		for (let round = 0; round < 3; round++) {
			pass.push(...(await one(throughBare)));
			rpc.push(...(await one(throughRpcApi)));
		}
		const rates = { rpc: 0, bare: 0 };
		for (let round = 0; round < 3; round++) {
			rates.bare = Math.max(rates.bare, await many(throughBare));
			rates.rpc = Math.max(rates.rpc, await many(throughRpcApi));
		}
		const line = (share: number, name: string): Measure => {
			const [mine, least] = [percentile(rpc, share), percentile(pass, share)];
			return {
				what: `RPC API, 1 caller, ${name}`,
				figure: `${ms(mine)}, ${times(mine / least)} of ${ms(least)}`,
				goal: 'at most 1.50x of a bare pass-through',
				met: mine / least <= 1.5
			};
		};
		const counted = async (): Promise<number> =>
			Number(await (await fetch(`${daemon.url}/getnetworkinfo`)).text());
		const [atOnce, atOncePool] = asker(app.url, '/api/rpc/ALPHA', token, 100);
		const before = await counted();
		await Promise.all(Array.from({ length: 100 }, () => atOnce('getnetworkinfo')));
		const calls = (await counted()) - before;
		await atOncePool.destroy();
		return [
			line(0.5, 'p50'),
			line(0.95, 'p95'),
			{
				what: `RPC API, ${CALLERS} callers`,
				figure: `${Math.round(rates.rpc)} calls a second, ${times(rates.rpc / rates.bare)} of ${Math.round(rates.bare)}`,
				goal: 'at least 0.70x of a bare pass-through',
				met: rates.rpc / rates.bare >= 0.7
			},
			{
				what: '100 identical reads at once',
				figure: `${calls} upstream calls`,
				goal: '1 upstream call',
				met: calls === 1
			},
			await beside(throughRpcApi, rpcPool, token)
		];
	} finally {
		await rpcPool.destroy();
		await barePool.destroy();
		await bare.stop();
		await app.stop();
		await daemon.stop();
	}
}

/**
 * How long a small call waits at most while an answer of 64 MB goes through. Its bytes are only counted
 * here: to put them together would hold up the calls that are timed.
 */
async function beside(ask: Ask, pool: Pool, token: string): Promise<Measure> {
	let done = false;
	const huge = (async () => {
		const answer = await pool.request({
			path: '/api/rpc/ALPHA',
			method: 'POST',
			headers: { 'content-type': 'text/plain', authorization: `Bearer ${token}` },
			body: body('tokenlist', 0)
		});
		let bytes = 0;
		for await (const chunk of answer.body) bytes += (chunk as Buffer).length;
		done = true;
		return bytes;
	})();
	let longest = 0;
	let n = 0;
	while (!done) {
		const began = performance.now();
		await ask('getblockhash', [1_000_000 + n++]);
		longest = Math.max(longest, performance.now() - began);
	}
	const megabytes = (await huge) / 1_000_000;
	return {
		what: `small calls beside an answer of ${Math.round(megabytes)} MB`,
		figure: `at most ${ms(longest)} of ${n} calls`,
		goal: 'at most 100 ms',
		met: longest <= 100
	};
}
