/**
 * Checks responses that third parties collected from full nodes, each with its HTTP status. They do not name
 * their method and were shortened by hand, so a response must match the result of some method of the
 * registry.
 */
import type { z } from 'zod';
import { fits } from '../fixture.ts';
import { isJsonObject, JsonNumber, type JsonValue } from '../json.ts';
import { object, text } from '../types.ts';
import { legacyErrors, v2Error, v2Success } from './envelope.ts';
import { entryMismatches, kdfErrorTypes, type WrittenError } from './errorTypes.ts';
import { kdfDefinition, kdfMethods, type KdfMethod } from './index.ts';
import type { KdfEnvelope } from './method.ts';
import { taskError } from './tasks.ts';

type Members = { readonly [name: string]: JsonValue };

/** Responses of older builds were collected without source locations. */
const abridgedError = object({
	...v2Error.shape,
	error_path: text.optional(),
	error_trace: text.optional()
});

/**
 * Result schemas of an envelope. Those that accept an empty object are left out: matching one would prove
 * nothing.
 */
const resultsOf = (envelope: KdfEnvelope): z.ZodType[] =>
	(Object.keys(kdfMethods) as KdfMethod[])
		.map(kdfDefinition)
		.filter((definition) => definition.envelope === envelope && definition.access !== 'never')
		.map(({ result }) => result.kdf)
		.filter((result) => !result.safeParse({}).success);

/** Public keys were truncated; pads them with zeros to their full length. */
function whole(value: JsonValue): JsonValue {
	if (typeof value === 'string' && /^04[0-9a-f]+\.\.\.$/.test(value)) {
		return value.slice(0, -3).padEnd(130, '0');
	}
	if (Array.isArray(value)) return (value as JsonValue[]).map(whole);
	if (!isJsonObject(value)) return value;
	return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, whole(inner)]));
}

/** Returns how an error differs from the closest entry of its type. */
function errorMismatches(
	error: WrittenError,
	status: number | undefined,
	loose: boolean
): string[] {
	const tries = kdfErrorTypes
		.filter(({ type }) => type === error.error_type)
		.map((entry) => entryMismatches(entry, error, { status, loose }));
	return tries.reduce(
		(a, b) => (b.length < a.length ? b : a),
		tries[0] ?? ['error: an unknown type']
	);
}

function resultMismatches(envelope: KdfEnvelope, wire: JsonValue): string[] {
	if (fits(resultsOf(envelope), whole(wire)) !== true) return ['result: no method gives this'];
	const failed = isJsonObject(wire) && wire['status'] === 'Error' ? wire['details'] : undefined;
	if (failed === undefined) return [];
	const error = taskError.safeParse(failed);
	return error.success
		? errorMismatches(error.data, undefined, false)
		: ['result: no error of a task'];
}

/** Parses an error in its envelope; null when the body is not an error. */
function readError(body: Members, older: boolean): WrittenError | null {
	const read = (older ? abridgedError : v2Error) as unknown as z.ZodType<WrittenError>;
	const envelope = read.safeParse(body);
	return envelope.success ? envelope.data : null;
}

function bodyMismatches(body: Members, status: number | undefined, older: boolean): string[] {
	const worked = status === 200 ? [] : ['http: a result without the status 200'];
	if (Object.hasOwn(body, 'mmrpc')) {
		if (!Object.hasOwn(body, 'error')) {
			const envelope = v2Success.safeParse(body);
			return envelope.success
				? [...worked, ...resultMismatches('v2', envelope.data.result)]
				: ['answer: no envelope of version 2'];
		}
		const error = readError(body, older);
		return error === null
			? ['answer: no error of version 2']
			: errorMismatches(error, status, older);
	}
	if (!Object.hasOwn(body, 'error')) return [...worked, ...resultMismatches('legacy', body)];
	const mismatches =
		fits(legacyErrors, body) === true ? [] : ['answer: no error of the older form'];
	return status === 500 ? mismatches : [...mismatches, 'http: an error without the status 500'];
}

/**
 * Checks all collected responses.
 * @param instances HTTP status and body by the place where each was collected
 * @param provenance what is known about the node
 */
export function checkCollected(instances: Members, provenance: JsonValue | undefined): string[] {
	const build = isJsonObject(provenance) ? provenance['kdf'] : undefined;
	const older = typeof build === 'string' && build.startsWith('older');
	return Object.entries(instances).flatMap(([place, instance]) => {
		if (!isJsonObject(instance) || !isJsonObject(instance['body'])) {
			return [`${place}: there is no body`];
		}
		const { body, status } = instance;
		const code = status instanceof JsonNumber ? status.toNumber() : undefined;
		if (code === undefined) return [`${place}: there is no status`];
		return bodyMismatches(body as Members, code, older).map((mismatch) => `${place}: ${mismatch}`);
	});
}
