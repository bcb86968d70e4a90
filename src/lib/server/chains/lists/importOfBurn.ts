import { bytesToHex } from '#lib/chain/bytes.ts';
import type { Index } from '../indexer/open.ts';

/** Returns the txid of the import of a burn on a chain; null when none is indexed. */
export async function importOfBurn(
	index: Index,
	chain: string,
	burnTxid: string
): Promise<string | null> {
	const row = await index
		.selectFrom('ix_imports as i')
		.innerJoin('ix_chains as c', 'c.id', 'i.chain')
		.select('i.txid')
		.where('c.name', '=', chain)
		.where('i.burn_txid', '=', Buffer.from(burnTxid, 'hex'))
		.orderBy('i.seq')
		.limit(1)
		.executeTakeFirst();
	return row === undefined ? null : bytesToHex(row.txid);
}
