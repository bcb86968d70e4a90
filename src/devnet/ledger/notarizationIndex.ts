import type { NotarizationRecord } from './api.ts';

/** Maximum number of blocks that each of the daemon's searches covers: about one day. */
export const SCAN_LIMIT = 1440;

/** Notarizations by block, by the KMD txid in them, and those of the chain itself. */
export class NotarizationIndex {
	readonly #ownSymbol: string;
	readonly #byHeight = new Map<number, readonly NotarizationRecord[]>();
	readonly #byKmdTxid = new Map<string, NotarizationRecord[]>();
	readonly #own: NotarizationRecord[] = [];

	constructor(ownSymbol: string) {
		this.#ownSymbol = ownSymbol;
	}

	/** Adds the notarizations of the block that is being connected. */
	add(records: readonly NotarizationRecord[], height: number): void {
		if (records.length === 0) return;
		this.#byHeight.set(height, records);
		for (const record of records) {
			// As in the daemon, a notarization that does not advance the notarized height has no effect.
			const advances = record.data.height > (this.#own.at(-1)?.data.height ?? 0);
			if (record.data.symbol === this.#ownSymbol && advances) this.#own.push(record);
			const kmdTxid = record.data.kmdTxid;
			if (kmdTxid === undefined) continue;
			const same = this.#byKmdTxid.get(kmdTxid);
			if (same) same.push(record);
			else this.#byKmdTxid.set(kmdTxid, [record]);
		}
	}

	/** Removes the notarizations of the newest block. */
	remove(records: readonly NotarizationRecord[], height: number): void {
		this.#byHeight.delete(height);
		for (const record of [...records].reverse()) {
			if (this.#own.at(-1) === record) this.#own.pop();
			const kmdTxid = record.data.kmdTxid;
			if (kmdTxid === undefined) continue;
			const same = this.#byKmdTxid.get(kmdTxid)!;
			same.pop();
			if (same.length === 0) this.#byKmdTxid.delete(kmdTxid);
		}
	}

	at(height: number): readonly NotarizationRecord[] {
		return this.#byHeight.get(height) ?? [];
	}

	/** Returns the newest back-notarization with this KMD txid. */
	byKmdTxid(kmdTxid: string): NotarizationRecord | undefined {
		return this.#byKmdTxid.get(kmdTxid)?.at(-1);
	}

	/** Notarizations of the chain itself that advanced its notarized height, oldest first. */
	get own(): readonly NotarizationRecord[] {
		return this.#own;
	}

	/** Returns the first notarization of a symbol from `height` down over `limit` blocks. */
	down(height: number, symbol: string, limit: number): NotarizationRecord | undefined {
		const stop = Math.max(0, height - limit + 1);
		for (let at = height; at >= stop; at--) {
			const found = this.at(at).find((record) => record.data.symbol === symbol);
			if (found) return found;
		}
		return undefined;
	}

	/** Yields one line per notarization, for comparing states. */
	*lines(): IterableIterator<string> {
		for (const height of [...this.#byHeight.keys()].sort((a, b) => a - b)) {
			for (const record of this.at(height)) {
				yield `nota ${height} ${record.txid} ${record.data.symbol} ${record.data.height}`;
			}
		}
		for (const key of [...this.#byKmdTxid.keys()].sort()) {
			yield `kmd ${key} ${this.#byKmdTxid
				.get(key)!
				.map((record) => record.txid)
				.join(',')}`;
		}
		yield `own ${this.#own.map((record) => record.txid).join(',')}`;
	}
}
