/**
 * The face of one chain's ledger: what the HTTP daemon, the wallets and the notaries of the
 * development network are built on. The class behind it is `Ledger` in ledger.ts.
 *
 * Units: amounts are bigint satoshi, heights and times are numbers (times in seconds), txids and
 * block hashes are lower-case hex in display order.
 */
import type { BlockHeader } from '#lib/chain/block.ts';
import type { Notarization } from '#lib/chain/notarization.ts';
import type { Transaction, TxOut } from '#lib/chain/transaction.ts';
import type { TimedBlock } from './timeIndex.ts';

/** Everything that makes a chain this chain and not another. */
export interface ChainParams {
	/** '' or 'KMD' is the main chain; anything else is the `ac_name` of an asset chain. */
	name: string;
	/** `ac_cc`: 0 switches crypto-conditions off; 100 and above lets coins migrate. */
	ccid: number;
	/** `ac_import`, for example 'PUBKEY'. */
	acImport?: string;
	/** `ac_pubkey`, hex of 33 bytes: who may issue on an `ac_import=PUBKEY` chain. */
	acPubkey?: string;
	/** Satoshi paid by the coinbase of block 1 on top of the reward. */
	premine: bigint;
	/** Satoshi paid by every later coinbase (fees are added). */
	reward: bigint;
	/** Blocks a coinbase output must be deep before it can be spent (1 on asset chains, 100 on KMD). */
	maturity: number;
	/** First height whose transactions are Sapling (version 4). */
	saplingHeight: number;
	/** Largest OP_RETURN script in bytes that is relayed (`datacarriersize`). */
	dataCarrierSize: number;
	/** Relay outputs that cost more to spend than they are worth, as a test network does. */
	relaysDust?: boolean;
	/** False only for experiments: notarizations then count whoever signed them. */
	requireNotarySignatures: boolean;
	/** The 64 notary keys of the season, hex of 33 bytes, by index. */
	notaries: readonly string[];
	/** Hex key that coinbases pay unless `mine` names another. */
	minerPubkey: string;
	/** Seconds between blocks that are mined in one call from a given time. */
	blockTime: number;
}

/** Why a transaction is not accepted, in the daemon's codes and words. */
type RejectCode = -25 | -26 | -27;

/** An output that nobody has spent in a block. */
export interface Coin {
	txid: string;
	vout: number;
	value: bigint;
	script: Uint8Array;
	height: number;
	coinbase: boolean;
}

/** One mined transaction and where it stands. */
export interface MinedTransaction {
	txid: string;
	tx: Transaction;
	height: number;
	blockHash: string;
	/** Position inside the block; 0 is the coinbase. */
	position: number;
}

/** A transaction whose block was taken back: the index of transactions outlives the block. */
export interface OutlivedTransaction {
	tx: Transaction;
	blockHash: string;
	height: number;
	/** The block is not known any more either, as after a rollback of the files. */
	lost: boolean;
}

/** A block of the active chain (or, through `blockByHash`, one that was disconnected). */
export interface LedgerBlock {
	hash: string;
	height: number;
	header: BlockHeader;
	txids: string[];
	transactions: Transaction[];
	/** Serialized length in bytes. */
	size: number;
	/** Satoshi since genesis, this block included. Imports are not part of `minted`. */
	totals: { minted: bigint; imported: bigint; burned: bigint };
	/** Notarizations that this block recorded, in block order. */
	notarizations: NotarizationRecord[];
	/** Coins that this block spent, for disconnecting it. */
	undo: Coin[];
}

/** A transaction waiting for a block. */
export interface MempoolEntry {
	txid: string;
	tx: Transaction;
	size: number;
	fee: bigint;
	/** Seconds at which it was accepted. */
	time: number;
	/** Tip height at which it was accepted. */
	height: number;
	/** Unconfirmed parents. */
	depends: string[];
}

/** A notarization that counted (enough signatures of different notaries). */
export interface NotarizationRecord {
	txid: string;
	/** Height of the block of THIS chain that holds it. */
	recordedAt: number;
	data: Notarization;
	/** Indices into the notary list, in input order. */
	notaries: number[];
}

/** Where an output went. `height` is -1 while the spending transaction waits in the mempool. */
export interface SpentBy {
	txid: string;
	index: number;
	height: number;
}

/** The daemon's index keeps crypto-condition addresses apart from normal ones of the same text. */
export type AddressKind = 'normal' | 'cc';

/** One line of an address's history, in chain order. */
export interface AddressDelta {
	txid: string;
	/** Input index when `spending`, else output index. */
	index: number;
	spending: boolean;
	/** Satoshi; negative when spending. */
	satoshis: bigint;
	height: number;
	/** Position of the transaction in its block. */
	position: number;
}

/** A token creation as `tokeninfo` shows it. */
export interface TokenInfo {
	tokenid: string;
	/** Hex key. */
	owner: string;
	name: string;
	description: string;
	/** Units; 0 when the creator's inputs do not cover them. */
	supply: bigint;
	/** Non-fungible payload, evaluation code first. */
	data?: Uint8Array;
	/** Present when the creation is an import. */
	imported?: { sourceChain: string | null; sourceTokenId: string | null };
	height: number;
}

/** A spendable token output: it passed the daemon's validity test. */
export interface TokenCoin extends Coin {
	tokenid: string;
}

/** Options of `submit`. */
export interface SubmitOptions {
	allowHighFees?: boolean;
	/**
	 * The network itself signed it a moment ago: its signatures are not verified. A round of notarizations has 44
	 * of them, which would be most of what a devnet computes.
	 */
	signedHere?: boolean;
}

/** Options of `mine`. */
export interface MineOptions {
	/** Number of blocks, 1 unless given. */
	count?: number;
	/** Time of the first block, seconds, further ones `blockTime` apart; the clock unless given. */
	time?: number;
	/** Hex key the coinbases pay. */
	pubkey?: string;
	/** Leave the mempool alone and mine coinbases only. */
	empty?: boolean;
}

/** One chain. */
export interface LedgerApi {
	readonly params: ChainParams;
	/** 'KMD' for the main chain, else the asset chain's name. */
	readonly symbol: string;
	readonly isMain: boolean;

	readonly height: number;
	readonly tip: LedgerBlock;
	blockAt(height: number): LedgerBlock | undefined;
	/** Also finds recently disconnected blocks; compare with `blockAt(block.height)`. */
	blockByHash(hash: string): LedgerBlock | undefined;
	isSaplingAt(height: number): boolean;

	/** A mined transaction. */
	mined(txid: string): MinedTransaction | undefined;
	/** What only the index of transactions still knows: neither in the chain nor in the mempool. */
	outlived(txid: string): OutlivedTransaction | undefined;
	/** All transactions that only the index still knows. */
	allOutlived(): readonly Transaction[];
	/** A transaction from the chain or the mempool. */
	transaction(txid: string): Transaction | undefined;
	/** An output of any known transaction, spent or not. */
	output(txid: string, vout: number): TxOut | undefined;
	/** An output that no block has spent (the mempool may have). */
	coin(txid: string, vout: number): Coin | undefined;
	spentBy(txid: string, vout: number): SpentBy | undefined;
	coins(): IterableIterator<Coin>;

	/** Blocks from a time on and before another, those that were taken back among them, oldest first. */
	blocksByTime(low: number, high: number): readonly TimedBlock[];

	/** Unspent outputs of an address, oldest first. */
	addressCoins(address: string, kind: AddressKind): Coin[];
	addressHistory(address: string, kind: AddressKind): readonly AddressDelta[];
	/** Confirmed satoshi; `received` counts every output ever paid to it. */
	addressBalance(address: string, kind: AddressKind): { balance: bigint; received: bigint };

	readonly mempool: MempoolView;
	/** Checks as `sendrawtransaction` does and adds to the mempool. Throws Reject. */
	submit(tx: Transaction, options?: SubmitOptions): string;
	mine(options?: MineOptions): LedgerBlock[];
	/** Takes n blocks off; their transactions go back to the mempool where still valid. */
	disconnect(count: number, lose?: boolean): LedgerBlock[];
	/** Replaces the last `depth` blocks by `depth + 1` new ones. */
	reorg(depth: number, options?: MineOptions): { removed: LedgerBlock[]; added: LedgerBlock[] };

	/** Records of one block, [] when there is none. */
	notarizationsAt(height: number): readonly NotarizationRecord[];
	/** A back-notarization by the KMD txid it names. */
	notarizationByKmdTxid(kmdTxid: string): NotarizationRecord | undefined;
	/** First record of `symbol` walking down from `height` (inclusive) over `limit` blocks. */
	scanNotarizationsDown(
		height: number,
		symbol: string,
		limit?: number
	): NotarizationRecord | undefined;
	/** Newest record of this chain itself, or null. */
	lastNotarized(): NotarizationRecord | null;
	/** Height that the newest own record notarized; 0 when never. */
	lastNotarizedHeight(): number;
	/** Notarized height of the newest own record that had a MoM; 0 when none. */
	prevMoMHeight(): number;
	/** Delayed proof of work: 1 until a notarization lies above, then the real count. */
	confirmations(height: number): number;
	rawConfirmations(height: number): number;

	/** Txids whose marker at the global token address is unspent, in index order. */
	tokenList(): string[];
	/** undefined: unknown; 'mempool': not mined yet; 'not-a-token': no creation. */
	tokenInfo(tokenid: string): TokenInfo | 'mempool' | 'not-a-token' | undefined;
	/** Confirmed token outputs of a key that the mempool has not spent. */
	tokenCoins(tokenid: string, pubkey: Uint8Array): TokenCoin[];
	tokenBalance(tokenid: string, pubkey: Uint8Array): bigint;

	/** The txid of the import that used up a burn, in the chain or the mempool. */
	importOf(burnTxid: string): string | undefined;

	/** A digest of everything that consensus depends on; equal states have equal digests. */
	stateDigest(): string;
	saveTo(dir: string): void;
}

/** The mempool as others see it. */
export interface MempoolView {
	readonly size: number;
	/** In order of acceptance: parents before children. */
	entries(): IterableIterator<MempoolEntry>;
	get(txid: string): MempoolEntry | undefined;
	has(txid: string): boolean;
	/** Which waiting transaction spends an output. */
	spenderOf(txid: string, vout: number): { txid: string; index: number } | undefined;
}

/**
 * A refused transaction. `code` and `message` are what a client of the daemon sees; `reason` is the
 * word the daemon writes only to its own log.
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
