/** What of an answer the console shows, whoever gave it. */
import { TURN_WORDS } from '#lib/rpc/errors/index.ts';
import type { Answered } from './call.ts';

/** A longer answer is shown without its tree: building one would keep other people waiting. */
export const MAX_TREE_BYTES = 2 * 1024 * 1024;
const MAX_RAW_CHARS = 256 * 1024;

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
	known: { what: string; turn: keyof typeof TURN_WORDS; next: string } | null
): Answered['explained'] =>
	known && { what: known.what, next: `${TURN_WORDS[known.turn]}: ${known.next}` };
