/**
 * Reviews a burn byte by byte before a user is asked to confirm it: it is compared with the request, and any
 * difference stops the migration.
 */
import { type Satoshi, valueOf } from '#lib/chain/amount.ts';
import { IMPORT_FEE } from '#lib/chain/burn.ts';
import { classify } from '#lib/chain/script.ts';
import type { Transaction, TxOut } from '#lib/chain/transaction.ts';
import { AppError } from '../../platform/errors/appError.ts';
import {
	changeTo,
	checkOnlyCoins,
	ownAddress,
	readBuilt,
	spentBy
} from '../../wallet/transactions/verifyTransaction.ts';
import {
	checkBurn,
	checkFee,
	readPayouts,
	reviewOf,
	type BurnPath,
	type BurnReview
} from './burnParts.ts';

export { readHex, type BurnReview } from './burnParts.ts';

/** The requested burn. */
interface BurnRequest extends BurnPath {
	/** Recipient, a P2PKH address. */
	address: string;
	/** Satoshi to arrive. */
	amount: Satoshi;
}

function checkPayouts(payoutsHex: string, request: BurnRequest): TxOut[] {
	const payouts = readPayouts(payoutsHex);
	const [payout] = payouts;
	if (payouts.length !== 1 || !payout) throw new AppError('review.not-one-payout');
	if (payout.value !== request.amount) {
		throw new AppError('review.wrong-amount', {
			amount: payout.value.toString(),
			asked: request.amount.toString(),
			chain: request.destination
		});
	}
	const { type, address } = classify(payout.script);
	if (type !== 'pubkeyhash' || address !== request.address) {
		throw new AppError('review.wrong-recipient', {
			address: address ?? null,
			asked: request.address
		});
	}
	return payouts;
}

/**
 * Parses a built burn and compares it with the request.
 *
 * @param parents the transactions that the inputs spend, by txid
 * @throws {AppError} `review`, `verification` or `transaction.unsigned` when anything differs
 */
export function reviewBurn(
	built: { hex: string; payouts: string },
	request: BurnRequest,
	parents: ReadonlyMap<string, Transaction>
): BurnReview {
	const tx = readBuilt(built.hex);
	const payouts = checkPayouts(built.payouts, request);
	const burn = checkBurn(tx, request, payouts);
	if (burn.tokenCreationTx) throw new AppError('review.burns-token');
	if (burn.value !== request.amount + IMPORT_FEE) {
		throw new AppError('review.wrong-burn-amount', {
			amount: burn.value.toString(),
			asked: (request.amount + IMPORT_FEE).toString(),
			chain: request.source
		});
	}
	const change = valueOf(
		changeTo(tx.vout.slice(0, -1), ownAddress(request.pubkey), request.source)
	);
	const spent = spentBy(tx, parents);
	checkOnlyCoins(spent);
	const paid = valueOf(spent);
	const fee = checkFee({
		paid,
		change,
		burned: burn.value,
		most: 2n * IMPORT_FEE - 1n,
		chain: request.source
	});
	return reviewOf(tx, spent, {
		size: built.hex.length / 2,
		change,
		unitsBack: null,
		burned: burn.value,
		amount: request.amount,
		fee,
		payouts: payouts.map(({ value }) => ({ value, address: request.address }))
	});
}
