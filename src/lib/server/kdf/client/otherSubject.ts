/**
 * Checks that a response is about the requested coin: a trading node, or a proxy that mixes responses up, may
 * send one about another coin.
 */
import type { KdfMethod, KdfParams, KdfResult } from '#lib/rpc/kdf/index.ts';

/** Parameters that identify the subject of a call, and that responses repeat. */
const REPEATED = ['coin', 'ticker', 'account_index'] as const;

type Named = Partial<Record<(typeof REPEATED)[number], unknown>>;
const named = (value: unknown): Named => (typeof value === 'object' ? (value ?? {}) : {});

/**
 * Returns the subject, as text, that a response names instead of the requested one; null for none. A response that
 * should name it and does not, fails here: it may be about another coin.
 */
export function otherSubject<M extends KdfMethod>(
	params: KdfParams<M>,
	native: KdfResult<M>
): string | null {
	const asked = named(params);
	// Older methods return their data in a nested `result`.
	const answers = [named(native), named((native as { result?: unknown } | null)?.result)];
	for (const name of REPEATED) {
		if (asked[name] === undefined) continue;
		const other = answers.map((answer) => answer[name]).find((said) => said !== undefined);
		if (other !== undefined && other !== asked[name]) return String(other);
	}
	return null;
}
