/**
 * The tables of the index. They contain only what the chains contain: the index can be deleted and is then rebuilt.
 * Hashes and txids are 32 bytes in display order; amounts are satoshi; times are the Unix seconds of the block.
 * `seq` is the position of a transaction on its chain, see {@link seqOf}.
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

/** One indexed chain and its progress. */
export interface IndexChainsTable {
	/** Small number by which the other tables refer to the chain. */
	id: Int64;
	name: string;
	/** Hash of the genesis block; null when it is not indexed. */
	genesis: NullableBytes;
	/** First height that is indexed. */
	start_height: Int64;
	/**
	 * Number of the rules by which its blocks were read, see extract.ts; 0: those of a release that recorded none. A
	 * server of such a release leaves it as it is.
	 */
	rules: CountedInt64;
	/** Last indexed block; `start_height - 1` and null before the first. */
	height: Int64;
	hash: NullableBytes;
	/** Height of the daemon's tip when it was last asked. */
	target_height: Int64;
	/** `waiting`, with the reason in `problem` if there is one; `behind`; `current`. */
	state: string;
	problem: NullableText;
	/** Blocks per second over the last seconds; 0 while unknown. */
	rate: Int64;
	/** The cross-chain id that its daemon uses; null without one, or before it was asked. */
	ccid: NullableInt64;
	/** Number of reorganizations that the index has followed. */
	reorgs: Int64;
	/** Number of tokens of the chain. */
	tokens: CountedInt64;
	/** When indexing was paused, in Unix milliseconds, and by whom; null while it is not paused. */
	paused_at: NullableInt64;
	paused_by: NullableText;
	/** First block to remove and read again, with all above; null for none. */
	reindex_from: NullableInt64;
	/** Unix milliseconds of the last poll of the daemon, and of the last change to the chain's indexed data. */
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

/** Kind of a transaction, by its most specific feature. */
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
	/** The source transaction of a self-import. */
	| 'self-import-source'
	| 'shielded'
	/** An unknown format, decoded by the daemon. */
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
	/** Null where unknown: coinbase, import, unknown format, unindexed inputs, or coins that may have earned interest. */
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
	/** Who can spend the token: a compressed key in hex, two of them joined by `+`, or the script's address. */
	holder: NullableText;
	/** The spending transaction and its input. */
	spent_seq: NullableInt64;
	spent_n: NullableInt64;
}

export interface IndexInputsTable {
	chain: Int64;
	seq: Int64;
	n: Int64;
	/** The output that is spent; both null for a coinbase, an import, or an unindexed output. */
	prev_seq: NullableInt64;
	prev_n: NullableInt64;
}

/** Exclusive limit of the lower part of a sum, such that two of them added still fit into 64 bits. */
export const SUM_PART = 10n ** 18n;

/**
 * Splits a sum into two parts of the same sign. The same coins can be received repeatedly, so the total that an
 * address received can exceed 64 bits.
 */
export const splitSum = (sum: bigint): { low: bigint; high: bigint } => ({
	low: sum % SUM_PART,
	high: sum / SUM_PART
});

/** Returns the sum that {@link splitSum} split. */
export const joinSum = (low: bigint, high: bigint): bigint => high * SUM_PART + low;

/** The totals of an address on a chain. */
export interface IndexAddressesTable {
	chain: Int64;
	address: string;
	balance: Int64;
	/** Total ever received, together with `received_high`; see {@link splitSum}. */
	received: Int64;
	received_high: Int64;
	/** Number of transactions that involve it. */
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
	/** `seq` of the creation. */
	seq: Int64;
	tokenid: Bytes;
	name: string;
	/** The name folded for sorting and searching, see fold.ts. */
	name_key: string;
	description: string;
	/** Compressed key, hex. */
	owner: string;
	/** Valid units that the creation made. */
	supply: Int64;
	/** First byte of the non-fungible data; null for a fungible token. */
	nft_code: NullableInt64;
	/** Hex of the non-fungible data, evaluation code first. */
	nft_data: NullableText;
	/** Origin of an imported token; null for others. */
	origin_chain: NullableText;
	origin_tokenid: NullableBytes;
	created_at: Int64;
	/** Valid transfers, burns included; current holders; units sent to the burn key or burned for another chain. */
	transfers: Int64;
	holders: Int64;
	burned: Int64;
}

/** Columns of a token within a chain. */
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
	/** Address of the key, or of the outputs that hold the units; null where several keys hold them together. */
	address: NullableText;
}

export interface IndexNotarizationsTable {
	/** The chain whose block contains it. */
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
	/** The notarization on KMD that a back-notarization refers to. */
	kmd_txid: NullableBytes;
	mom: NullableBytes;
	mom_depth: NullableInt64;
	ccid: NullableInt64;
	momom: NullableBytes;
	momom_depth: NullableInt64;
	/** Numbers of the signing notaries, ascending, joined by commas; empty where the daemon does not know them. */
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
	/** The source chain. */
	chain: Int64;
	seq: Int64;
	txid: Bytes;
	time: Int64;
	/** Name and CCid of the destination. */
	target: string;
	target_ccid: Int64;
	/** Satoshi, including the import fee; 0 for tokens. */
	value: Int64;
	/** The burned token and its units; null and 0 for coins. */
	tokenid: NullableBytes;
	units: Int64;
	/** Hash of the payouts, in internal byte order as in the burn. */
	payouts_hash: Bytes;
	/** The import on an indexed chain, once it is confirmed. */
	import_chain: NullableInt64;
	import_seq: NullableInt64;
}

export interface IndexImportsTable {
	/** The destination chain. */
	chain: Int64;
	seq: Int64;
	txid: Bytes;
	time: Int64;
	burn_txid: Bytes;
	/** The source that the burn names, which can be another chain than its own; empty for a self-import, and for none. */
	source: string;
	/** The CCid in the burn; null for a self-import. */
	ccid: NullableInt64;
	/** Value of the burn that it redeems, including the import fee; 0 for tokens. */
	value: Int64;
	/** The imported token as `seq` of its creation here; null for coins. */
	token: NullableInt64;
	proof: 'txproof' | 'approvals' | 'merkleblock';
}

/** Coins burned on one chain for another, and coins imported there. */
export interface IndexFlowsTable {
	source: string;
	target: string;
	ccid: Int64;
	/** Lower part of the total burned; `burned_high` is the upper part, see {@link splitSum}. */
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
	/** `seq` of the token's creation. */
	seq: Int64;
}

/** A word, and what remains of it without one of its letters, see names.ts. */
export interface IndexNameTyposTable {
	key: string;
	word: string;
}

/** The look of a token's name, see names.ts: tokens that share it can be mistaken for each other. */
export interface IndexNameLooksTable {
	chain: Int64;
	look: string;
	/** `seq` of the token's creation. */
	seq: Int64;
}

/** Id of the single lease of the index. */
export const INDEX_LEASE = 'index';

/** The lease of the indexer, held by one replica at a time: a single row, always due. */
export interface IndexLeaseTable {
	id: string;
	due_at: Int64;
	lease_owner: NullableText;
	/** Unix milliseconds. */
	lease_until: NullableInt64;
	/** Increases with every lease, so that writes of a stale indexer are refused. */
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

/** Most transactions in a block; a Komodo block of 4 MB holds fewer. */
const PLACES = 65_536n;

/** Returns the position of a transaction on its chain: sorts by height, then by index in the block. */
export const seqOf = (height: number | bigint, place: number): bigint =>
	BigInt(height) * PLACES + BigInt(place);

/** Returns the height of the block in which a transaction with this sequence number is. */
export const heightOfSeq = (seq: bigint): number => Number(seq / PLACES);

/** Returns the position of a transaction in its block. */
export const placeOfSeq = (seq: bigint): number => Number(seq % PLACES);

/** The tables that a reader of the index sees. */
export interface IndexSchema extends IndexTables {
	schema_migrations: SchemaMigrationsTable;
}
