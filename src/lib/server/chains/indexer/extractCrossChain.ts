/** Finds the records in transactions that concern other chains: notarizations, burns and imports. */
import { sumOf } from '#lib/chain/amount.ts';
import { parseBurn, SELF_IMPORT_CCID, type Burn } from '#lib/chain/burn.ts';
import { parseImport } from '#lib/chain/importProof.ts';
import { isMainChain } from '#lib/chain/mainChain.ts';
import { tokenPayloadOf } from '#lib/chain/tokenEffect.ts';
import { parseNotarization, type Notarization } from '#lib/chain/notarization.ts';
import { isCoinbase, type Transaction } from '#lib/chain/transaction.ts';
import type { Extraction, KnownToken } from './found.ts';
import { storable, symbolOf } from './storableText.ts';

/**
 * Returns the notarization in a transaction; null when there is none. On KMD the form with a KMD txid is used only
 * for records about KMD itself.
 */
export function notarizationOf(
	chain: string,
	tx: Transaction
): { form: 'kmd' | 'back'; data: Notarization } | null {
	const out = tx.vout[1];
	if (!out || isCoinbase(tx)) return null;
	if (isMainChain(chain)) {
		const own = parseNotarization(out.script, 'back');
		if (own && (own.symbol === 'BTC' || isMainChain(own.symbol)))
			return { form: 'back', data: own };
	}
	const form = isMainChain(chain) ? 'kmd' : 'back';
	const data = parseNotarization(out.script, form);
	return data && { form, data };
}

/** Adds the notarization of a transaction, if it has one that counts; returns whether it does. */
export function addNotarization({ chain, seq, txid, time, tx, known, found }: Extraction): boolean {
	const notarization = notarizationOf(chain, tx);
	const signers = notarization && known.notarized.get(txid);
	if (!notarization || !signers) return false;
	const { form, data } = notarization;
	found.notarizations.push({
		seq,
		txid,
		time,
		form,
		data: { ...data, symbol: storable(data.symbol) },
		signers
	});
	return true;
}

/**
 * Adds a burn, after the moves of its token. The payload decides whether it is of a token, which the index may not
 * know: a burn of coins may describe its source by any transaction.
 */
export function addBurn({ seq, txid, time, tx, found }: Extraction, burn: Burn): void {
	const payload = burn.tokenCreationTx === undefined ? null : tokenPayloadOf(tx);
	const tokenid = payload?.kind === 'transfer' ? payload.tokenid : null;
	const burnt = found.moves.filter((move) => move.seq === seq && move.kind === 'export');
	found.burns.push({
		seq,
		txid,
		time,
		target: symbolOf(burn.targetSymbol),
		ccid: burn.targetCcid,
		value: tokenid === null ? burn.value : 0n,
		tokenid,
		units: sumOf(burnt.map(({ units }) => units)),
		payoutsHash: burn.payoutsHash
	});
}

/**
 * Adds an import, if the transaction is one. Its value is what the burn burned in satoshi, 0 for a token; an import
 * without a burn of another chain has neither source nor CCid.
 * @param token the token that the import creates; null for coins
 */
export function addImport(
	{ seq, time, txid, tx, found }: Extraction,
	token: KnownToken | null
): void {
	const parts = parseImport(tx);
	if (!parts) return;
	const burn = parseBurn(parts.burnTx);
	const origin = burn?.targetCcid === SELF_IMPORT_CCID ? null : burn;
	found.imports.push({
		seq,
		txid,
		time,
		burnTxid: tx.vin[0]!.txid,
		source: symbolOf(origin?.sourceSymbol ?? ''),
		ccid: origin?.targetCcid ?? null,
		value: token ? 0n : (burn?.value ?? 0n),
		token: token?.seq ?? null,
		proof: parts.proof.kind
	});
}
