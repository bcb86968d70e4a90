/** What of an answer the console shows, whoever gave it. */
import { nextStep } from '#lib/messages/daemon-errors/words.ts';
import type { Turn } from '#lib/rpc/errors/index.ts';
import { measureJson } from '../../chains/daemon/answers/measure.ts';
import type { Answered } from './outcome.ts';

/** A longer answer is shown without its tree: building one would keep other people waiting. */
const MAX_TREE_BYTES = 2 * 1024 * 1024;
/** The same of an answer with more values, however short it is. */
const MAX_TREE_VALUES = 30_000;
const MAX_RAW_CHARS = 256 * 1024;

/** Whether an answer is small enough to be shown as a tree. */
export const fitsTree = (body: Uint8Array): boolean =>
	body.length <= MAX_TREE_BYTES && measureJson(body, MAX_TREE_VALUES).excess === null;

/** The members of an answer that do not depend on what it says. */
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

/** What a refusal means as the page says it; null when nobody wrote about it. */
export const explained = (
	known: { what: string; turn: Turn; next: string } | null
): Answered['explained'] => known && { what: known.what, next: nextStep(known) };
