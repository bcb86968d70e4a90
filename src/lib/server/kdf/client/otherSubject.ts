/** Whether an answer is about what was asked: a node, or a proxy that mixes answers up, may speak of another coin. */
import type { KdfMethod, KdfParams, KdfResult } from '#lib/rpc/kdf/index.ts';

/** What calls name and answers repeat. */
const REPEATED = ['coin', 'ticker', 'account_index'] as const;

type Named = Partial<Record<(typeof REPEATED)[number], unknown>>;
const named = (value: unknown): Named => (typeof value === 'object' ? (value ?? {}) : {});

/** What else an answer says that it is about, as text; null where it says nothing else than its call. */
export function otherSubject<M extends KdfMethod>(
	params: KdfParams<M>,
	native: KdfResult<M>
): string | null {
	const asked = named(params);
	// The older calls hold what they say in a `result` of its own.
	const answers = [named(native), named((native as { result?: unknown } | null)?.result)];
	for (const name of REPEATED) {
		if (asked[name] === undefined) continue;
		const other = answers.map((answer) => answer[name]).find((said) => said !== undefined);
		if (other !== undefined && other !== asked[name]) return String(other);
	}
	return null;
}
