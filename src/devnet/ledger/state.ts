import { bytesToHex, concat } from '#lib/chain/bytes.ts';
import { blockHash, serializeHeader, type BlockHeader } from '#lib/chain/block.ts';
import { sha256 } from '#lib/chain/hash.ts';
import { isCoinbase, txidOf, type Transaction } from '#lib/chain/transaction.ts';
import { AddressIndex } from './addressIndex.ts';
import type { ChainParams, Coin, LedgerBlock, MinedTransaction, SpentBy } from './api.ts';
import { importedValue } from './cross-chain/importValue.ts';
import { NotarizationIndex } from './notarizationIndex.ts';
import { readNotarization } from './notarizationRule.ts';
import { outpointKey } from './outpoint.ts';
import { TimeIndex } from './timeIndex.ts';
import { tokenEffectOf } from './tokens.ts';
import type { TokenEffect } from '#lib/chain/tokenEffect.ts';
import { isImport, isUnspendable } from './txKind.ts';

/** Number of disconnected blocks that can still be read by hash. */
const MOST_ORPHANS = 100;

/**
 * Returns the hash by which the chain names a block. With `ac_algo` it is not that of the header's bytes, except for
 * the genesis block (Komodo daemon 0.9.0: `CBlockHeader::GetVerusHash`); any other function stands for VerusHash.
 */
const hashOf = (header: BlockHeader, height: number, { algo }: ChainParams): string =>
	algo === undefined || height === 0
		? blockHash(header)
		: bytesToHex(sha256(concat(new TextEncoder().encode(algo), serializeHeader(header))));

/**
 * State derived from the blocks of one chain: coins, spent outputs, addresses, tokens, notarizations and the
 * tombstones of imported burns. It does not validate: callers check a block before connecting it.
 * Disconnecting a block restores the previous state exactly.
 */
export class ChainState {
	readonly params: ChainParams;
	readonly addresses = new AddressIndex();
	readonly times = new TimeIndex();
	readonly notarizations: NotarizationIndex;
	readonly #blocks: LedgerBlock[] = [];
	readonly #byHash = new Map<string, LedgerBlock>();
	readonly #orphans: string[] = [];
	readonly #mined = new Map<string, MinedTransaction>();
	readonly #coins = new Map<string, Coin>();
	readonly #spent = new Map<string, SpentBy>();
	readonly #imports = new Map<string, string>();
	readonly #tokens = new Map<string, TokenEffect>();

	constructor(params: ChainParams, symbol: string) {
		this.params = params;
		this.notarizations = new NotarizationIndex(symbol);
	}

	get height(): number {
		return this.#blocks.length - 1;
	}

	get tip(): LedgerBlock {
		return this.#blocks[this.#blocks.length - 1]!;
	}

	blockAt(height: number): LedgerBlock | undefined {
		return this.#blocks[height];
	}

	blockByHash(hash: string): LedgerBlock | undefined {
		return this.#byHash.get(hash);
	}

	mined(txid: string): MinedTransaction | undefined {
		return this.#mined.get(txid);
	}

	transaction(txid: string): Transaction | undefined {
		return this.#mined.get(txid)?.tx;
	}

	coin(txid: string, vout: number): Coin | undefined {
		return this.#coins.get(outpointKey(txid, vout));
	}

	coins(): IterableIterator<Coin> {
		return this.#coins.values();
	}

	spentBy(txid: string, vout: number): SpentBy | undefined {
		return this.#spent.get(outpointKey(txid, vout));
	}

	hasUnspent(txid: string): boolean {
		const mined = this.#mined.get(txid);
		return (
			mined !== undefined && mined.tx.vout.some((_, n) => this.#coins.has(outpointKey(txid, n)))
		);
	}

	importOf(burnTxid: string): string | undefined {
		return this.#imports.get(burnTxid);
	}

	tokenEffect(txid: string): TokenEffect | undefined {
		return this.#tokens.get(txid);
	}

	tokenAt(txid: string, vout: number): string | undefined {
		const effect = this.#tokens.get(txid);
		return effect?.outputs.has(vout) ? effect.tokenid : undefined;
	}

	/** Connects a block that the caller has validated; a missing coin is a bug of the caller. */
	connect(header: BlockHeader, transactions: Transaction[], size: number): LedgerBlock {
		const height = this.#blocks.length;
		const block: LedgerBlock = {
			hash: hashOf(header, height, this.params),
			height,
			header,
			txids: [],
			transactions,
			size,
			totals: { ...(this.#blocks[height - 1]?.totals ?? { minted: 0n, imported: 0n, burned: 0n }) },
			notarizations: [],
			undo: []
		};
		// The genesis coinbase is in none of the daemon's indexes and can never be spent.
		if (height === 0) block.txids.push(...transactions.map(txidOf));
		else {
			transactions.forEach((tx, position) => this.#apply(block, tx, position));
			this.times.add(block.hash, header.previousHash, header.time);
		}
		this.notarizations.add(block.notarizations, height);
		this.#blocks.push(block);
		this.#byHash.set(block.hash, block);
		return block;
	}

	#apply(block: LedgerBlock, tx: Transaction, position: number): void {
		const { height } = block;
		const txid = txidOf(tx);
		const spent: Coin[] = [];
		let valueIn = 0n;
		if (isImport(tx)) {
			const value = importedValue(tx);
			valueIn = value;
			block.totals.imported += value;
			this.#imports.set(tx.vin[0]!.txid, txid);
		} else if (!isCoinbase(tx)) {
			tx.vin.forEach((input, index) => {
				const key = outpointKey(input.txid, input.vout);
				const coin = this.#coins.get(key);
				if (!coin) throw new Error(`block ${height} spends ${key}, which is not there`);
				this.#coins.delete(key);
				this.#spent.set(key, { txid, index, height });
				this.addresses.spend(coin, txid, index, height, position);
				spent.push(coin);
				valueIn += coin.value;
			});
		}
		const effect = tokenEffectOf(txid, tx, spent, this);
		if (effect) this.#tokens.set(txid, effect);
		const record = readNotarization(this.params, txid, tx, spent, height);
		if (record) block.notarizations.push(record);
		let valueOut = 0n;
		const coinbase = isCoinbase(tx);
		tx.vout.forEach((out, vout) => {
			valueOut += out.value;
			if (isUnspendable(out.script)) {
				block.totals.burned += out.value;
				return;
			}
			const coin = { txid, vout, value: out.value, script: out.script, height, coinbase };
			this.#coins.set(outpointKey(txid, vout), coin);
			this.addresses.add(coin, position);
		});
		// Fees are subtracted here and added again by the coinbase.
		block.totals.minted += coinbase ? valueOut : valueOut - valueIn;
		block.undo.push(...spent);
		block.txids.push(txid);
		this.#mined.set(txid, { txid, tx, height, blockHash: block.hash, position });
	}

	/** Disconnects and returns the newest block. The genesis block stays. */
	disconnect(): LedgerBlock {
		if (this.#blocks.length <= 1) throw new RangeError('the genesis block cannot be disconnected');
		const block = this.#blocks.pop()!;
		let undo = block.undo.length;
		for (let position = block.transactions.length - 1; position >= 0; position--) {
			const tx = block.transactions[position]!;
			const txid = block.txids[position]!;
			for (let vout = tx.vout.length - 1; vout >= 0; vout--) {
				const key = outpointKey(txid, vout);
				const coin = this.#coins.get(key);
				if (!coin) continue;
				this.#coins.delete(key);
				this.addresses.undoAdd(coin);
			}
			if (isImport(tx)) this.#imports.delete(tx.vin[0]!.txid);
			else if (!isCoinbase(tx)) {
				for (let index = tx.vin.length - 1; index >= 0; index--) {
					const coin = block.undo[--undo]!;
					const key = outpointKey(coin.txid, coin.vout);
					this.addresses.undoSpend(coin);
					this.#coins.set(key, coin);
					this.#spent.delete(key);
				}
			}
			this.#tokens.delete(txid);
			this.#mined.delete(txid);
		}
		this.notarizations.remove(block.notarizations, block.height);
		this.#orphans.push(block.hash);
		if (this.#orphans.length > MOST_ORPHANS) {
			const oldest = this.#orphans.shift()!;
			const orphan = this.#byHash.get(oldest);
			if (orphan && this.#blocks[orphan.height] !== orphan) this.#byHash.delete(oldest);
		}
		return block;
	}

	/** Returns the SHA-256 of all state that consensus depends on, independent of insertion order. */
	digest(): string {
		const lines: string[] = [`tip ${this.tip.hash}`];
		const coins = [...this.#coins].map(
			([key, coin]) =>
				`${key} ${coin.value} ${bytesToHex(coin.script)} ${coin.height} ${coin.coinbase}`
		);
		lines.push(...coins.sort());
		lines.push(...[...this.#spent].map(([key, by]) => `${key}>${by.txid}:${by.index}`).sort());
		lines.push(...[...this.#imports].map(([burn, by]) => `burn ${burn} ${by}`).sort());
		lines.push(
			...[...this.#tokens]
				.map(([txid, e]) => `token ${txid} ${e.tokenid} ${[...e.outputs.keys()].join(',')}`)
				.sort()
		);
		lines.push(...[...this.#mined.values()].map((m) => `${m.txid}@${m.height}`).sort());
		lines.push(...this.addresses.lines());
		lines.push(...this.notarizations.lines());
		return bytesToHex(sha256(new TextEncoder().encode(lines.join('\n'))));
	}
}
