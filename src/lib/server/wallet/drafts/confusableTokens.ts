/** Tokens of a chain whose names can be taken for another. Names are not unique, so this only warns. */
import type { Warning } from '#lib/messages/transactions/warnings.ts';
import { markedText } from '#lib/text/confusables.ts';
import { lookOf } from '../../chains/indexer/names.ts';
import type { Index } from '../../chains/indexer/open.ts';
import { chainIdOf } from '../../chains/lists/chains.ts';

interface ConfusableToken {
	tokenid: string;
	/** With what it hides made visible. */
	name: string;
	/** Letter for letter the same; else it only looks like it. */
	same: boolean;
}

/** More tell no more. */
const MOST_ALIKE = 5;

/** Tokens with this name or one that looks like it, those with the very name first. */
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

/** The warning of a review; null when no token has such a name. */
export function alikeWarning(chain: string, alike: readonly ConfusableToken[]): Warning | null {
	const [first] = alike;
	if (first === undefined) return null;
	const { tokenid, name, same } = first;
	return same
		? { code: 'name.taken', params: { chain, tokenid } }
		: { code: 'name.confusable', params: { chain, tokenid, name } };
}
