/**
 * A burn is read here, byte by byte, before anybody is asked to confirm it: what the builder made is
 * compared with what was asked for, and a difference stops the migration.
 */
import { formatCoins, type Satoshi } from '#lib/chain/amount.ts';
import { IMPORT_FEE } from '#lib/chain/burn.ts';
import { classify } from '#lib/chain/script.ts';
import { txidOf, type Transaction, type TxOut } from '#lib/chain/transaction.ts';
import {
	checkBurn,
	checkChange,
	checkOnlyCoins,
	checkSignatures,
	checkSigned,
	describeInputs,
	ownAddress,
	readPayouts,
	ReviewError,
	spentBy,
	sumOf,
	type BurnPath,
	type BurnReview
} from './burnParts.ts';

export { readHex, ReviewError, type BurnReview } from './burnParts.ts';

/** What was asked for. */
interface BurnRequest extends BurnPath {
	/** Who receives, a P2PKH address. */
	address: string;
	/** Satoshi that shall arrive. */
	amount: Satoshi;
}

function checkPayouts(payoutsHex: string, request: BurnRequest): TxOut[] {
	const payouts = readPayouts(payoutsHex);
	const [payout] = payouts;
	if (payouts.length !== 1 || !payout) {
		throw new ReviewError('wrong-payouts', 'The import would not pay exactly one output.');
	}
	if (payout.value !== request.amount) {
		throw new ReviewError(
			'wrong-amount',
			`${formatCoins(payout.value)} coins would arrive, but ${formatCoins(request.amount)} were asked for.`
		);
	}
	const { type, address } = classify(payout.script);
	if (type !== 'pubkeyhash' || address !== request.address) {
		throw new ReviewError(
			'wrong-recipient',
			`The import would not pay to ${request.address}, but to ${address ?? 'a script without an address'}.`
		);
	}
	return payouts;
}

/**
 * Reads a built burn and compares it with the request.
 *
 * @param parents the transactions that the inputs spend, by txid
 * @throws {ReviewError} when anything differs
 */
export function reviewBurn(
	built: { hex: string; payouts: string },
	request: BurnRequest,
	parents: ReadonlyMap<string, Transaction>
): BurnReview {
	const tx = checkSigned(built.hex);
	const payouts = checkPayouts(built.payouts, request);
	const burn = checkBurn(tx, request, payouts);
	if (burn.tokenCreationTx) {
		throw new ReviewError('no-burn', 'The transaction burns a token; coins were asked for.');
	}
	if (burn.value !== request.amount + IMPORT_FEE) {
		throw new ReviewError(
			'wrong-amount',
			`The transaction burns ${formatCoins(burn.value)} coins; ${formatCoins(request.amount + IMPORT_FEE)} were to be burned.`
		);
	}
	const change = checkChange(tx.vout.slice(0, -1), ownAddress(request.pubkey));
	const spent = spentBy(tx, parents);
	checkOnlyCoins(spent);
	const paid = sumOf(spent);
	const fee = paid - change - burn.value;
	// Leftovers below 20000 satoshi are not worth a change output: the builder leaves them as a fee.
	if (fee < 0n || fee >= 2n * IMPORT_FEE) {
		throw new ReviewError(
			'unbalanced',
			`The burn spends ${formatCoins(paid)} coins and accounts for ${formatCoins(change + burn.value)}.`
		);
	}
	checkSignatures(tx, spent);
	return {
		txid: txidOf(tx),
		size: built.hex.length / 2,
		inputs: describeInputs(tx, spent),
		change,
		unitsBack: null,
		burned: burn.value,
		amount: request.amount,
		importFee: IMPORT_FEE,
		fee,
		payouts: payouts.map(({ value }) => ({ value, address: request.address }))
	};
}
