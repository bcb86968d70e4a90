import { bytesToHex } from '#lib/chain/bytes.ts';
import { parseBurn } from '#lib/chain/burn.ts';
import { buildImport, parseImport, proofRoot } from '#lib/chain/importProof.ts';
import type { TxProof } from '#lib/chain/importProof.ts';
import { merkleBranch } from '#lib/chain/merkle.ts';
import type { Transaction } from '#lib/chain/transaction.ts';
import type { LedgerApi } from '../api.ts';
import { SCAN_LIMIT } from '../notarizationindex.ts';
import { CrossChainError } from './error.ts';
import { isZeroHash } from './mom.ts';
import { proofRootAt } from './proofroot.ts';

/**
 * Extends the proof of a first-stage import from the source's MoM to a MoMoM of the destination.
 * `offset` counts KMD blocks up from the first notarization of the destination at or after the
 * source's. Runs on the main chain only.
 *
 * @throws CrossChainError with the daemon's texts
 */
export const completeImport = (kmd: LedgerApi, importTx: Transaction, offset = 0): Transaction => {
	if (!kmd.isMain) throw new CrossChainError('Must be called on KMD');
	const parts = parseImport(importTx);
	if (!parts) throw new CrossChainError("Couldn't unmarshal importTx");
	const burn = parseBurn(parts.burnTx);
	if (!burn) throw new CrossChainError("Couldn't unmarshal burnTx");
	const { proof } = parts;
	if (proof.kind !== 'txproof') throw new CrossChainError('Incorrect import tx proof');
	const source = kmd.mined(proof.txid);
	if (!source) throw new CrossChainError('Notarisation not found');
	let target = -1;
	const end = Math.min(source.height + SCAN_LIMIT, kmd.height);
	for (let at = Math.max(source.height, 1); at < end && target < 0; at++) {
		if (kmd.notarizationsAt(at).some(({ data }) => data.symbol === burn.targetSymbol)) target = at;
	}
	if (target < 0) {
		throw new CrossChainError('Cannot find notarisation for target inclusive of source');
	}
	const root = proofRootAt(kmd, burn.targetSymbol, burn.targetCcid, target + offset);
	if (!root) throw new CrossChainError('No MoMs found');
	const mom = bytesToHex(proofRoot(importTx));
	const position = root.moms.findIndex((one) => bytesToHex(one) === mom);
	if (position < 0) throw new CrossChainError("Couldn't find MoM within MoMoM set");
	// Rebuilt in KMD's own transaction format: a KMD below Sapling makes what the destination refuses.
	const format = kmd.isSaplingAt(kmd.height + 1) ? 'sapling' : 'original';
	const longer: TxProof = {
		kind: 'txproof',
		txid: root.destNotarization,
		index: proof.index + position * 2 ** proof.branch.length,
		branch: [...proof.branch, ...merkleBranch(root.moms, position)]
	};
	const complete = buildImport(parts.burnTx, parts.payouts, longer, 0, format);
	const reached = proofRoot(complete);
	if (isZeroHash(reached) || bytesToHex(reached) !== bytesToHex(root.momom)) {
		throw new CrossChainError('Proof check failed');
	}
	return complete;
};
