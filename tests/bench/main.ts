/**
 * `npm run bench`: prints the performance figures of the product, each beside its goal.
 *
 * `--only NAME` runs one part (pages, chains, start, load, faults, stalls, rpc, index, lists, postgres, replicas,
 * and huge and huge-postgres, which take hours and run only when named); `--quick` uses a tenth of the rows, and
 * of the time where time is measured; `--blocks N` is the size of a huge index; `--keep FOLDER` keeps the
 * generated SQLite data and reuses it the next time. Ratios are computed within one run, because machines differ.
 */
import { build, isBuilt } from '../../src/start/build.ts';
import { measureChains } from './chains/measure.ts';
import { measureFaults } from './faults.ts';
import { measureRpc } from './rpc.ts';
import { measureIndexRate } from './indexRate.ts';
import { loadTakes, measureLoad } from './load/measure.ts';
import { measureLists } from './lists.ts';
import { measurePages } from './pages.ts';
import { withPostgres } from './postgres.ts';
import { measureReplicas } from './replicas.ts';
import { measureStart } from './start.ts';
import { measureAnswers } from './stalls/answers.ts';
import { measureRequests } from './stalls/requests.ts';
import { printTable, type Measure } from './table.ts';
import { toolOptions } from '../support/toolOptions.ts';

const values = toolOptions(
	{
		only: { type: 'string' },
		quick: { type: 'boolean', default: false },
		keep: { type: 'string' },
		blocks: { type: 'string', default: '4000000' }
	},
	'usage: npm run bench -- [--only NAME] [--quick] [--keep FOLDER] [--blocks N]'
);
const large = values.quick ? 100_000 : 1_000_000;
const small = 10_000;
/** As many blocks as the KMD main chain has; they contain more than ten million transactions. */
const huge = Number(values.blocks);

const PARTS: Readonly<Record<string, () => Promise<Measure[]>>> = {
	pages: measurePages,
	chains: measureChains,
	start: () => measureStart(values.quick ? 60_000 : 600_000),
	load: async () => [
		...(await measureLoad({ quick: values.quick })),
		...(await withPostgres(async (database) =>
			measureLoad({ quick: values.quick, url: await database() })
		))
	],
	faults: measureFaults,
	stalls: async () => [...(await measureRequests()), ...(await measureAnswers())],
	rpc: measureRpc,
	index: () => measureIndexRate(values.quick ? 2_000 : 20_000),
	lists: () => measureLists({ small, large, keep: values.keep }),
	postgres: () => withPostgres((database) => measureLists({ small, large, database })),
	replicas: () => withPostgres(measureReplicas),
	huge: () => measureLists({ small, large: huge, keep: values.keep }),
	'huge-postgres': () => withPostgres((database) => measureLists({ small, large: huge, database }))
};
/** Duration of a part on both databases, in milliseconds, if it is known. */
const TAKES: Readonly<Record<string, number>> = { load: 2 * loadTakes(values.quick) };
/** Parts that run only when named. */
const ONLY_NAMED = ['huge', 'huge-postgres'];

const chosen = Object.entries(PARTS).filter(([name]) =>
	values.only === undefined ? !ONLY_NAMED.includes(name) : name === values.only
);
if (chosen.length === 0) {
	process.stderr.write(
		`There is no part ${values.only}; there are ${Object.keys(PARTS).join(', ')}.\n`
	);
	process.exit(2);
}
if (!isBuilt()) build();
const measures: Measure[] = [];
for (const [name, measure] of chosen) {
	const takes = TAKES[name];
	const minutes = takes === undefined ? '' : `, about ${Math.ceil(takes / 60_000)} minutes`;
	process.stderr.write(`measuring ${name}${minutes}\n`);
	measures.push(...(await measure()));
}
printTable(measures);
const missed = measures.filter(({ met }) => met === false).length;
process.stdout.write(`\n${measures.length} figures, ${missed} missed\n`);
