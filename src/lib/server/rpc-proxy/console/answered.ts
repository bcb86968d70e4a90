/** The parts of a response that the console displays, from daemons and trading nodes alike. */
import { nextStep } from '#lib/messages/daemon-errors/words.ts';
import type { Turn } from '#lib/rpc/errors/index.ts';
import { measureJson } from '../../chains/upstream/answers/measure.ts';
import type { Answered } from './outcome.ts';

/** Size limit for the tree view: building a larger tree would block other requests. */
const MAX_TREE_BYTES = 2 * 1024 * 1024;
/** Limit of values for the tree view, for responses that are short but have many. */
const MAX_TREE_VALUES = 30_000;
const MAX_RAW_CHARS = 256 * 1024;

/** Whether a response is small enough for the tree view. */
export const fitsTree = (body: Uint8Array): boolean =>
	body.length <= MAX_TREE_BYTES && measureJson(body, MAX_TREE_VALUES).excess === null;

/** Returns the members that do not depend on the content of the response. */
export const frameOf = (
	{ status, bytes }: { status: number; bytes: number },
	text: string,
	ms: number
): Pick<Answered, 'kind' | 'status' | 'ms' | 'bytes' | 'raw' | 'cut'> => ({
	kind: 'answered',
	status,
	ms,
	bytes,
	raw: text.slice(0, MAX_RAW_CHARS),
	cut: text.length > MAX_RAW_CHARS
});

/** Returns the explanation of an error for the page; null when there is none. */
export const explained = (
	known: { what: string; turn: Turn; next: string } | null
): Answered['explained'] => known && { what: known.what, next: nextStep(known) };
