/** A daemon's answers, cut and put together by their ids without reading what they hold. */
import { parseJson, stringifyJson } from '#lib/rpc/json.ts';
import { isRpcError, JSON_ERRORS } from '#lib/rpc/rpcError.ts';
import { readers } from '../../chains/daemon/answers/readers.ts';
import { rawMembers } from '../../chains/daemon/rawJson.ts';
import type { RawAnswer } from '../../chains/daemon/types.ts';
import type { RpcCall } from './requestBody.ts';
import { AppError } from '../../platform/errors/appError.ts';

/** An answer without an id is taken apart to get one, which keeps others waiting: no longer one than this. */
const MOST_TAKEN_APART = 256 * 1024;

/**
 * Puts the caller's id where ours stands; every other byte stays the daemon's, and is not copied.
 * @throws {AppError} `answer.malformed` when the answer names no call and is no JSON object either
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

/** Numbers keep their digits; texts may be escaped, and what has parts may be spaced, in one way or another. */
function sameText(id: string): string {
	try {
		return stringifyJson(parseJson(id));
	} catch (error) {
		if (!isRpcError(error, ...JSON_ERRORS)) throw error;
		return id;
	}
}

/** The answer to each call of a batch; undefined for one that was left out. */
export type PlacedAnswers = readonly (Buffer | undefined)[];

/**
 * The answer to each call of a batch by the id that it names; in order where none names any. Large ones are cut in a
 * thread of their own.
 * @throws {AppError} `answer` when it is too large to be cut
 */
export async function placed(calls: readonly RpcCall[], body: Buffer): Promise<PlacedAnswers> {
	const found = (await readers.read({ kind: 'batch', body })) ?? [];
	const answers = found.map(({ start, end, id }) => ({ line: body.subarray(start, end), id }));
	const left = Map.groupBy(
		answers.filter(({ id }) => id !== null),
		({ id }) => sameText(id ?? '')
	);
	const byId = calls.map(({ idText }) => left.get(sameText(idText))?.shift()?.line);
	const unnamed = byId.every((answer) => answer === undefined);
	return unnamed && answers.length === calls.length ? answers.map(({ line }) => line) : byId;
}
