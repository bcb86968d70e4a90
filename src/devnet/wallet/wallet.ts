import { bytesToHex, internalHash } from '#lib/chain/bytes.ts';
import { isChainError } from '#lib/chain/chainError.ts';
import type { ConditionNode } from '#lib/chain/cryptocondition/node.ts';
import { classify, p2pk } from '#lib/chain/script.ts';
import { SIGHASH_ALL } from '#lib/chain/sighash.ts';
import { signInput } from '#lib/chain/sign.ts';
import { txidOf, type Transaction, type TxOut } from '#lib/chain/transaction.ts';
import type { Coin, LedgerApi } from '../ledger/api.ts';
import { outpointKey } from '../ledger/outpoint.ts';
import type { Key, PublicKey } from './keys.ts';
import { timeLocksIn, type TimeLock } from './timeLock.ts';

/** An output that the wallet can spend. */
export interface WalletCoin extends Coin {
	address: string;
	/** 0 while its transaction is in the mempool. */
	rawConfirmations: number;
}

/** A transaction that pays or spends an address of the wallet. */
interface WalletTransaction {
	txid: string;
	tx: Transaction;
	/** -1 when not in a block. */
	height: number;
	/** Neither in a block nor in the mempool; a wallet forgets no transaction. */
	isLost: boolean;
}

const isNormal = (out: TxOut): boolean => {
	const { type } = classify(out.script);
	return type === 'pubkey' || type === 'pubkeyhash';
};

/** The keys of one daemon and their outputs on its chain. */
export class Wallet {
	readonly #ledger: LedgerApi;
	readonly #keys = new Map<string, Key>();
	readonly #watched = new Set<string>();
	/** Outputs locked with `lockunspent`, as `txid:vout`; lost when the daemon restarts. */
	readonly #kept = new Set<string>();
	/** Known time locks by the address of their script hash. */
	readonly #timeLocks = new Map<string, TimeLock>();
	/** Height of the last block that was searched for time locks. */
	#looked = 0;
	#pubkey: PublicKey | null;
	/** A locked wallet shows everything but does not sign. */
	locked = false;

	/** `pubkey` is the daemon's `-pubkey`, whose key is in the wallet. */
	constructor(ledger: LedgerApi, keys: readonly Key[], pubkey: PublicKey | null) {
		this.#ledger = ledger;
		this.#pubkey = pubkey;
		for (const key of keys) this.add(key);
	}

	/** The key of `-pubkey`; null when the daemon runs without it. */
	get pubkey(): PublicKey | null {
		return this.#pubkey;
	}

	set pubkey(key: PublicKey | null) {
		this.#pubkey = key;
	}

	add(key: Key): void {
		this.#keys.set(key.address, key);
	}

	remove(address: string): void {
		this.#keys.delete(address);
	}

	/** Watches an address without its key; its coins do not count as the wallet's own. */
	watch(address: string): void {
		this.#watched.add(address);
	}

	watches(address: string): boolean {
		return this.#watched.has(address) && !this.#keys.has(address);
	}

	/** Returns watched addresses whose key the wallet does not have. */
	watchedAddresses(): string[] {
		return [...this.#watched].filter((address) => !this.#keys.has(address));
	}

	key(address: string): Key | undefined {
		return this.#keys.get(address);
	}

	/** Returns the address of an output of a kind that a wallet can own; otherwise undefined. */
	#addressOf(out: TxOut): string | undefined {
		const { address } = classify(out.script);
		const isKnown = isNormal(out) || (address !== undefined && this.#timeLocks.has(address));
		return isKnown ? address : undefined;
	}

	owns(out: TxOut): boolean {
		const address = this.#addressOf(out);
		const owner = address === undefined ? undefined : this.#timeLocks.get(address)?.owner;
		return address !== undefined && this.#keys.has(owner ?? address);
	}

	/** Returns the addresses of its keys, including those of time locks for them. */
	addresses(): string[] {
		const locked = [...this.#lookForTimeLocks().values()].filter(({ owner }) =>
			this.#keys.has(owner)
		);
		return [...this.#keys.keys(), ...locked.map(({ address }) => address)];
	}

	/** Returns the time-locked script whose hash an address encodes. */
	timeLock(address: string): TimeLock | undefined {
		return this.#timeLocks.get(address);
	}

	/**
	 * Returns all time locks announced so far, after searching new blocks and the mempool. `owns` uses them
	 * too.
	 */
	#lookForTimeLocks(): ReadonlyMap<string, TimeLock> {
		const ledger = this.#ledger;
		const look = (tx: Transaction): void => {
			for (const lock of timeLocksIn(tx)) this.#timeLocks.set(lock.address, lock);
		};
		while (this.#looked < ledger.height) {
			this.#looked += 1;
			ledger.blockAt(this.#looked)?.transactions.forEach(look);
		}
		for (const { tx } of ledger.mempool.entries()) look(tx);
		return this.#timeLocks;
	}

	/** Outputs locked with `lockunspent`, as `txid:vout`. */
	get keptCoins(): ReadonlySet<string> {
		return this.#kept;
	}

	/** Locks an output: it is no longer listed or selected, but still counts in the balance. */
	keepCoin(name: string): void {
		this.#kept.add(name);
	}

	releaseCoin(name: string): void {
		this.#kept.delete(name);
	}

	releaseCoins(): void {
		this.#kept.clear();
	}

	/** Confirmed outputs; immature coinbases are left out. */
	#minedCoins(addresses: readonly string[]): WalletCoin[] {
		const ledger = this.#ledger;
		return addresses.flatMap((address) =>
			ledger
				.addressCoins(address, 'normal')
				.map((coin) => ({
					...coin,
					address,
					rawConfirmations: ledger.rawConfirmations(coin.height)
				}))
				.filter(
					({ coinbase, rawConfirmations }) =>
						!coinbase || rawConfirmations >= ledger.params.maturity
				)
		);
	}

	/**
	 * Returns spendable normal outputs in the order of the daemon's wallet map (internal bytes of the txid),
	 * without immature coinbases and outputs that the mempool spends. Locked outputs are included only with
	 * `kept`.
	 */
	coins(
		options: { unconfirmed?: boolean; addresses?: readonly string[]; kept?: true } = {}
	): WalletCoin[] {
		const ledger = this.#ledger;
		const wanted = options.addresses ?? this.addresses();
		const found = this.#minedCoins(wanted).filter(
			({ txid, vout }) => !ledger.mempool.spenderOf(txid, vout)
		);
		if (options.unconfirmed ?? true) {
			const own = new Set(wanted);
			for (const { txid, tx } of ledger.mempool.entries()) {
				tx.vout.forEach((out, vout) => {
					const address = this.#addressOf(out);
					if (address === undefined || !own.has(address)) return;
					if (ledger.mempool.spenderOf(txid, vout)) return;
					found.push({
						txid,
						vout,
						value: out.value,
						script: out.script,
						height: -1,
						coinbase: false,
						address,
						rawConfirmations: 0
					});
				});
			}
		}
		return found
			.filter(({ txid, vout }) => options.kept || !this.#kept.has(outpointKey(txid, vout)))
			.map((coin) => ({ coin, order: bytesToHex(internalHash(coin.txid)) }))
			.sort((a, b) => (a.order < b.order ? -1 : a.order > b.order ? 1 : a.coin.vout - b.coin.vout))
			.map(({ coin }) => coin);
	}

	/** Spendable satoshi with at least this many confirmations. */
	balance(minConfirmations = 1): bigint {
		return this.coins({ kept: true })
			.filter((coin) => coin.rawConfirmations >= minConfirmations)
			.reduce((sum, coin) => sum + coin.value, 0n);
	}

	/** Balance as of the tip, ignoring the mempool's spends and receipts. */
	balanceOfTip(): bigint {
		return this.#minedCoins(this.addresses()).reduce((sum, { value }) => sum + value, 0n);
	}

	/** Satoshi of immature coinbases. */
	immatureBalance(): bigint {
		let sum = 0n;
		for (const address of this.addresses()) {
			for (const coin of this.#ledger.addressCoins(address, 'normal')) {
				const depth = this.#ledger.rawConfirmations(coin.height);
				if (coin.coinbase && depth < this.#ledger.params.maturity) sum += coin.value;
			}
		}
		return sum;
	}

	/**
	 * Returns every transaction of the wallet, oldest first; then pending ones and those in neither block nor
	 * mempool.
	 */
	transactions(): WalletTransaction[] {
		const ledger = this.#ledger;
		const found = new Map<string, Omit<WalletTransaction, 'isLost'> & { position: number }>();
		for (const address of this.#keys.keys()) {
			for (const { txid } of ledger.addressHistory(address, 'normal')) {
				if (found.has(txid)) continue;
				const mined = ledger.mined(txid);
				if (mined) {
					const { tx, height, position } = mined;
					found.set(txid, { txid, tx, height, position });
				}
			}
		}
		const list: WalletTransaction[] = [...found.values()]
			.sort((a, b) => a.height - b.height || a.position - b.position)
			.map(({ txid, tx, height }) => ({ txid, tx, height, isLost: false }));
		for (const tx of ledger.allOutlived()) {
			if (this.touches(tx)) list.push({ txid: txidOf(tx), tx, height: -1, isLost: true });
		}
		for (const { txid, tx } of ledger.mempool.entries()) {
			if (this.touches(tx)) list.push({ txid, tx, height: -1, isLost: false });
		}
		return list;
	}

	/** True when the wallet spends or receives in the transaction. */
	touches(tx: Transaction): boolean {
		if (tx.vout.some((out) => this.owns(out))) return true;
		return tx.vin.some((input) => {
			const spent =
				this.#ledger.output(input.txid, input.vout) ??
				this.#ledger.outlived(input.txid)?.tx.vout[input.vout];
			return spent !== undefined && this.owns(spent);
		});
	}

	/**
	 * Signs every input whose key the wallet has. Inputs that cannot be signed are unchanged and listed; a
	 * locked wallet signs none. `extra` are outputs that the chain does not know, `condition` is that of
	 * unusual crypto-condition outputs, `hashType` says what the signatures cover.
	 */
	sign(
		tx: Transaction,
		extra: ReadonlyMap<string, TxOut> = new Map(),
		condition?: ConditionNode,
		hashType: number = SIGHASH_ALL
	): { tx: Transaction; unsigned: number[] } {
		let signed = tx;
		const unsigned: number[] = [];
		tx.vin.forEach((input, index) => {
			const spent =
				extra.get(`${input.txid}:${input.vout}`) ?? this.#ledger.output(input.txid, input.vout);
			const key = spent && this.#signer(spent);
			if (!spent || !key) {
				unsigned.push(index);
				return;
			}
			try {
				signed = signInput(
					signed,
					index,
					spent,
					key.privateKey,
					isNormal(spent) ? undefined : condition,
					hashType
				);
			} catch (cause) {
				if (!isChainError(cause, 'sign')) throw cause;
				unsigned.push(index);
			}
		});
		return { tx: signed, unsigned };
	}

	/** Returns the key that can spend an output: by address, or `-pubkey` for a crypto-condition. */
	#signer(spent: TxOut): Key | undefined {
		if (this.locked) return undefined;
		const kind = classify(spent.script);
		if (kind.type === 'cryptocondition') {
			return this.#pubkey ? this.#keys.get(this.#pubkey.address) : undefined;
		}
		return kind.address === undefined ? undefined : this.#keys.get(kind.address);
	}

	/** Returns the script for change: P2PK of `-pubkey`, or of an all-zero key when there is none. */
	changeScript(): Uint8Array {
		return p2pk(this.#pubkey?.pubkey ?? new Uint8Array(33));
	}
}
