import { IMPORT_FEE, SELF_IMPORT_CCID, parseBurn, payoutsHash } from '#lib/chain/burn.ts';
import type { Burn } from '#lib/chain/burn.ts';
import { bytesToHex } from '#lib/chain/bytes.ts';
import { classify } from '#lib/chain/classified.ts';
import { nulldataOf } from '#lib/chain/script.ts';
import { EVAL } from '#lib/chain/cryptocondition.ts';
import { parseFulfillment } from '#lib/chain/cryptocondition/fulfillment.ts';
import { buildImport, parseImport, proofRoot, type ImportParts } from '#lib/chain/importProof.ts';
import { tokenPayloadOf } from '#lib/chain/tokenEffect.ts';
import { txidOf, type Transaction } from '#lib/chain/transaction.ts';
import { APPROVALS_NEEDED, countApprovals } from './approvals.ts';
import type { ImportLookup } from './importLookup.ts';
import { burnedTokenUnits, importedTokenUnits } from './importValue.ts';
import { knowsMoMoM } from './momomCheck.ts';
import { selfImportFault } from './selfImportRule.ts';

const FIRST_FUNGIBLE_CCID = 100;

const payoutFault = (importTx: Transaction, burn: Burn): string | null => {
	let paid = 0n;
	for (const out of importTx.vout) {
		if (classify(out.script).type !== 'cryptocondition') paid += out.value;
	}
	if (paid > burn.value || paid < burn.value - IMPORT_FEE) return 'payout-too-high-or-too-low';
	return null;
};

const tokenFault = (importTx: Transaction, parts: ImportParts, burn: Burn, symbol: string) => {
	if (symbol === 'LABS') return 'no-tokens-migrate-on-LABS';
	if (tokenPayloadOf(importTx)?.kind !== 'create') return 'cannot-decode-import-tx-token-opret';
	if (!burn.tokenCreationTx || tokenPayloadOf(burn.tokenCreationTx)?.kind !== 'create') {
		return 'cannot-decode-import-tx-token-opret';
	}
	const spendsToken = parts.burnTx.vin.some((input) =>
		parseFulfillment(input.scriptSig)?.evals.includes(EVAL.tokens)
	);
	if (!spendsToken) return 'burn-tx-has-no-token-vins';
	const burned = burnedTokenUnits(parts.burnTx, burn);
	if (burned === 0n || burned !== importedTokenUnits(importTx)) {
		return 'token-cc-burned-output-not-equal-cc-imported-output';
	}
	return null;
};

const proofFault = (
	importTx: Transaction,
	parts: ImportParts,
	burn: Burn,
	lookup: ImportLookup
): string | null => {
	const { proof, burnTx } = parts;
	if (burn.targetCcid === SELF_IMPORT_CCID) {
		return burn.targetSymbol === 'PUBKEY'
			? selfImportFault(parts, lookup)
			: 'invalid-import-proof-for-0xFFFFFFFF';
	}
	if (proof.kind === 'txproof') {
		return knowsMoMoM(lookup, proof.txid, proofRoot(importTx)) ? null : 'momom-check-fail';
	}
	if (proof.kind === 'approvals') {
		const approved = countApprovals(lookup, txidOf(burnTx), proof.txids);
		return approved >= APPROVALS_NEEDED ? null : 'notaries-approval-check-fail';
	}
	return 'invalid-import-proof';
};

/**
 * Checks an import on its destination chain in the daemon's order. Returns the reason that the daemon writes
 * to its log (clients only get `invalid-coin-import`), or null. Whether the burn was already imported is
 * checked elsewhere.
 */
export const importFault = (importTx: Transaction, lookup: ImportLookup): string | null => {
	if (importTx.vout.length < 2) return 'too-few-vouts';
	const parts = parseImport(importTx);
	if (!parts) return 'invalid-params';
	const rebuilt = buildImport(
		parts.burnTx,
		parts.payouts,
		parts.proof,
		importTx.expiryHeight,
		importTx.overwintered ? 'sapling' : 'original'
	);
	if (txidOf(rebuilt) !== txidOf(importTx)) return 'non-canonical';
	if (parts.burnTx.vout.length === 0) return 'invalid-burn-tx-no-vouts';
	const burn = parseBurn(parts.burnTx);
	if (!burn) return 'invalid-burn-tx';
	if (burn.value === 0n) return 'invalid-burn-amount';
	const unfit = payoutFault(importTx, burn);
	if (unfit) return unfit;
	if (bytesToHex(payoutsHash(parts.payouts)) !== bytesToHex(burn.payoutsHash))
		return 'wrong-payouts';
	if (burn.targetCcid < FIRST_FUNGIBLE_CCID) return 'chain-not-fungible';
	if (burn.targetSymbol === '') return 'target-chain-not-specified';
	if (
		burn.targetCcid !== SELF_IMPORT_CCID &&
		(burn.targetCcid !== lookup.params.ccid || burn.targetSymbol !== lookup.symbol)
	) {
		return 'importcoin-wrong-chain';
	}
	const payload = nulldataOf(importTx.vout.at(-1)!.script);
	if (!payload) return 'invalid-import-tx-no-opret';
	if (payload[0] === EVAL.tokens) {
		const fault = tokenFault(importTx, parts, burn, lookup.symbol);
		if (fault) return fault;
	} else if (payload[0] !== EVAL.importCoin) return 'import-tx-incorrect-opret-eval';
	// Importing a token burn as coins would leave the token on no chain at all.
	else if (burn.tokenCreationTx) return 'import-tx-incorrect-opret-eval';
	return proofFault(importTx, parts, burn, lookup);
};
