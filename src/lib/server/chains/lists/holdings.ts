import { listFaults, listMembers, listSummaries } from '#lib/messages/apiLists.ts';
import { z } from 'zod';
import { addressOfPubkey } from '#lib/chain/address.ts';
import { bytesToHex } from '#lib/chain/bytes.ts';
import { isValidPubkey } from '#lib/chain/key.ts';
import type { Index } from '../indexer/open.ts';
import { chainIdOf } from './chains.ts';
import { keysetPage, writtenBytes, type Order } from './keyset.ts';
import { Hash, NO_ROWS, Units, type List } from './list.ts';

/** A token that the holder has units of. */
interface HoldingRow {
	/** `seq` of the creation. */
	token: bigint;
	tokenid: Uint8Array;
	name: string;
	nft_code: bigint | null;
	units: bigint;
}

const filter = z.object({
	holder: z
		.string(listFaults.holder.missing)
		.max(140, listFaults.holder.invalid)
		.regex(/^[0-9A-Za-z+]+$/, listFaults.holder.invalid)
		.describe(listMembers.holder)
});

const order: Order<HoldingRow> = {
	columns: [{ name: 'h.token', type: 'int', value: ({ token }) => token }],
	descending: true
};

export const holdings: List<HoldingRow, typeof filter> = {
	name: 'holdings',
	summary: listSummaries.holdings,
	scope: 'chain',
	filter,
	sorts: ['-created'],
	row: z.object({
		tokenid: Hash,
		name: z.string(),
		kind: z.enum(['fungible', 'nft']),
		units: Units
	}),
	wire: ({ tokenid, name, nft_code, units }) => ({
		tokenid: bytesToHex(tokenid),
		name,
		kind: nft_code === null ? 'fungible' : 'nft',
		units: units.toString()
	}),
	columns: [
		{ title: 'tokenid', value: ({ tokenid }) => bytesToHex(tokenid) },
		{ title: 'name', value: ({ name }) => name },
		{ title: 'kind', value: ({ nft_code }) => (nft_code === null ? 'fungible' : 'nft') },
		{ title: 'units', value: ({ units }) => units }
	],
	async read(index, query) {
		const chain = await chainIdOf(index, query.chain);
		if (chain === null) return NO_ROWS;
		const rows = index
			.selectFrom('ix_holders as h')
			.innerJoin('ix_tokens as t', (join) =>
				join.onRef('t.chain', '=', 'h.chain').onRef('t.seq', '=', 'h.token')
			)
			.select(['h.token', 't.tokenid', 't.name', 't.nft_code', 'h.units'])
			.where('h.holder', '=', query.filter.holder)
			.where('h.chain', '=', chain);
		return keysetPage(rows, order, query, ({ name }) => writtenBytes(name));
	}
};

/** Newest transactions of an address that are searched for the keys that hold tokens. */
const LOOKED_THROUGH = 500;

/**
 * Returns the holder whose tokens belong to an address, as lists of holders show it; null when unknown. A current
 * holder is found by the address of its key. A former holder, or the key behind an address of token outputs, is
 * searched in the newest transactions of the address.
 */
export async function holderOf(
	index: Index,
	chain: bigint,
	address: string
): Promise<string | null> {
	const holding = await index
		.selectFrom('ix_holders')
		.select('holder')
		.where('chain', '=', chain)
		.where('address', '=', address)
		.limit(1)
		.executeTakeFirst();
	if (holding) return holding.holder;
	const rows = await index
		.selectFrom(
			index
				.selectFrom('ix_address_txs')
				.select('seq')
				.where('chain', '=', chain)
				.where('address', '=', address)
				.orderBy('seq', 'desc')
				.limit(LOOKED_THROUGH)
				.as('a')
		)
		.innerJoin('ix_outputs as o', (join) =>
			join.onRef('o.seq', '=', 'a.seq').on('o.chain', '=', chain)
		)
		.select(['o.holder', 'o.address'])
		.distinct()
		.where('o.holder', 'is not', null)
		.execute();
	const own = rows.find(
		({ holder, address: script }) =>
			holder !== null &&
			(script === address || (isValidPubkey(holder) && addressOfPubkey(holder) === address))
	);
	return own?.holder ?? null;
}
