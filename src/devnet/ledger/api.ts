/**
 * The interface of one chain's ledger, on which the devnet's daemons, wallets and notaries are built. It is
 * implemented by `Ledger` in ledger.ts.
 *
 * Units: amounts are bigint satoshi, heights and times are numbers (times in seconds), txids and block hashes
 * are lower-case hex in display order.
 */
import type { BlockHeader } from '#lib/chain/block.ts';
import type { Notarization } from '#lib/chain/notarization.ts';
import type { Transaction, TxOut } from '#lib/chain/transaction.ts';
import type {
	RPC_VERIFY_ALREADY_IN_CHAIN,
	RPC_VERIFY_ERROR,
	RPC_VERIFY_REJECTED
} from '#lib/rpc/errorCodes.ts';
import type { TimedBlock } from './timeIndex.ts';

/** Parameters of a chain. */
export interface ChainParams {
	/** '' or 'KMD' for the main chain, otherwise the `ac_name` of an asset chain. */
	name: string;
	/** `ac_cc`: 0 disables crypto-conditions; 100 and above allows migration of coins. */
	ccid: number;
	/** `ac_import`, for example 'PUBKEY'. */
	acImport?: string;
	/** `ac_pubkey`, hex of 33 bytes: the key that may issue coins on an `ac_import=PUBKEY` chain. */
	acPubkey?: string;
	/** Satoshi paid by the coinbase of block 1 in addition to the reward. */
	premine: bigint;
	/** Satoshi paid by every later coinbase, plus fees. */
	reward: bigint;
	/** Number of blocks before a coinbase output can be spent (1 on asset chains, 100 on KMD). */
	maturity: number;
	/** First height with Sapling transactions (version 4). */
	saplingHeight: number;
	/** Maximum size in bytes of an OP_RETURN script that is relayed (`datacarriersize`). */
	dataCarrierSize: number;
	/** Whether outputs that cost more to spend than they are worth are relayed, as on a test network. */
	relaysDust?: boolean;
	/** False only for experiments: then notarizations count regardless of who signed them. */
	requireNotarySignatures: boolean;
	/** Public keys of the season's 64 notaries by index, hex of 33 bytes. */
	notaries: readonly string[];
	/** Public key (hex) that coinbases pay, unless `mine` is given another. */
	minerPubkey: string;
	/** Seconds between blocks that one call mines from a given time. */
	blockTime: number;
	/** `ac_algo`, for example 'verushash': blocks have other hashes than with Equihash. */
	algo?: string;
}

/** Error code of a refused transaction, as in the daemon. */
type RejectCode =
	typeof RPC_VERIFY_ERROR | typeof RPC_VERIFY_REJECTED | typeof RPC_VERIFY_ALREADY_IN_CHAIN;

/** An output that no block has spent. */
export interface Coin {
	txid: string;
	vout: number;
	value: bigint;
	script: Uint8Array;
	height: number;
	coinbase: boolean;
}

/** A confirmed transaction and its position. */
export interface MinedTransaction {
	txid: string;
	tx: Transaction;
	height: number;
	blockHash: string;
	/** Position in the block; 0 is the coinbase. */
	position: number;
}

/** A transaction whose block was disconnected, but which the transaction index still has. */
export interface OutlivedTransaction {
	tx: Transaction;
	blockHash: string;
	height: number;
	/** Whether the block is unknown too, as after restoring older block files. */
	lost: boolean;
}

/** A block of the active chain, or a disconnected one returned by `blockByHash`. */
export interface LedgerBlock {
	hash: string;
	height: number;
	header: BlockHeader;
	txids: string[];
	transactions: Transaction[];
	/** Serialized size in bytes. */
	size: number;
	/** Satoshi since genesis, including this block. Imports are not part of `minted`. */
	totals: { minted: bigint; imported: bigint; burned: bigint };
	/** Notarizations in this block, in order. */
	notarizations: NotarizationRecord[];
	/** Outputs that this block spent, needed to disconnect it. */
	undo: Coin[];
}

/** A pending transaction. */
export interface MempoolEntry {
	txid: string;
	tx: Transaction;
	size: number;
	fee: bigint;
	/** Unix seconds when it was accepted. */
	time: number;
	/** Height of the tip when it was accepted. */
	height: number;
	/** Txids of unconfirmed parents. */
	depends: string[];
}

/** A valid notarization (signed by enough different notaries). */
export interface NotarizationRecord {
	txid: string;
	/** Height of the block of THIS chain that contains it. */
	recordedAt: number;
	data: Notarization;
	/** Indexes of the signers in the list of notaries, in input order. */
	notaries: number[];
}

/** The spender of an output. `height` is -1 while it is in the mempool. */
export interface SpentBy {
	txid: string;
	index: number;
	height: number;
}

/** The daemon indexes crypto-condition addresses separately from normal addresses with the same text. */
export type AddressKind = 'normal' | 'cc';

/** One entry of an address's history, in chain order. */
export interface AddressDelta {
	txid: string;
	/** Index of the input when `spending`, otherwise of the output. */
	index: number;
	spending: boolean;
	/** Satoshi; negative when spending. */
	satoshis: bigint;
	height: number;
	/** Position of the transaction in its block. */
	position: number;
}

/** A token creation, with the data that `tokeninfo` returns. */
export interface TokenInfo {
	tokenid: string;
	/** Public key of the creator, hex. */
	owner: string;
	name: string;
	description: string;
	/** Base units; 0 when the creator's inputs do not cover them. */
	supply: bigint;
	/** Non-fungible data, beginning with the eval code. */
	data?: Uint8Array;
	/** Present when an import created the token. */
	imported?: { sourceChain: string | null; sourceTokenId: string | null };
	height: number;
}

/** A spendable token output, valid by the daemon's rules. */
export interface TokenCoin extends Coin {
	tokenid: string;
}

/** Options of `submit`. */
export interface SubmitOptions {
	allowHighFees?: boolean;
	/**
	 * The devnet itself just signed the transaction, so its signatures are not verified. A round of
	 * notarizations has 44 of them, which would be most of what a devnet computes.
	 */
	signedHere?: boolean;
}

/** Options of `mine`. */
export interface MineOptions {
	/** Number of blocks; default 1. */
	count?: number;
	/** Time of the first block in seconds, later ones `blockTime` apart; default: the clock. */
	time?: number;
	/** Public key (hex) that the coinbases pay. */
	pubkey?: string;
	/** Whether to mine coinbases only and keep the mempool. */
	empty?: boolean;
}

/** One chain. */
export interface LedgerApi {
	readonly params: ChainParams;
	/** 'KMD' for the main chain, otherwise the asset chain's name. */
	readonly symbol: string;
	readonly isMain: boolean;

	readonly height: number;
	readonly tip: LedgerBlock;
	blockAt(height: number): LedgerBlock | undefined;
	/** Also finds recently disconnected blocks; to tell, compare with `blockAt(block.height)`. */
	blockByHash(hash: string): LedgerBlock | undefined;
	isSaplingAt(height: number): boolean;

	/** Returns a confirmed transaction. */
	mined(txid: string): MinedTransaction | undefined;
	/**
	 * Returns a transaction that only the transaction index still has: neither in the chain nor in the
	 * mempool.
	 */
	outlived(txid: string): OutlivedTransaction | undefined;
	/** Returns all transactions that only the transaction index still has. */
	allOutlived(): readonly Transaction[];
	/** Returns a transaction from the chain or the mempool. */
	transaction(txid: string): Transaction | undefined;
	/** Returns an output of any known transaction, spent or not. */
	output(txid: string, vout: number): TxOut | undefined;
	/** Returns an output that no block has spent (the mempool may have). */
	coin(txid: string, vout: number): Coin | undefined;
	spentBy(txid: string, vout: number): SpentBy | undefined;
	coins(): IterableIterator<Coin>;

	/** Returns blocks with low <= time < high, including disconnected ones, oldest first. */
	blocksByTime(low: number, high: number): readonly TimedBlock[];

	/** Returns the unspent outputs of an address, oldest first. */
	addressCoins(address: string, kind: AddressKind): Coin[];
	addressHistory(address: string, kind: AddressKind): readonly AddressDelta[];
	/** Returns confirmed satoshi; `received` counts every output ever paid to the address. */
	addressBalance(address: string, kind: AddressKind): { balance: bigint; received: bigint };

	readonly mempool: MempoolView;
	/** Validates like `sendrawtransaction` and adds to the mempool. Throws Reject. */
	submit(tx: Transaction, options?: SubmitOptions): string;
	mine(options?: MineOptions): LedgerBlock[];
	/** Disconnects blocks; their transactions return to the mempool where still valid. */
	disconnect(count: number, lose?: boolean): LedgerBlock[];
	/** Replaces the last `depth` blocks with `depth + 1` new ones. */
	reorg(depth: number, options?: MineOptions): { removed: LedgerBlock[]; added: LedgerBlock[] };

	/** Returns the notarizations in a block; [] when there is no such block. */
	notarizationsAt(height: number): readonly NotarizationRecord[];
	/** Finds a back-notarization by the KMD txid in it. */
	notarizationByKmdTxid(kmdTxid: string): NotarizationRecord | undefined;
	/** Returns the first notarization of `symbol` from `height` (inclusive) down over `limit` blocks. */
	scanNotarizationsDown(
		height: number,
		symbol: string,
		limit?: number
	): NotarizationRecord | undefined;
	/** Returns the newest notarization of this chain itself, or null. */
	lastNotarized(): NotarizationRecord | null;
	/** Height notarized by the newest notarization of this chain; 0 when there is none. */
	lastNotarizedHeight(): number;
	/** Height notarized by this chain's newest notarization with a MoM; 0 when there is none. */
	prevMoMHeight(): number;
	/**
	 * Confirmations under delayed proof of work: 1 until a notarization covers the height, then the raw
	 * count.
	 */
	confirmations(height: number): number;
	rawConfirmations(height: number): number;

	/** Txids of creations whose marker at the global token address is unspent, in index order. */
	tokenList(): string[];
	/** undefined: unknown; 'mempool': not confirmed yet; 'not-a-token': not a token creation. */
	tokenInfo(tokenid: string): TokenInfo | 'mempool' | 'not-a-token' | undefined;
	/** Confirmed token outputs of a key that the mempool does not spend. */
	tokenCoins(tokenid: string, pubkey: Uint8Array): TokenCoin[];
	tokenBalance(tokenid: string, pubkey: Uint8Array): bigint;

	/** Txid of the import of a burn, in the chain or the mempool. */
	importOf(burnTxid: string): string | undefined;

	/** Digest of all state that consensus depends on; equal states have equal digests. */
	stateDigest(): string;
	saveTo(dir: string): void;
}

/** Read-only view of the mempool. */
export interface MempoolView {
	readonly size: number;
	/** In order of acceptance: parents before children. */
	entries(): IterableIterator<MempoolEntry>;
	get(txid: string): MempoolEntry | undefined;
	has(txid: string): boolean;
	/** Returns the pending transaction that spends an output. */
	spenderOf(txid: string, vout: number): { txid: string; index: number } | undefined;
}

/**
 * A refused transaction. Clients of the daemon see `code` and `message`; the daemon writes `reason` to its
 * log only.
 */
export class Reject extends Error {
	readonly code: RejectCode;
	readonly reason: string | undefined;

	constructor(code: RejectCode, message: string, reason?: string) {
		super(message);
		this.name = 'Reject';
		this.code = code;
		this.reason = reason;
	}
}
