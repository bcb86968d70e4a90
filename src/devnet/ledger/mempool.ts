import type { Transaction } from '#lib/chain/transaction.ts';
import type { Accepted } from './accept.ts';
import type { MempoolEntry, MempoolView } from './api.ts';
import type { ChainState } from './state.ts';
import { OverlayView } from './view.ts';

interface Waiting extends MempoolEntry {
	burnTxid: string | undefined;
	/** Txids of pending transactions that spend this one. */
	children: Set<string>;
}

/** Pending transactions, parents before children, without conflicts. */
export class Mempool implements MempoolView {
	readonly view: OverlayView;
	readonly #entries = new Map<string, Waiting>();

	constructor(state: ChainState) {
		this.view = new OverlayView(state);
	}

	get size(): number {
		return this.#entries.size;
	}

	entries(): IterableIterator<MempoolEntry> {
		return this.#entries.values();
	}

	get(txid: string): MempoolEntry | undefined {
		return this.#entries.get(txid);
	}

	has(txid: string): boolean {
		return this.#entries.has(txid);
	}

	spenderOf(txid: string, vout: number): { txid: string; index: number } | undefined {
		return this.view.spenderOf(txid, vout);
	}

	add(tx: Transaction, accepted: Accepted, time: number, height: number): void {
		const { txid, size, fee, depends, burnTxid } = accepted;
		const entry = {
			txid,
			tx,
			size,
			fee,
			time,
			height,
			depends,
			burnTxid,
			children: new Set<string>()
		};
		this.#entries.set(txid, entry);
		for (const parent of depends) this.#entries.get(parent)?.children.add(txid);
		this.view.add(txid, tx, accepted.effect, burnTxid);
	}

	/** Removes one transaction. Its children stay, so call this for confirmed transactions only. */
	remove(txid: string): void {
		const entry = this.#entries.get(txid);
		if (!entry) return;
		this.#entries.delete(txid);
		this.view.remove(txid, entry.burnTxid);
		for (const child of entry.children) {
			const waiting = this.#entries.get(child);
			if (waiting) waiting.depends = waiting.depends.filter((parent) => parent !== txid);
		}
		for (const parent of entry.depends) this.#entries.get(parent)?.children.delete(txid);
	}

	/** Removes a transaction and its descendants. */
	evict(txid: string): void {
		const gone = new Set([txid]);
		for (const one of gone) {
			for (const child of this.#entries.get(one)?.children ?? []) gone.add(child);
		}
		for (const one of gone) this.remove(one);
	}

	/** Empties the mempool and returns its former contents. */
	drain(): MempoolEntry[] {
		const all = [...this.#entries.values()];
		for (const entry of all.reverse()) {
			this.#entries.delete(entry.txid);
			this.view.remove(entry.txid, entry.burnTxid);
		}
		return all.reverse();
	}
}
