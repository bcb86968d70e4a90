/**
 * Reviews imports. The daemon reports every refusal of an import with the same message, so its checks are repeated
 * here before sending, to name the problem.
 */
import { valueOf } from '#lib/chain/amount.ts';
import { IMPORT_FEE, parseBurn, payoutsHash, serializePayouts } from '#lib/chain/burn.ts';
import { bytesEqual, bytesToHex, displayHash, NO_HASH } from '#lib/chain/bytes.ts';
import { parseImport, proofRoot, type ImportParts } from '#lib/chain/importProof.ts';
import { txidOf, type Transaction } from '#lib/chain/transaction.ts';
import { AppError } from '../../platform/errors/appError.ts';
import { isToken } from '../../wallet/transactions/verifyTransaction.ts';
import { readHex } from './burnParts.ts';
import type { MigrationRow } from './migrationRecord.ts';

interface ImportRequest {
	burnTxid: string;
	/** Serialized payouts, hex. */
	payouts: string;
	destination: string;
	ccid: number;
}

/** Returns what the import of a migration has to match. */
export const importRequestOf = (row: MigrationRow): ImportRequest => ({
	burnTxid: row.burn_txid ?? '',
	payouts: row.payouts ?? '',
	destination: row.destination,
	ccid: Number(row.ccid)
});

export interface ImportReview {
	txid: string;
	size: number;
	/** The notarization on KMD that the proof starts from. Display order. */
	notarization: string;
	/** Root that the proof leads to: a MoM after the first stage, a MoMoM when complete. Display order. */
	root: string;
}

/** Parses a built import and compares it with its burn. @throws {AppError} `review.…` */
function readImport(hex: string, request: ImportRequest): { tx: Transaction; parts: ImportParts } {
	const tx = readHex(hex, 'import');
	const parts = parseImport(tx);
	if (!parts) throw new AppError('review.no-import');
	if (txidOf(parts.burnTx) !== request.burnTxid || tx.vin[0]?.txid !== request.burnTxid) {
		throw new AppError('review.other-burn');
	}
	const burn = parseBurn(parts.burnTx);
	if (!burn || burn.targetSymbol !== request.destination || burn.targetCcid !== request.ccid) {
		throw new AppError('review.import-wrong-destination', {
			destination: request.destination,
			ccid: request.ccid
		});
	}
	const sameOutputs = bytesToHex(serializePayouts(parts.payouts)) === request.payouts;
	if (!sameOutputs || !bytesEqual(payoutsHash(parts.payouts), burn.payoutsHash)) {
		throw new AppError('review.import-other-payouts');
	}
	// Crypto-condition outputs hold token units, not coins.
	const paid = valueOf(tx.vout.filter((output) => !isToken(output)));
	if (paid > burn.value || paid < burn.value - IMPORT_FEE) {
		const params = {
			burned: burn.value.toString(),
			paid: paid.toString(),
			chain: burn.sourceSymbol
		};
		throw new AppError('review.import-wrong-value', params);
	}
	return { tx, parts };
}

/** Reviews a built import with a proof of notarizations. @throws {AppError} `review.…` */
export function reviewImport(hex: string, request: ImportRequest): ImportReview {
	const { tx, parts } = readImport(hex, request);
	if (parts.proof.kind !== 'txproof') throw new AppError('review.no-proof');
	const root = displayHash(proofRoot(tx));
	if (root === NO_HASH) throw new AppError('review.empty-proof');
	return { txid: txidOf(tx), size: hex.length / 2, notarization: parts.proof.txid, root };
}

/** Reviews a built import with approvals, which must be the requested ones. @throws {AppError} `review.…` */
export function reviewApprovedImport(
	hex: string,
	request: ImportRequest,
	approvals: readonly string[]
): { txid: string } {
	const { tx, parts } = readImport(hex, request);
	const carried = parts.proof.kind === 'approvals' ? parts.proof.txids : [];
	if (carried.length !== approvals.length || carried.some((txid, i) => txid !== approvals[i])) {
		throw new AppError('review.other-approvals');
	}
	return { txid: txidOf(tx) };
}
