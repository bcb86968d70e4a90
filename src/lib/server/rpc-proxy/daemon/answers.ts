/** Splits and reassembles daemon responses by their ids without parsing their results. */
import { parseJson, stringifyJson } from '#lib/rpc/json.ts';
import { isRpcError, JSON_ERRORS } from '#lib/rpc/rpcError.ts';
import { readers } from '../../chains/upstream/answers/readers.ts';
import { rawMembers } from '../../chains/upstream/rawJson.ts';
import type { RawAnswer } from '../../chains/upstream/rawAnswer.ts';
import type { RpcCall } from './requestBody.ts';
import { AppError } from '../../platform/errors/appError.ts';

/** A response without an id must be parsed to insert one, which blocks other requests: size limit for that. */
const MOST_TAKEN_APART = 256 * 1024;

/**
 * Replaces Komodeck's request id with the caller's; all other bytes stay as the daemon sent them and are not
 * copied.
 * @throws {AppError} `answer.malformed` when the response has no id and is no JSON object, or is too large
 */
export function withId({ body, id }: RawAnswer, idText: string): Buffer[] {
	if (id === null) {
		if (body.length > MOST_TAKEN_APART) throw new AppError('answer.malformed');
		const members = rawMembers(body.toString('utf8')).map(
			([name, value]) => `${JSON.stringify(name)}:${value}`
		);
		return [Buffer.from(`{${[...members, `"id":${idText}`].join(',')}}\n`, 'utf8')];
	}
	return [body.subarray(0, id.start), Buffer.from(idText, 'utf8'), body.subarray(id.end)];
}

/** Normalizes an id for comparison: escapes and whitespace may differ, the digits of numbers may not. */
function normalizedId(id: string): string {
	try {
		return stringifyJson(parseJson(id));
	} catch (error) {
		if (!isRpcError(error, ...JSON_ERRORS)) throw error;
		return id;
	}
}

/** The response to each call of a batch; undefined when the daemon left it out. */
export type PlacedAnswers = readonly (Buffer | undefined)[];

/**
 * Assigns the responses of a batch to its calls by id; in order when no response has an id. Large bodies are
 * split in a worker thread.
 * @throws {AppError} `answer` when the body is too large to be split
 */
export async function placed(calls: readonly RpcCall[], body: Buffer): Promise<PlacedAnswers> {
	const found = (await readers.read({ kind: 'batch', body })) ?? [];
	const answers = found.map(({ start, end, id }) => ({ line: body.subarray(start, end), id }));
	const left = Map.groupBy(
		answers.filter(({ id }) => id !== null),
		({ id }) => normalizedId(id ?? '')
	);
	const byId = calls.map(({ idText }) => left.get(normalizedId(idText))?.shift()?.line);
	const unnamed = byId.every((answer) => answer === undefined);
	return unnamed && answers.length === calls.length ? answers.map(({ line }) => line) : byId;
}
