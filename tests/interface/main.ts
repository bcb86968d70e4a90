/**
 * Prints the promises of the interface documents, row by row, against the registry, devnet, the pages and the
 * tests, then each row that a network shows differently, with the reason. Exits with 1 when a row has a gap.
 */
import { definitionOf, gapsOf, judge, type Evidence, type Judged, type Mark } from './judge.ts';
import { formParams } from './forms.ts';
import { judgeKdf, kdfDefinitionOf, type KdfEvidence } from './kdfJudge.ts';
import { differenceOf, PROFILES } from './networks.ts';
import { tradingPages } from './reach.ts';
import { DOCUMENTS, readRows, type DocumentName, type Row } from './rows.ts';
import { pageSources, testSources } from './sources.ts';
import { takeTours } from './tour.ts';

const sign = (mark: Mark | undefined): string =>
	mark === null || mark === undefined ? '-' : mark ? 'yes' : 'NO';

/** Text for a row on a network. */
function shown({ row, devnet }: Judged, network: number): string {
	const mark = devnet[network];
	return mark === false && differenceOf(row, network) !== null ? 'differs' : sign(mark);
}

const MOST = 64;
const short = (text: string): string => (text.length > MOST ? `${text.slice(0, MOST - 1)}…` : text);

function testsOf({ tests }: Judged): string {
	const [first] = tests;
	if (first === undefined) return 'NONE';
	return tests.length === 1 ? first : `${first} and ${tests.length - 1} more`;
}

function print(document: DocumentName, judgeRow: (row: Row) => Judged): number {
	const rows = readRows(document).map(judgeRow);
	const withGap = rows.filter((judged) => gapsOf(judged).length > 0);
	const line = (...cells: readonly string[]): string =>
		[MOST + 1, 9, ...PROFILES.map(() => 8), 5]
			.map((width, index) => (cells[index] ?? '').padEnd(width))
			.concat(cells.at(-1) ?? '')
			.join(' ')
			.trimEnd();
	console.log(`\n${document}`);
	console.log(line('row', 'registry', ...PROFILES, 'page', 'tests'));
	for (const judged of rows) {
		const { row, registry, page } = judged;
		const devnet = PROFILES.map((_, network) => shown(judged, network));
		console.log(line(short(row.id), sign(registry), ...devnet, sign(page), testsOf(judged)));
	}
	const differing = rows.flatMap((judged) =>
		PROFILES.flatMap((profile, network) =>
			shown(judged, network) === 'differs'
				? `  differs: ${judged.row.id} (${profile}: ${differenceOf(judged.row, network)})`
				: []
		)
	);
	console.log(
		`${document}: ${rows.length} rows, ${withGap.length} with a gap, ${differing.length} that one network shows otherwise`
	);
	for (const text of differing) console.log(text);
	for (const judged of withGap) {
		console.log(`  gap: ${judged.row.id} (${gapsOf(judged).join(', ')})`);
	}
	return withGap.length;
}

const tours = await takeTours();
const tests = testSources();
const daemon: Evidence = {
	tours: tours.map((one) => one.daemon),
	pages: pageSources(),
	tests,
	definition: definitionOf
};
const node: KdfEvidence = {
	tours: tours.map((one) => one.node),
	pages: tradingPages(),
	forms: formParams(),
	tests,
	definition: kdfDefinitionOf
};
const judges: Readonly<Record<DocumentName, (row: Row) => Judged>> = {
	daemon: (row) => judge(row, daemon),
	'trading-node': (row) => judgeKdf(row, node)
};
const gaps = DOCUMENTS.map((document) => print(document, judges[document]));
process.exitCode = gaps.every((count) => count === 0) ? 0 : 1;
