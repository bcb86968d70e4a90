/** A daemon's answers, cut and put together by their ids without reading what they hold. */
import { rawElements, rawMembers } from '../../chains/daemon/rawJson.ts';
import type { RawAnswer } from '../../chains/daemon/types.ts';
import type { RpcCall } from './requestBody.ts';
import { AppError, isAppError } from '../../platform/errors/appError.ts';

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

/** An answer's id as text that is equal for equal ids; null for one without, or for no object. */
function idOf(answer: string): string | null {
	try {
		const id = new Map(rawMembers(answer)).get('id');
		return id === undefined ? null : sameText(id);
	} catch (error) {
		if (isAppError(error, 'answer.malformed') || error instanceof SyntaxError) return null;
		throw error;
	}
}

/** Numbers keep their digits; texts may be escaped in one way or another. */
const sameText = (id: string): string => (id.startsWith('"') ? JSON.stringify(JSON.parse(id)) : id);

/** The answer to each call of a batch by the id that it names; in order where none names any. */
export function placed(calls: readonly RpcCall[], text: string): (string | undefined)[] {
	let answers: string[];
	try {
		answers = rawElements(text);
	} catch (error) {
		if (isAppError(error, 'answer.malformed')) return [];
		throw error;
	}
	const left = new Map<string, string[]>();
	for (const answer of answers) {
		const id = idOf(answer);
		if (id === null) continue;
		const same = left.get(id);
		if (same === undefined) left.set(id, [answer]);
		else same.push(answer);
	}
	const byId = calls.map(({ idText }) => left.get(sameText(idText))?.shift());
	const unnamed = byId.every((answer) => answer === undefined);
	return unnamed && answers.length === calls.length ? answers : byId;
}
