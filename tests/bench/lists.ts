/** Lists, search and details at ten thousand and at a million tokens and blocks. */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openIndex } from '#lib/server/chains/indexer/open.ts';
import { generate, type Generated } from './generate.ts';
import { startApp, startScript, type AppProcess } from './processes.ts';
import { questions } from './questions.ts';
import { ms, percentile, times, type Measure } from './table.ts';

const REPEATS = 100;
/** The first ones open files and compile queries, at any size. */
const WARM = 10;
/** Differences below this are the noise of a machine, not growth. */
const NOISE_MS = 3;

/** A filled index, and how long that took in seconds; null when it was there. */
interface Filled {
	made: Generated;
	seconds: number | null;
}

const MADE = 'generated.json';

async function fill(dataDir: string, height: number, url: string | undefined): Promise<Filled> {
	const note = join(dataDir, MADE);
	if (existsSync(note)) {
		const made = JSON.parse(readFileSync(note, 'utf8')) as Generated & { middle: string };
		return { made: { ...made, middle: BigInt(made.middle) }, seconds: null };
	}
	mkdirSync(dataDir, { recursive: true });
	const index = await openIndex({ dataDir, ...(url === undefined ? {} : { url }) });
	const began = performance.now();
	const made = await generate(index, height);
	const seconds = (performance.now() - began) / 1000;
	await index.close();
	writeFileSync(note, JSON.stringify({ ...made, middle: String(made.middle) }));
	return { made, seconds };
}

interface Server {
	app: AppProcess;
	asked: Record<string, string>;
	stop(): Promise<void>;
}

async function serve({ made }: Filled, dataDir: string, url: string | undefined): Promise<Server> {
	const daemon = await startScript('cannedDaemon.ts', {
		TIP: made.tip,
		HEIGHT: String(made.height)
	});
	const app = await startApp(daemon.url, {
		KOMODECK_DATA: dataDir,
		...(url === undefined ? {} : { DATABASE_URL: url })
	});
	return {
		app,
		asked: questions(made),
		async stop() {
			await app.stop();
			await daemon.stop();
		}
	};
}

/** The same page under another address; the API takes no parameter that it does not know. */
function anew(address: string, n: number): string {
	const url = new URL(address);
	if (!url.pathname.startsWith('/api/')) url.searchParams.set('time', String(n));
	return url.href;
}

async function timed(url: string): Promise<number> {
	const start = performance.now();
	const answer = await fetch(url);
	await answer.arrayBuffer();
	if (answer.status !== 200) throw new Error(`${url} answered ${answer.status}`);
	return performance.now() - start;
}

export interface ListSettings {
	small: number;
	large: number;
	/** Gives an address of an empty PostgreSQL database; SQLite without it. */
	database?: () => Promise<string>;
	/** A folder that keeps what was generated for the next run; only for SQLite. */
	keep?: string | undefined;
}

/** @returns a line for each question, with its growth from the small to the large size */
export async function measureLists(settings: ListSettings): Promise<Measure[]> {
	const { small, large, database, keep } = settings;
	const on = database === undefined ? 'SQLite' : 'PostgreSQL';
	const folder = keep ?? mkdtempSync(join(tmpdir(), 'komodeck-bench-'));
	const servers: Server[] = [];
	try {
		let seconds: number | null = null;
		for (const height of [small, large]) {
			const dataDir = join(folder, String(height));
			const url = await database?.();
			const filled = await fill(dataDir, height, url);
			seconds = filled.seconds;
			servers.push(await serve(filled, dataDir, url));
		}
		const [first, second] = servers as [Server, Server];
		const lines: Measure[] = [];
		for (const [name, path] of Object.entries(second.asked)) {
			const taken = { small: [] as number[], large: [] as number[] };
			// In turns, so that what the machine does meanwhile falls on both. Each page at an address of its own: one
			// that visitors share is made once a second.
			for (let n = 0; n < WARM + REPEATS; n++) {
				const before = await timed(anew(first.app.url + first.asked[name]!, n));
				const after = await timed(anew(second.app.url + path, n));
				if (n < WARM) continue;
				taken.small.push(before);
				taken.large.push(after);
			}
			const [before, after] = [percentile(taken.small, 0.95), percentile(taken.large, 0.95)];
			lines.push({
				what: `${name}, ${on}`,
				figure: `p95 ${ms(before)} -> ${ms(after)}, ${times(after / before)}`,
				goal: `at ${large} at most 2x of ${small}`,
				met: after / before <= 2 || after - before <= NOISE_MS
			});
		}
		const memory = second.app.memory();
		return [
			...(seconds === null
				? []
				: [
						{
							what: `rows of ${large} blocks and tokens written, ${on}`,
							figure: `${Math.round(seconds)} s, ${Math.round(large / seconds)} blocks a second`,
							goal: '',
							met: null
						}
					]),
			...lines,
			{
				what: `memory of the server after that, ${on}`,
				figure: `${Math.round(memory)} MB`,
				goal: 'at most 250 MB',
				met: memory <= 250
			}
		];
	} finally {
		for (const server of servers) await server.stop();
		if (keep === undefined) rmSync(folder, { recursive: true, force: true });
	}
}
