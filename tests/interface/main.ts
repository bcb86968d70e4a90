/**
 * Prints what the interface documents promise, row by row, against the registry, devnet, the pages and the
 * tests. Ends with 1 when a row has a gap.
 */
import { definitionOf, gapsOf, judge, type Evidence, type Judged, type Mark } from './judge.ts';
import { formParams } from './forms.ts';
import { judgeKdf, kdfDefinitionOf, kdfGapsOf, type KdfEvidence } from './kdfJudge.ts';
import { tradingPages } from './reach.ts';
import { DOCUMENTS, readRows, type DocumentName, type Row } from './rows.ts';
import { pageSources, testSources } from './sources.ts';
import { PROFILES, takeTours } from './tour.ts';

const sign = (mark: Mark | undefined): string =>
	mark === null || mark === undefined ? '-' : mark ? 'yes' : 'NO';

const MOST = 64;
const short = (text: string): string => (text.length > MOST ? `${text.slice(0, MOST - 1)}…` : text);

function testsOf({ tests }: Judged): string {
	const [first] = tests;
	if (first === undefined) return 'NONE';
	return tests.length === 1 ? first : `${first} and ${tests.length - 1} more`;
}

type Judge = (row: Row) => { judged: Judged; gaps: readonly string[] };

function print(document: DocumentName, judge: Judge): number {
	const rows = readRows(document).map(judge);
	const withGap = rows.filter(({ gaps }) => gaps.length > 0);
	const line = (...cells: readonly string[]): string =>
		[MOST + 1, 9, ...PROFILES.map(() => 7), 5]
			.map((width, index) => (cells[index] ?? '').padEnd(width))
			.concat(cells.at(-1) ?? '')
			.join(' ')
			.trimEnd();
	console.log(`\n${document}`);
	console.log(line('row', 'registry', ...PROFILES, 'page', 'tests'));
	for (const { judged } of rows) {
		const { row, registry, page } = judged;
		const devnet = PROFILES.map((_, index) => sign(judged.devnet[index]));
		console.log(line(short(row.id), sign(registry), ...devnet, sign(page), testsOf(judged)));
	}
	console.log(`${document}: ${rows.length} rows, ${withGap.length} with a gap`);
	for (const { judged, gaps } of withGap) {
		console.log(`  gap: ${judged.row.id} (${gaps.join(', ')})`);
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
const judges: Readonly<Record<DocumentName, Judge>> = {
	daemon(row) {
		const judged = judge(row, daemon);
		return { judged, gaps: gapsOf(judged) };
	},
	'trading-node'(row) {
		const judged = judgeKdf(row, node);
		return { judged, gaps: kdfGapsOf(judged) };
	}
};
const gaps = DOCUMENTS.map((document) => print(document, judges[document]));
process.exitCode = gaps.every((count) => count === 0) ? 0 : 1;
