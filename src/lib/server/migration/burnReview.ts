/**
 * A burn is read here, byte by byte, before anybody is asked to confirm it: what the builder made is
 * compared with what was asked for, and a difference stops the migration.
 */
import { addressOfPubkey } from '#lib/chain/address.ts';
import { formatCoins, type Satoshi } from '#lib/chain/amount.ts';
import { IMPORT_FEE, parseBurn, parsePayouts, payoutsHash } from '#lib/chain/burn.ts';
import { bytesEqual, ChainParseError } from '#lib/chain/bytes.ts';
import { classify } from '#lib/chain/script.ts';
import { verifyInput } from '#lib/chain/sign.ts';
import { isShielded, parseTransaction, txidOf, type Transaction } from '#lib/chain/transaction.ts';

export type ReviewErrorCode =
	| 'unsigned'
	| 'unreadable'
	| 'no-burn'
	| 'wrong-amount'
	| 'wrong-destination'
	| 'wrong-source'
	| 'wrong-payouts'
	| 'wrong-recipient'
	| 'foreign-change'
	| 'unbalanced'
	| 'wrong-burn'
	| 'wrong-proof';

/** Built bytes that are not what was asked for. The message is for people. */
export class ReviewError extends Error {
	override readonly name = 'ReviewError';
	readonly code: ReviewErrorCode;

	constructor(code: ReviewErrorCode, message: string, options?: ErrorOptions) {
		super(message, options);
		this.code = code;
	}
}

/** What was asked for. */
export interface BurnRequest {
	source: string;
	destination: string;
	ccid: number;
	/** Who receives, a P2PKH address. */
	address: string;
	/** Satoshi that shall arrive. */
	amount: Satoshi;
	/** Key of the paying wallet, hex. */
	pubkey: string;
}

/** A burn that is what was asked for. */
export interface BurnReview {
	txid: string;
	/** Bytes of the burn transaction. */
	size: number;
	inputs: { txid: string; vout: number; value: Satoshi; address: string | null }[];
	/** Satoshi that come back to the wallet. */
	change: Satoshi;
	/** Satoshi that leave the source chain: the amount and the fee of the import. */
	burned: Satoshi;
	amount: Satoshi;
	importFee: Satoshi;
}

export function readHex(hex: string, what: string): Transaction {
	try {
		return parseTransaction(hex);
	} catch (cause) {
		if (!(cause instanceof ChainParseError)) throw cause;
		throw new ReviewError('unreadable', `The daemon gave ${what} that cannot be read.`, { cause });
	}
}

function checkSigned(hex: string): Transaction {
	if (hex === '') {
		throw new ReviewError(
			'unsigned',
			'The daemon built the burn but could not sign it: its wallet is locked or lacks the key. Unlock the wallet and try again.'
		);
	}
	const tx = readHex(hex, 'a burn');
	if (tx.vin.length === 0 || tx.vin.some(({ scriptSig }) => scriptSig.length === 0)) {
		throw new ReviewError(
			'unsigned',
			'Not every input of the burn is signed: the wallet is locked or lacks a key. Unlock the wallet and try again.'
		);
	}
	if (isShielded(tx) || tx.valueBalance !== 0n) {
		throw new ReviewError('unreadable', 'The burn touches the shielded pool; that was not asked.');
	}
	return tx;
}

function checkPayouts(payoutsHex: string, request: BurnRequest): Uint8Array {
	let payouts;
	try {
		payouts = parsePayouts(payoutsHex);
	} catch (cause) {
		if (!(cause instanceof ChainParseError)) throw cause;
		throw new ReviewError('unreadable', 'The daemon gave payouts that cannot be read.', { cause });
	}
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
	return payoutsHash(payouts);
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
	const hash = checkPayouts(built.payouts, request);
	const burn = parseBurn(tx);
	if (!burn) {
		throw new ReviewError('no-burn', 'The last output of the transaction is not a burn.');
	}
	if (burn.tokenCreationTx) {
		throw new ReviewError('no-burn', 'The transaction burns a token; coins were asked for.');
	}
	if (burn.value !== request.amount + IMPORT_FEE) {
		throw new ReviewError(
			'wrong-amount',
			`The transaction burns ${formatCoins(burn.value)} coins; ${formatCoins(request.amount + IMPORT_FEE)} were to be burned.`
		);
	}
	if (burn.targetSymbol !== request.destination || burn.targetCcid !== request.ccid) {
		throw new ReviewError(
			'wrong-destination',
			`The burn is for ${burn.targetSymbol} with the id ${burn.targetCcid}, not for ${request.destination} with ${request.ccid}.`
		);
	}
	if (burn.sourceSymbol !== request.source) {
		throw new ReviewError(
			'wrong-source',
			`The burn says that it comes from ${burn.sourceSymbol}, not from ${request.source}.`
		);
	}
	if (!bytesEqual(burn.payoutsHash, hash)) {
		throw new ReviewError(
			'wrong-payouts',
			'The burn was made for other payouts than the daemon showed: the import would be refused.'
		);
	}
	const own = addressOfPubkey(request.pubkey);
	let change = 0n;
	for (const output of tx.vout.slice(0, -1)) {
		const { type, address } = classify(output.script);
		if ((type !== 'pubkey' && type !== 'pubkeyhash') || address !== own) {
			throw new ReviewError(
				'foreign-change',
				`The burn also pays ${formatCoins(output.value)} coins to ${address ?? 'a script without an address'}, which is not the wallet's own address.`
			);
		}
		change += output.value;
	}
	const spent = tx.vin.map(({ txid, vout }) => {
		const parent = parents.get(txid);
		const output = parent?.vout[vout];
		if (!parent || !output || txidOf(parent) !== txid) {
			throw new ReviewError(
				'unbalanced',
				`The output ${txid}:${vout} that the burn spends is unknown.`
			);
		}
		return output;
	});
	const paid = spent.reduce((sum, { value }) => sum + value, 0n);
	const fee = paid - change - burn.value;
	// Leftovers below 20000 satoshi are not worth a change output: the builder leaves them as a fee.
	if (fee < 0n || fee >= 2n * IMPORT_FEE) {
		throw new ReviewError(
			'unbalanced',
			`The burn spends ${formatCoins(paid)} coins and accounts for ${formatCoins(change + burn.value)}.`
		);
	}
	const badSignature = spent.findIndex((output, index) => !verifyInput(tx, index, output));
	if (badSignature >= 0) {
		throw new ReviewError('unsigned', `The signature of input ${badSignature + 1} is not good.`);
	}
	return {
		txid: txidOf(tx),
		size: built.hex.length / 2,
		inputs: tx.vin.map(({ txid, vout }, index) => {
			const { value, script } = spent[index]!;
			return { txid, vout, value, address: classify(script).address ?? null };
		}),
		change,
		burned: burn.value,
		amount: request.amount,
		importFee: IMPORT_FEE
	};
}
