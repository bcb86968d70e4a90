import { bytesEqual } from '#lib/chain/bytes.ts';
import { BURN_PUBKEY, EVAL, tokenScript } from '#lib/chain/cryptocondition.ts';
import { parseFulfillment } from '#lib/chain/cryptocondition/fulfillment.ts';
import {
	isMarker,
	nftDataOf,
	tokenEffectOf as effectOf,
	tokenPayloadOf,
	type SpentOutput,
	type TokenEffect
} from '#lib/chain/tokenEffect.ts';
import { isCoinbase, type Transaction, type TxOut } from '#lib/chain/transaction.ts';
import { classify } from '#lib/chain/classified.ts';

/** Eval modules with which a non-fungible token can be transferred (observed: only these two). */
const MOVABLE_EVALS: ReadonlySet<number> = new Set([EVAL.gateways, EVAL.importGateway]);

/** Lookups that the token rules need: transactions, and the token of an output. */
interface TokenLookup {
	transaction(txid: string): Transaction | undefined;
	tokenAt(txid: string, vout: number): string | undefined;
}

const isCc = (script: Uint8Array): boolean => classify(script).type === 'cryptocondition';

const spentOutputs = (spent: readonly TxOut[]): SpentOutput[] =>
	spent.map(({ value, script }) => {
		const { type, address } = classify(script);
		return { value, type, address };
	});

/**
 * Returns the effect of a transaction on a token; null when it has no token payload.
 * @param spent the outputs that its inputs spend, in order (empty for an import)
 */
export const tokenEffectOf = (
	txid: string,
	tx: Transaction,
	spent: readonly TxOut[],
	lookup: TokenLookup
): TokenEffect | null => {
	if (isCoinbase(tx)) return null;
	return effectOf(txid, tx, spentOutputs(spent), {
		dataOf(id) {
			const creation = lookup.transaction(id);
			return creation && (nftDataOf(creation) ?? null);
		},
		tokenAt: (id, vout) => lookup.tokenAt(id, vout)
	});
};

/**
 * Applies the validators of the inputs' eval codes. Returns the reason of a refusal (the client only sees a
 * failed script) or null.
 */
export const tokenSpendFault = (
	tx: Transaction,
	spent: readonly TxOut[],
	lookup: TokenLookup
): string | null => {
	const evals = new Set<number>();
	let spendsMarker = false;
	tx.vin.forEach((input, index) => {
		const out = spent[index]!;
		if (!isCc(out.script)) return;
		for (const code of parseFulfillment(input.scriptSig)?.evals ?? []) evals.add(code);
		spendsMarker ||= isMarker(out.script);
	});
	if (evals.size === 0) return null;
	if (!evals.has(EVAL.tokens)) return `no validator for code ${[...evals].join(', ')}`;
	const payload = tokenPayloadOf(tx);
	if (!payload) return 'no token payload in last output';
	if (payload.kind !== 'transfer') return 'token inputs in a creation';
	const creation = lookup.transaction(payload.tokenid);
	if (!creation || tokenPayloadOf(creation)?.kind !== 'create') return 'unknown tokenid';
	const code = nftDataOf(creation)?.[0];
	for (const other of evals) {
		if (other === EVAL.tokens) continue;
		if (other !== code || !MOVABLE_EVALS.has(other)) return `no validator for code ${other}`;
	}
	const effect = tokenEffectOf('', tx, spent, lookup);
	if (!effect || effect.outputs.size === 0) return 'token inputs and outputs do not balance';
	if (spendsMarker && code === undefined) {
		const burn = tokenScript(BURN_PUBKEY);
		if (tx.vout.some((out) => bytesEqual(out.script, burn))) {
			return 'marker spent in the burn of a fungible token';
		}
	}
	return null;
};
