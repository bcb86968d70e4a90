/** Finds the record on a destination against which it checks the MoMoM of an import. */
import { bytesToHex } from '#lib/chain/bytes.ts';
import { NOTARIZATION_WINDOW } from '#lib/chain/proofRoot.ts';
import type { Index } from '#lib/server/chains/indexer/open.ts';
import { heightOfSeq, seqOf } from '#lib/server/chains/indexer/tables.ts';
import { chainProgress } from '#lib/server/chains/lists/chains.ts';
import { hasAllFrom } from '../indexAge.ts';

/** Blocks before the back-notarization at which a daemon begins its search. (Komodo daemon 0.9.0: `CheckMoMoM`.) */
const LOOK_BACK = 100;

/** A record of a MoMoM on a destination chain. */
interface RecordedRoot {
	/** Height of the block with the record. */
	height: number;
	txid: string;
}

/**
 * Searches the blocks of a destination in which it looks for the root of a proof: a window that begins 100 blocks
 * before the back-notarization of the proof's notarization, however old that is, and leaves out the newest block.
 *
 * @param notarization txid on KMD that the proof names
 * @param momom display order
 * @returns null when the destination has no such record; `unread` when there is none in the index, which lacks some
 *   of these blocks
 */
export async function recordedRoot(
	index: Index,
	chain: string,
	notarization: string,
	momom: string
): Promise<RecordedRoot | 'unread' | null> {
	const progress = await chainProgress(index, chain);
	if (progress === null) return 'unread';
	const { id, height: tip } = progress;
	const none = (from: number) => (hasAllFrom(progress, from, Date.now()) ? null : 'unread');
	// The chain is compared here, because SQLite could read all notarizations of the chain otherwise.
	const named = await index
		.selectFrom('ix_notarizations')
		.select(['chain', 'seq'])
		.where('kmd_txid', '=', Buffer.from(notarization, 'hex'))
		.execute();
	const heights = named.filter((one) => one.chain === id).map(({ seq }) => heightOfSeq(seq));
	if (heights.length === 0) return none(1);
	const first = Math.max(1, Math.max(...heights) - LOOK_BACK);
	const found = await index
		.selectFrom('ix_notarizations')
		.select(['seq', 'txid'])
		.where('chain', '=', id)
		.where('seq', '>=', seqOf(first, 0))
		.where('seq', '<', seqOf(Math.min(first + NOTARIZATION_WINDOW, tip), 0))
		.where('momom', '=', Buffer.from(momom, 'hex').reverse())
		.orderBy('seq')
		.limit(1)
		.executeTakeFirst();
	return found === undefined
		? none(first)
		: { height: heightOfSeq(found.seq), txid: bytesToHex(found.txid) };
}
