import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { CLAIMS, OWN_PAGES } from './claims.ts';
import { definitionOf, gapsOf, judge, type Evidence, type Judged } from './judge.ts';
import { formParams } from './forms.ts';
import { judgeKdf, kdfDefinitionOf, type KdfEvidence, type KdfSeen } from './kdfJudge.ts';
import { DIFFERENCES, PROFILES } from './networks.ts';
import { tradingPages } from './reach.ts';
import { DOCUMENTS, readRows, type Row } from './rows.ts';
import { calling, GENERAL, hasTest, pageSources, testSources } from './sources.ts';
import { takeTours } from './tour.ts';

const rows = readRows('daemon');
const kdfRows = readRows('trading-node');
let evidence: Evidence;
let kdfEvidence: KdfEvidence;
/** Two networks and every call of both documents, also on a busy machine. */
const TOUR_MS = 300_000;
beforeAll(async () => {
	const tours = await takeTours();
	const tests = testSources();
	evidence = {
		tours: tours.map(({ daemon }) => daemon),
		pages: pageSources(),
		tests,
		definition: definitionOf
	};
	kdfEvidence = {
		tours: tours.map(({ node }) => node),
		pages: tradingPages(),
		forms: formParams(),
		tests,
		definition: kdfDefinitionOf
	};
}, TOUR_MS);

const rowOf = (all: readonly Row[], id: string): Row => {
	const row = all.find((one) => one.id === id);
	if (row === undefined) throw new Error(`there is no row ${id}`);
	return row;
};
const gaps = (id: string, changed: Partial<Evidence> = {}): string[] =>
	gapsOf(judge(rowOf(rows, id), { ...evidence, ...changed }));
const kdfGaps = (id: string, changed: Partial<KdfEvidence> = {}): string[] =>
	gapsOf(judgeKdf(rowOf(kdfRows, id), { ...kdfEvidence, ...changed }));

const counted = (all: readonly Row[]): Partial<Record<Row['kind'], number>> => {
	expect(new Set(all.map(({ id }) => id)).size).toBe(all.length);
	const counts: Partial<Record<Row['kind'], number>> = {};
	for (const { kind } of all) counts[kind] = (counts[kind] ?? 0) + 1;
	return counts;
};

describe('the interface document of the daemon', () => {
	test('is read into rows, each once', () => {
		expect(counted(rows)).toEqual({
			method: 25,
			param: 80,
			field: 110,
			envelope: 8,
			setting: 14,
			rule: 18,
			flow: 13,
			error: 2,
			limit: 9
		});
	});
});

describe('the interface document of the trading node', () => {
	test('is read into rows, each once', () => {
		expect(counted(kdfRows)).toEqual({
			method: 8,
			kdfParam: 155,
			value: 27,
			field: 76,
			result: 2,
			kdfError: 23,
			kdfState: 7,
			shown: 16,
			rule: 13,
			limit: 3,
			envelope: 9
		});
	});
});

/** The judged rows of both documents. */
const judged = (): Judged[] => [
	...rows.map((row) => judge(row, evidence)),
	...kdfRows.map((row) => judgeKdf(row, kdfEvidence))
];

test('does each row on a network, or says why not', () => {
	const found = judged()
		.filter((one) => gapsOf(one).length > 0)
		.map((one) => `${one.row.document}: ${one.row.id}: ${gapsOf(one).join(', ')}`);
	expect(found).toEqual([]);
});

test('excuses a network only where it shows a row not, or not in these words', () => {
	const all = judged();
	const idle = DIFFERENCES.filter(
		({ document, network, rows: which }) =>
			!all.some(
				({ row, devnet }) =>
					row.document === document &&
					which.test(row.id) &&
					devnet[PROFILES.indexOf(network)] === false
			)
	);
	expect(idle.map(({ why }) => why)).toEqual([]);
});

test('the claims name only rows that no network can show, and tests that there are', () => {
	const toured = new Set(
		judged().flatMap(({ row, devnet }) =>
			devnet.includes(true) ? [`${row.document} ${row.id}`] : []
		)
	);
	for (const document of DOCUMENTS) {
		const known = new Set(readRows(document).map(({ id }) => id));
		const claims = CLAIMS[document];
		const idle = Object.keys(claims).filter(
			(id) => !known.has(id) || toured.has(`${document} ${id}`)
		);
		expect(idle).toEqual([]);
		const claimed = Object.values(claims).flat();
		expect(claimed.filter((claim) => !hasTest(evidence.tests, claim))).toEqual([]);
	}
	const pages = new Set(evidence.pages.map(({ path }) => path));
	expect([...OWN_PAGES.values()].filter((path) => !pages.has(path))).toEqual([]);
});

test('leaves out what treats all methods alike, where it lies today', () => {
	const from = join(import.meta.dirname, '../..');
	expect(GENERAL.filter((folder) => !existsSync(join(from, folder)))).toEqual([]);
	const paths = evidence.pages.map(({ path }) => path);
	expect(paths.filter((path) => GENERAL.some((folder) => path.startsWith(folder)))).toEqual([]);
});

describe('a gap is seen', () => {
	test('when the registry does not know the method, the parameter or the member', () => {
		const definition = (): null => null;
		expect(gaps('tokencreate', { definition })).toContain('registry');
		const known = definitionOf('tokeninfo')!;
		const without = (): typeof known => ({
			...known,
			params: [],
			result: definitionOf('ping')!.result,
			seedResult: undefined as never
		});
		expect(gaps('tokeninfo/param/tokenid/given', { definition: without })).toContain('registry');
		expect(gaps('tokeninfo/result/owner/present', { definition: without })).toContain('registry');
	});

	test('when a network never accepted the call, or never gave the member', () => {
		const [fast = [], seed = []] = evidence.tours;
		const silent = seed.filter(({ method }) => method !== 'selfimport');
		expect(gaps('selfimport', { tours: [fast, silent] })).toContain('seed');
		expect(gaps('selfimport/param/amount/given', { tours: [fast, silent] })).toContain('seed');
		const bare = seed.map((one) => (one.method === 'tokeninfo' ? { ...one, result: {} } : one));
		expect(gaps('tokeninfo/result/owner/present', { tours: [fast, bare] })).toContain('seed');
		expect(gaps('tokeninfo/result/data/present', { tours: [bare, bare] })).toContain('seed');
		// A known difference between the networks does not excuse a row that neither of them shows.
		const size = 'decoderawtransaction/result/size/present';
		expect(gaps(size)).toEqual([]);
		expect(gaps(size, { tours: [fast, fast] })).toEqual(expect.arrayContaining(['fast', 'seed']));
	});

	test('when the last call of a method is taken out, wherever else its name still stands', () => {
		const methods = rows.flatMap((row) => (row.kind === 'method' ? [row.method] : []));
		const called = methods.filter((method) => !OWN_PAGES.has(method));
		expect(called.length).toBeGreaterThan(20);
		for (const method of called) {
			const callers = calling(evidence.pages, method);
			const quoted = `'${method}'`;
			const asleep = (text: string): string => text.replaceAll(quoted, `'ping' /* ${quoted} */`);
			const pages = evidence.pages.map(({ path, text }) =>
				callers.includes(path)
					? { path, text: `const LISTED = [${quoted}];\n// call(${quoted})\n${asleep(text)}` }
					: { path, text }
			);
			expect(gaps(method), method).toEqual([]);
			expect(gaps(method, { pages }), method).toContain('page');
		}
	});

	test('when no page names the method, no network does it, or the claimed test is gone', () => {
		expect(gaps('tokencreate', { pages: [] })).toContain('page');
		expect(gaps('tokencreate', { tours: [[], []] })).toContain('tests');
		const limit = 'limit/Default burn list length';
		expect(gaps(limit, { tests: [] })).toContain('tests');
		const renamed = evidence.tests.map(({ path, text }) => ({
			path,
			text: text.replace('the list of burns holds ten', 'the list of burns has ten')
		}));
		expect(gaps(limit, { tests: renamed })).toContain('tests');
		const after = (before: string): string[] => {
			const text = `${before}'the list of burns holds ten unless another number is asked for'`;
			return gaps(limit, { tests: [{ path: 'tests/integration/devnet/limits.test.ts', text }] });
		};
		for (const before of ['test(', 'it(', "test.each<[string]>([['(']])("]) {
			expect(after(before), before).toEqual([]);
		}
		for (const before of [
			'test.skip(',
			'it.todo(',
			'// test(',
			'test.skip.each([[1]])(',
			'it.skip.each<[number]>([[1]])(',
			'test.skipIf(true)(',
			'test.runIf(process.env.CI)(',
			"describe.skip('limits', () => { test(",
			"describe.skipIf(true)('limits', () => { it("
		]) {
			expect(after(before), before).toContain('tests');
		}
	});
});

describe('a gap of the trading node is seen', () => {
	const BCH = 'task::enable_bch';
	/** The evidence with a changed second network. */
	const seed = (change: (seen: KdfSeen) => KdfSeen): Partial<KdfEvidence> => {
		const [released, documented] = kdfEvidence.tours;
		return { tours: [released!, change(documented!)] };
	};
	const calls = (change: (calls: KdfSeen['calls']) => KdfSeen['calls']): Partial<KdfEvidence> =>
		seed((seen) => ({ ...seen, calls: change(seen.calls) }));

	test('when the registry knows another method by the name', () => {
		const other = (): ReturnType<typeof kdfDefinitionOf> => kdfDefinitionOf('get_public_key');
		for (const id of [
			'sign_message/param/message/given',
			'sign_message/param/address.chain=Internal',
			'sign_message/result/signature/present',
			`${BCH}::cancel/result=success`
		]) {
			expect(kdfGaps(id)).not.toContain('registry');
			expect(kdfGaps(id, { definition: other })).toContain('registry');
		}
	});

	test('when the node gave nothing, or accepted what has to be there', () => {
		const silent = calls(() => []);
		for (const id of [
			'electrum',
			'electrum/param/servers/given',
			'electrum/param/servers/omitted',
			'electrum/param/min_connected/omitted',
			'electrum/param/servers.protocol=WSS',
			'enable/result/coin/absent',
			`${BCH}::user_action/result=success`,
			'error/enable_eth_with_tokens/Transport',
			'state/InProgress/WaitingForHardwareToConnect'
		]) {
			expect(kdfGaps(id), id).not.toContain('seed');
			expect(kdfGaps(id, silent), id).toContain('seed');
		}
		const shown = seed((seen) => ({ ...seen, shown: new Set() }));
		expect(kdfGaps('error/legacy/coin already activated', shown)).toContain('seed');
		// A refusal for another reason shows nothing about a parameter.
		const already = calls((all) =>
			all.map((one) =>
				one.refused === null ? one : { ...one, refused: { ...one.refused, text: 'It is already' } }
			)
		);
		expect(kdfGaps('enable/param/urls/omitted', already)).toContain('seed');
	});

	test('when an error comes without the data that the document shows', () => {
		const id = 'error/enable_eth_with_tokens/UnexpectedTokenProtocol';
		const bare = calls((all) =>
			all.map((one) =>
				one.refused === null ? one : { ...one, refused: { ...one.refused, data: {} } }
			)
		);
		expect(kdfGaps(id)).not.toContain('seed');
		expect(kdfGaps(id, bare)).toContain('seed');
	});

	test('when no page has its word, or the claimed test is gone', () => {
		expect(kdfGaps('electrum/param/min_connected/given', { pages: [] })).toContain('page');
		expect(kdfGaps('state/InProgress/ActivatingCoin', { pages: [] })).toContain('page');
		expect(kdfGaps('rule/Versioning/1', { tests: [] })).toContain('tests');
	});
});
