import { createHash } from 'node:crypto';
import { sha256 } from '#lib/chain/hash.ts';
import { bytesToHex, reversed } from '#lib/chain/bytes.ts';
import { base58AddressOf } from '../ledger/addressOf.ts';
import type { AddressKind, Coin, LedgerApi } from '../ledger/api.ts';

/** Returns the script hash of Electrum: SHA-256 of the script, bytes reversed, hex. */
export const scriptHashOf = (script: Uint8Array): string => bytesToHex(reversed(sha256(script)));

/** One transaction in a script's history. */
export interface HistoryEntry {
	txid: string;
	/** Block height; 0 in the mempool, -1 there with an unconfirmed parent. */
	height: number;
	/** Fee in satoshi; mempool only. */
	fee?: bigint;
}

interface Place {
	address: string;
	kind: AddressKind;
}

/**
 * Looks up scripts by their hash. The ledger indexes outputs by address; this maps a script hash to its
 * address. An entry left by a disconnected block is harmless: it matches nothing.
 */
export class ScriptHashes {
	readonly #ledger: LedgerApi;
	readonly #places = new Map<string, Place>();
	#height = -1;
	#tip = '';

	constructor(ledger: LedgerApi) {
		this.#ledger = ledger;
	}

	#learn(script: Uint8Array): void {
		const place = base58AddressOf(script);
		if (place) this.#places.set(scriptHashOf(script), place);
	}

	/** Reads blocks added since the last query; after a reorganization also the last hundred blocks again. */
	#catchUp(): void {
		const ledger = this.#ledger;
		if (this.#tip === ledger.tip.hash) return;
		const known = ledger.blockAt(this.#height)?.hash === this.#tip;
		const from = known
			? this.#height + 1
			: Math.max(0, Math.min(this.#height, ledger.height) - 100);
		for (let height = from; height <= ledger.height; height++) {
			for (const tx of ledger.blockAt(height)?.transactions ?? []) {
				for (const { script } of tx.vout) this.#learn(script);
			}
		}
		this.#height = ledger.height;
		this.#tip = ledger.tip.hash;
	}

	#waitingOutputs(scripthash: string): { txid: string; vout: number; value: bigint }[] {
		const found: { txid: string; vout: number; value: bigint }[] = [];
		for (const { txid, tx } of this.#ledger.mempool.entries()) {
			tx.vout.forEach(({ script, value }, vout) => {
				if (scriptHashOf(script) === scripthash) found.push({ txid, vout, value });
			});
		}
		return found;
	}

	/** Unspent outputs in blocks, whether or not the mempool spends them. */
	#coins(scripthash: string): Coin[] {
		this.#catchUp();
		const place = this.#places.get(scripthash);
		if (!place) return [];
		return this.#ledger
			.addressCoins(place.address, place.kind)
			.filter(({ script }) => scriptHashOf(script) === scripthash);
	}

	/** Satoshi: confirmed, and the change by the mempool. */
	balance(scripthash: string): { confirmed: bigint; unconfirmed: bigint } {
		const { mempool } = this.#ledger;
		let confirmed = 0n;
		let unconfirmed = 0n;
		for (const { txid, vout, value } of this.#coins(scripthash)) {
			confirmed += value;
			if (mempool.spenderOf(txid, vout)) unconfirmed -= value;
		}
		for (const { txid, vout, value } of this.#waitingOutputs(scripthash)) {
			if (!mempool.spenderOf(txid, vout)) unconfirmed += value;
		}
		return { confirmed, unconfirmed };
	}

	/** Spendable outputs; height 0 in the mempool. */
	unspent(scripthash: string): { txid: string; vout: number; value: bigint; height: number }[] {
		const { mempool } = this.#ledger;
		return [
			...this.#coins(scripthash),
			...this.#waitingOutputs(scripthash).map((out) => ({ ...out, height: 0 }))
		].filter(({ txid, vout }) => !mempool.spenderOf(txid, vout));
	}

	/** Confirmed transactions in chain order, then those in the mempool. */
	history(scripthash: string): HistoryEntry[] {
		this.#catchUp();
		const ledger = this.#ledger;
		const place = this.#places.get(scripthash);
		const mined = new Map<string, HistoryEntry>();
		for (const delta of place ? ledger.addressHistory(place.address, place.kind) : []) {
			const { txid, index, spending, height } = delta;
			if (mined.has(txid)) continue;
			const tx = ledger.mined(txid)?.tx;
			const spent = spending ? tx?.vin[index] : undefined;
			const out = spent ? ledger.output(spent.txid, spent.vout) : tx?.vout[index];
			if (out && scriptHashOf(out.script) === scripthash) mined.set(txid, { txid, height });
		}
		return [...mined.values(), ...this.waiting(scripthash)];
	}

	/** Transactions in the mempool that pay or spend the script. */
	waiting(scripthash: string): HistoryEntry[] {
		const ledger = this.#ledger;
		return [...ledger.mempool.entries()]
			.filter(
				({ tx }) =>
					tx.vout.some(({ script }) => scriptHashOf(script) === scripthash) ||
					tx.vin.some(({ txid, vout }) => {
						const out = ledger.output(txid, vout);
						return out !== undefined && scriptHashOf(out.script) === scripthash;
					})
			)
			.map(({ txid, fee, depends }) => ({ txid, height: depends.length > 0 ? -1 : 0, fee }));
	}

	/** Returns Electrum's status: a hash that changes with the history; null without history. */
	status(scripthash: string): string | null {
		const history = this.history(scripthash);
		if (history.length === 0) return null;
		const text = history.map(({ txid, height }) => `${txid}:${height}:`).join('');
		return createHash('sha256').update(text).digest('hex');
	}
}
