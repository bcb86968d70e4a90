/** What blocks refer to in earlier blocks: it is loaded before they are read. */
import { looksLikeImport } from '#lib/chain/importProof.ts';
import { tokenPayloadOf } from '#lib/chain/tokenEffect.ts';
import { isCoinbase } from '#lib/chain/transaction.ts';
import type { DecodedBlock } from './decode.ts';

/** Returns the outputs of earlier blocks that the blocks spend: output indexes by txid. */
export function neededOutputs(blocks: readonly DecodedBlock[]): Map<string, number[]> {
	const own = new Set<string>();
	const needed = new Map<string, number[]>();
	for (const { transactions } of blocks) {
		for (const { txid, tx } of transactions) {
			own.add(txid);
			if (isCoinbase(tx) || looksLikeImport(tx)) continue;
			for (const input of tx.vin) {
				if (own.has(input.txid)) continue;
				const indexes = needed.get(input.txid);
				if (indexes) indexes.push(input.vout);
				else needed.set(input.txid, [input.vout]);
			}
		}
	}
	return needed;
}

/** Returns the tokenids that transfers in the blocks refer to. */
export function neededTokens(blocks: readonly DecodedBlock[]): Set<string> {
	const needed = new Set<string>();
	for (const { transactions } of blocks) {
		for (const { tx } of transactions) {
			const payload = tokenPayloadOf(tx);
			if (payload?.kind === 'transfer') needed.add(payload.tokenid);
		}
	}
	return needed;
}
