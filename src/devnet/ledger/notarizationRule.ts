import { bytesToHex } from '#lib/chain/bytes.ts';
import { parseNotarization } from '#lib/chain/notarization.ts';
import { authorityOf } from '#lib/chain/notaryAuthority.ts';
import type { Transaction, TxOut } from '#lib/chain/transaction.ts';
import type { ChainParams, NotarizationRecord } from './api.ts';
import { classify } from '#lib/chain/classified.ts';
import { nulldataOf } from '#lib/chain/script.ts';

/** Minimum number of inputs of a notarization, each of a different notary. */
const NOTARY_SIGNATURES = 11;

const indices = new WeakMap<readonly string[], Map<string, number>>();

/** Returns the index of a public key in the list of notaries; -1 when it is not a notary's. */
export const notaryIndex = (notaries: readonly string[], pubkeyHex: string): number => {
	let byKey = indices.get(notaries);
	if (!byKey) {
		byKey = new Map(notaries.map((key, index) => [key, index]));
		indices.set(notaries, byKey);
	}
	return byKey.get(pubkeyHex) ?? -1;
};

/**
 * Returns the notary indexes of the inputs in order, or null when the signatures are not valid for a
 * notarization: at least 11 inputs, each spending a P2PK output of a different notary.
 */
const signers = (notaries: readonly string[], spent: readonly TxOut[]): number[] | null => {
	if (spent.length < NOTARY_SIGNATURES) return null;
	const found: number[] = [];
	for (const out of spent) {
		const kind = classify(out.script);
		if (kind.type !== 'pubkey' || out.script.length !== 35 || !kind.pubkey) return null;
		const index = notaryIndex(notaries, bytesToHex(kind.pubkey));
		if (index < 0 || found.includes(index)) return null;
		found.push(index);
	}
	return found;
};

const knownSigners = (notaries: readonly string[], spent: readonly TxOut[]): number[] =>
	spent
		.map((out) => classify(out.script).pubkey)
		.map((pubkey) => (pubkey ? notaryIndex(notaries, bytesToHex(pubkey)) : -1))
		.filter((index) => index >= 0);

/** On the main chain the form with a KMD txid is used only for notarizations of KMD itself. */
const isBackForm = (params: ChainParams, script: Uint8Array): boolean => {
	if (params.name !== '' && params.name !== 'KMD') return true;
	const payload = nulldataOf(script);
	if (!payload || payload.length < 72) return false;
	const text = String.fromCharCode(...payload.subarray(68, 72));
	return text === 'BTC\0' || text === 'KMD\0';
};

/**
 * Reads the notarization in output 1 of a transaction; null when there is none or it is not valid.
 * @param spent the outputs that the inputs spend
 */
export const readNotarization = (
	params: ChainParams,
	txid: string,
	tx: Transaction,
	spent: readonly TxOut[],
	recordedAt: number
): NotarizationRecord | null => {
	const out = tx.vout[1];
	if (!out || spent.length === 0) return null;
	const data = parseNotarization(out.script, isBackForm(params, out.script) ? 'back' : 'kmd');
	if (!data) return null;
	const group = authorityOf(data.symbol);
	if (group === 'TXSCL' || !params.requireNotarySignatures) {
		return { txid, recordedAt, data, notaries: knownSigners(params.notaries, spent) };
	}
	// The last season of the LABS group has ended, so the daemon ignores all its notarizations.
	if (group === 'LABS') return null;
	const notaries = signers(params.notaries, spent);
	return notaries && { txid, recordedAt, data, notaries };
};
