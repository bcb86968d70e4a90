/** Latest activity on the chains: the newest noteworthy transactions in the index. */
import { sql } from 'kysely';
import { bytesToHex } from '#lib/chain/bytes.ts';
import type { Index } from '../indexer/open.ts';
import { heightOfSeq, seqOf, type TxKind } from '../indexer/tables.ts';
import type { ChainProgress } from '../lists/chains.ts';
import { TipMemory } from './tipMemory.ts';

const memory = new TipMemory<Activity[]>();

/** Kinds that are listed. Block rewards, and kinds that only a daemon can decode, are not. */
const TOLD = [
	'transfer',
	'token-create',
	'token-transfer',
	'token-burn',
	'token-import',
	'burn',
	'import',
	'notarization',
	'notary-approval',
	'self-import-source'
] as const satisfies readonly TxKind[];

interface Activity {
	chain: string;
	kind: (typeof TOLD)[number];
	txid: string;
	height: number;
	/** Unix milliseconds, from its block. */
	at: number;
	/** Satoshi that it burns or that its import pays out; null for other kinds, whose outputs may include change. */
	value: bigint | null;
	/** Name of the token that it created; null for other kinds. */
	token: string | null;
	/**
	 * Destination of a burn, source of an import (empty when the burn does not name it), or notarized chain; null for a
	 * self-import and other kinds.
	 */
	other: string | null;
	/** Height of the block that it notarizes; null for other kinds. */
	notarized: number | null;
}

/** Returns the newest transactions of each kind on one chain, so that a frequent kind does not displace the others. */
async function newestOfChain(
	index: Index,
	chain: { id: bigint; name: string },
	size: number
): Promise<Activity[]> {
	const ofKind = (kind: TxKind) =>
		index
			.selectFrom(
				index
					.selectFrom('ix_txs')
					.select(['chain', 'seq', 'txid', 'kind', 'value'])
					.where('chain', '=', chain.id)
					.where('kind', '=', kind)
					.orderBy('seq', 'desc')
					.limit(size)
					.as('newest')
			)
			.selectAll();
	const [first, ...others] = TOLD;
	const each = others.reduce((all, kind) => all.unionAll(ofKind(kind)), ofKind(first));
	const rows = await index
		.selectFrom(each.as('tx'))
		.innerJoin('ix_blocks as block', (on) =>
			on
				.onRef('block.chain', '=', 'tx.chain')
				.on('block.height', '=', sql<bigint>`tx.seq / ${seqOf(1, 0)}`)
		)
		.leftJoin('ix_tokens as token', (on) =>
			on.onRef('token.chain', '=', 'tx.chain').onRef('token.seq', '=', 'tx.seq')
		)
		.leftJoin('ix_burns as burn', (on) =>
			on.onRef('burn.chain', '=', 'tx.chain').onRef('burn.seq', '=', 'tx.seq')
		)
		.leftJoin('ix_imports as import', (on) =>
			on.onRef('import.chain', '=', 'tx.chain').onRef('import.seq', '=', 'tx.seq')
		)
		.leftJoin('ix_notarizations as notarization', (on) =>
			on.onRef('notarization.chain', '=', 'tx.chain').onRef('notarization.seq', '=', 'tx.seq')
		)
		.select([
			...(['tx.seq', 'tx.txid', 'tx.kind', 'block.time', 'token.name'] as const),
			...(['burn.target', 'burn.value as burned', 'import.source', 'import.ccid'] as const),
			...(['import.value as redeemed', 'tx.value as paid', 'notarization.symbol'] as const),
			'notarization.height as notarized'
		])
		.orderBy('tx.seq', 'desc')
		.execute();
	return rows.map((row) => ({
		chain: chain.name,
		kind: row.kind as Activity['kind'],
		txid: bytesToHex(row.txid),
		height: heightOfSeq(row.seq),
		at: Number(row.time) * 1000,
		// Token units are not satoshi, so tokens have no value here.
		value: row.burned || (row.redeemed ? row.paid : null),
		token: row.name,
		other: row.target ?? row.symbol ?? (row.ccid === null ? null : row.source),
		notarized: row.notarized === null ? null : Number(row.notarized)
	}));
}

/** Keeps only the newest notarization of each chain, which supersedes the previous ones. */
function withoutOlderNotarizations(newestFirst: readonly Activity[]): Activity[] {
	const told = new Set<string | null>();
	return newestFirst.filter(({ kind, other }) => {
		if (kind !== 'notarization') return true;
		const isFirst = !told.has(other);
		told.add(other);
		return isFirst;
	});
}

/**
 * Returns the newest activity of some chains, newest first, with only the newest notarization of each chain. Chains
 * without an index are skipped.
 *
 * @param known index progress by chain
 * @param size most entries to return
 */
export async function newestActivity(
	index: Index,
	chains: readonly string[],
	known: ReadonlyMap<string, ChainProgress>,
	size: number
): Promise<Activity[]> {
	const found = await Promise.all(
		chains.flatMap((name) => {
			const chain = known.get(name);
			if (chain === undefined) return [];
			const read = (): Promise<Activity[]> => newestOfChain(index, chain, size);
			return [memory.get(index, chain, `${name} ${size}`, read)];
		})
	);
	const newestFirst = found.flat().sort((a, b) => b.at - a.at || b.height - a.height);
	return withoutOlderNotarizations(newestFirst).slice(0, size);
}
