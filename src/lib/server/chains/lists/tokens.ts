import { bytesToHex } from '#lib/chain/bytes.ts';
import { listFaults, listMembers, listSummaries } from '#lib/messages/apiLists.ts';
import { z } from 'zod';
import { isValidPubkey } from '#lib/chain/key.ts';
import type { Index } from '../indexer/open.ts';
import { TOKEN_COLUMNS } from '../indexer/tables.ts';
import { chainIdOf } from './chains.ts';
import { nameKeyOf } from '../indexer/fold.ts';
import { keysetPage, writtenBytes, type Order } from './keyset.ts';
import { Hash, isoTimeOfSeconds, optionalText, Time, Units, type List, NO_ROWS } from './list.ts';

export interface TokenRow {
	seq: bigint;
	tokenid: Uint8Array;
	name: string;
	name_key: string;
	description: string;
	/** Compressed key, hex. */
	owner: string;
	/** Units. */
	supply: bigint;
	nft_code: bigint | null;
	nft_data: string | null;
	origin_chain: string | null;
	origin_tokenid: Uint8Array | null;
	/** Unix seconds. */
	created_at: bigint;
	transfers: bigint;
	holders: bigint;
	burned: bigint;
}

const filter = z.object({
	q: optionalText(z.string().max(200, listFaults.tokenName)).describe(listMembers.namePrefix),
	kind: optionalText(z.enum(['fungible', 'nft'], listFaults.tokenKind)).describe('fungible or nft'),
	imported: optionalText(z.enum(['yes', 'no'], listFaults.imported)).describe(listMembers.imported),
	owner: optionalText(z.string().toLowerCase().refine(isValidPubkey, listFaults.creator)).describe(
		listMembers.creator
	)
});

type Column = { name: string; type: 'text' | 'int'; value(row: TokenRow): bigint | string };
const SEQ: Column = { name: 'seq', type: 'int', value: ({ seq }) => seq };
const ORDERS: Readonly<Record<string, Order<TokenRow>>> = {
	'-created': { columns: [SEQ], descending: true },
	created: { columns: [SEQ], descending: false },
	name: {
		columns: [{ name: 'name_key', type: 'text', value: ({ name_key }) => name_key }, SEQ],
		descending: false
	},
	'-supply': {
		columns: [{ name: 'supply', type: 'int', value: ({ supply }) => supply }, SEQ],
		descending: true
	},
	'-holders': {
		columns: [{ name: 'holders', type: 'int', value: ({ holders }) => holders }, SEQ],
		descending: true
	},
	'-transfers': {
		columns: [{ name: 'transfers', type: 'int', value: ({ transfers }) => transfers }, SEQ],
		descending: true
	}
};

/** Returns a text that sorts, by bytes, after all texts that begin with `prefix`. */
const behind = (prefix: string): string => `${prefix}\u{10FFFF}`;

export const tokens: List<TokenRow, typeof filter> = {
	name: 'tokens',
	summary: listSummaries.tokens,
	scope: 'chain',
	filter,
	sorts: ['-created', 'created', 'name', '-supply', '-holders', '-transfers'],
	row: z.object({
		tokenid: Hash,
		name: z.string(),
		description: z.string(),
		owner: z.string(),
		supply: Units,
		burned: Units,
		holders: z.int(),
		transfers: z.int(),
		kind: z.enum(['fungible', 'nft']),
		data: z.string().nullable(),
		importedFrom: z.object({ chain: z.string(), tokenid: Hash.nullable() }).nullable(),
		created: Time
	}),
	wire: (row) => ({
		tokenid: bytesToHex(row.tokenid),
		name: row.name,
		description: row.description,
		owner: row.owner,
		supply: row.supply.toString(),
		burned: row.burned.toString(),
		holders: Number(row.holders),
		transfers: Number(row.transfers),
		kind: row.nft_code === null ? 'fungible' : 'nft',
		data: row.nft_data,
		importedFrom:
			row.origin_chain === null
				? null
				: {
						chain: row.origin_chain,
						tokenid: row.origin_tokenid && bytesToHex(row.origin_tokenid)
					},
		created: isoTimeOfSeconds(row.created_at)
	}),
	columns: [
		{ title: 'tokenid', value: ({ tokenid }) => bytesToHex(tokenid) },
		{ title: 'name', value: ({ name }) => name },
		{ title: 'description', value: ({ description }) => description },
		{ title: 'owner', value: ({ owner }) => owner },
		{ title: 'supply', value: ({ supply }) => supply },
		{ title: 'burned', value: ({ burned }) => burned },
		{ title: 'holders', value: ({ holders }) => holders },
		{ title: 'transfers', value: ({ transfers }) => transfers },
		{ title: 'kind', value: ({ nft_code }) => (nft_code === null ? 'fungible' : 'nft') },
		{ title: 'imported from', value: (row) => row.origin_chain },
		{ title: 'created', value: ({ created_at }) => isoTimeOfSeconds(created_at) }
	],
	async read(index, query) {
		const chain = await chainIdOf(index, query.chain);
		if (chain === null) return NO_ROWS;
		let rows = index.selectFrom('ix_tokens').select(TOKEN_COLUMNS).where('chain', '=', chain);
		const { q, kind, imported, owner } = query.filter;
		const prefix = nameKeyOf(q ?? '');
		if (prefix !== '') {
			rows = rows.where('name_key', '>=', prefix).where('name_key', '<', behind(prefix));
		}
		if (kind === 'nft') rows = rows.where('nft_code', 'is not', null);
		if (kind === 'fungible') rows = rows.where('nft_code', 'is', null);
		if (imported === 'yes') rows = rows.where('origin_chain', 'is not', null);
		if (imported === 'no') rows = rows.where('origin_chain', 'is', null);
		if (owner !== undefined) rows = rows.where('owner', '=', owner);
		// A prefix of names is found in name order, whatever order was requested.
		const sort = prefix === '' ? query.sort : 'name';
		const order = ORDERS[sort] ?? ORDERS['-created']!;
		return keysetPage(rows, order, { ...query, sort }, ({ name, description, nft_data }) =>
			writtenBytes(name, description, nft_data)
		);
	}
};

/** Reads one token of a chain; null when it is not indexed. */
export async function readIndexedToken(
	index: Index,
	chain: bigint,
	tokenid: string
): Promise<TokenRow | null> {
	const row = await index
		.selectFrom('ix_tokens')
		.select(TOKEN_COLUMNS)
		.where('tokenid', '=', Buffer.from(tokenid, 'hex'))
		.where('chain', '=', chain)
		.executeTakeFirst();
	return row ?? null;
}

/** Finds the tokens on other chains that were imported from this one, and the one that it was imported from. */
export async function readTwins(
	index: Index,
	chain: string,
	token: TokenRow
): Promise<{ chain: string; tokenid: string; name: string; relation: 'origin' | 'import' }[]> {
	const imports = await index
		.selectFrom('ix_tokens as t')
		.innerJoin('ix_chains as c', 'c.id', 't.chain')
		.select(['c.name as chain', 't.tokenid', 't.name'])
		.where('t.origin_tokenid', '=', token.tokenid)
		.where('t.origin_chain', '=', chain)
		.limit(20)
		.execute();
	const origin =
		token.origin_tokenid === null
			? []
			: await index
					.selectFrom('ix_tokens as t')
					.innerJoin('ix_chains as c', 'c.id', 't.chain')
					.select(['c.name as chain', 't.tokenid', 't.name'])
					.where('t.tokenid', '=', token.origin_tokenid)
					.where('c.name', '=', token.origin_chain ?? '')
					.execute();
	const twin =
		(relation: 'origin' | 'import') =>
		(row: { chain: string; tokenid: Uint8Array; name: string }) => ({
			chain: row.chain,
			tokenid: bytesToHex(row.tokenid),
			name: row.name,
			relation
		});
	return [...origin.map(twin('origin')), ...imports.map(twin('import'))];
}
