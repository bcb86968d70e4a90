/** Parts of every review of a burn, beside those of each built transaction. */
import type { Satoshi } from '#lib/chain/amount.ts';
import {
	burnPayload,
	burnPayloadOf,
	IMPORT_FEE,
	parseBurn,
	parsePayouts,
	payoutsHash,
	type Burn
} from '#lib/chain/burn.ts';
import { bytesEqual } from '#lib/chain/bytes.ts';
import { isChainError } from '#lib/chain/chainError.ts';
import { classify } from '#lib/chain/script.ts';
import { parseTransaction, txidOf, type Transaction, type TxOut } from '#lib/chain/transaction.ts';
import type { ErrorParams } from '#lib/messages/errors/index.ts';
import { AppError } from '../../platform/errors/appError.ts';
import { checkSignatures, isToken } from '../../wallet/transactions/verifyTransaction.ts';

/** Route of a burn, and the paying wallet. */
export interface BurnPath {
	source: string;
	destination: string;
	ccid: number;
	/** Key of the paying wallet, hex. */
	pubkey: string;
}

/** An output that the import will pay. */
export interface ReviewedPayout {
	/** Satoshi, or units of the token. */
	value: bigint;
	address: string | null;
}

/** A burn that matches the request. */
export interface BurnReview {
	txid: string;
	/** Bytes of the burn transaction. */
	size: number;
	inputs: { txid: string; vout: number; value: bigint; address: string | null; units: boolean }[];
	/** Satoshi returned to the wallet. */
	change: Satoshi;
	/** Units returned to the wallet; null when coins are burned. */
	unitsBack: bigint | null;
	/** Satoshi in the burn output: for coins the amount and the import fee. */
	burned: Satoshi;
	/** Satoshi, or units of the token, that arrive. */
	amount: bigint;
	importFee: Satoshi;
	/** Satoshi that the miners of the source chain receive. */
	fee: Satoshi;
	payouts: ReviewedPayout[];
}

export function readHex(
	hex: string,
	what: Exclude<ErrorParams<'review.unreadable'>['what'], 'payouts'>
): Transaction {
	try {
		return parseTransaction(hex);
	} catch (cause) {
		if (!isChainError(cause, 'parse')) throw cause;
		throw new AppError('review.unreadable', { what }, { cause });
	}
}

/** @throws {AppError} `review.…` */
export function readPayouts(hex: string): TxOut[] {
	try {
		return parsePayouts(hex);
	} catch (cause) {
		if (!isChainError(cause, 'parse')) throw cause;
		throw new AppError('review.unreadable', { what: 'payouts' }, { cause });
	}
}

/**
 * Returns the burn in the last output, which must be for the requested destination and these payouts.
 * @throws {AppError} `review.…`
 */
export function checkBurn(tx: Transaction, path: BurnPath, payouts: readonly TxOut[]): Burn {
	const burn = parseBurn(tx);
	if (!burn) {
		const elsewhere = tx.vout.some((output) => parseBurn({ ...tx, vout: [output] }) !== null);
		throw elsewhere ? new AppError('review.burn-not-last') : new AppError('review.no-burn');
	}
	if (burn.targetSymbol !== path.destination || burn.targetCcid !== path.ccid) {
		throw new AppError('review.wrong-destination', {
			destination: burn.targetSymbol,
			ccid: burn.targetCcid,
			askedDestination: path.destination,
			askedCcid: path.ccid
		});
	}
	if (burn.sourceSymbol !== path.source) {
		throw new AppError('review.wrong-source', { source: burn.sourceSymbol, asked: path.source });
	}
	if (!bytesEqual(burn.payoutsHash, payoutsHash(payouts))) {
		throw new AppError('review.burn-other-payouts');
	}
	// The destination refuses a burn that it cannot parse to the last byte, when the coins are already gone.
	const payload = burnPayloadOf(tx);
	if (!payload || !bytesEqual(payload, burnPayload(burn))) {
		throw new AppError('review.burn-extra-bytes');
	}
	return burn;
}

/**
 * Returns the miners' fee in satoshi: inputs minus change and burned value.
 * @throws {AppError} `review.unbalanced` when it is negative or more than `most`
 */
export function checkFee(of: {
	paid: Satoshi;
	change: Satoshi;
	burned: Satoshi;
	most: Satoshi;
	chain: string;
}): Satoshi {
	const { paid, change, burned, most, chain } = of;
	const fee = paid - change - burned;
	if (fee >= 0n && fee <= most) return fee;
	throw new AppError('review.unbalanced', {
		spent: paid.toString(),
		accounted: (change + burned).toString(),
		chain
	});
}

/**
 * Checks the signatures, and returns the review of a burn that matches the request.
 * @throws {AppError} `verification`
 */
export function reviewOf(
	tx: Transaction,
	spent: readonly TxOut[],
	facts: Omit<BurnReview, 'txid' | 'inputs' | 'importFee'>
): BurnReview {
	checkSignatures(tx, spent);
	return {
		txid: txidOf(tx),
		inputs: describeInputs(tx, spent),
		importFee: IMPORT_FEE,
		...facts
	};
}

/** Returns the inputs as a review shows them. */
function describeInputs(tx: Transaction, spent: readonly TxOut[]): BurnReview['inputs'] {
	return tx.vin.map(({ txid, vout }, index) => {
		const output = spent[index]!;
		const address = classify(output.script).address ?? null;
		return { txid, vout, value: output.value, address, units: isToken(output) };
	});
}
