import type { NotarizationRecord } from './api.ts';

/** Blocks that every scan of the daemon looks through at most: about one day. */
export const SCAN_LIMIT = 1440;

/** Notarization records by block, by the KMD txid they name, and those of the chain itself. */
export class NotarizationIndex {
	readonly #ownSymbol: string;
	readonly #byHeight = new Map<number, readonly NotarizationRecord[]>();
	readonly #byKmdTxid = new Map<string, NotarizationRecord[]>();
	readonly #own: NotarizationRecord[] = [];

	constructor(ownSymbol: string) {
		this.#ownSymbol = ownSymbol;
	}

	/** Files the records of the block that is being connected. */
	add(records: readonly NotarizationRecord[], height: number): void {
		if (records.length === 0) return;
		this.#byHeight.set(height, records);
		for (const record of records) {
			// As in the daemon, a record that does not advance the notarized height changes nothing.
			const advances = record.data.height > (this.#own.at(-1)?.data.height ?? 0);
			if (record.data.symbol === this.#ownSymbol && advances) this.#own.push(record);
			const kmdTxid = record.data.kmdTxid;
			if (kmdTxid === undefined) continue;
			const same = this.#byKmdTxid.get(kmdTxid);
			if (same) same.push(record);
			else this.#byKmdTxid.set(kmdTxid, [record]);
		}
	}

	/** Takes the records of the newest block back. */
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

	/** The newest back-notarization that names this KMD transaction. */
	byKmdTxid(kmdTxid: string): NotarizationRecord | undefined {
		return this.#byKmdTxid.get(kmdTxid)?.at(-1);
	}

	/** Records of the chain itself that advanced its notarized height, oldest first. */
	get own(): readonly NotarizationRecord[] {
		return this.#own;
	}

	/** First record of a symbol at `height` or below, over `limit` blocks. */
	down(height: number, symbol: string, limit: number): NotarizationRecord | undefined {
		const stop = Math.max(0, height - limit + 1);
		for (let at = height; at >= stop; at--) {
			const found = this.at(at).find((record) => record.data.symbol === symbol);
			if (found) return found;
		}
		return undefined;
	}

	/** One line for each record, for comparing two states. */
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
