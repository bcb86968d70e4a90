/** The product with fifty daemons, ten of them offline. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { asked, signIn } from '../asked.ts';
import { processorMs, startApp, startScript, type AppProcess, type Process } from '../processes.ts';
import { ms, percentile, type Measure } from '../table.ts';
import { NAMES, ONLINE, REFUSING, SILENT } from './names.ts';

const GOALS = { firstMs: 20, longestMs: 100, searchMs: 50, backMs: 1_500, asksAMinute: 30 };
const WARM = 20;
const REPEATS = 100;
const SECOND = 1_000;
/** Long enough that the growing polling interval has become long. */
const AWAY_MS = 60_000;
/** As long as the longest polling interval. */
const REST_MS = 60_000;

/** Waits until every chain whose daemon responds is indexed. */
async function indexed({ url }: AppProcess): Promise<void> {
	for (;;) {
		const answer = await fetch(`${url}/api/v1/chains`);
		const { rows } = (await answer.json()) as { rows: { name: string; state: string }[] };
		const known = new Map(rows.map(({ name, state }) => [name, state]));
		if (ONLINE.every((name) => known.get(name) === 'current')) return;
		await setTimeout(SECOND / 4);
	}
}

/**
 * Times to the first byte of a page, with a different address each time, because a page shared by visitors is
 * rendered once a second.
 */
async function firstBytes(address: string, cookie?: string): Promise<number[]> {
	const taken: number[] = [];
	for (let n = 0; n < WARM + REPEATS; n++) {
		const { first } = await asked(
			`${address}${address.includes('?') ? '&' : '?'}time=${n}`,
			cookie
		);
		if (n >= WARM) taken.push(first);
	}
	return taken;
}

function firstByteOf(what: string, taken: readonly number[], goal: number): Measure {
	const [p50, p95] = [percentile(taken, 0.5), percentile(taken, 0.95)];
	return {
		what: `${NAMES.length} chains: first byte of ${what}`,
		figure: `p50 ${ms(p50)}, p95 ${ms(p95)}`,
		goal: `p50 at most ${goal} ms`,
		met: p50 <= goal
	};
}

/** The slowest page of a chain whose daemon is offline. */
async function pagesOfOffline(
	app: AppProcess,
	chains: readonly string[],
	how: string
): Promise<Measure> {
	let longest = 0;
	let slowest = '';
	for (const chain of chains) {
		for (const rest of ['', '/blocks', '/mempool', '/tokens', '/notarizations']) {
			const path = `/chains/${chain}${rest}`;
			const { whole } = await asked(app.url + path);
			if (whole > longest) [longest, slowest] = [whole, path];
		}
	}
	return {
		what: `${NAMES.length} chains: slowest page of a daemon that ${how}`,
		figure: `${ms(longest)} (${slowest})`,
		goal: `at most ${GOALS.longestMs} ms`,
		met: longest <= GOALS.longestMs
	};
}

/** Request rate of silent daemons while no page is open, and the processor load meanwhile. */
async function atRest(app: AppProcess, daemons: Process): Promise<Measure[]> {
	const count = async (): Promise<number> => Number(await (await fetch(daemons.url)).text());
	const [before, processor, began] = [await count(), processorMs(app), performance.now()];
	await setTimeout(REST_MS);
	const seconds = (performance.now() - began) / SECOND;
	const minute = ((await count()) - before) * (60 / seconds);
	return [
		{
			what: `${NAMES.length} chains: questions to ${SILENT.length} silent daemons while no page is open`,
			figure: `${minute.toFixed(0)} a minute`,
			goal: `at most ${GOALS.asksAMinute} a minute`,
			met: minute <= GOALS.asksAMinute
		},
		{
			what: `${NAMES.length} chains: processor at rest`,
			figure: `${((processorMs(app) - processor) / seconds / 10).toFixed(1)} %`,
			goal: '',
			met: null
		}
	];
}

/** How long it takes until a page shows a daemon as online after it responds again. */
async function backAgain(app: AppProcess, daemons: Process): Promise<Measure> {
	const [chain] = SILENT;
	await fetch(daemons.url, { method: 'POST' });
	const began = performance.now();
	for (let n = 0; ; n++) {
		const { body } = await asked(`${app.url}/chains/${chain}?back=${n}`);
		if (new RegExp(`>${chain}</span>[^]*?data-state="(\\w+)"`).exec(body)?.[1] === 'good') break;
		if (performance.now() - began > 60_000) break;
		await setTimeout(50);
	}
	const took = performance.now() - began;
	return {
		what: `${NAMES.length} chains: a daemon that answers again is shown online, to who looks`,
		figure: ms(took),
		goal: `at most ${GOALS.backMs} ms`,
		met: took <= GOALS.backMs
	};
}

export async function measureChains(): Promise<Measure[]> {
	const folder = mkdtempSync(join(tmpdir(), 'komodeck-bench-'));
	const config = join(folder, 'daemons.json');
	const daemons = await startScript('chains/daemons.ts', { CONFIG: config });
	const app = await startApp(null, { KOMODECK_CONFIG: config });
	try {
		const measures: Measure[] = [
			{
				what: `${NAMES.length} chains: start, to the first page`,
				figure: ms(app.startMs),
				goal: '',
				met: null
			}
		];
		await indexed(app);
		const cookie = await signIn(app.url);
		const before = processorMs(app);
		measures.push(
			firstByteOf('the overview, visitor', await firstBytes(app.url), GOALS.firstMs),
			firstByteOf('the overview, member', await firstBytes(app.url, cookie), GOALS.firstMs)
		);
		const each = (processorMs(app) - before) / (2 * (WARM + REPEATS));
		measures.push(
			{
				what: `${NAMES.length} chains: processor of an overview`,
				figure: ms(each),
				goal: '',
				met: null
			},
			firstByteOf(
				'a chain',
				await firstBytes(`${app.url}/chains/${ONLINE[0]}`, cookie),
				GOALS.firstMs
			),
			firstByteOf('the daemons', await firstBytes(`${app.url}/daemons`, cookie), GOALS.longestMs),
			firstByteOf(
				'a search',
				await firstBytes(`${app.url}/search?q=${ONLINE[0]}%2010`, cookie),
				GOALS.searchMs
			)
		);
		measures.push(await pagesOfOffline(app, REFUSING, 'refuses connections'));
		measures.push(await pagesOfOffline(app, SILENT, 'never answers'));
		await setTimeout(AWAY_MS);
		measures.push(...(await atRest(app, daemons)));
		measures.push(await backAgain(app, daemons));
		measures.push({
			what: `${NAMES.length} chains: memory of the server after that`,
			figure: `${Math.round(app.memory())} MB`,
			goal: '',
			met: null
		});
		return measures;
	} finally {
		await app.stop();
		await daemons.stop();
		rmSync(folder, { recursive: true, force: true });
	}
}
