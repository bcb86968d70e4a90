import { concat, hexToBytes } from '#lib/chain/bytes.ts';
import { signDer } from '#lib/chain/key.ts';
import { serializeNotarization } from '#lib/chain/notarization.ts';
import type { Notarization, NotarizationForm } from '#lib/chain/notarization.ts';
import { opReturn, p2pk, pushData } from '#lib/chain/script.ts';
import { SIGHASH_ALL, signatureHash } from '#lib/chain/sighash.ts';
import { unsignedInput, type Transaction, type TxOut } from '#lib/chain/transaction.ts';
import type { Coin, LedgerApi } from '../ledger/api.ts';
import { draftTransaction } from '../wallet/draft.ts';
import type { Key } from '../wallet/keys.ts';

/** Number of signatures of a notarization. */
export const SIGNERS = 11;
/** Value of each notary's input: the size of outputs that notaries keep ready. */
export const NOTARY_UTXO = 10_000n;
/** Public key that output 0 of every notarization pays. */
const NOTARIZATION_KEY = hexToBytes(
	'020e46e79a2a8d12b9b5d12c7a91adb4e454edfae43c0a0cb805427d2ac7613fd9'
);
const FEE = 2_000n;

/** Returns an unspent P2PK output that a notary keeps ready. */
const readyCoin = (ledger: LedgerApi, key: Key): Coin | undefined =>
	ledger
		.addressCoins(key.address, 'normal')
		.find(
			(coin) =>
				coin.value === NOTARY_UTXO &&
				coin.script.length === 35 &&
				!ledger.mempool.spenderOf(coin.txid, coin.vout)
		);

/** Counts the notaries that can sign now. */
export const readySigners = (ledger: LedgerApi, keys: readonly Key[]): number =>
	keys.filter((key) => readyCoin(ledger, key)).length;

/**
 * Builds a notarization signed by eleven notaries, beginning with the one at index `from`. Null when fewer
 * have an output ready.
 */
export const signNotarization = (
	ledger: LedgerApi,
	keys: readonly Key[],
	from: number,
	data: Notarization,
	form: NotarizationForm
): Transaction | null => {
	const signers: { key: Key; coin: Coin }[] = [];
	for (let at = 0; at < keys.length && signers.length < SIGNERS; at++) {
		const key = keys[(from + at) % keys.length]!;
		const coin = readyCoin(ledger, key);
		if (coin) signers.push({ key, coin });
	}
	if (signers.length < SIGNERS) return null;
	const vout: TxOut[] = [
		{ value: NOTARY_UTXO * BigInt(SIGNERS) - FEE, script: p2pk(NOTARIZATION_KEY) },
		{ value: 0n, script: opReturn(serializeNotarization(data, form)) }
	];
	const vin = signers.map(({ coin }) => unsignedInput(coin.txid, coin.vout));
	const draft = draftTransaction(ledger, vin, vout);
	// Signs with the private keys directly, which avoids deriving each public key again.
	const signed = signers.map(({ key, coin }, index) => {
		const hash = signatureHash(draft, index, coin.script, coin.value);
		const scriptSig = pushData(concat(signDer(hash, key.privateKey), Uint8Array.of(SIGHASH_ALL)));
		return { ...vin[index]!, scriptSig };
	});
	return { ...draft, vin: signed };
};
