/** Checks each row of the documents against the registry, devnet, the pages and the tests. */
import { documentedForms } from '#lib/rpc/daemon/documented.ts';
import { daemonMethods, isDaemonMethod } from '#lib/rpc/daemon/index.ts';
import type { Method } from '#lib/rpc/method.ts';
import { CLAIMS, OWN_PAGES } from './claims.ts';
import { silentNetworks } from './networks.ts';
import type { Observation } from './observe.ts';
import type { FieldRow, MethodRow, ParamRow, Row } from './rows.ts';
import { knowsField, seeField } from './shape.ts';
import { calling, hasTest, type SourceFile } from './sources.ts';

const DOCUMENTED = new Map(Object.entries(documentedForms));

/** True: shown. False: a gap. Null: the column does not apply to this row. */
export type Mark = boolean | null;

export interface Judged {
	row: Row;
	registry: Mark;
	/** One mark for each profile of the tour. */
	devnet: readonly Mark[];
	page: Mark;
	/** Tests that cover it. */
	tests: readonly string[];
}

export interface Evidence {
	tours: readonly (readonly Observation[])[];
	pages: readonly SourceFile[];
	tests: readonly SourceFile[];
	/** The definition of a method, if there is one. */
	definition: (method: string) => Method | null;
}

/** The methods that the application knows. */
export function definitionOf(method: string): Method | null {
	return isDaemonMethod(method) ? (daemonMethods[method] as unknown as Method) : null;
}

function registryParam(row: ParamRow, method: Method): boolean {
	const { params } = method;
	const param = params[Math.min(row.index, params.length - 1)];
	if (param === undefined || (row.index >= params.length && !param.repeats)) return false;
	// Members that the document makes optional must not be required; a daemon may require less, not more.
	return row.how === 'given' || !row.optional || param.optional || isHeldByLater(row.index, method);
}

/** A parameter is still required while a later one is. */
const isHeldByLater = (index: number, { params }: Method): boolean =>
	params.slice(index + 1).some((param) => !param.optional);

/** A row of the daemon's document that names a method; its parameters have positions. */
const isListed = (row: Row): row is MethodRow | ParamRow | FieldRow =>
	row.kind === 'method' || row.kind === 'param' || row.kind === 'field';

function toured(row: Row, seen: readonly Observation[], method: Method | null): Mark {
	if (!isListed(row)) return null;
	const calls = seen.filter((one) => one.method === row.method);
	const accepted = calls.filter((one) => one.accepted);
	if (row.kind === 'method') return accepted.length > 0;
	if (row.kind === 'field') {
		return accepted.some(({ result }) => seeField(result, row.path)[row.how]);
	}
	if (row.how === 'given') return accepted.some(({ given }) => given > row.index);
	const without = calls.filter(({ given }) => given === row.index);
	const mayBeLeftOut =
		method?.params[row.index]?.optional === true && !isHeldByLater(row.index, method);
	return without.some((one) => one.accepted === mayBeLeftOut);
}

function registryMark(row: Row, method: Method | null): Mark {
	if (!('method' in row)) return null;
	if (method === null) return false;
	if (row.kind === 'param') return registryParam(row, method);
	if (row.kind === 'field') return inSchemas(row, method);
	return true;
}

const inSchemas = (row: FieldRow, { result, seedResult }: Method): boolean =>
	[result, seedResult, ...(DOCUMENTED.get(row.method) ?? [])].some(
		(schema) => schema !== undefined && knowsField(schema, row.path)
	);

/** The test that makes the tour through the networks and requires every row. */
const TOUR = 'tests/interface/interface.test.ts › does each row on a network, or says why not';

/** Tests that cover a row: the tour if a network showed it, else the claimed ones. */
export function doing(
	{ document, id }: Row,
	devnet: readonly Mark[],
	tests: readonly SourceFile[]
): string[] {
	if (devnet.includes(true)) return [TOUR];
	return (CLAIMS[document][id] ?? []).filter((claim) => hasTest(tests, claim));
}

/** A page that calls the method, or one that offers the same without it. */
const hasPage = (method: string, pages: readonly SourceFile[]): boolean =>
	calling(pages, method).length > 0 || pages.some(({ path }) => path === OWN_PAGES.get(method));

/** Judges one row. */
export function judge(row: Row, evidence: Evidence): Judged {
	if (!('method' in row)) {
		return { row, registry: null, devnet: [], page: null, tests: doing(row, [], evidence.tests) };
	}
	const method = evidence.definition(row.method);
	const devnet = evidence.tours.map((seen) => toured(row, seen, method));
	return {
		row,
		registry: registryMark(row, method),
		devnet,
		page: hasPage(row.method, evidence.pages),
		tests: doing(row, devnet, evidence.tests)
	};
}

/** The columns in which a row has a gap. */
export function gapsOf({ row, registry, devnet, page, tests }: Judged): string[] {
	return [
		...(registry === false ? ['registry'] : []),
		...silentNetworks(row, devnet),
		...(page === false ? ['page'] : []),
		...(tests.length === 0 ? ['tests'] : [])
	];
}
