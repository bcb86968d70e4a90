/** Reads what the transactions on one page of a list are about, with one query for each kind among them. */
import type { Index } from '../indexer/open.ts';
import type { TxKind } from '../indexer/tables.ts';
import { readTokenEffects, type TokenEffectRow } from './transaction.ts';

/** A token, in the transaction that creates or imports it. */
export interface CreatedToken {
	tokenid: Uint8Array;
	name: string;
	/** Valid units that the transaction made. */
	supply: bigint;
}

interface TransactionSubject {
	/** Movements of tokens, in order. */
	effects: TokenEffectRow[];
	/** The token that it creates or imports. Without valid units it has no movement. */
	token: CreatedToken | null;
	burn: { target: string; value: bigint } | null;
	/** `source` is empty where the burn names none; `ccid` is null for a self-import. */
	import: { source: string; ccid: bigint | null } | null;
	notarization: { symbol: string; height: bigint } | null;
}

/** Most movements of tokens on one page; further ones are missing from their lines. */
const MOST_EFFECTS = 2_000;

const byPlace = <Row extends { seq: bigint }>(rows: readonly Row[]): Map<bigint, Row> =>
	new Map(rows.map((row) => [row.seq, row]));

/**
 * Reads the subjects of a page's transactions, by `seq`.
 * @param rows the page, with the kind of each transaction in the index
 */
export async function readTransactionSubjects(
	index: Index,
	chain: bigint,
	rows: readonly { seq: bigint; kind: TxKind }[]
): Promise<Map<bigint, TransactionSubject>> {
	const placesOf = (isWanted: (kind: TxKind) => boolean): bigint[] =>
		rows.filter(({ kind }) => isWanted(kind)).map(({ seq }) => seq);
	const tokens = placesOf((kind) => kind.startsWith('token-'));
	const creations = placesOf((kind) => kind === 'token-create' || kind === 'token-import');
	const burns = placesOf((kind) => kind.endsWith('burn'));
	const imports = placesOf((kind) => kind.endsWith('import'));
	const notarizations = placesOf((kind) => kind === 'notarization');
	const [effects, created, burned, imported, notarized] = await Promise.all([
		tokens.length === 0 ? [] : readTokenEffects(index, chain, tokens, MOST_EFFECTS),
		creations.length === 0
			? []
			: index
					.selectFrom('ix_tokens')
					.select(['seq', 'tokenid', 'name', 'supply'])
					.where('chain', '=', chain)
					.where('seq', 'in', creations)
					.execute(),
		burns.length === 0
			? []
			: index
					.selectFrom('ix_burns')
					.select(['seq', 'target', 'value'])
					.where('chain', '=', chain)
					.where('seq', 'in', burns)
					.execute(),
		imports.length === 0
			? []
			: index
					.selectFrom('ix_imports')
					.select(['seq', 'source', 'ccid'])
					.where('chain', '=', chain)
					.where('seq', 'in', imports)
					.execute(),
		notarizations.length === 0
			? []
			: index
					.selectFrom('ix_notarizations')
					.select(['seq', 'symbol', 'height'])
					.where('chain', '=', chain)
					.where('seq', 'in', notarizations)
					.execute()
	]);
	const moved = Map.groupBy(effects, ({ seq }) => seq);
	const [tokenAt, burnAt, importAt, notarizationAt] = [
		byPlace(created),
		byPlace(burned),
		byPlace(imported),
		byPlace(notarized)
	];
	return new Map(
		rows.map(({ seq }) => [
			seq,
			{
				effects: moved.get(seq) ?? [],
				token: tokenAt.get(seq) ?? null,
				burn: burnAt.get(seq) ?? null,
				import: importAt.get(seq) ?? null,
				notarization: notarizationAt.get(seq) ?? null
			}
		])
	);
}
