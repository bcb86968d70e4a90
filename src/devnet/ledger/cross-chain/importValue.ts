import { bytesEqual } from '#lib/chain/bytes.ts';
import { parseBurn, type Burn } from '#lib/chain/burn.ts';
import { BURN_PUBKEY } from '#lib/chain/cryptocondition.ts';
import { parseImport } from '#lib/chain/importProof.ts';
import type { Transaction } from '#lib/chain/transaction.ts';
import { isMarker, nftDataOf, tokenOutputScript } from '#lib/chain/tokenEffect.ts';
import { classify } from '#lib/chain/classified.ts';

/** Returns the base units that a token burn sends to the burn key; 0 for a burn of coins. */
export const burnedTokenUnits = (burnTx: Transaction, burn: Burn): bigint => {
	if (!burn.tokenCreationTx) return 0n;
	const script = tokenOutputScript(BURN_PUBKEY, nftDataOf(burn.tokenCreationTx));
	return burnTx.vout
		.filter((out) => bytesEqual(out.script, script))
		.reduce((sum, out) => sum + out.value, 0n);
};

/** Returns the base units in the crypto-condition outputs of an import, without its marker. */
export const importedTokenUnits = (importTx: Transaction): bigint =>
	importTx.vout
		.filter((out) => classify(out.script).type === 'cryptocondition' && !isMarker(out.script))
		.reduce((sum, out) => sum + out.value, 0n);

/** Returns the satoshi that an import creates: the burn output plus the burned base units of a token. */
export const importedValue = (importTx: Transaction): bigint => {
	const parts = parseImport(importTx);
	const burn = parts && parseBurn(parts.burnTx);
	if (!parts || !burn) return 0n;
	return burn.value + burnedTokenUnits(parts.burnTx, burn);
};
