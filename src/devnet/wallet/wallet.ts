import { bytesToHex, internalHash } from '#lib/chain/bytes.ts';
import { isChainError } from '#lib/chain/chainError.ts';
import type { ConditionNode } from '#lib/chain/cryptocondition.ts';
import { classify, p2pk } from '#lib/chain/script.ts';
import { SIGHASH_ALL } from '#lib/chain/sighash.ts';
import { signInput } from '#lib/chain/sign.ts';
import { txidOf, type Transaction, type TxOut } from '#lib/chain/transaction.ts';
import type { Coin, LedgerApi } from '../ledger/api.ts';
import { outpointKey } from '../ledger/outpoint.ts';
import type { Key, PublicKey } from './keys.ts';
import { timeLocksIn, type TimeLock } from './timeLock.ts';

/** An output the wallet can spend. */
export interface WalletCoin extends Coin {
	address: string;
	/** 0 while its transaction waits in the mempool. */
	rawConfirmations: number;
}

/** A transaction that pays or spends an address of the wallet. */
interface WalletTransaction {
	txid: string;
	tx: Transaction;
	/** -1 while in the mempool, and when it is nowhere. */
	height: number;
	/** Nowhere any more: a wallet forgets nothing. */
	isLost: boolean;
}

const isNormal = (out: TxOut): boolean => {
	const { type } = classify(out.script);
	return type === 'pubkey' || type === 'pubkeyhash';
};

/** The keys of one daemon and what they own on its chain. */
export class Wallet {
	readonly #ledger: LedgerApi;
	readonly #keys = new Map<string, Key>();
	readonly #watched = new Set<string>();
	/** Outputs that `lockunspent` keeps, as `txid:vout`; a daemon that starts anew has forgotten them. */
	readonly #kept = new Set<string>();
	/** By the address of the script's hash. */
	readonly #timeLocks = new Map<string, TimeLock>();
	/** The last block that was looked through for time locks. */
	#looked = 0;
	#pubkey: PublicKey | null;
	/** A locked wallet shows everything and signs nothing. */
	locked = false;

	/** `pubkey` is the daemon's `-pubkey`; its key belongs to the wallet. */
	constructor(ledger: LedgerApi, keys: readonly Key[], pubkey: PublicKey | null) {
		this.#ledger = ledger;
		this.#pubkey = pubkey;
		for (const key of keys) this.add(key);
	}

	/** The key of `-pubkey`, or null when the daemon runs without. */
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

	/** Looks after an address without its key; nothing of it counts as the wallet's own. */
	watch(address: string): void {
		this.#watched.add(address);
	}

	watches(address: string): boolean {
		return this.#watched.has(address) && !this.#keys.has(address);
	}

	/** What is looked after and cannot be spent. */
	watchedAddresses(): string[] {
		return [...this.#watched].filter((address) => !this.#keys.has(address));
	}

	key(address: string): Key | undefined {
		return this.#keys.get(address);
	}

	/** The address of an output, where a wallet could own it. */
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

	/** Where its keys are paid, with time locks on them, too. */
	addresses(): string[] {
		const locked = [...this.#lookForTimeLocks().values()].filter(({ owner }) =>
			this.#keys.has(owner)
		);
		return [...this.#keys.keys(), ...locked.map(({ address }) => address)];
	}

	/** What opens the hash that an address stands for. */
	timeLock(address: string): TimeLock | undefined {
		return this.#timeLocks.get(address);
	}

	/**
	 * The time locks that were announced so far, those of blocks since the last look and of the mempool included. `owns`
	 * knows them from then on.
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

	/** Outputs that are kept from being chosen, as `txid:vout`. */
	get keptCoins(): ReadonlySet<string> {
		return this.#kept;
	}

	/** Keeps an output from being chosen: it is listed no more, and counts in the balance as before. */
	keepCoin(name: string): void {
		this.#kept.add(name);
	}

	releaseCoin(name: string): void {
		this.#kept.delete(name);
	}

	releaseCoins(): void {
		this.#kept.clear();
	}

	/** Outputs in blocks that are old enough to be spent. */
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
	 * Spendable normal outputs, in the order of the daemon's wallet map (internal bytes of the txid).
	 * Immature coinbases are left out, and so is what a waiting transaction spends; what is kept, too, unless it is
	 * asked for.
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

	/** Spendable satoshi with at least so many confirmations. */
	balance(minConfirmations = 1): bigint {
		return this.coins({ kept: true })
			.filter((coin) => coin.rawConfirmations >= minConfirmations)
			.reduce((sum, coin) => sum + coin.value, 0n);
	}

	/** The balance as of the newest block: what was spent since is still there, and nothing that came. */
	balanceOfTip(): bigint {
		return this.#minedCoins(this.addresses()).reduce((sum, { value }) => sum + value, 0n);
	}

	/** Satoshi of coinbases that are not deep enough yet. */
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

	/** Every transaction that touches the wallet, oldest first; those in no block, and those that are nowhere, last. */
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

	/** True when the wallet pays or is paid. */
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
	 * Signs every input whose key is here. Inputs that cannot be signed stay as they are and are
	 * listed; a locked wallet signs none. `extra` are outputs the chain does not know, `condition` is the
	 * one of unusual crypto-condition outputs, `hashType` what the signatures cover.
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

	/** The key that opens an output: by address, or `-pubkey` for a crypto-condition. */
	#signer(spent: TxOut): Key | undefined {
		if (this.locked) return undefined;
		const kind = classify(spent.script);
		if (kind.type === 'cryptocondition') {
			return this.#pubkey ? this.#keys.get(this.#pubkey.address) : undefined;
		}
		return kind.address === undefined ? undefined : this.#keys.get(kind.address);
	}

	/** Where change goes: P2PK of `-pubkey`, which is an all-zero key when there is none. */
	changeScript(): Uint8Array {
		return p2pk(this.#pubkey?.pubkey ?? new Uint8Array(33));
	}
}
