/** Lists, search and details at ten thousand and at a million tokens and blocks. */
import { rmSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openIndex } from '#lib/server/indexer/open.ts';
import { generate, type Generated } from './generate.ts';
import { startApp, startScript } from './processes.ts';
import { ms, percentile, times, type Measure } from './table.ts';

const REPEATS = 60;
/** Differences below this are the noise of a machine, not growth. */
const NOISE_MS = 3;

/** What is asked for, by its name in the table. */
function questions(made: Generated): Record<string, string> {
	const api = `/api/v1/chains/${made.chain}`;
	return {
		'page of tokens, newest first': `/${made.chain}/tokens`,
		'page of tokens, by name': `/${made.chain}/tokens?sort=name`,
		'page of tokens, by holders': `/${made.chain}/tokens?sort=-holders`,
		'page of tokens, beginning of a name': `/${made.chain}/tokens?q=harbour`,
		'page of a token': `/${made.chain}/token/${made.tokenid}`,
		'page of notarizations': `/${made.chain}/notarizations`,
		'page of burns and imports': '/crossings',
		'1000 tokens as JSON': `${api}/tokens?limit=1000`,
		'blocks in the middle': `${api}/blocks?to=${made.height >> 1}`,
		'transactions of a rare kind': `${api}/transactions?kind=import`,
		'history of the busiest address': `${api}/address-transactions?address=${made.miner}`,
		'one transaction': `${api}/tx/${made.txid}`,
		'search for a hash': `/api/search?q=${made.tokenid}`,
		'search for the beginning of a hash': `/api/search?q=${made.tokenid.slice(0, 10)}`,
		'search for a name with a typing error': '/api/search?q=harbuor'
	};
}

interface Size {
	millis: number;
	seconds: number;
	memory: number;
	p95: Map<string, number>;
}

async function measureSize(height: number, url: string | undefined): Promise<Size> {
	const dataDir = mkdtempSync(join(tmpdir(), 'komodeck-bench-'));
	const place = { dataDir, ...(url === undefined ? {} : { url }) };
	try {
		const index = await openIndex(place);
		const began = performance.now();
		const made = await generate(index, height);
		const seconds = (performance.now() - began) / 1000;
		await index.close();
		const daemon = await startScript('cannedDaemon.ts', {
			TIP: made.tip,
			HEIGHT: String(made.height)
		});
		const app = await startApp(daemon.url, {
			KOMODECK_DATA: dataDir,
			...(url === undefined ? {} : { DATABASE_URL: url })
		});
		const p95 = new Map<string, number>();
		try {
			for (const [name, path] of Object.entries(questions(made))) {
				const taken: number[] = [];
				for (let n = 0; n < REPEATS; n++) {
					const start = performance.now();
					const answer = await fetch(app.url + path);
					await answer.arrayBuffer();
					taken.push(performance.now() - start);
					if (answer.status !== 200) throw new Error(`${path} answered ${answer.status}`);
				}
				// The first ones open files and compile queries, at any size.
				p95.set(name, percentile(taken.slice(5), 0.95));
			}
			return { millis: app.startMs, seconds, memory: app.memory(), p95 };
		} finally {
			await app.stop();
			await daemon.stop();
		}
	} finally {
		rmSync(dataDir, { recursive: true, force: true });
	}
}

export interface ListSettings {
	small: number;
	large: number;
	/** Gives an address of an empty PostgreSQL database; SQLite without it. */
	database?: () => Promise<string>;
}

/** @returns a line for each question, with its growth from the small to the large size */
export async function measureLists({ small, large, database }: ListSettings): Promise<Measure[]> {
	const on = database === undefined ? 'SQLite' : 'PostgreSQL';
	const first = await measureSize(small, await database?.());
	const second = await measureSize(large, await database?.());
	const lines = [...second.p95].map(([name, after]): Measure => {
		const before = first.p95.get(name) ?? NaN;
		const growth = after / before;
		return {
			what: `${name}, ${on}`,
			figure: `p95 ${ms(before)} -> ${ms(after)}, ${times(growth)}`,
			goal: `at ${large} at most 2x of ${small}`,
			met: growth <= 2 || after - before <= NOISE_MS
		};
	});
	return [
		{
			what: `rows of ${large} blocks and tokens written, ${on}`,
			figure: `${Math.round(second.seconds)} s, ${Math.round(large / second.seconds)} blocks a second`,
			goal: '',
			met: null
		},
		...lines,
		{
			what: `memory of the server after that, ${on}`,
			figure: `${Math.round(second.memory)} MB`,
			goal: 'at most 250 MB',
			met: second.memory <= 250
		}
	];
}
