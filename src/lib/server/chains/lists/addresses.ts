import { listFaults, listMembers, listSummaries } from '#lib/messages/apiLists.ts';
import { z } from 'zod';
import { isValidAddress } from '#lib/chain/address.ts';
import { formatCoins } from '#lib/chain/amount.ts';
import type { Index } from '../indexer/open.ts';
import { joinSum } from '../indexer/tables.ts';
import {
	addressTxColumns,
	addressTxOrder,
	addressTxs,
	wireAddressTx,
	type AddressTx
} from './addressTxs.ts';
import { chainIdOf } from './chains.ts';
import { keysetPage, type Order } from './keyset.ts';
import { Coins, Hash, Height, Time, type List, NO_ROWS } from './list.ts';
import { TX_KINDS } from './transactions.ts';

/** Totals of an address, in satoshi. */
interface AddressFacts {
	balance: bigint;
	received: bigint;
	txs: bigint;
}

/** The totals as stored, with `received` in two parts. */
interface KeptFacts extends AddressFacts {
	received_high: bigint;
}
const KEPT = ['balance', 'received', 'received_high', 'txs'] as const;
const factsOf = <Row extends KeptFacts>({ received, received_high: high, ...row }: Row) => ({
	...row,
	received: joinSum(received, high)
});

/** Returns the totals of an address; null when the chain has never seen it. */
export async function readAddress(
	index: Index,
	chain: bigint,
	address: string
): Promise<AddressFacts | null> {
	const row = await index
		.selectFrom('ix_addresses')
		.select(KEPT)
		.where('address', '=', address)
		.where('chain', '=', chain)
		.executeTakeFirst();
	return row ? factsOf(row) : null;
}

interface AddressRow extends AddressFacts {
	address: string;
}

const richest: Order<KeptFacts & Pick<AddressRow, 'address'>> = {
	columns: [
		{ name: 'balance', type: 'int', value: ({ balance }) => balance },
		{ name: 'address', type: 'text', value: ({ address }) => address }
	],
	descending: true
};

export const addresses: List<AddressRow, z.ZodObject<Record<never, never>>> = {
	name: 'addresses',
	summary: listSummaries.addresses,
	scope: 'chain',
	filter: z.object({}),
	sorts: ['-balance'],
	row: z.object({ address: z.string(), balance: Coins, received: Coins, transactions: z.int() }),
	wire: ({ address, balance, received, txs }) => ({
		address,
		balance: formatCoins(balance),
		received: formatCoins(received),
		transactions: Number(txs)
	}),
	columns: [
		{ title: 'address', value: ({ address }) => address },
		{ title: 'balance', value: ({ balance }) => ({ decimal: formatCoins(balance) }) },
		{ title: 'received', value: ({ received }) => ({ decimal: formatCoins(received) }) },
		{ title: 'transactions', value: ({ txs }) => txs }
	],
	async read(index, query) {
		const chain = await chainIdOf(index, query.chain);
		if (chain === null) return NO_ROWS;
		const rows = index
			.selectFrom('ix_addresses')
			.select(['address', ...KEPT])
			.where('chain', '=', chain)
			.where('balance', '>', 0n);
		const page = await keysetPage(rows, richest, query);
		return { ...page, rows: page.rows.map(factsOf) };
	}
};

const filter = z.object({
	address: z
		.string(listFaults.address.missing)
		.refine(isValidAddress, listFaults.address.invalid)
		.describe(listMembers.address)
});

export const addressTransactions: List<AddressTx, typeof filter> = {
	name: 'address-transactions',
	summary: listSummaries.addressHistory,
	scope: 'chain',
	filter,
	sorts: ['-place'],
	row: z.object({
		height: Height,
		time: Time,
		txid: Hash,
		kind: z.enum(TX_KINDS),
		received: Coins,
		sent: Coins,
		change: Coins
	}),
	wire: wireAddressTx,
	columns: addressTxColumns,
	async read(index, query) {
		const chain = await chainIdOf(index, query.chain);
		if (chain === null) return NO_ROWS;
		return keysetPage(addressTxs(index, chain, query.filter.address), addressTxOrder, query);
	}
};
