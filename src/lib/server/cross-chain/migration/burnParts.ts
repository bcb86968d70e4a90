/** What every review of a burn looks at: bytes, signatures, what is spent, what comes back. */
import { addressOfPubkey } from '#lib/chain/address.ts';
import { formatCoins, type Satoshi } from '#lib/chain/amount.ts';
import {
	burnPayload,
	burnPayloadOf,
	parseBurn,
	parsePayouts,
	payoutsHash,
	type Burn
} from '#lib/chain/burn.ts';
import { bytesEqual, ChainParseError } from '#lib/chain/bytes.ts';
import { classify } from '#lib/chain/script.ts';
import { faultySignature } from '#lib/chain/sign.ts';
import {
	isShielded,
	parseTransaction,
	txidOf,
	type Transaction,
	type TxOut
} from '#lib/chain/transaction.ts';

type ReviewErrorCode =
	| 'unsigned'
	| 'unreadable'
	| 'no-burn'
	| 'burn-not-last'
	| 'wrong-amount'
	| 'wrong-destination'
	| 'wrong-source'
	| 'wrong-token'
	| 'wrong-payouts'
	| 'wrong-recipient'
	| 'wrong-outputs'
	| 'foreign-change'
	| 'unbalanced'
	| 'unfunded'
	| 'too-large'
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

/** Where a burn goes and who pays it. */
export interface BurnPath {
	source: string;
	destination: string;
	ccid: number;
	/** Key of the paying wallet, hex. */
	pubkey: string;
}

/** What an import will pay. */
export interface ReviewedPayout {
	/** Satoshi, or units of the token. */
	value: bigint;
	address: string | null;
}

/** A burn that is what was asked for. */
export interface BurnReview {
	txid: string;
	/** Bytes of the burn transaction. */
	size: number;
	inputs: { txid: string; vout: number; value: bigint; address: string | null; units: boolean }[];
	/** Satoshi that come back to the wallet. */
	change: Satoshi;
	/** Units that come back to the wallet; null where coins are burned. */
	unitsBack: bigint | null;
	/** Satoshi that leave the source chain with the burn output: for coins the amount and the import's fee. */
	burned: Satoshi;
	/** Satoshi, or units of the token, that arrive. */
	amount: bigint;
	importFee: Satoshi;
	/** Satoshi that the miners of the source chain get. */
	fee: Satoshi;
	payouts: ReviewedPayout[];
}

export function readHex(hex: string, what: string): Transaction {
	try {
		return parseTransaction(hex);
	} catch (cause) {
		if (!(cause instanceof ChainParseError)) throw cause;
		throw new ReviewError('unreadable', `The daemon gave ${what} that cannot be read.`, { cause });
	}
}

/** A burn whose inputs all carry a script. @throws {ReviewError} */
export function checkSigned(hex: string): Transaction {
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

/** @throws {ReviewError} */
export function readPayouts(hex: string): TxOut[] {
	try {
		return parsePayouts(hex);
	} catch (cause) {
		if (!(cause instanceof ChainParseError)) throw cause;
		throw new ReviewError('unreadable', 'The daemon gave payouts that cannot be read.', { cause });
	}
}

/** The burn in the last output, bound for where it was asked and for these payouts. @throws {ReviewError} */
export function checkBurn(tx: Transaction, path: BurnPath, payouts: readonly TxOut[]): Burn {
	const burn = parseBurn(tx);
	if (!burn) {
		const elsewhere = tx.vout.some((output) => parseBurn({ ...tx, vout: [output] }) !== null);
		throw elsewhere
			? new ReviewError(
					'burn-not-last',
					'The burn is not the last output of the transaction: no chain would recognize it, and what it burns would be lost.'
				)
			: new ReviewError('no-burn', 'The last output of the transaction is not a burn.');
	}
	if (burn.targetSymbol !== path.destination || burn.targetCcid !== path.ccid) {
		throw new ReviewError(
			'wrong-destination',
			`The burn is for ${burn.targetSymbol} with the id ${burn.targetCcid}, not for ${path.destination} with ${path.ccid}.`
		);
	}
	if (burn.sourceSymbol !== path.source) {
		throw new ReviewError(
			'wrong-source',
			`The burn says that it comes from ${burn.sourceSymbol}, not from ${path.source}.`
		);
	}
	if (!bytesEqual(burn.payoutsHash, payoutsHash(payouts))) {
		throw new ReviewError(
			'wrong-payouts',
			'The burn was made for other payouts than the daemon showed: the import would be refused.'
		);
	}
	// A chain refuses a burn that it cannot read to its last byte, after the coins are gone.
	const payload = burnPayloadOf(tx);
	if (!payload || !bytesEqual(payload, burnPayload(burn))) {
		throw new ReviewError(
			'no-burn',
			'The burn carries other bytes than a burn has: no chain would import it, and what it burns would be lost.'
		);
	}
	return burn;
}

/** Satoshi that outputs pay back to the wallet; any other output stops it. @throws {ReviewError} */
export function checkChange(outputs: readonly TxOut[], own: ReadonlySet<string>): Satoshi {
	let change = 0n;
	for (const output of outputs) {
		const { type, address } = classify(output.script);
		const plain = type === 'pubkey' || type === 'pubkeyhash';
		if (!plain || address === undefined || !own.has(address)) {
			throw new ReviewError(
				'foreign-change',
				`The burn also pays ${formatCoins(output.value)} coins to ${address ?? 'a script without an address'}, which is not the wallet's own address.`
			);
		}
		change += output.value;
	}
	return change;
}

export const ownAddress = (pubkey: string): ReadonlySet<string> =>
	new Set([addressOfPubkey(pubkey)]);

/** The outputs that the inputs spend, in order. @throws {ReviewError} when one is unknown */
export function spentBy(tx: Transaction, parents: ReadonlyMap<string, Transaction>): TxOut[] {
	return tx.vin.map(({ txid, vout }) => {
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
}

/** @throws {ReviewError} naming the first input whose signature is not good, or covers only a part */
export function checkSignatures(tx: Transaction, spent: readonly TxOut[]): void {
	const faulty = faultySignature(tx, spent);
	if (!faulty) return;
	const which = `The signature of input ${faulty.input + 1}`;
	throw new ReviewError(
		'unsigned',
		faulty.fault === 'not-all'
			? `${which} does not cover the whole burn: anybody could change where it pays.`
			: `${which} is not good.`
	);
}

/** A burn of coins takes no units with it: spent as coins they would be gone. @throws {ReviewError} */
export function checkOnlyCoins(spent: readonly TxOut[]): void {
	if (spent.some(isCondition)) {
		throw new ReviewError(
			'wrong-token',
			'The burn would spend units of a token as if they were coins.'
		);
	}
}

export const isCondition = ({ script }: TxOut): boolean =>
	classify(script).type === 'cryptocondition';

export const sumOf = (outputs: readonly TxOut[]): bigint =>
	outputs.reduce((sum, { value }) => sum + value, 0n);

/** Inputs as a review shows them. */
export function describeInputs(tx: Transaction, spent: readonly TxOut[]): BurnReview['inputs'] {
	return tx.vin.map(({ txid, vout }, index) => {
		const output = spent[index]!;
		const address = classify(output.script).address ?? null;
		return { txid, vout, value: output.value, address, units: isCondition(output) };
	});
}
