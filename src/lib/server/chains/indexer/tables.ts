/**
 * The tables of the index. It holds nothing that the chains do not hold: it can be deleted and is built
 * again. Hashes and txids are 32 bytes in display order; amounts are satoshi; times are Unix seconds as
 * the block says. `seq` places a transaction on its chain, see {@link seqOf}.
 */
import type {
	CountedInt64,
	Int64,
	NullableInt64,
	NullableText
} from '../../platform/database/columns.ts';
import type { SchemaMigrationsTable } from '../../platform/database/migrate.ts';

/** Bytes: BLOB in SQLite, bytea in PostgreSQL. Read as a Buffer, written as any bytes. */
type Bytes = Uint8Array;
type NullableBytes = Uint8Array | null;

/** One indexed chain and how far its index is. */
export interface IndexChainsTable {
	/** Small number that the other tables carry. */
	id: Int64;
	name: string;
	/** Of its genesis block; another one means another chain, and the index begins anew. */
	genesis: NullableBytes;
	/** The first height that is indexed. */
	start_height: Int64;
	/** The last indexed block; `start_height - 1` and null before the first. */
	height: Int64;
	hash: NullableBytes;
	/** Height of the daemon's tip when it was last asked. */
	target_height: Int64;
	/** `waiting` for its daemon, `behind`, `current`; `stopped` with the reason in `problem`. */
	state: string;
	problem: NullableText;
	/** Blocks a second over the last seconds; 0 while that is not known. */
	rate: Int64;
	/** The cross-chain id that its daemon works with; null without one, or before it was asked. */
	ccid: NullableInt64;
	/** Counts reorganisations that were undone. */
	reorgs: Int64;
	/** Tokens of the chain. */
	tokens: CountedInt64;
	/** Since when nothing of it is read, in Unix milliseconds, and who said so; null while it is read. */
	paused_at: NullableInt64;
	paused_by: NullableText;
	/** The first block that is to be taken back and read again, with all above; null: none is. */
	reindex_from: NullableInt64;
	/** Unix milliseconds of the last look at the daemon, and of the last change of what the index holds of the chain. */
	looked_at: Int64;
	written_at: Int64;
}

export interface IndexBlocksTable {
	chain: Int64;
	height: Int64;
	hash: Bytes;
	time: Int64;
	/** Bytes. */
	size: Int64;
	txs: Int64;
}

/** What a transaction is, by its most telling part. */
export type TxKind =
	| 'coinbase'
	| 'transfer'
	| 'token-create'
	| 'token-transfer'
	| 'notarization'
	| 'burn'
	| 'token-burn'
	| 'import'
	| 'token-import'
	/** A notary's statement that a burn is in a block of its chain. */
	| 'notary-approval'
	/** What a self-import is made of. */
	| 'self-import-source'
	| 'shielded'
	/** A format that is not known here, as the daemon decodes it. */
	| 'other';

export interface IndexTxsTable {
	chain: Int64;
	seq: Int64;
	txid: Bytes;
	kind: TxKind;
	size: Int64;
	inputs: Int64;
	outputs: Int64;
	/** Sum of its outputs. */
	value: Int64;
	/** Null where inputs carry no value here: coinbase, import, shielded, or inputs before the first block. */
	fee: NullableInt64;
}

export interface IndexOutputsTable {
	chain: Int64;
	seq: Int64;
	n: Int64;
	value: Int64;
	/** As script.ts classifies it. */
	type: string;
	address: NullableText;
	/** The token that it holds, as `seq` of the creation, with its units in `value`; null for coins. */
	token: NullableInt64;
	/** Who can move the token: a compressed key in hex, two of them joined by `+`, or the script's address. */
	holder: NullableText;
	/** The spending transaction and its input. */
	spent_seq: NullableInt64;
	spent_n: NullableInt64;
}

export interface IndexInputsTable {
	chain: Int64;
	seq: Int64;
	n: Int64;
	/** The output that is spent; both null for a coinbase, an import, or an output before the first block. */
	prev_seq: NullableInt64;
	prev_n: NullableInt64;
}

/** What the lower part of a sum stays below: two of them together still fit into 64 bits. */
export const SUM_PART = 10n ** 18n;

/** A sum in two parts of one sign. Coins can go round until 64 bits do not hold what an address received. */
export const splitSum = (sum: bigint): { low: bigint; high: bigint } => ({
	low: sum % SUM_PART,
	high: sum / SUM_PART
});

/** An address on a chain: what all its history adds up to. */
export interface IndexAddressesTable {
	chain: Int64;
	address: string;
	balance: Int64;
	/** With `received_high` all that ever came in; see {@link splitSum}. */
	received: Int64;
	received_high: Int64;
	/** Transactions that touch it. */
	txs: Int64;
}

export interface IndexAddressTxsTable {
	chain: Int64;
	address: string;
	seq: Int64;
	received: Int64;
	sent: Int64;
}

export interface IndexTokensTable {
	chain: Int64;
	/** The creation. */
	seq: Int64;
	tokenid: Bytes;
	name: string;
	/** The name folded for sorting and searching, see read/fold.ts. */
	name_key: string;
	description: string;
	/** Compressed key, hex. */
	owner: string;
	/** Valid units that the creation made. */
	supply: Int64;
	/** First byte of the non-fungible data; null for a fungible token. */
	nft_code: NullableInt64;
	/** Hex of the non-fungible data, code first. */
	nft_data: NullableText;
	/** Where an imported token was created. */
	origin_chain: NullableText;
	origin_tokenid: NullableBytes;
	created_at: Int64;
	/** Valid transfers, burns included; keys that hold units now; units at the burn key or burnt toward a chain. */
	transfers: Int64;
	holders: Int64;
	burned: Int64;
}

/** Its columns within a chain. */
export const TOKEN_COLUMNS = [
	'seq',
	'tokenid',
	'name',
	'name_key',
	'description',
	'owner',
	'supply',
	'nft_code',
	'nft_data',
	'origin_chain',
	'origin_tokenid',
	'created_at',
	'transfers',
	'holders',
	'burned'
] as const satisfies readonly (keyof IndexTokensTable)[];

/** One valid movement of units: a creation (from is null), a transfer, or a burn. */
export interface IndexTokenMovesTable {
	chain: Int64;
	token: Int64;
	seq: Int64;
	n: Int64;
	kind: 'create' | 'transfer' | 'burn' | 'export';
	from_holder: NullableText;
	to_holder: NullableText;
	units: Int64;
}

export interface IndexHoldersTable {
	chain: Int64;
	token: Int64;
	holder: string;
	units: Int64;
	/** Of the coins of a key, or of the outputs that hold the units; null where several keys hold them together. */
	address: NullableText;
}

export interface IndexNotarizationsTable {
	/** The chain whose block holds it. */
	chain: Int64;
	seq: Int64;
	txid: Bytes;
	/** `kmd`: recorded on KMD about a chain. `back`: recorded on the chain itself. */
	form: 'kmd' | 'back';
	/** Name of the notarized chain. */
	symbol: string;
	time: Int64;
	/** The notarized block. */
	height: Int64;
	hash: Bytes;
	/** The notarization on KMD that a back-notarization answers. */
	kmd_txid: NullableBytes;
	mom: NullableBytes;
	mom_depth: NullableInt64;
	ccid: NullableInt64;
	momom: NullableBytes;
	momom_depth: NullableInt64;
	/** Numbers of the notaries that signed, in ascending order, joined by commas; empty where the daemon does not know them. */
	signers: string;
	signer_count: Int64;
}

/** Columns of a notarization within a chain. */
export const NOTARIZATION_COLUMNS = [
	'seq',
	'txid',
	'form',
	'symbol',
	'time',
	'height',
	'hash',
	'kmd_txid',
	'mom',
	'mom_depth',
	'ccid',
	'momom',
	'momom_depth',
	'signers',
	'signer_count'
] as const satisfies readonly (keyof IndexNotarizationsTable)[];

export interface IndexBurnsTable {
	/** The chain on which was burnt. */
	chain: Int64;
	seq: Int64;
	txid: Bytes;
	time: Int64;
	/** Name and CCid of the destination. */
	target: string;
	target_ccid: Int64;
	/** Satoshi, the import's fee included; 0 for tokens. */
	value: Int64;
	/** The token that was burnt, and how many units; null and 0 for coins. */
	tokenid: NullableBytes;
	units: Int64;
	/** Of the payouts, internal order as the burn holds it. */
	payouts_hash: Bytes;
	/** The import on an indexed chain, once it is mined. */
	import_chain: NullableInt64;
	import_seq: NullableInt64;
}

export interface IndexImportsTable {
	/** The chain on which was imported. */
	chain: Int64;
	seq: Int64;
	txid: Bytes;
	time: Int64;
	burn_txid: Bytes;
	/** Name of the source; empty for a self-import. */
	source: string;
	/** The CCid that the burn names; null for a self-import. */
	ccid: NullableInt64;
	/** Value of the burn that it redeems, its own fee included; 0 for tokens. */
	value: Int64;
	/** The imported token as `seq` of its creation here; null for coins. */
	token: NullableInt64;
	proof: 'txproof' | 'approvals' | 'merkleblock';
}

/** What was burnt on one chain toward another, and what was imported there, of coins. */
export interface IndexFlowsTable {
	source: string;
	target: string;
	ccid: Int64;
	/** With `burned_high` all that was ever burned, and so on; see {@link splitSum}. */
	burned: Int64;
	burned_high: Int64;
	burns: Int64;
	imported: Int64;
	imported_high: Int64;
	imports: Int64;
}

/** One word of a token's name, folded, see names.ts. */
export interface IndexNameWordsTable {
	word: string;
	chain: Int64;
	/** The token's creation. */
	seq: Int64;
}

/** A word and what remains of it without one of its letters, see names.ts. */
export interface IndexNameTyposTable {
	key: string;
	word: string;
}

/** What the name of a token looks like, see names.ts: whoever shares it can be taken for it. */
export interface IndexNameLooksTable {
	chain: Int64;
	look: string;
	/** The token's creation. */
	seq: Int64;
}

/** The id of the one lease of the index. */
export const INDEX_LEASE = 'index';

/** Who indexes, one replica at a time: one row, always due. */
export interface IndexLeaseTable {
	id: string;
	due_at: Int64;
	lease_owner: NullableText;
	/** Unix milliseconds. */
	lease_until: NullableInt64;
	/** Grows with every lease: what a stale indexer writes is refused. */
	fencing_token: Int64;
}

export interface IndexTables {
	ix_chains: IndexChainsTable;
	ix_blocks: IndexBlocksTable;
	ix_txs: IndexTxsTable;
	ix_outputs: IndexOutputsTable;
	ix_inputs: IndexInputsTable;
	ix_addresses: IndexAddressesTable;
	ix_address_txs: IndexAddressTxsTable;
	ix_tokens: IndexTokensTable;
	ix_token_moves: IndexTokenMovesTable;
	ix_holders: IndexHoldersTable;
	ix_notarizations: IndexNotarizationsTable;
	ix_burns: IndexBurnsTable;
	ix_imports: IndexImportsTable;
	ix_flows: IndexFlowsTable;
	ix_name_words: IndexNameWordsTable;
	ix_name_typos: IndexNameTyposTable;
	ix_name_looks: IndexNameLooksTable;
	ix_lease: IndexLeaseTable;
}

/** Places in a block; Komodo blocks of 4 MB hold fewer transactions than this. */
const PLACES = 65_536n;

/** The place of a transaction on its chain: sorts by height, then by place in the block. */
export const seqOf = (height: number | bigint, place: number): bigint =>
	BigInt(height) * PLACES + BigInt(place);
export const heightOfSeq = (seq: bigint): number => Number(seq / PLACES);
export const placeOfSeq = (seq: bigint): number => Number(seq % PLACES);

/** The tables that a reader of the index sees. */
export interface IndexSchema extends IndexTables {
	schema_migrations: SchemaMigrationsTable;
}
