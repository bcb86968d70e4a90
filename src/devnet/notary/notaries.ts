import type { Notarization } from '#lib/chain/notarization.ts';
import { p2pk } from '#lib/chain/script.ts';
import { unsignedInput, type TxOut } from '#lib/chain/transaction.ts';
import type { LedgerApi } from '../ledger/api.ts';
import { momAt } from '../ledger/cross-chain/mom.ts';
import { momomData } from '../ledger/cross-chain/proofRoot.ts';
import { draftTransaction } from '../wallet/draft.ts';
import type { Key } from '../wallet/keys.ts';
import { selectCoins } from '../wallet/select.ts';
import { Wallet } from '../wallet/wallet.ts';
import { NOTARY_UTXO, SIGNERS, readySigners, signNotarization } from './sign.ts';

/** Ready outputs that each notary gets in one go. */
const REFILL = 8;
const REFILL_FEE = 100_000n;
/** Komodo's notary software never covers more blocks than this. */
const MAX_DEPTH = 43_200;

/** A notarization on the main chain that its chain has not recorded yet. */
interface Pending {
	txid: string;
	data: Notarization;
}

/**
 * The 64 notaries: they record the chains on KMD, and on each chain what KMD recorded. Their outputs
 * come from a treasury that is paid by the miners.
 */
export class Notaries {
	readonly #kmd: LedgerApi;
	readonly #keys: readonly Key[];
	readonly #treasury: Key;
	readonly #pending = new Map<string, Pending>();
	#next = 0;

	constructor(kmd: LedgerApi, keys: readonly Key[], treasury: Key) {
		this.#kmd = kmd;
		this.#keys = keys;
		this.#treasury = treasury;
	}

	/** Tops up the notaries of a chain when fewer than two rounds can be signed. True when it sent. */
	refill(ledger: LedgerApi, rounds = 2): boolean {
		if (readySigners(ledger, this.#keys) >= SIGNERS * rounds) return false;
		const wallet = new Wallet(ledger, [this.#treasury], this.#treasury);
		const vout: TxOut[] = this.#keys.flatMap((key) =>
			Array.from({ length: REFILL }, () => ({ value: NOTARY_UTXO, script: p2pk(key.pubkey) }))
		);
		const total = NOTARY_UTXO * BigInt(vout.length) + REFILL_FEE;
		const chosen = selectCoins(wallet.coins({ unconfirmed: false }), total, 100);
		if (!chosen) return false;
		vout.push({ value: chosen.total - total, script: wallet.changeScript() });
		const vin = chosen.coins.map((coin) => unsignedInput(coin.txid, coin.vout));
		const { tx } = wallet.sign(draftTransaction(ledger, vin, vout));
		ledger.submit(tx, { allowHighFees: true, signedHere: true });
		return true;
	}

	/** Sends the notarization of a chain's newest block to KMD's mempool. Null when nobody can sign. */
	notarize(chain: LedgerApi): string | null {
		const { height, tip } = chain;
		if (height < 2) return null;
		const before = chain.prevMoMHeight();
		if (before >= height) return null;
		const depth = Math.min(before > 0 ? height - before : height - 1, MAX_DEPTH);
		const data: Notarization = {
			blockHash: tip.hash,
			height,
			symbol: chain.symbol,
			mom: momAt(chain, height, depth),
			momDepth: depth,
			ccid: chain.params.ccid
		};
		const tx = signNotarization(this.#kmd, this.#keys, this.#turn(), data, 'kmd');
		if (!tx) return null;
		const txid = this.#kmd.submit(tx, { signedHere: true });
		this.#pending.set(chain.symbol, { txid, data });
		return txid;
	}

	/**
	 * Sends the back-notarization for the newest mined notarization of a chain to the chain's mempool.
	 * Null when there is none, or when the chain was reorganized away from the notarized block. `early`
	 * does not wait for the notarization to be mined.
	 */
	backNotarize(chain: LedgerApi, early = false): string | null {
		const pending = this.#pending.get(chain.symbol);
		if (!pending || (!early && !this.#kmd.mined(pending.txid))) return null;
		this.#pending.delete(chain.symbol);
		const { data } = pending;
		if (chain.blockAt(data.height)?.hash !== data.blockHash) return null;
		const { root } = momomData(this.#kmd, chain.symbol, this.#kmd.height, chain.params.ccid);
		const back: Notarization = {
			...data,
			kmdTxid: pending.txid,
			...(root && root.moms.length > 0 ? { momom: root.momom, momomDepth: 0 } : {})
		};
		const tx = signNotarization(chain, this.#keys, this.#turn(), back, 'back');
		return tx && chain.submit(tx, { signedHere: true });
	}

	#turn(): number {
		const from = this.#next;
		this.#next = (this.#next + SIGNERS) % this.#keys.length;
		return from;
	}
}
