/** Reads facts from the bytes of a token's burn: the token's name, its size, and the payouts of its import. */
import { valueOf } from '#lib/chain/amount.ts';
import { IMPORT_FEE, parseBurn, payoutsHash, type Burn } from '#lib/chain/burn.ts';
import { bytesEqual, hexToBytes } from '#lib/chain/bytes.ts';
import { BURN_PUBKEY, TOKENS_GLOBAL_PUBKEY, tokenScript } from '#lib/chain/cryptocondition.ts';
import { BLOB, tokenCreateScript } from '#lib/chain/token.ts';
import { nftDataOf, tokenOutputScript, tokenPayloadOf } from '#lib/chain/tokenEffect.ts';
import { parseTransaction, type Transaction, type TxOut } from '#lib/chain/transaction.ts';
import { tokenSize, type TokenSize } from './tokenSize.ts';

const creationIn = (hex: string): Transaction | undefined =>
	parseBurn(parseTransaction(hex))?.tokenCreationTx;

/** Returns the name of the token in a burn; empty when it burns coins. */
export function nameOfToken(hex: string): string {
	const creation = creationIn(hex);
	const payload = creation && tokenPayloadOf(creation);
	return payload?.kind === 'create' ? payload.name : '';
}

/** Returns the size of a built burn of a token; null for one of coins. */
export function sizeOf(hex: string): TokenSize | null {
	const creation = creationIn(hex);
	return creation ? tokenSize(creation, hex.length / 2) : null;
}

/**
 * Finds the outputs of a token's import, by the hash in its burn.
 * @param keys public keys that may be the recipient, hex
 * @returns null when none of them is
 */
export function tokenPayouts(tx: Transaction, burn: Burn, keys: readonly string[]): TxOut[] | null {
	const creation = burn.tokenCreationTx;
	const made = creation && tokenPayloadOf(creation);
	if (!creation || made?.kind !== 'create') return null;
	const data = nftDataOf(creation);
	const burnKey = tokenOutputScript(BURN_PUBKEY, data);
	const units = valueOf(tx.vout.filter(({ script }) => bytesEqual(script, burnKey)));
	const blobs = made.blobs.filter(({ id }) => id !== BLOB.import);
	for (const key of keys) {
		const recipient = hexToBytes(key);
		for (const owner of [made.owner, recipient]) {
			const payouts = [
				{ value: IMPORT_FEE, script: tokenScript(TOKENS_GLOBAL_PUBKEY) },
				{ value: units, script: tokenOutputScript(recipient, data) },
				{ value: 0n, script: tokenCreateScript({ ...made, owner, blobs }) }
			];
			if (bytesEqual(payoutsHash(payouts), burn.payoutsHash)) return payouts;
		}
	}
	return null;
}
