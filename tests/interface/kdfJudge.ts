/** Checks each row of the trading node's document against the registry, devnet, the pages and the tests. */
import type { z } from 'zod';
import { isJsonObject, type JsonValue } from '#lib/rpc/json.ts';
import { kdfErrorType } from '#lib/rpc/kdf/errorTypes.ts';
import { isKdfMethod, kdfDefinition, type KdfDefinition } from '#lib/rpc/kdf/index.ts';
import { doing, type Judged, type Mark } from './judge.ts';
import type { Members, KdfObservation } from './kdfObserve.ts';
import { canonical, seen, without } from './paths.ts';
import { hasWord, type Reached } from './reach.ts';
import type { FieldRow, KdfErrorRow, KdfParamRow, Row, ValueRow } from './rows.ts';
import { memberOf } from './shape.ts';
import { naming, type SourceFile } from './sources.ts';

/** Observations on one network. */
export interface KdfSeen {
	calls: readonly KdfObservation[];
	/** Rows that several calls together have shown. */
	shown: ReadonlySet<string>;
}

export interface KdfEvidence {
	/** First of a released node, then of one with the document's dialect. */
	tours: readonly KdfSeen[];
	/** The pages of the trading node and the sources that they import. */
	pages: readonly Reached[];
	/** Parameters that the pages' forms send, by method. */
	forms: ReadonlyMap<string, readonly JsonValue[]>;
	tests: readonly SourceFile[];
	definition: (method: string) => KdfDefinition | null;
}

/** The method to which a name of the document refers. */
export const kdfDefinitionOf = (method: string): KdfDefinition | null =>
	isKdfMethod(method) ? kdfDefinition(method) : null;

/** Parameters of a task are one level deeper than in the document's table. */
const placesOf = (path: string): string[] => [path, `activation_params.${path}`];

const ALREADY = /already/i;

const accepted = (calls: readonly KdfObservation[]): readonly KdfObservation[] =>
	calls.filter(({ refused }) => refused === null);

const gives = ({ params }: KdfObservation, path: string): boolean =>
	placesOf(path).some((place) => seen(params, place).values.length > 0);

/** Whether a failed call differs from a successful one only by this missing member. */
function refusedWithout(path: string, calls: readonly KdfObservation[]): boolean {
	const refused = new Set(
		calls
			.filter((one) => one.refused !== null && !ALREADY.test(one.refused.text))
			.map(({ params }) => canonical(params))
	);
	return accepted(calls).some(({ params }) =>
		placesOf(path).some((place) => {
			const rest = without(params, place);
			return rest !== null && refused.has(canonical(rest));
		})
	);
}

/**
 * Whether a call omits an optional member: with its whole object, or, if the document has it inside of one, from
 * that object.
 */
const leavesOut = (call: KdfObservation, { path, own }: KdfParamRow): boolean =>
	own ? !gives(call, path) : placesOf(path).some((place) => seen(call.params, place).absent);

function toured(row: Row, { calls: all, shown }: KdfSeen): Mark {
	switch (row.kind) {
		case 'shown':
			return shown.has(row.id);
		case 'kdfState':
			return all.some(
				({ method, result }) =>
					method.endsWith('::status') &&
					isJsonObject(result) &&
					result['status'] === row.status &&
					(row.details === null || result['details'] === row.details)
			);
		case 'rule':
		case 'limit':
		case 'envelope':
			return shown.has(row.id) ? true : null;
	}
	if (!('method' in row)) return null;
	const calls = all.filter(({ method }) => method === row.method);
	switch (row.kind) {
		case 'method':
			return accepted(calls).length > 0;
		case 'kdfParam':
			if (row.how === 'given') return accepted(calls).some((one) => gives(one, row.path));
			if (row.optional) return accepted(calls).some((one) => leavesOut(one, row));
			return refusedWithout(row.path, calls);
		case 'value':
			return accepted(calls).some(({ params }) =>
				placesOf(row.path).some((place) => seen(params, place).values.includes(row.value))
			);
		case 'result':
			return accepted(calls).some(({ result }) => result === row.word);
		case 'field': {
			const methods = row.sharedBy ?? [row.method];
			return accepted(all)
				.filter(({ method }) => methods.includes(method))
				.some(({ result }) => sees(row, result));
		}
		case 'kdfError':
			return calls.some((one) => errorsOf(one).some((error) => isError(row, error)));
		default:
			return null;
	}
}

const sees = ({ path, how }: FieldRow, result: JsonValue): boolean => {
	const found = seen(result, path);
	return how === 'present' ? found.values.length > 0 : found.absent;
};

interface ErrorSeen {
	type: string;
	data: JsonValue | undefined;
}

/** Errors of a refused call, and those in the status of a failed task. */
function errorsOf({ refused, result }: KdfObservation): ErrorSeen[] {
	if (refused !== null) {
		return refused.type === null ? [] : [{ type: refused.type, data: refused.data }];
	}
	if (!isJsonObject(result) || !isJsonObject(result['details'])) return [];
	const { details } = result;
	const failure: Members = isJsonObject(details['result']) ? details['result'] : details;
	const { error_type: type, error_data: data } = failure;
	return typeof type === 'string' ? [{ type, data }] : [];
}

/** The type, with the data that the document shows: a text, or an object with these members. */
function isError({ type, data: shown }: KdfErrorRow, { type: seenType, data }: ErrorSeen): boolean {
	if (type !== seenType) return false;
	if (shown === '') return true;
	if (!shown.startsWith('{')) return typeof data === 'string';
	const flat = shown
		.replaceAll(/[{}]/g, ' ')
		.split(/[\s,:]+/)
		.filter(Boolean);
	return isJsonObject(data) && flat.every((name) => JSON.stringify(data).includes(`"${name}"`));
}

const schemasOf = (method: KdfDefinition, side: 'params' | 'result'): readonly z.ZodType[] => [
	method[side].seed,
	method[side].kdf
];

const member = (schemas: readonly z.ZodType[], path: string) =>
	schemas.flatMap((schema) => memberOf(schema, path.replaceAll('.*', '')));

function registryParam({ path, own, optional, how }: KdfParamRow, method: KdfDefinition): boolean {
	const at = (one: string) =>
		placesOf(one).flatMap((place) => member(schemasOf(method, 'params'), place));
	if (at(path).length === 0) return false;
	if (how === 'given' || !optional) return true;
	// Members that the document makes optional must not be required; a node may require less, not more.
	const [object = path] = path.split('.');
	return at(own ? object : path).some((one) => one.optional);
}

function takesValue({ path, value }: ValueRow, method: KdfDefinition): boolean {
	return placesOf(path)
		.flatMap((place) => member(schemasOf(method, 'params'), place))
		.some(({ schema }) => schema.safeDecode(value as never).success);
}

function registryMark(row: Row, definition: (method: string) => KdfDefinition | null): Mark {
	if (!('method' in row)) return null;
	const method = definition(row.method);
	if (method === null) return false;
	switch (row.kind) {
		case 'kdfParam':
			return registryParam(row, method);
		case 'value':
			return takesValue(row, method);
		case 'field':
			return member(schemasOf(method, 'result'), row.path).length > 0 || isFailure(row.path);
		case 'result':
			return schemasOf(method, 'result').some((one) => one.safeDecode(row.word as never).success);
		case 'kdfError':
			return kdfErrorType(row.type, row.method) !== null;
		default:
			return true;
	}
}

/** Whether a path is part of a failed task's error, which may be in `details` or one level below. */
const isFailure = (path: string): boolean =>
	/^details\.result\.error(?:_path|_trace|_type|_data)?$/.test(path);

/** A name that a page must contain to cover a row; null when the row needs none. */
function pageWord(row: Row): string | null {
	switch (row.kind) {
		case 'kdfParam':
			return row.path.split('.').at(-1) ?? null;
		case 'field':
			return row.path.split('.').at(-1) ?? null;
		case 'value':
			return row.value;
		case 'kdfError':
			return row.type;
		case 'kdfState':
			return row.details ?? row.status;
		default:
			return null;
	}
}

/** Whether a page's own imports contain the method's name, or for a task's method its family. */
function hasMethod(method: string, pages: readonly Reached[]): boolean {
	const [, family = method] = /^(task::\w+)::\w+$/.exec(method) ?? [];
	const own = pages.filter(({ directly }) => directly);
	return [method, family].some((name) => naming(own, name).length > 0);
}

/** Whether a form sends the parameter and, for a row about a value, this value. */
const isSent = (row: KdfParamRow | ValueRow, forms: readonly JsonValue[]): boolean =>
	forms
		.flatMap((params) => placesOf(row.path).flatMap((place) => seen(params, place).values))
		// The coins file defines the coins.
		.some((value) => row.kind === 'kdfParam' || row.path === 'ticker' || value === row.value);

function pageMark(row: Row, { pages, forms }: KdfEvidence): Mark {
	if ('method' in row && !hasMethod(row.method, pages)) return false;
	if (row.kind === 'kdfParam' || row.kind === 'value') {
		const sent = forms.get(row.method);
		if (sent !== undefined) return isSent(row, sent);
	}
	const word = pageWord(row);
	if (word !== null) return hasWord(pages, word);
	return 'method' in row ? true : null;
}

/** Judges one row. */
export function judgeKdf(row: Row, evidence: KdfEvidence): Judged {
	const devnet = evidence.tours.map((tour) => toured(row, tour));
	return {
		row,
		registry: registryMark(row, evidence.definition),
		devnet,
		page: pageMark(row, evidence),
		tests: doing(row, devnet, evidence.tests)
	};
}
