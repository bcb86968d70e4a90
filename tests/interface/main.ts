/**
 * Prints what the interface documents promise, row by row, against the registry, devnet, the pages and the
 * tests. Ends with 1 when a row has a gap.
 */
import { definitionOf, gapsOf, judge, type Judged, type Mark } from './judge.ts';
import { DOCUMENTS, readRows } from './rows.ts';
import { pageSources, testSources } from './sources.ts';
import { PROFILES, takeTour } from './tour.ts';

const sign = (mark: Mark | undefined): string =>
	mark === null || mark === undefined ? '-' : mark ? 'yes' : 'NO';

const MOST = 64;
const short = (text: string): string => (text.length > MOST ? `${text.slice(0, MOST - 1)}…` : text);

function testsOf({ tests }: Judged): string {
	const [first] = tests;
	if (first === undefined) return 'NONE';
	return tests.length === 1 ? first : `${first} and ${tests.length - 1} more`;
}

function print(document: string, judged: readonly Judged[]): number {
	const gaps = judged.filter((one) => gapsOf(one).length > 0);
	const line = (...cells: readonly string[]): string =>
		[MOST + 1, 9, ...PROFILES.map(() => 7), 5]
			.map((width, index) => (cells[index] ?? '').padEnd(width))
			.concat(cells.at(-1) ?? '')
			.join(' ')
			.trimEnd();
	console.log(`\n${document}`);
	console.log(line('row', 'registry', ...PROFILES, 'page', 'tests'));
	for (const one of judged) {
		const devnet = PROFILES.map((_, index) => sign(one.devnet[index]));
		console.log(
			line(short(one.row.id), sign(one.registry), ...devnet, sign(one.page), testsOf(one))
		);
	}
	console.log(`${document}: ${judged.length} rows, ${gaps.length} with a gap`);
	for (const one of gaps) console.log(`  gap: ${one.row.id} (${gapsOf(one).join(', ')})`);
	return gaps.length;
}

const tours = [];
for (const profile of PROFILES) tours.push(await takeTour(profile));
const evidence = { tours, pages: pageSources(), tests: testSources(), definition: definitionOf };
let gaps = 0;
for (const document of DOCUMENTS) {
	gaps += print(
		document,
		readRows(document).map((row) => judge(row, evidence))
	);
}
process.exitCode = gaps === 0 ? 0 : 1;
