/** Lists, search and details at ten thousand and at a million tokens and blocks. */
import {
	existsSync,
	mkdirSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	rmSync,
	statSync,
	writeFileSync
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { openIndex, type Index } from '#lib/server/chains/indexer/open.ts';
import { generate, type Generated } from './generate.ts';
import { startApp, startScript, type AppProcess } from './processes.ts';
import { questions } from './questions.ts';
import { ms, percentile, times, type Measure } from './table.ts';

const REPEATS = 100;
/** The first requests open files and compile queries, at any size. */
const WARM = 10;
/** Smaller differences are noise of the machine, not growth. */
const NOISE_MS = 3;

/** Cost of filling an index. */
interface Taken {
	seconds: number;
	/** Of the three chains together. */
	transactions: number;
	/** On the disk, indexes of tables included. */
	bytes: number;
	/** The peak memory of the process that wrote it, in bytes. */
	memory: number;
}

/** A filled index and the cost of filling it; null when it existed already. */
interface Filled {
	made: Generated;
	taken: Taken | null;
}

const MADE = 'generated.json';

async function bytesOf(index: Index, dataDir: string): Promise<number> {
	if (index.dialect === 'sqlite') {
		await index.shrinkLog();
		const files = readdirSync(dataDir).filter((name) => name.startsWith('index.sqlite'));
		return files.reduce((sum, name) => sum + statSync(join(dataDir, name)).size, 0);
	}
	const { rows } = await sql<{ bytes: bigint }>`
		select pg_database_size(current_database()) as bytes`.execute(index);
	return Number(rows[0]!.bytes);
}

async function fill(dataDir: string, height: number, url: string | undefined): Promise<Filled> {
	const note = join(dataDir, MADE);
	if (existsSync(note)) {
		const made = JSON.parse(readFileSync(note, 'utf8')) as Generated & { middle: string };
		return { made: { ...made, middle: BigInt(made.middle) }, taken: null };
	}
	mkdirSync(dataDir, { recursive: true });
	const index = await openIndex({ dataDir, ...(url === undefined ? {} : { url }) });
	const began = performance.now();
	const made = await generate(index, height);
	const seconds = (performance.now() - began) / 1000;
	const { transactions } = await index
		.selectFrom('ix_txs')
		.select((eb) => eb.fn.countAll<bigint>().as('transactions'))
		.executeTakeFirstOrThrow();
	const taken: Taken = {
		seconds,
		transactions: Number(transactions),
		bytes: await bytesOf(index, dataDir),
		memory: process.resourceUsage().maxRSS * 1024
	};
	await index.close();
	writeFileSync(note, JSON.stringify({ ...made, middle: String(made.middle) }));
	return { made, taken };
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

/** The same page under another address; the API refuses unknown parameters. */
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
	/** A folder in which generated data is kept for the next run; SQLite only. */
	keep?: string | undefined;
}

const MB = 1_000_000;

function filling(taken: Taken, blocks: number, on: string): Measure[] {
	const { seconds, transactions, bytes, memory } = taken;
	const line = (what: string, figure: string): Measure => ({
		what: `${what}, ${on}`,
		figure,
		goal: '',
		met: null
	});
	return [
		line(
			`rows of ${blocks} blocks and tokens written`,
			`${Math.round(seconds)} s, ${Math.round(blocks / seconds)} blocks a second`
		),
		line(
			`${transactions} transactions on the disk`,
			`${Math.round(bytes / MB)} MB, ${Math.round(bytes / transactions)} bytes each`
		),
		line('memory of the process that wrote them, at most', `${Math.round(memory / MB)} MB`)
	];
}

/** @returns a line for each query, with its growth from the small to the large size */
export async function measureLists(settings: ListSettings): Promise<Measure[]> {
	const { small, large, database, keep } = settings;
	const on = database === undefined ? 'SQLite' : 'PostgreSQL';
	const folder = keep ?? mkdtempSync(join(tmpdir(), 'komodeck-bench-'));
	const servers: Server[] = [];
	try {
		let taken: Taken | null = null;
		for (const height of [small, large]) {
			const dataDir = join(folder, String(height));
			const url = await database?.();
			const filled = await fill(dataDir, height, url);
			taken = filled.taken;
			servers.push(await serve(filled, dataDir, url));
		}
		const [first, second] = servers as [Server, Server];
		const lines: Measure[] = [];
		for (const [name, path] of Object.entries(second.asked)) {
			const waited = { small: [] as number[], large: [] as number[] };
			// The sizes alternate, so that other load affects both. Each request has a different address,
			// because a page shared by visitors is rendered once a second.
			for (let n = 0; n < WARM + REPEATS; n++) {
				const before = await timed(anew(first.app.url + first.asked[name]!, n));
				const after = await timed(anew(second.app.url + path, n));
				if (n < WARM) continue;
				waited.small.push(before);
				waited.large.push(after);
			}
			const [before, after] = [percentile(waited.small, 0.95), percentile(waited.large, 0.95)];
			lines.push({
				what: `${name}, ${on}`,
				figure: `p95 ${ms(before)} -> ${ms(after)}, ${times(after / before)}`,
				goal: `at ${large} at most 2x of ${small}, or ${NOISE_MS} ms more`,
				met: after / before <= 2 || after - before <= NOISE_MS
			});
		}
		const memory = second.app.memory();
		return [
			...(taken === null ? [] : filling(taken, large, on)),
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
