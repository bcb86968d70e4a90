import { bytesToHex } from '#lib/chain/bytes.ts';
import { parseBurn } from '#lib/chain/burn.ts';
import { buildImport, parseImport, proofRoot, type TxProof } from '#lib/chain/importProof.ts';
import { merkleBranch } from '#lib/chain/merkle.ts';
import type { Transaction, TxOut } from '#lib/chain/transaction.ts';
import type { LedgerApi } from '../api.ts';
import { SCAN_LIMIT } from '../notarizationIndex.ts';
import { CrossChainError } from './error.ts';
import { isZeroHash } from './mom.ts';
import { proofRootAt } from './proofRoot.ts';

/** An import with its first proof, and where the notarization of that proof is on the main chain. */
interface FirstStage {
	tx: Transaction;
	parts: { burnTx: Transaction; payouts: readonly TxOut[]; proof: TxProof };
	targetSymbol: string;
	targetCcid: number;
	/** Height on the main chain of the notarization of the source chain. */
	sourceHeight: number;
}

const readFirstStage = (kmd: LedgerApi, tx: Transaction): FirstStage => {
	if (!kmd.isMain) throw new CrossChainError('Must be called on KMD');
	const parts = parseImport(tx);
	if (!parts) throw new CrossChainError("Couldn't unmarshal importTx");
	const burn = parseBurn(parts.burnTx);
	if (!burn) throw new CrossChainError("Couldn't unmarshal burnTx");
	const { proof } = parts;
	if (proof.kind !== 'txproof') throw new CrossChainError('Incorrect import tx proof');
	const source = kmd.mined(proof.txid);
	if (!source) throw new CrossChainError('Notarisation not found');
	return {
		tx,
		parts: { ...parts, proof },
		targetSymbol: burn.targetSymbol,
		targetCcid: burn.targetCcid,
		sourceHeight: source.height
	};
};

const notarizesTarget = (kmd: LedgerApi, { targetSymbol }: FirstStage, height: number): boolean =>
	kmd.notarizationsAt(height).some(({ data }) => data.symbol === targetSymbol);

/** Extends the proof to the MoMoM of the destination at a height of the main chain. */
const completeAt = (kmd: LedgerApi, first: FirstStage, height: number): Transaction => {
	const { parts } = first;
	const { proof } = parts;
	const root = proofRootAt(kmd, first.targetSymbol, first.targetCcid, height);
	if (!root) throw new CrossChainError('No MoMs found');
	const mom = bytesToHex(proofRoot(first.tx));
	const position = root.moms.findIndex((one) => bytesToHex(one) === mom);
	if (position < 0) throw new CrossChainError("Couldn't find MoM within MoMoM set");
	// Uses KMD's own transaction format: a KMD before Sapling builds an import that the destination refuses.
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

const NO_TARGET = 'Cannot find notarisation for target inclusive of source';

/**
 * Extends the proof of a first-stage import from the source's MoM to a MoMoM of the destination. `offset`
 * counts KMD blocks up from the first notarization of the destination at or after that of the source. Works
 * on the main chain only.
 *
 * @throws CrossChainError with the daemon's messages
 */
export const completeImport = (kmd: LedgerApi, importTx: Transaction, offset = 0): Transaction => {
	const first = readFirstStage(kmd, importTx);
	const end = Math.min(first.sourceHeight + SCAN_LIMIT, kmd.height);
	for (let at = Math.max(first.sourceHeight, 1); at < end; at++) {
		if (notarizesTarget(kmd, first, at)) return completeAt(kmd, first, at + offset);
	}
	throw new CrossChainError(NO_TARGET);
};

/**
 * As the interface document specifies it: searches this many blocks below the tip of the main chain, the
 * newest notarization of the destination first.
 *
 * @throws CrossChainError with the daemon's messages
 */
export const completeBelow = (
	kmd: LedgerApi,
	importTx: Transaction,
	blocks: number
): Transaction => {
	const first = readFirstStage(kmd, importTx);
	let refusal = new CrossChainError(NO_TARGET);
	for (let at = kmd.height - 1; at >= Math.max(kmd.height - blocks, first.sourceHeight, 1); at--) {
		if (!notarizesTarget(kmd, first, at)) continue;
		try {
			return completeAt(kmd, first, at);
		} catch (cause) {
			if (!(cause instanceof CrossChainError)) throw cause;
			refusal = cause;
		}
	}
	throw refusal;
};
