/** Holds each row of the documents against the registry, devnet, the pages and the tests. */
import { documentedForms } from '#lib/rpc/daemon/documented.ts';
import { daemonMethods, isDaemonMethod } from '#lib/rpc/daemon/index.ts';
import type { Method } from '#lib/rpc/method.ts';
import { CLAIMS, OWN_PAGES } from './claims.ts';
import type { Observation } from './observe.ts';
import type { DocumentName, FieldRow, MethodRow, ParamRow, Row } from './rows.ts';
import { knowsField, seeField } from './shape.ts';
import { naming, type SourceFile } from './sources.ts';

const DOCUMENTED = new Map(Object.entries(documentedForms));

/** True: shown. False: a gap. Null: the column has nothing to say about this row. */
export type Mark = boolean | null;

export interface Judged {
	row: Row;
	registry: Mark;
	/** One mark for each profile that was toured. */
	devnet: readonly Mark[];
	page: Mark;
	/** Files that show it. */
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
	// What the document lets be left out must not be asked for; the other way round a daemon may be kinder.
	return row.how === 'given' || !row.optional || param.optional || isHeldByLater(row.index, method);
}

/** A parameter stays needed as long as one behind it is. */
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

/** Files of tests that are claimed for a row; one that is gone counts for nothing. */
export function claimed(
	document: DocumentName,
	id: string,
	tests: readonly SourceFile[]
): string[] {
	return (CLAIMS[document][id] ?? []).filter((file) => tests.some(({ path }) => path === file));
}

/** A page that calls the method, or one that does the same by itself. */
const hasPage = (method: string, pages: readonly SourceFile[]): boolean =>
	naming(pages, method).length > 0 || pages.some(({ path }) => path === OWN_PAGES.get(method));

/** Judges one row. */
export function judge(row: Row, evidence: Evidence): Judged {
	if (!('method' in row)) {
		const tests = claimed(row.document, row.id, evidence.tests);
		return { row, registry: null, devnet: [], page: null, tests };
	}
	const method = evidence.definition(row.method);
	return {
		row,
		registry: registryMark(row, method),
		devnet: evidence.tours.map((seen) => toured(row, seen, method)),
		page: hasPage(row.method, evidence.pages),
		tests: naming(evidence.tests, row.method)
	};
}

/** The columns in which a row has a gap. A member that may be missing need not be seen on every network. */
export function gapsOf({ row, registry, devnet, page, tests }: Judged): string[] {
	const unseen =
		row.kind === 'field' && row.optional
			? devnet.every((mark) => mark === false)
			: devnet.includes(false);
	return [
		...(registry === false ? ['registry'] : []),
		...(devnet.length > 0 && unseen ? ['devnet'] : []),
		...(page === false ? ['page'] : []),
		...(tests.length === 0 ? ['tests'] : [])
	];
}
