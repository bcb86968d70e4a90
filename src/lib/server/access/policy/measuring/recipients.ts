/**
 * Addresses that a transaction pays, read from its outputs: all that do not provably return to the wallet. A
 * public key counts as its address, so that coins and units of tokens are compared with one list.
 */
import { addressOfPubkey } from '#lib/chain/address.ts';
import { parseBurn } from '#lib/chain/burn.ts';
import { bytesToHex } from '#lib/chain/bytes.ts';
import { classify } from '#lib/chain/classified.ts';
import { looksLikeImport } from '#lib/chain/importProof.ts';
import { parseSelfImportSource } from '#lib/chain/selfImport.ts';
import { tokenPayloadOf } from '#lib/chain/tokenEffect.ts';
import { isShielded, type Transaction, type TxOut } from '#lib/chain/transaction.ts';
import type { DaemonMethod } from '#lib/rpc/daemon/index.ts';
import { addressOf, isOwn, unitHolders, type MeasuredWallet } from './measure.ts';

/** The address of an output's public key or script; null for scripts without one. */
export function payeeOf(output: TxOut): string | null {
	const { pubkey } = classify(output.script);
	return pubkey === undefined ? addressOf(output) : addressOfPubkey(pubkey);
}

/**
 * Returns the addresses that a transaction pays, without those of the wallet; null where one cannot be
 * determined. Of coins that move to another chain, or of a self-import, the outputs do not name the
 * recipient.
 */
export function recipientsOf(tx: Transaction, wallet: MeasuredWallet): readonly string[] | null {
	if (isShielded(tx) || looksLikeImport(tx)) return null;
	if (parseBurn(tx) !== null || parseSelfImportSource(tx) !== null) return null;
	const payload = tokenPayloadOf(tx);
	const holders = payload?.kind === 'transfer' ? unitHolders(payload, wallet) : null;
	const paid = new Set<string>();
	for (const output of tx.vout) {
		if (isOwn(output, wallet)) continue;
		if (output.value === 0n && classify(output.script).type === 'nulldata') continue;
		const payee = payeeOf(output);
		if (payee !== null) {
			paid.add(payee);
			continue;
		}
		const owners = holders?.get(bytesToHex(output.script));
		if (owners === undefined) return null;
		for (const owner of owners) paid.add(addressOfPubkey(owner));
	}
	if (wallet.pubkey !== null) paid.delete(addressOfPubkey(wallet.pubkey));
	return [...paid.difference(wallet.addresses)];
}

/** Refusals store an address that is not allowed: no address of any kind is longer. */
const ADDRESS = /^"([1-9A-HJ-NP-Za-km-z]{1,100})"$/;

/**
 * The addresses that a call pays that brings no transaction along; null where they cannot be determined.
 * @param params JSON texts
 */
export function recipientsOfCall(
	method: DaemonMethod,
	params: readonly string[]
): readonly string[] | null {
	if (method === 'signmessage') return [];
	if (method !== 'sendtoaddress') return null;
	const text = ADDRESS.exec((params[0] ?? '').trim());
	return text === null ? null : [text[1] ?? ''];
}
