import { ccAddress } from '#lib/chain/cryptocondition.ts';
import { serializeBlock } from '#lib/chain/block.ts';
import { txidOf, type Transaction, type TxOut, isCoinbase } from '#lib/chain/transaction.ts';
import { accept, type Accepted } from './accept.ts';
import {
	Reject,
	type AddressDelta,
	type AddressKind,
	type ChainParams,
	type Coin,
	type LedgerApi,
	type LedgerBlock,
	type MempoolView,
	type MinedTransaction,
	type MineOptions,
	type NotarizationRecord,
	type OutlivedTransaction,
	type SpentBy,
	type SubmitOptions,
	type TokenCoin,
	type TokenInfo
} from './api.ts';
import { buildCoinbase, buildHeader } from './blockBuilder.ts';
import { GENESIS_SIZE, genesisBlock } from './genesis.ts';
import { Mempool } from './mempool.ts';
import { SCAN_LIMIT } from './notarizationIndex.ts';
import { ChainState } from './state.ts';
import { StoreError, loadChain, saveChain, type SavePoint } from './store.ts';
import { nftDataOf, tokenOutputScript } from '#lib/chain/tokenEffect.ts';
import { RPC_VERIFY_ALREADY_IN_CHAIN, RPC_VERIFY_REJECTED } from '#lib/rpc/errorCodes.ts';
import { interestOf } from './interest.ts';
import { isTooOldForInterest } from './lockTime.ts';
import type { TimedBlock } from './timeIndex.ts';
import { listTokens, readTokenInfo } from './tokenViews.ts';
import { OverlayView } from './view.ts';

/** Bytes available for transactions in a block, below the daemon's limit of 4194304. */
const BLOCK_ROOM = 2_000_000;

/** External dependencies of a ledger. */
interface LedgerOptions {
	/** Returns the current time in seconds. */
	clock?: () => number;
}

/**
 * One chain of the devnet: real blocks, coins, a mempool, token and import rules. Everything submitted is
 * validated like in the daemon; only the ledger's own saved files are trusted.
 */
export class Ledger implements LedgerApi {
	readonly params: ChainParams;
	readonly symbol: string;
	readonly isMain: boolean;
	readonly #clock: () => number;
	readonly #state: ChainState;
	readonly #mempool: Mempool;
	/** Incremented with every disconnection, so that a new block never equals the one it replaces. */
	#extraNonce = 0;
	readonly #outlived = new Map<string, OutlivedTransaction>();
	#savePoint: SavePoint | null = null;

	constructor(params: ChainParams, options: LedgerOptions = {}) {
		this.params = params;
		this.isMain = params.name === '' || params.name === 'KMD';
		this.symbol = this.isMain ? 'KMD' : params.name;
		this.#clock = options.clock ?? (() => Math.floor(Date.now() / 1000));
		this.#state = new ChainState(params, this.symbol);
		this.#mempool = new Mempool(this.#state);
		const { header, transactions } = genesisBlock();
		this.#state.connect(header, transactions, GENESIS_SIZE);
	}

	/** Opens a chain that `saveTo` wrote. Its blocks are trusted: signatures are not verified again. */
	static loadFrom(dir: string, params: ChainParams, options: LedgerOptions = {}): Ledger {
		const ledger = new Ledger(params, options);
		const saved = loadChain(dir, ledger.#state);
		for (const { header, transactions, size } of saved.blocks) {
			if (header.previousHash !== ledger.tip.hash) {
				throw new StoreError('damaged', `block ${ledger.height + 1} in ${dir} does not follow`);
			}
			const block = ledger.#state.connect(header, transactions, size);
			saved.savePoint.hashes.push(block.hash);
		}
		ledger.#extraNonce = saved.extraNonce;
		ledger.#savePoint = saved.savePoint;
		for (const { tx, time } of saved.mempool) ledger.#readmit(tx, time);
		return ledger;
	}

	saveTo(dir: string): void {
		this.#savePoint = saveChain(
			dir,
			this.#state,
			[...this.#mempool.entries()],
			this.#extraNonce,
			this.#savePoint
		);
	}

	get height(): number {
		return this.#state.height;
	}

	get tip(): LedgerBlock {
		return this.#state.tip;
	}

	blockAt(height: number): LedgerBlock | undefined {
		return this.#state.blockAt(height);
	}

	blockByHash(hash: string): LedgerBlock | undefined {
		return this.#state.blockByHash(hash);
	}

	isSaplingAt(height: number): boolean {
		return height >= this.params.saplingHeight;
	}

	mined(txid: string): MinedTransaction | undefined {
		return this.#state.mined(txid);
	}

	transaction(txid: string): Transaction | undefined {
		return this.#mempool.view.transaction(txid);
	}

	outlived(txid: string): OutlivedTransaction | undefined {
		return this.transaction(txid) ? undefined : this.#outlived.get(txid);
	}

	allOutlived(): readonly Transaction[] {
		return [...this.#outlived].flatMap(([txid, { tx }]) => (this.transaction(txid) ? [] : tx));
	}

	output(txid: string, vout: number): TxOut | undefined {
		return this.#mempool.view.output(txid, vout);
	}

	coin(txid: string, vout: number): Coin | undefined {
		return this.#state.coin(txid, vout);
	}

	coins(): IterableIterator<Coin> {
		return this.#state.coins();
	}

	spentBy(txid: string, vout: number): SpentBy | undefined {
		const mined = this.#state.spentBy(txid, vout);
		if (mined) return mined;
		const waiting = this.#mempool.spenderOf(txid, vout);
		return waiting && { ...waiting, height: -1 };
	}

	blocksByTime(low: number, high: number): readonly TimedBlock[] {
		return this.#state.times.between(low, high);
	}

	addressCoins(address: string, kind: AddressKind): Coin[] {
		return this.#state.addresses.coins(address, kind);
	}

	addressHistory(address: string, kind: AddressKind): readonly AddressDelta[] {
		return this.#state.addresses.history(address, kind);
	}

	addressBalance(address: string, kind: AddressKind): { balance: bigint; received: bigint } {
		return this.#state.addresses.balance(address, kind);
	}

	get mempool(): MempoolView {
		return this.#mempool;
	}

	/** The daemon applies this rule to its mempool and to blocks alike. */
	#isTooOld(tx: Transaction): boolean {
		return this.isMain && isTooOldForInterest(tx, this);
	}

	#judge(
		tx: Transaction,
		view: OverlayView,
		relay: boolean,
		{ allowHighFees = false, signedHere = false }: SubmitOptions
	): Accepted {
		if (this.#isTooOld(tx)) throw new Reject(RPC_VERIFY_REJECTED, '16: komodo-interest-invalid');
		return accept(tx, {
			params: this.params,
			height: this.height + 1,
			time: Math.max(this.tip.header.time + 1, this.#clock()),
			view,
			lookup: this,
			interestOf: (txid, coin) => interestOf(this, { ...coin, txid }),
			relay,
			signatures: relay && !signedHere,
			allowHighFees
		});
	}

	submit(tx: Transaction, options: SubmitOptions = {}): string {
		const txid = txidOf(tx);
		if (this.#mempool.has(txid)) return txid;
		if (this.#state.hasUnspent(txid)) {
			throw new Reject(RPC_VERIFY_ALREADY_IN_CHAIN, 'transaction already in block chain');
		}
		const accepted = this.#judge(tx, this.#mempool.view, true, options);
		this.#mempool.add(tx, accepted, this.#clock(), this.height);
		return txid;
	}

	/** Returns a previously valid transaction to the mempool; drops it when it is no longer valid. */
	#readmit(tx: Transaction, time: number): void {
		try {
			const accepted = this.#judge(tx, this.#mempool.view, false, { allowHighFees: true });
			this.#mempool.add(tx, accepted, time, this.height);
		} catch (error) {
			if (!(error instanceof Reject)) throw error;
		}
	}

	mine(options: MineOptions = {}): LedgerBlock[] {
		const blocks: LedgerBlock[] = [];
		for (let n = 0; n < (options.count ?? 1); n++) {
			const wanted =
				options.time === undefined ? this.#clock() : options.time + n * this.params.blockTime;
			const time = Math.max(this.tip.header.time + 1, wanted);
			blocks.push(this.#mineOne(time, options.pubkey ?? this.params.minerPubkey, options.empty));
		}
		return blocks;
	}

	#mineOne(time: number, pubkey: string, empty: boolean | undefined): LedgerBlock {
		const height = this.height + 1;
		const { transactions, fees } = empty ? { transactions: [], fees: 0n } : this.#choose();
		const premine = height === 1 ? this.params.premine : 0n;
		const block = this.#connect(transactions, time, pubkey, this.params.reward + premine + fees);
		for (const txid of block.txids) this.#mempool.remove(txid);
		this.#dropExpired();
		return block;
	}

	/** Selects pending transactions for the next block, validated again against the current chain. */
	#choose(): { transactions: Transaction[]; fees: bigint } {
		const view = new OverlayView(this.#state);
		const transactions: Transaction[] = [];
		let fees = 0n;
		let room = BLOCK_ROOM;
		for (const entry of [...this.#mempool.entries()]) {
			// It may just have been evicted together with its parent.
			if (!this.#mempool.has(entry.txid)) continue;
			if (entry.size > room || entry.depends.some((parent) => !view.adds(parent))) continue;
			try {
				const accepted = this.#judge(entry.tx, view, false, { allowHighFees: true });
				view.add(entry.txid, entry.tx, accepted.effect, accepted.burnTxid);
				transactions.push(entry.tx);
				fees += accepted.fee;
				room -= entry.size;
			} catch (error) {
				if (!(error instanceof Reject)) throw error;
				this.#mempool.evict(entry.txid);
			}
		}
		return { transactions, fees };
	}

	#connect(
		transactions: readonly Transaction[],
		time: number,
		pubkey: string,
		value: bigint
	): LedgerBlock {
		const height = this.height + 1;
		const coinbase = buildCoinbase({
			height,
			time,
			value,
			pubkey,
			sapling: this.isSaplingAt(height),
			symbol: this.symbol,
			extraNonce: this.#extraNonce
		});
		const all = [coinbase, ...transactions];
		const header = buildHeader(this.tip.hash, all, height, time, this.#extraNonce);
		const size = serializeBlock({ header, transactions: all }).length;
		return this.#state.connect(header, all, size);
	}

	#dropExpired(): void {
		for (const entry of [...this.#mempool.entries()]) {
			const { expiryHeight } = entry.tx;
			const isExpired = expiryHeight !== 0 && this.height + 1 > expiryHeight;
			if (isExpired || this.#isTooOld(entry.tx)) this.#mempool.evict(entry.txid);
		}
	}

	disconnect(count: number, lose = false): LedgerBlock[] {
		if (count < 0 || count > this.height) {
			throw new RangeError(`cannot disconnect ${count} of ${this.height} blocks`);
		}
		const waiting = this.#mempool.drain();
		const removed: LedgerBlock[] = [];
		for (let n = 0; n < count; n++) removed.push(this.#state.disconnect());
		this.#extraNonce += 1;
		for (const block of [...removed].reverse()) {
			block.transactions.forEach((tx, position) => {
				const { hash: blockHash, height } = block;
				this.#outlived.set(block.txids[position]!, { tx, blockHash, height, lost: lose });
				if (!isCoinbase(tx) && !lose) this.#readmit(tx, block.header.time);
			});
		}
		for (const entry of waiting) this.#readmit(entry.tx, entry.time);
		return removed;
	}

	reorg(
		depth: number,
		options: MineOptions & { lose?: boolean } = {}
	): { removed: LedgerBlock[]; added: LedgerBlock[] } {
		const removed = this.disconnect(depth, options.lose);
		return { removed, added: this.mine({ ...options, count: depth + 1 }) };
	}

	notarizationsAt(height: number): readonly NotarizationRecord[] {
		return this.#state.notarizations.at(height);
	}

	notarizationByKmdTxid(kmdTxid: string): NotarizationRecord | undefined {
		return this.#state.notarizations.byKmdTxid(kmdTxid);
	}

	scanNotarizationsDown(
		height: number,
		symbol: string,
		limit: number = SCAN_LIMIT
	): NotarizationRecord | undefined {
		if (height > this.height) return undefined;
		return this.#state.notarizations.down(height, symbol, limit);
	}

	lastNotarized(): NotarizationRecord | null {
		return this.#state.notarizations.own.at(-1) ?? null;
	}

	lastNotarizedHeight(): number {
		return this.lastNotarized()?.data.height ?? 0;
	}

	prevMoMHeight(): number {
		return this.#state.notarizations.own.findLast(({ data }) => data.mom)?.data.height ?? 0;
	}

	confirmations(height: number): number {
		const raw = this.rawConfirmations(height);
		const notarized = this.lastNotarizedHeight();
		return notarized > 0 && raw > 0 && height >= notarized ? 1 : raw;
	}

	rawConfirmations(height: number): number {
		return height < 0 || height > this.height ? 0 : this.height - height + 1;
	}

	tokenList(): string[] {
		return listTokens(this);
	}

	tokenInfo(tokenid: string): TokenInfo | 'mempool' | 'not-a-token' | undefined {
		if (this.#mempool.has(tokenid)) return 'mempool';
		const mined = this.mined(tokenid);
		return mined && readTokenInfo(mined, this.#state.tokenEffect(tokenid));
	}

	tokenCoins(tokenid: string, pubkey: Uint8Array): TokenCoin[] {
		const creation = this.mined(tokenid)?.tx;
		if (!creation) return [];
		const address = ccAddress(tokenOutputScript(pubkey, nftDataOf(creation)));
		return this.addressCoins(address, 'cc')
			.filter(
				(coin) =>
					this.#state.tokenAt(coin.txid, coin.vout) === tokenid &&
					!this.#mempool.spenderOf(coin.txid, coin.vout)
			)
			.map((coin) => ({ ...coin, tokenid }));
	}

	tokenBalance(tokenid: string, pubkey: Uint8Array): bigint {
		return this.tokenCoins(tokenid, pubkey).reduce((sum, coin) => sum + coin.value, 0n);
	}

	importOf(burnTxid: string): string | undefined {
		return this.#mempool.view.importOf(burnTxid);
	}

	stateDigest(): string {
		return this.#state.digest();
	}
}
