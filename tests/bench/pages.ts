/** Measures size and time of the pages for visitors, and the time of a start. */
import { setTimeout } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { routes, type RouteAccess } from '#lib/server/access/policy/routes.ts';
import { asked } from './asked.ts';
import { processorMs, startApp, type AppProcess } from './processes.ts';
import { ms, percentile, type Measure } from './table.ts';

const GOALS = {
	kilobytes: 50,
	files: 15,
	headBytes: 1_000,
	p50Ms: 2,
	p95Ms: 5,
	startMs: 5_000
};
const REPEATS = 200;
const WARM = 50;
/** Concurrent requests for a page, like those of a load generator. */
const CALLERS = 16;
const LOAD = 800;

interface Loaded {
	/** Gzipped scripts and styles, in bytes. */
	bytes: number;
	/** Number of files that a browser requests before any user action. */
	files: number;
}

/** The files that a page loads at once: those in its HTML and their imports. */
async function loadedBy(html: string, base: string): Promise<Loaded> {
	const links = [...html.matchAll(/<link\b[^>]*>/g)]
		.map(([tag]) => tag)
		.filter((tag) => /rel="(?:modulepreload|stylesheet|preload)"/.test(tag));
	const named = [
		...links.map((tag) => /href="([^"]+)"/.exec(tag) ?? []),
		...html.matchAll(/import\("([^"]+\.js)"\)/g)
	].map(([, file = '']) => new URL(file, base).href);
	// Iterating over a set includes elements that are added meanwhile.
	const files = new Set(named);
	let bytes = 0;
	for (const file of files) {
		const answer = await fetch(file);
		const text = await answer.text();
		if (!answer.ok) throw new Error(`${file} answered ${answer.status}`);
		if (!/\.(?:js|css)$/.test(new URL(file).pathname)) continue;
		bytes += gzipSync(text).length;
		for (const [, imported = ''] of text.matchAll(/(?:from|import)\s*["']([^"']+\.js)["']/g)) {
			files.add(new URL(imported, file).href);
		}
	}
	return { bytes, files: files.size };
}

/** Milliseconds to the first byte of each of many requests, one after the other. */
async function firstBytes(addressOf: (n: number) => string): Promise<number[]> {
	const taken: number[] = [];
	for (let n = 0; n < WARM + REPEATS; n += 1) {
		const { first } = await asked(addressOf(n));
		if (n >= WARM) taken.push(first);
	}
	return taken;
}

/** Pages a second for many visitors, and processor time per page, in milliseconds. */
async function underLoad(app: AppProcess, path: string): Promise<{ rate: number; each: number }> {
	let left = LOAD;
	const before = processorMs(app);
	const began = performance.now();
	await Promise.all(
		Array.from({ length: CALLERS }, async () => {
			while (left > 0) {
				left -= 1;
				await asked(`${app.url}${path}`);
			}
		})
	);
	const rate = (LOAD * 1000) / (performance.now() - began);
	return { rate, each: (processorMs(app) - before) / LOAD };
}

/** Every page that a visitor may read, with existing values for the parameters of its address. */
async function pathsOf(url: string): Promise<Map<string, string>> {
	// The index is filled after the first page.
	const first = async (list: string, column: string): Promise<string> => {
		for (;;) {
			const answer = await fetch(`${url}/api/v1/chains/ALPHA/${list}?limit=1`);
			const { rows } = (await answer.json()) as { rows: Record<string, unknown>[] };
			if (rows[0] !== undefined) return String(rows[0][column]);
			await setTimeout(100);
		}
	};
	const values: Readonly<Record<string, string>> = {
		'[chain]': 'ALPHA',
		'[id]': '1',
		'[address]': await first('addresses', 'address'),
		'[tokenid]': await first('tokens', 'tokenid')
	};
	const txids: Readonly<Record<string, string>> = {
		notarizations: await first('notarizations', 'txid'),
		tx: await first('transactions', 'txid'),
		proof: await first('transactions', 'txid')
	};
	const table: [string, RouteAccess][] = Object.entries(routes);
	const pages = table.filter(
		([route, { GET }]) => GET === 'read' && !route.startsWith('/api/') && route !== '/search'
	);
	const paths = new Map<string, string>();
	for (const [route] of pages) {
		const kind = /\/([a-z]+)\/\[txid\]/.exec(route)?.[1] ?? '';
		const path = route
			.replace('[txid]', txids[kind] ?? '')
			.replace(/\[(?:chain|id|address|tokenid)\]/g, (name) => values[name] ?? '');
		// Some redirect.
		const answer = await fetch(url + path);
		await answer.text();
		if (!answer.ok) throw new Error(`${path} answered ${answer.status}`);
		paths.set(route, new URL(answer.url).pathname);
	}
	return paths;
}

async function measurePage(app: AppProcess, route: string, path: string): Promise<Measure[]> {
	const { head, body } = await asked(app.url + path);
	const { bytes, files } = await loadedBy(body, app.url + path);
	const kilobytes = bytes / 1000;
	// With a different address each time, each request renders the page.
	const anew = await firstBytes((n) => `${app.url}${path}?time=${n}`);
	const taken = await firstBytes(() => app.url + path);
	const [p50, p95] = [percentile(taken, 0.5), percentile(taken, 0.95)];
	const { rate, each } = await underLoad(app, path);
	return [
		{
			what: `${route}: scripts and styles`,
			figure: `${kilobytes.toFixed(0)} kB gzipped in ${files} files`,
			goal: `at most ${GOALS.kilobytes} kB in ${GOALS.files}`,
			met: kilobytes > 1 && kilobytes <= GOALS.kilobytes && files <= GOALS.files
		},
		{
			what: `${route}: head of the answer`,
			figure: `${head} bytes`,
			goal: `at most ${GOALS.headBytes} bytes`,
			met: head <= GOALS.headBytes
		},
		{
			what: `${route}: first byte`,
			figure: `p50 ${ms(p50)}, p95 ${ms(p95)}`,
			goal: `at most ${GOALS.p50Ms} and ${GOALS.p95Ms} ms`,
			met: p50 <= GOALS.p50Ms && p95 <= GOALS.p95Ms
		},
		{
			what: `${route}: first byte, made anew for each request`,
			figure: `p50 ${ms(percentile(anew, 0.5))}, p95 ${ms(percentile(anew, 0.95))}`,
			goal: '',
			met: null
		},
		{
			what: `${route}: ${CALLERS} visitors`,
			figure: `${Math.round(rate)} pages a second, ${ms(each)} of processor each`,
			goal: '',
			met: null
		}
	];
}

export async function measurePages(): Promise<Measure[]> {
	const app = await startApp(null);
	try {
		const measures: Measure[] = [
			{
				what: 'start of the built application with devnet, to its first page',
				figure: ms(app.startMs),
				goal: `at most ${GOALS.startMs / 1000} s`,
				met: app.startMs <= GOALS.startMs
			}
		];
		for (const [route, path] of await pathsOf(app.url)) {
			measures.push(...(await measurePage(app, route, path)));
		}
		return measures;
	} finally {
		await app.stop();
	}
}
