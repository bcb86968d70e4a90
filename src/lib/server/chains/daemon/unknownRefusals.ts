/** Counts error messages that the registry does not recognize, so that operators notice them. */
import { recognizeError } from '#lib/rpc/errors/index.ts';
import { jsonOrNull } from '#lib/text/jsonOrNull.ts';
import type { UnknownRefusal } from './types.ts';
import type { RawAnswer } from '../upstream/rawAnswer.ts';

/** Bytes. A refusal is short; a longer answer with status 200 is not searched for one. */
const SHORT = 4096;
/** Bytes. A usage text of a daemon has some 6,000 characters. */
const LONG = 64 * 1024;
const KEPT_LETTERS = 200;

interface Said {
	error?: { message?: unknown } | null;
	result?: unknown;
}

/** Returns the message of a JSON-RPC error, or of a result that says "error"; otherwise null. */
function wordsOf(answer: Said): string | null {
	const { error, result } = answer;
	if (typeof error === 'object' && error !== null) {
		return typeof error.message === 'string' ? error.message : null;
	}
	if (typeof result !== 'object' || result === null) return null;
	const soft = result as { result?: unknown; error?: unknown };
	return soft.result === 'error' && typeof soft.error === 'string' ? soft.error : null;
}

const mayRefuse = ({ status, body }: RawAnswer): boolean =>
	body.length <= LONG && (status !== 200 || (body.length <= SHORT && body.includes('"error":"')));

/** Counts by method, for one daemon. */
export class UnknownRefusals {
	readonly #counted = new Map<string, { count: number; last: string }>();

	/** The count and newest message of each method, in the order of first occurrence. */
	get list(): UnknownRefusal[] {
		return [...this.#counted].map(([method, { count, last }]) => ({ method, count, last }));
	}

	/** Examines the answer to one call. */
	note(method: string, answer: RawAnswer): void {
		if (!mayRefuse(answer)) return;
		// An answer that is not JSON is judged and counted elsewhere.
		const said = jsonOrNull(answer.body.toString('utf8'));
		if (typeof said !== 'object' || said === null) return;
		const words = wordsOf(said as Said);
		if (words === null || recognizeError(method, words) !== null) return;
		const before = this.#counted.get(method)?.count ?? 0;
		const last = words.trim().slice(0, KEPT_LETTERS);
		this.#counted.set(method, { count: before + 1, last });
	}
}
