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

/** Number of outputs that each notary receives per refill. */
const REFILL = 8;
const REFILL_FEE = 100_000n;
/** Maximum MoM depth of Komodo's notary software. */
const MAX_DEPTH = 43_200;

/** A notarization on the main chain whose back-notarization has not been sent yet. */
interface Pending {
	txid: string;
	data: Notarization;
}

/**
 * The 64 notaries: they record the chains on KMD, and KMD's records on each chain. Their outputs come from a
 * treasury that miners pay.
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

	/**
	 * Funds the notaries of a chain when they cannot sign this many rounds. True when it sent a transaction.
	 */
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

	/** Sends the notarization of a chain's tip to KMD's mempool. Null when there are not enough signers. */
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
	 * Sends the back-notarization for the newest confirmed notarization of a chain to the chain's mempool.
	 * Null when there is none, or when a reorganization removed the notarized block. With `early` the
	 * notarization need not be confirmed.
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
