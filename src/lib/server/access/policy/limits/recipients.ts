/**
 * Addresses that a transaction pays, read from its outputs: all that do not provably return to the wallet. A
 * public key counts as its address, so that coins and units of tokens are compared with one list.
 */
import { addressOfPubkey } from '#lib/chain/address.ts';
import { parseBurn } from '#lib/chain/burn.ts';
import { bytesToHex, hexToBytes } from '#lib/chain/bytes.ts';
import { classify } from '#lib/chain/classified.ts';
import { ccScript, EVAL } from '#lib/chain/cryptocondition.ts';
import { looksLikeImport } from '#lib/chain/importProof.ts';
import { parseSelfImportSource } from '#lib/chain/selfImport.ts';
import type { TokenTransfer } from '#lib/chain/token.ts';
import { tokenPayloadOf } from '#lib/chain/tokenEffect.ts';
import { isShielded, type Transaction, type TxOut } from '#lib/chain/transaction.ts';
import type { DaemonMethod } from '#lib/rpc/daemon/index.ts';
import { addressOf, isOwn, type OwnWallet } from './measure.ts';

/**
 * Addresses of the holders of units after a transfer, change included, by the hex of the script that holds
 * the units.
 */
function holdersOf(
	{ destPubkeys }: TokenTransfer,
	{ pubkey }: OwnWallet
): ReadonlyMap<string, readonly string[]> {
	const keys = destPubkeys.filter((key) => key.length === 33);
	const owners = [...keys.map((key) => [key]), ...(keys.length === 2 ? [keys] : [])];
	if (pubkey !== null) owners.push([hexToBytes(pubkey)]);
	const modules = Object.values(EVAL).filter((code) => code !== EVAL.tokens);
	const evals = [[EVAL.tokens], ...modules.map((code) => [code, EVAL.tokens])];
	return new Map(
		owners.flatMap((of) =>
			evals.map((codes) => [bytesToHex(ccScript(of, codes)), of.map(addressOfPubkey)] as const)
		)
	);
}

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
export function recipientsOf(tx: Transaction, wallet: OwnWallet): readonly string[] | null {
	if (isShielded(tx) || looksLikeImport(tx)) return null;
	if (parseBurn(tx) !== null || parseSelfImportSource(tx) !== null) return null;
	const payload = tokenPayloadOf(tx);
	const holders = payload?.kind === 'transfer' ? holdersOf(payload, wallet) : null;
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
		for (const owner of owners) paid.add(owner);
	}
	if (wallet.pubkey !== null) paid.delete(addressOfPubkey(wallet.pubkey));
	return [...paid.difference(wallet.addresses)];
}

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
	const text = /^"([1-9A-HJ-NP-Za-km-z]+)"$/.exec((params[0] ?? '').trim());
	return text === null ? null : [text[1] ?? ''];
}
