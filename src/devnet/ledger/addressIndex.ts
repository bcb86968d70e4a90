import { base58AddressOf } from './addressOf.ts';
import { outpointKey } from './outpoint.ts';
import type { AddressDelta, AddressKind, Coin } from './api.ts';

interface AddressEntry {
	unspent: Map<string, Coin>;
	history: AddressDelta[];
	balance: bigint;
	received: bigint;
}

/**
 * Unspent outputs and history of every address. Changes are undone in exact reverse order, so histories
 * change only at their end.
 */
export class AddressIndex {
	readonly #entries = new Map<string, AddressEntry>();

	#entry(coin: Coin): AddressEntry | undefined {
		const owner = base58AddressOf(coin.script);
		if (!owner) return undefined;
		const key = `${owner.kind}:${owner.address}`;
		let entry = this.#entries.get(key);
		if (!entry) {
			entry = { unspent: new Map(), history: [], balance: 0n, received: 0n };
			this.#entries.set(key, entry);
		}
		return entry;
	}

	#undoLast(coin: Coin, entry: AddressEntry): void {
		entry.history.pop();
		if (entry.history.length > 0) return;
		const owner = base58AddressOf(coin.script)!;
		this.#entries.delete(`${owner.kind}:${owner.address}`);
	}

	/** Records a new output. */
	add(coin: Coin, position: number): void {
		const entry = this.#entry(coin);
		if (!entry) return;
		entry.unspent.set(outpointKey(coin.txid, coin.vout), coin);
		entry.balance += coin.value;
		entry.received += coin.value;
		entry.history.push({
			txid: coin.txid,
			index: coin.vout,
			spending: false,
			satoshis: coin.value,
			height: coin.height,
			position
		});
	}

	/** Undoes `add`. */
	undoAdd(coin: Coin): void {
		const entry = this.#entry(coin);
		if (!entry) return;
		entry.unspent.delete(outpointKey(coin.txid, coin.vout));
		entry.balance -= coin.value;
		entry.received -= coin.value;
		this.#undoLast(coin, entry);
	}

	/** Records that input `index` of `txid` spent an output. */
	spend(coin: Coin, txid: string, index: number, height: number, position: number): void {
		const entry = this.#entry(coin);
		if (!entry) return;
		entry.unspent.delete(outpointKey(coin.txid, coin.vout));
		entry.balance -= coin.value;
		entry.history.push({
			txid,
			index,
			spending: true,
			satoshis: -coin.value,
			height,
			position
		});
	}

	/** Undoes `spend`. */
	undoSpend(coin: Coin): void {
		const entry = this.#entry(coin);
		if (!entry) return;
		entry.unspent.set(outpointKey(coin.txid, coin.vout), coin);
		entry.balance += coin.value;
		this.#undoLast(coin, entry);
	}

	/** Returns unspent outputs by height, then by txid and index. */
	coins(address: string, kind: AddressKind): Coin[] {
		const entry = this.#entries.get(`${kind}:${address}`);
		if (!entry) return [];
		return [...entry.unspent.values()].sort(
			(a, b) =>
				a.height - b.height || (a.txid < b.txid ? -1 : a.txid > b.txid ? 1 : a.vout - b.vout)
		);
	}

	history(address: string, kind: AddressKind): readonly AddressDelta[] {
		return this.#entries.get(`${kind}:${address}`)?.history ?? [];
	}

	balance(address: string, kind: AddressKind): { balance: bigint; received: bigint } {
		const entry = this.#entries.get(`${kind}:${address}`);
		return { balance: entry?.balance ?? 0n, received: entry?.received ?? 0n };
	}

	/** Yields one line per address, sorted, for comparing states. */
	*lines(): IterableIterator<string> {
		for (const key of [...this.#entries.keys()].sort()) {
			const entry = this.#entries.get(key)!;
			const history = entry.history
				.map((delta) => `${delta.txid}/${delta.index}/${delta.satoshis}/${delta.height}`)
				.join(',');
			yield `${key} ${entry.balance} ${entry.received} ${[...entry.unspent.keys()].sort().join(',')} ${history}`;
		}
	}
}
