import { beforeAll, describe, expect, test } from 'vitest';
import { CLAIMS, OWN_PAGES } from './claims.ts';
import { definitionOf, gapsOf, judge, type Evidence } from './judge.ts';
import { readRows, type Row } from './rows.ts';
import { pageSources, testSources } from './sources.ts';
import { PROFILES, takeTour } from './tour.ts';

const rows = readRows('daemon');
let evidence: Evidence;
beforeAll(async () => {
	const tours = [];
	for (const profile of PROFILES) tours.push(await takeTour(profile));
	evidence = { tours, pages: pageSources(), tests: testSources(), definition: definitionOf };
});

const rowOf = (id: string): Row => {
	const row = rows.find((one) => one.id === id);
	if (row === undefined) throw new Error(`there is no row ${id}`);
	return row;
};
const gaps = (id: string, changed: Partial<Evidence> = {}): string[] =>
	gapsOf(judge(rowOf(id), { ...evidence, ...changed }));

describe('the interface document of the daemon', () => {
	test('is read into rows, each once', () => {
		expect(new Set(rows.map(({ id }) => id)).size).toBe(rows.length);
		const count = (kind: Row['kind']): number => rows.filter((row) => row.kind === kind).length;
		expect({
			methods: count('method'),
			params: count('param'),
			limits: count('limit'),
			steps: count('flow')
		}).toEqual({ methods: 25, params: 80, limits: 9, steps: 13 });
	});

	test('has no gap: registry, both networks, pages and tests hold each row', () => {
		const gaps = rows
			.map((row) => judge(row, evidence))
			.filter((judged) => gapsOf(judged).length > 0)
			.map((judged) => `${judged.row.id}: ${gapsOf(judged).join(', ')}`);
		expect(gaps).toEqual([]);
	});

	test('names in its claims only rows that there are, and tests that there are', () => {
		const known = new Set(rows.map(({ id }) => `daemon: ${id}`));
		const wrong = [...CLAIMS].flatMap(([id, claims]) => [
			...(known.has(id) ? [] : [id]),
			...claims
				.filter(
					({ file, test: title }) =>
						!evidence.tests.some(({ path, text }) => path === file && text.includes(title))
				)
				.map(({ file, test: title }) => `${file}: ${title}`)
		]);
		expect(wrong).toEqual([]);
		const pages = new Set(evidence.pages.map(({ path }) => path));
		expect([...OWN_PAGES.values()].filter((path) => !pages.has(path))).toEqual([]);
	});
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
		expect(gaps('selfimport', { tours: [fast, silent] })).toContain('devnet');
		expect(gaps('selfimport/param/amount/given', { tours: [fast, silent] })).toContain('devnet');
		const bare = seed.map((one) => (one.method === 'tokeninfo' ? { ...one, result: {} } : one));
		expect(gaps('tokeninfo/result/owner/present', { tours: [fast, bare] })).toContain('devnet');
		expect(gaps('tokeninfo/result/data/present', { tours: [bare, bare] })).toContain('devnet');
	});

	test('when no page and no test names the method, or the named test is gone', () => {
		expect(gaps('tokencreate', { pages: [] })).toContain('page');
		expect(gaps('tokencreate', { tests: [] })).toContain('tests');
		expect(gaps('limit/Default burn list length', { tests: [] })).toContain('tests');
	});
});
