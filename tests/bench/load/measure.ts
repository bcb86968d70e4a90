/**
 * Measures many simultaneous browsers: their event streams, their requests, and the memory that remains in use.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { startDevnet, type Devnet } from '../../support/devnet.ts';
import { held, partsBelow } from '../held.ts';
import { processorMs, startApp, type AppProcess } from '../processes.ts';
import { ms, percentile, type Measure } from '../table.ts';
import { newBrowsers, openStreams, type Browser, type Streams } from './browsers.ts';

const GOALS = { p95Ms: 300, growthMb: 30, streamsMb: 150, delayMs: 1_300 };
const BROWSERS = 100;
const STREAMS = 1_000;
const A_SECOND = 100;
interface Lengths {
	/** Time until code is compiled and caches are filled, before memory counts. */
	warmMs: number;
	/** Time of requests during open streams. */
	loadMs: number;
	/** Number of blocks that are mined one after the other to compare streams. */
	mined: number;
	/** Time of fast chains. */
	fastMs: number;
}

const WHOLE: Lengths = { warmMs: 20_000, loadMs: 120_000, mined: 20, fastMs: 600_000 };
const QUICK: Lengths = { warmMs: 5_000, loadMs: 15_000, mined: 6, fastMs: 30_000 };
/** Starting and stopping devnet, the server and its browsers, on an otherwise idle machine. */
const AROUND_MS = 25_000;
/** Number of memory samples at rest, one second apart. */
const LOOKS = 5;
/**
 * Milliseconds between two mined blocks, and the increase each time: blocks must not be in step with the
 * polling for them.
 */
const MINE_EVERY_MS = 1_500;
const MINE_LATER_MS = 50;
/** Milliseconds between two blocks of each fast chain. */
const FAST_MS = 500;
const CHAINS = ['KMD', 'ALPHA', 'BETA', 'GAMMA', 'SELF'];
const PATHS = [
	'/',
	'/chains/ALPHA',
	'/chains/ALPHA/blocks',
	'/chains/ALPHA/tokens',
	'/chains/ALPHA/transactions',
	'/chains/BETA/notarizations',
	'/transfers',
	'/api/v1/chains/ALPHA/blocks?limit=20',
	'/api/v1/chains/ALPHA/tokens?limit=20',
	'/chains/KMD/block/1'
];

interface LoadSettings {
	quick: boolean;
	/** An empty PostgreSQL database; SQLite without it. */
	url?: string;
}

interface Answers {
	taken: number[];
	failed: string[];
}

/** Sends this many requests a second, whether or not earlier ones were answered. */
async function ask(url: string, browsers: readonly Browser[], forMs: number): Promise<Answers> {
	const answers: Answers = { taken: [], failed: [] };
	const running: Promise<void>[] = [];
	const began = performance.now();
	const one = async (n: number): Promise<void> => {
		const path = PATHS[n % PATHS.length]!;
		const { headers } = browsers[n % browsers.length]!;
		const sent = performance.now();
		try {
			const answer = await fetch(url + path, { headers });
			await answer.arrayBuffer();
			if (!answer.ok) answers.failed.push(`${path}: ${answer.status}`);
			answers.taken.push(performance.now() - sent);
		} catch (error) {
			answers.failed.push(`${path}: ${String(error)}`);
		}
	};
	for (let n = 0; performance.now() - began < forMs; n++) {
		const late = performance.now() - began - (n * 1_000) / A_SECOND;
		if (late < 0) await setTimeout(-late);
		running.push(one(n));
	}
	await Promise.all(running);
	return answers;
}

/** Memory of a server at rest, in MB: the minimum of several samples, because of garbage collection. */
async function memoryAtRest(app: AppProcess): Promise<number> {
	let least = Infinity;
	for (let n = 0; n < LOOKS; n++) {
		least = Math.min(least, app.memory());
		await setTimeout(1_000);
	}
	return least;
}

/** A hundred requests a second with a hundred open streams, while blocks arrive. */
async function underLoad(
	app: AppProcess,
	net: Devnet,
	browsers: readonly Browser[],
	{ warmMs, loadMs }: Lengths,
	on: string
): Promise<Measure[]> {
	const streams = await openStreams(app.url, browsers);
	const mining = setInterval(() => void net.control.mine('ALPHA'), 2_000);
	await ask(app.url, browsers, warmMs);
	const before = await memoryAtRest(app);
	const processor = processorMs(app);
	const { taken, failed } = await ask(app.url, browsers, loadMs);
	const each = (processorMs(app) - processor) / taken.length;
	clearInterval(mining);
	const growth = (await memoryAtRest(app)) - before;
	const lost = browsers.length - streams.open;
	streams.end();
	const p95 = percentile(taken, 0.95);
	const what = `${browsers.length} browsers, ${A_SECOND} requests a second for ${loadMs / 1000} s, ${on}`;
	return [
		{
			what: `${what}: errors`,
			figure: `${failed.length} of ${taken.length}, ${lost} streams lost ${[...new Set(failed)].slice(0, 3).join('; ')}`,
			goal: '0',
			met: failed.length + lost === 0
		},
		{
			what: `${what}: answers`,
			figure: `p50 ${ms(percentile(taken, 0.5))}, p95 ${ms(p95)}, ${ms(each)} of processor each`,
			goal: `p95 at most ${GOALS.p95Ms} ms`,
			met: p95 <= GOALS.p95Ms
		},
		{
			what: `${what}: memory`,
			figure: `${growth.toFixed(0)} MB more than ${before.toFixed(0)}`,
			goal: `less than ${GOALS.growthMb} MB more`,
			met: growth < GOALS.growthMb
		}
	];
}

/** The delay between the mining of a block and its event on each stream. */
async function delays(net: Devnet, streams: Streams, blocks: number): Promise<number[]> {
	const taken: number[] = [];
	/** Time at which each height was mined. */
	const mined = new Map<number, number>();
	streams.onBlock = (chain, height) => {
		const since = chain === 'ALPHA' ? mined.get(height) : undefined;
		if (since !== undefined) taken.push(performance.now() - since);
	};
	for (let n = 0; n < blocks; n++) {
		const { chains } = await net.control.state();
		mined.set(chains.find(({ name }) => name === 'ALPHA')!.height + 1, performance.now());
		await net.control.mine('ALPHA');
		await setTimeout(MINE_EVERY_MS + n * MINE_LATER_MS);
	}
	return taken;
}

async function manyStreams(
	app: AppProcess,
	net: Devnet,
	browsers: readonly Browser[],
	{ warmMs, mined }: Lengths,
	on: string
): Promise<Measure[]> {
	await ask(app.url, browsers, warmMs / 4);
	const before = await memoryAtRest(app);
	const streams = await openStreams(app.url, browsers);
	const processor = processorMs(app);
	const taken = await delays(net, streams, mined);
	const each = (processorMs(app) - processor) / mined;
	const more = (await memoryAtRest(app)) - before;
	const told = taken.length / (mined * browsers.length);
	const { open } = streams;
	streams.end();
	const p95 = percentile(taken, 0.95);
	return [
		{
			what: `${browsers.length} event streams on one server, ${on}`,
			figure: `${more.toFixed(0)} MB more than ${before.toFixed(0)}, ${ms(each)} of processor for a block`,
			goal: `at most ${GOALS.streamsMb} MB more`,
			met: more <= GOALS.streamsMb
		},
		{
			what: `from a block to ${browsers.length} streams, ${on}`,
			figure: `p50 ${ms(percentile(taken, 0.5))}, p95 ${ms(p95)}, ${(told * 100).toFixed(2)} % told, ${open} open at the end`,
			goal: `p95 at most ${GOALS.delayMs} ms: a look each second, and 300 ms`,
			met: p95 <= GOALS.delayMs && told === 1
		}
	];
}

/** Blocks on all chains faster than on any real chain, and a few browsers that watch. */
async function fastChains(
	app: AppProcess,
	net: Devnet,
	browsers: readonly Browser[],
	{ fastMs }: Lengths,
	on: string
): Promise<Measure> {
	const streams = await openStreams(app.url, browsers);
	const mining = setInterval(() => {
		for (const chain of CHAINS) net.control.mine(chain).catch(() => undefined);
	}, FAST_MS);
	const looking = setInterval(() => {
		for (const path of PATHS) {
			fetch(app.url + path, browsers[0]!).then(
				(answer) => answer.arrayBuffer(),
				() => undefined
			);
		}
	}, 2_000);
	const part = fastMs / 5;
	await setTimeout(part);
	const devnet = partsBelow(process.pid).filter((pid) => pid !== app.child.pid);
	const ofDevnet = (): number => devnet.reduce((sum, pid) => sum + held(pid).resident, 0);
	const [before, devnetBefore] = [await memoryAtRest(app), ofDevnet()];
	await setTimeout(fastMs - part);
	const growth = (await memoryAtRest(app)) - before;
	const devnetGrowth = ofDevnet() - devnetBefore;
	clearInterval(mining);
	clearInterval(looking);
	streams.end();
	return {
		what: `${fastMs / 60_000} minutes of ${CHAINS.length} chains with a block each ${FAST_MS} ms, ${on}`,
		figure: `${growth.toFixed(0)} MB more than ${before.toFixed(0)}; devnet, which keeps its blocks, ${devnetGrowth.toFixed(0)} MB`,
		goal: `less than ${GOALS.growthMb} MB more`,
		met: growth < GOALS.growthMb
	};
}

const lengthsOf = (quick: boolean): Lengths => (quick ? QUICK : WHOLE);

/** Duration of the measurement on one database, in milliseconds; nearly all of it is measured time. */
export function loadTakes(quick: boolean): number {
	const { warmMs, loadMs, mined, fastMs } = lengthsOf(quick);
	const mining = mined * (MINE_EVERY_MS + (mined * MINE_LATER_MS) / 2);
	return AROUND_MS + 1.25 * warmMs + mining + loadMs + fastMs + 6 * LOOKS * 1_000;
}

export async function measureLoad({ quick, url }: LoadSettings): Promise<Measure[]> {
	const on = url === undefined ? 'SQLite' : 'PostgreSQL';
	const lengths = lengthsOf(quick);
	const dataDir = mkdtempSync(join(tmpdir(), 'komodeck-bench-'));
	const net = await startDevnet({ manual: true });
	const app = await startApp(null, {
		KOMODECK_DATA: dataDir,
		KOMODO_HOME: net.dir,
		ADDRESS_HEADER: 'x-forwarded-for',
		...(url === undefined ? {} : { DATABASE_URL: url })
	});
	try {
		const browsers = await newBrowsers({ dataDir, ...(url === undefined ? {} : { url }) }, STREAMS);
		const few = browsers.slice(0, BROWSERS);
		return [
			// This is first, because streams would fit unnoticed into memory by which a server has already
			// grown.
			...(await manyStreams(app, net, browsers, lengths, on)),
			...(await underLoad(app, net, few, lengths, on)),
			await fastChains(app, net, browsers.slice(0, 20), lengths, on)
		];
	} finally {
		await app.stop();
		await net.stop();
		rmSync(dataDir, { recursive: true, force: true });
	}
}
