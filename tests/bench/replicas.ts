/**
 * Measures several servers over one PostgreSQL database: the gain of a second server, and the delay of
 * notifications.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startDevnet, type Devnet } from '../support/devnet.ts';
import { asked, signIn } from './asked.ts';
import { startApp, type AppProcess } from './processes.ts';
import { ms, percentile, times, type Measure } from './table.ts';

/**
 * The throughput of two servers has no goal, because the load generator and the database use the same
 * processors.
 */
const GOALS = { wordMs: 100 };
/** Pages of a member, which are not cached. */
const PATHS = ['/', '/chains/ALPHA', '/chains/ALPHA/blocks', '/chains/ALPHA/block/5', '/transfers'];
/** Concurrent requests, like those of a load generator. */
const CALLERS = 16;
const LOAD = 1_500;
const WARM = 200;
const BLOCKS = 20;

/** Pages a second for members; requests go to the servers in turn. */
async function rate(apps: readonly AppProcess[], cookie: string): Promise<number> {
	const run = async (count: number): Promise<void> => {
		let left = count;
		await Promise.all(
			Array.from({ length: CALLERS }, async () => {
				while (left > 0) {
					left -= 1;
					const { url } = apps[left % apps.length]!;
					await asked(url + PATHS[left % PATHS.length]!, cookie);
				}
			})
		);
	};
	await run(WARM);
	const began = performance.now();
	await run(LOAD);
	return (LOAD * 1000) / (performance.now() - began);
}

/** Records when an open page at a server got the event of each block. */
async function follow(app: AppProcess): Promise<{ at: Map<number, number>; stop(): void }> {
	const ended = new AbortController();
	const answer = await fetch(`${app.url}/api/events`, { signal: ended.signal });
	const at = new Map<number, number>();
	const read = async (): Promise<void> => {
		let said = '';
		for await (const part of answer.body!.pipeThrough(new TextDecoderStream())) {
			said += part;
			const events = said.split('\n\n');
			said = events.pop() ?? '';
			for (const event of events) {
				const height = /event: block\n[^]*"chain":"ALPHA","height":(\d+)/.exec(event)?.[1];
				if (height !== undefined && !at.has(Number(height)))
					at.set(Number(height), performance.now());
			}
		}
	};
	read().catch(() => undefined);
	return { at, stop: () => ended.abort() };
}

/** Delay of the last server's event of a block after that of the first, in milliseconds. */
async function delays(apps: readonly AppProcess[], devnet: Devnet): Promise<number[]> {
	const readers = await Promise.all(apps.map(follow));
	const taken: number[] = [];
	for (let n = 0; n < BLOCKS; n += 1) {
		await devnet.control.mine('ALPHA');
		const { blocks } = await devnet.rpc<{ blocks: number }>('ALPHA', 'getinfo');
		const heard = (): number[] => readers.flatMap(({ at }) => at.get(blocks) ?? []);
		while (heard().length < readers.length) await new Promise((done) => setTimeout(done, 20));
		taken.push(Math.max(...heard()) - Math.min(...heard()));
	}
	for (const reader of readers) reader.stop();
	return taken;
}

/** @param database creates an empty database */
export async function measureReplicas(database: () => Promise<string>): Promise<Measure[]> {
	const folder = mkdtempSync(join(tmpdir(), 'komodeck-bench-'));
	const devnet = await startDevnet({});
	const apps: AppProcess[] = [];
	try {
		const config = join(folder, 'komodeck.json');
		const daemons = ['KMD', 'ALPHA', 'BETA'].map((chain) => {
			const { url, user, password } = devnet.chains.get(chain)!;
			return { chain, url, user, password };
		});
		writeFileSync(config, JSON.stringify({ daemons }));
		const settings = {
			KOMODECK_DATA: folder,
			KOMODECK_CONFIG: config,
			DATABASE_URL: await database()
		};
		apps.push(await startApp(null, settings), await startApp(null, settings));
		const cookie = await signIn(apps[0]!.url);
		const one = await rate(apps.slice(0, 1), cookie);
		const two = await rate(apps, cookie);
		const word = await delays(apps, devnet);
		const [p50, p95] = [percentile(word, 0.5), percentile(word, 0.95)];
		return [
			{
				what: `pages of members with ${CALLERS} callers, one server over PostgreSQL`,
				figure: `${one.toFixed(0)} a second`,
				goal: '',
				met: null
			},
			{
				what: 'the same, two servers on these processors',
				figure: `${two.toFixed(0)} a second, ${times(two / one)}`,
				goal: '',
				met: null
			},
			{
				what: 'a block is told at the other server, after the first',
				figure: `p50 ${ms(p50)}, p95 ${ms(p95)}`,
				goal: `p95 at most ${GOALS.wordMs} ms`,
				met: p95 <= GOALS.wordMs
			}
		];
	} finally {
		for (const app of apps) await app.stop();
		await devnet.stop();
		rmSync(folder, { recursive: true, force: true });
	}
}
