/** Many browsers at once: their event streams, what they ask for, and what of it stays in memory. */
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
/** Compiled and filled is what there is to compile and to fill before memory counts. */
const WARM_MS = 20_000;
/** While streams are compared: blocks that are mined, one after the other. */
const MINED = 20;
/** Between two blocks of each chain, at high speed. */
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

export interface LoadSettings {
	quick: boolean;
	/** An empty PostgreSQL database; SQLite without it. */
	url?: string;
}

interface Answers {
	taken: number[];
	failed: string[];
}

/** As many requests a second as are wanted, whether or not those before are answered. */
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

/** Memory of a server at rest, in MB: the least of some looks, as collections come and go. */
async function memoryAtRest(app: AppProcess): Promise<number> {
	let least = Infinity;
	for (let n = 0; n < 5; n++) {
		least = Math.min(least, app.memory());
		await setTimeout(1_000);
	}
	return least;
}

/** A request a hundred times a second beside a hundred open streams, while blocks come. */
async function underLoad(
	app: AppProcess,
	net: Devnet,
	browsers: readonly Browser[],
	{ forMs, on }: { forMs: number; on: string }
): Promise<Measure[]> {
	const streams = await openStreams(app.url, browsers);
	const mining = setInterval(() => void net.control.mine('ALPHA'), 2_000);
	await ask(app.url, browsers, WARM_MS);
	const before = await memoryAtRest(app);
	const processor = processorMs(app);
	const { taken, failed } = await ask(app.url, browsers, forMs);
	const each = (processorMs(app) - processor) / taken.length;
	clearInterval(mining);
	const growth = (await memoryAtRest(app)) - before;
	const lost = browsers.length - streams.open;
	streams.end();
	const p95 = percentile(taken, 0.95);
	const what = `${browsers.length} browsers, ${A_SECOND} requests a second for ${forMs / 1000} s, ${on}`;
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

/** How long after a block was mined each stream was told of it. */
async function delays(net: Devnet, streams: Streams): Promise<number[]> {
	const taken: number[] = [];
	let mined = 0;
	let height = Infinity;
	streams.onBlock = (chain, at) => {
		if (chain === 'ALPHA' && at === height) taken.push(performance.now() - mined);
	};
	for (let n = 0; n < MINED; n++) {
		const { chains } = await net.control.state();
		height = chains.find(({ name }) => name === 'ALPHA')!.height + 1;
		mined = performance.now();
		await net.control.mine('ALPHA');
		// Not in step with the rounds that look for blocks.
		await setTimeout(1_500 + n * 50);
	}
	return taken;
}

async function manyStreams(
	app: AppProcess,
	net: Devnet,
	browsers: readonly Browser[],
	on: string
): Promise<Measure[]> {
	await ask(app.url, browsers, WARM_MS / 4);
	const before = await memoryAtRest(app);
	const streams = await openStreams(app.url, browsers);
	const processor = processorMs(app);
	const taken = await delays(net, streams);
	const each = (processorMs(app) - processor) / MINED;
	const more = (await memoryAtRest(app)) - before;
	const told = taken.length / (MINED * browsers.length);
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
			figure: `p50 ${ms(percentile(taken, 0.5))}, p95 ${ms(p95)}, ${(told * 100).toFixed(1)} % told`,
			goal: `p95 at most ${GOALS.delayMs} ms: a look each second, and 300 ms`,
			met: p95 <= GOALS.delayMs && told === 1
		}
	];
}

/** Blocks on all chains as fast as nobody needs them, and a few browsers that watch. */
async function fastChains(
	app: AppProcess,
	net: Devnet,
	browsers: readonly Browser[],
	{ forMs, on }: { forMs: number; on: string }
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
	const part = forMs / 5;
	await setTimeout(part);
	const devnet = partsBelow(process.pid).filter((pid) => pid !== app.child.pid);
	const ofDevnet = (): number => devnet.reduce((sum, pid) => sum + held(pid).resident, 0);
	const [before, devnetBefore] = [await memoryAtRest(app), ofDevnet()];
	await setTimeout(forMs - part);
	const growth = (await memoryAtRest(app)) - before;
	const devnetGrowth = ofDevnet() - devnetBefore;
	clearInterval(mining);
	clearInterval(looking);
	streams.end();
	return {
		what: `${forMs / 60_000} minutes of ${CHAINS.length} chains with a block each ${FAST_MS} ms, ${on}`,
		figure: `${growth.toFixed(0)} MB more than ${before.toFixed(0)}; devnet, which keeps its blocks, ${devnetGrowth.toFixed(0)} MB`,
		goal: `less than ${GOALS.growthMb} MB more`,
		met: growth < GOALS.growthMb
	};
}

export async function measureLoad({ quick, url }: LoadSettings): Promise<Measure[]> {
	const on = url === undefined ? 'SQLite' : 'PostgreSQL';
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
			// First of all: what a server has once grown by, streams fit into unseen.
			...(await manyStreams(app, net, browsers, on)),
			...(await underLoad(app, net, few, { forMs: quick ? 15_000 : 120_000, on })),
			await fastChains(app, net, browsers.slice(0, 20), { forMs: quick ? 60_000 : 600_000, on })
		];
	} finally {
		await app.stop();
		await net.stop();
		rmSync(dataDir, { recursive: true, force: true });
	}
}
