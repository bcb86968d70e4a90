import type { Transaction, TxOut } from '#lib/chain/transaction.ts';
import type { Coin } from './api.ts';
import type { ChainState } from './state.ts';
import type { TokenEffect } from '#lib/chain/tokenEffect.ts';
import { isUnspendable } from './txKind.ts';

/**
 * The chain plus transactions that are not in a block yet: the mempool, or those already selected for a new
 * block. It also tracks which coins these transactions spend.
 */
export class OverlayView {
	readonly state: ChainState;
	readonly #added = new Map<string, { tx: Transaction; effect: TokenEffect | null }>();
	readonly #spent = new Map<string, { txid: string; index: number }>();
	readonly #imports = new Map<string, string>();

	constructor(state: ChainState) {
		this.state = state;
	}

	/** Adds a transaction. `burnTxid` is set for imports, whose single input spends no output. */
	add(txid: string, tx: Transaction, effect: TokenEffect | null, burnTxid?: string): void {
		this.#added.set(txid, { tx, effect });
		if (burnTxid !== undefined) {
			this.#imports.set(burnTxid, txid);
			return;
		}
		tx.vin.forEach((input, index) =>
			this.#spent.set(`${input.txid}:${input.vout}`, { txid, index })
		);
	}

	remove(txid: string, burnTxid?: string): void {
		const entry = this.#added.get(txid);
		if (!entry) return;
		this.#added.delete(txid);
		if (burnTxid !== undefined) {
			if (this.#imports.get(burnTxid) === txid) this.#imports.delete(burnTxid);
			return;
		}
		for (const input of entry.tx.vin) this.#spent.delete(`${input.txid}:${input.vout}`);
	}

	spenderOf(txid: string, vout: number): { txid: string; index: number } | undefined {
		return this.#spent.get(`${txid}:${vout}`);
	}

	/** True when the transaction is one of those added. */
	adds(txid: string): boolean {
		return this.#added.has(txid);
	}

	/**
	 * Returns an unspent output of the chain or of an added transaction; an added transaction may spend it:
	 * see `spenderOf`.
	 */
	coin(txid: string, vout: number): Coin | undefined {
		const entry = this.#added.get(txid);
		if (!entry) return this.state.coin(txid, vout);
		const out = entry.tx.vout[vout];
		if (!out || isUnspendable(out.script)) return undefined;
		return {
			txid,
			vout,
			value: out.value,
			script: out.script,
			height: this.state.height + 1,
			coinbase: false
		};
	}

	transaction(txid: string): Transaction | undefined {
		return this.#added.get(txid)?.tx ?? this.state.mined(txid)?.tx;
	}

	output(txid: string, vout: number): TxOut | undefined {
		return this.transaction(txid)?.vout[vout];
	}

	/** Returns the token of an output, by the daemon's validity rules. */
	tokenAt(txid: string, vout: number): string | undefined {
		const effect = this.#added.get(txid)?.effect;
		if (effect) return effect.outputs.has(vout) ? effect.tokenid : undefined;
		return this.state.tokenAt(txid, vout);
	}

	/** Returns the txid of the import of a burn. */
	importOf(burnTxid: string): string | undefined {
		return this.#imports.get(burnTxid) ?? this.state.importOf(burnTxid);
	}

	/** True while the transaction has an unspent output. */
	hasUnspent(txid: string): boolean {
		return this.adds(txid) || this.state.hasUnspent(txid);
	}
}
