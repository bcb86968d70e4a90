/**
 * Finds tokens of a chain whose names can be mistaken for a given one. Names are not unique, so this is only
 * a warning.
 */
import type { Warning } from '#lib/messages/transactions/warnings.ts';
import { markedText } from '#lib/text/confusables.ts';
import { lookOf } from '../../chains/indexer/names.ts';
import type { Index } from '../../chains/indexer/open.ts';
import { chainIdOf } from '../../chains/lists/chains.ts';

interface ConfusableToken {
	tokenid: string;
	/** With invisible characters and confusable letters marked. */
	name: string;
	/** Whether the name is identical; else it only looks the same. */
	same: boolean;
}

/** Maximum number of tokens that are returned. */
const MOST_ALIKE = 5;

/** Returns tokens with this name or one that looks the same, identical names first. */
export async function confusableTokens(
	index: Index,
	chain: string,
	name: string
): Promise<ConfusableToken[]> {
	const look = lookOf(name);
	const number = await chainIdOf(index, chain);
	if (look === '' || number === null) return [];
	const rows = await index
		.selectFrom('ix_name_looks as l')
		.innerJoin('ix_tokens as t', (on) =>
			on.onRef('t.chain', '=', 'l.chain').onRef('t.seq', '=', 'l.seq')
		)
		.select(['t.tokenid', 't.name'])
		.where('l.chain', '=', number)
		.where('l.look', '=', look)
		.orderBy('l.seq')
		.limit(10 * MOST_ALIKE)
		.execute();
	return rows
		.map((row) => ({
			tokenid: Buffer.from(row.tokenid).toString('hex'),
			name: markedText(row.name),
			same: row.name === name
		}))
		.toSorted((a, b) => Number(b.same) - Number(a.same))
		.slice(0, MOST_ALIKE);
}

/** Returns the warning for a review; null when there is no such token. */
export function alikeWarning(chain: string, alike: readonly ConfusableToken[]): Warning | null {
	const [first] = alike;
	if (first === undefined) return null;
	const { tokenid, name, same } = first;
	return same
		? { code: 'name.taken', params: { chain, tokenid } }
		: { code: 'name.confusable', params: { chain, tokenid, name } };
}
