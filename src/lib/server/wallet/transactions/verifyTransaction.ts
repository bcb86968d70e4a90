/**
 * Decodes a transaction that a daemon built, byte by byte, and compares it with the request: a difference stops the flow
 * before a member is asked to confirm anything. Has the checks that all kinds of transactions share.
 */
import { addressOfPubkey } from '#lib/chain/address.ts';
import { type Satoshi, valueOf } from '#lib/chain/amount.ts';
import { bytesEqual, bytesToHex, hexToBytes } from '#lib/chain/bytes.ts';
import { isChainError } from '#lib/chain/chainError.ts';
import { nftScript, tokenScript, TOKENS_GLOBAL_PUBKEY } from '#lib/chain/cryptocondition.ts';
import { classify } from '#lib/chain/script.ts';
import { faultySignature } from '#lib/chain/sign.ts';
import { BLOB, blobOf, parseTokenPayload } from '#lib/chain/token.ts';
import type { Meaning } from '#lib/messages/transactions/meanings.ts';
import {
	isShielded,
	parseTransaction,
	txidOf,
	type Transaction,
	type TxOut
} from '#lib/chain/transaction.ts';
import { AppError } from '../../platform/errors/appError.ts';
import type { CreateRequest, TransferRequest } from './request.ts';

/** Satoshi that a creation pays to the token module's own address, so that the token is listed. */
export const MARKER: Satoshi = 10_000n;
export const FEE: Satoshi = 10_000n;
/** Leftovers below this are not worth a change output: the builder adds them to the fee. */
const LEAST_CHANGE: Satoshi = 20_000n;

export interface ReviewedInput {
	txid: string;
	vout: number;
	value: Satoshi;
	address: string | null;
	meaning: Meaning;
}

export interface ReviewedOutput {
	value: Satoshi;
	address: string | null;
	meaning: Meaning;
}

/** What the bytes do. Values are satoshi; those of token outputs are base units. */
export interface Review {
	txid: string;
	/** Bytes of the transaction. */
	size: number;
	inputs: ReviewedInput[];
	outputs: ReviewedOutput[];
	fee: Satoshi;
	/** Satoshi that leave the wallet's free balance, the fee and coins locked in units included. */
	cost: Satoshi;
	/** Size in bytes of the script with the payload, which nodes limit; 0 without a payload. */
	payloadBytes: number;
}

export type Parents = ReadonlyMap<string, Transaction>;

/** The wallet that pays. */
export interface OwnWallet {
	/** Hex. */
	pubkey: string;
	chain: string;
}

/**
 * Parses the hex that a builder returned; the transaction must be signed and not shielded.
 * @throws {AppError} `transaction.unsigned` or `verification`
 */
export function readBuilt(hex: string): Transaction {
	// Komodo daemon 0.9.0: a builder that cannot sign returns success with an empty hex.
	if (hex === '') throw new AppError('transaction.unsigned');
	let tx: Transaction;
	try {
		tx = parseTransaction(hex);
	} catch (cause) {
		if (!isChainError(cause, 'parse')) throw cause;
		throw new AppError('verification.unreadable', {}, { cause });
	}
	if (tx.vin.length === 0 || tx.vin.some(({ scriptSig }) => scriptSig.length === 0)) {
		throw new AppError('transaction.unsigned');
	}
	if (isShielded(tx) || tx.valueBalance !== 0n) throw new AppError('verification.shielded');
	return tx;
}

/** Returns the outputs that the inputs spend, in order. @throws {AppError} `verification` when one is unknown */
export function spentBy(tx: Transaction, parents: Parents): TxOut[] {
	return tx.vin.map(({ txid, vout }) => {
		const parent = parents.get(txid);
		const output = parent?.vout[vout];
		if (!parent || !output || txidOf(parent) !== txid) {
			throw new AppError('verification.input-unknown', { utxo: `${txid}:${vout}` });
		}
		return output;
	});
}

/** @throws {AppError} `verification` for the first input whose signature is invalid or covers only a part */
export function checkSignatures(tx: Transaction, spent: readonly TxOut[]): void {
	const faulty = faultySignature(tx, spent);
	if (!faulty) return;
	throw new AppError(
		faulty.fault === 'not-all'
			? 'verification.signature-partial'
			: 'verification.signature-invalid',
		{ input: faulty.input + 1 }
	);
}

/**
 * Returns the outputs that the inputs spend, after verifying each signature.
 * @throws {AppError} `verification`
 */
export function spentOutputs(tx: Transaction, parents: Parents): TxOut[] {
	const spent = spentBy(tx, parents);
	checkSignatures(tx, spent);
	return spent;
}

/** Returns the fee, which must be within the builder's bounds. @throws {AppError} `verification` */
function balance(tx: Transaction, spent: readonly TxOut[], chain: string): Satoshi {
	if (tx.vout.some(({ value }) => value < 0n)) throw new AppError('verification.negative-output');
	const fee = valueOf(spent) - valueOf(tx.vout);
	if (fee < 0n || fee >= FEE + LEAST_CHANGE) {
		throw new AppError('verification.wrong-fee', { fee: fee.toString(), chain });
	}
	return fee;
}

/**
 * Checks that all outputs pay to the wallet's own key, and returns them as change.
 * @throws {AppError} `verification`
 */
export const changeOf = (
	outputs: readonly TxOut[],
	pubkey: string,
	chain: string
): ReviewedOutput[] => changeTo(outputs, ownAddress(pubkey), chain);

/** The addresses of a wallet of which only the key is known. */
export const ownAddress = (pubkey: string): ReadonlySet<string> =>
	new Set([addressOfPubkey(pubkey)]);

/**
 * Checks that all outputs pay to addresses of the wallet, and returns them as change.
 * @throws {AppError} `verification`
 */
export function changeTo(
	outputs: readonly TxOut[],
	own: ReadonlySet<string>,
	chain: string
): ReviewedOutput[] {
	return outputs.map(({ value, script }) => {
		const { type, address = null } = classify(script);
		if ((type !== 'pubkey' && type !== 'pubkeyhash') || address === null || !own.has(address)) {
			const amount = value.toString();
			throw new AppError('verification.foreign-output', { amount, address, chain });
		}
		return { value, address, meaning: { code: 'change', params: {} } };
	});
}

/** Returns the last output, which holds the payload and no coins. @throws {AppError} `verification` */
export function payloadOutput(tx: Transaction): TxOut {
	const last = tx.vout.at(-1);
	if (!last || last.value !== 0n) throw new AppError('verification.no-payload');
	return last;
}

/** Whether an output holds units of a token rather than coins. */
export const isToken = ({ script }: TxOut): boolean => classify(script).type === 'cryptocondition';

/** Refuses to spend units of a token as coins. @throws {AppError} `verification` */
export function checkOnlyCoins(spent: readonly TxOut[]): void {
	if (spent.some(isToken)) throw new AppError('verification.spends-token');
}

const addressOf = (script: Uint8Array): string | null => classify(script).address ?? null;

/** Returns the inputs as a review shows them. */
export function describeInputs(tx: Transaction, spent: readonly TxOut[]): ReviewedInput[] {
	return tx.vin.map(({ txid, vout }, i) => {
		const { value, script } = spent[i]!;
		return {
			txid,
			vout,
			value,
			address: addressOf(script),
			meaning: { code: isToken(spent[i]!) ? 'input.token' : 'input.coins', params: {} }
		};
	});
}

/** A signed transaction that a builder returned. */
interface Built {
	hex: string;
	tx: Transaction;
	/** The outputs that its inputs spend, in their order. */
	spent: TxOut[];
}

/**
 * Parses a built transaction that must spend no units of a token.
 * @throws {AppError} `transaction.unsigned` or `verification`
 */
export function readCoinSpender(hex: string, parents: Parents): Built {
	const tx = readBuilt(hex);
	const spent = spentOutputs(tx, parents);
	checkOnlyCoins(spent);
	return { hex, tx, spent };
}

/**
 * Returns the review of a transaction whose outputs are checked, after verifying its fee.
 * @param paid satoshi that the outputs take from the wallet's free balance
 * @param outputs as the review shows them
 * @throws {AppError} `verification`
 */
export function reviewBuilt(
	{ hex, tx, spent }: Built,
	{ paid, chain }: { paid: Satoshi; chain: string },
	outputs: ReviewedOutput[]
): Review {
	const fee = balance(tx, spent, chain);
	return {
		txid: txidOf(tx),
		size: hex.length / 2,
		inputs: describeInputs(tx, spent),
		outputs,
		fee,
		cost: paid + fee,
		payloadBytes: payloadOutput(tx).script.length
	};
}

/**
 * Compares a built creation with the request.
 * @param parents the transactions that the inputs spend, by txid
 * @throws {AppError} `verification`
 */
export function reviewCreate(
	hex: string,
	request: CreateRequest,
	{ pubkey, chain }: OwnWallet,
	parents: Parents
): Review {
	const built = readCoinSpender(hex, parents);
	const { tx } = built;
	const own = hexToBytes(pubkey);
	const [marker, supply] = tx.vout;
	const data = request.data === '' ? undefined : hexToBytes(request.data);
	const script = data ? nftScript(own, data[0]!) : tokenScript(own);
	if (marker?.value !== MARKER || !bytesEqual(marker.script, tokenScript(TOKENS_GLOBAL_PUBKEY))) {
		throw new AppError('verification.no-marker');
	}
	if (!supply || !bytesEqual(supply.script, script)) {
		throw new AppError('verification.foreign-units');
	}
	if (supply.value !== request.supply) {
		throw new AppError('verification.wrong-supply', {
			units: supply.value.toString(),
			asked: request.supply.toString()
		});
	}
	const payload = parseTokenPayload(payloadOutput(tx).script);
	if (payload?.kind !== 'create') throw new AppError('verification.no-creation');
	const blob = blobOf(payload.blobs, BLOB.nonFungible);
	if (payload.name !== request.name || payload.description !== request.description) {
		throw new AppError('verification.other-name');
	}
	if (!bytesEqual(payload.owner, own)) throw new AppError('verification.other-creator');
	const blobs = data ? 1 : 0;
	if (payload.blobs.length !== blobs || (blob ? bytesToHex(blob) : '') !== request.data) {
		throw new AppError('verification.other-data');
	}
	const change = changeOf(tx.vout.slice(2, -1), pubkey, chain);
	return reviewBuilt(built, { paid: supply.value + marker.value, chain }, [
		{
			value: marker.value,
			address: addressOf(marker.script),
			meaning: { code: 'token.marker', params: {} }
		},
		{
			value: supply.value,
			address: addressOf(supply.script),
			meaning: { code: 'token.supply', params: {} }
		},
		...change,
		{ value: 0n, address: null, meaning: { code: 'token.facts', params: {} } }
	]);
}

/** Whether the units in a transaction are of this token: it created the token, or transferred units of it. */
function carriesToken(tx: Transaction, txid: string, tokenid: string): boolean {
	if (txid === tokenid) return true;
	const last = tx.vout.at(-1);
	const payload = last && parseTokenPayload(last.script);
	return payload?.kind === 'transfer' && payload.tokenid === tokenid;
}

/**
 * Compares a built transfer or burn with the request.
 * @param data non-fungible data of the token, hex, empty for a fungible one
 * @throws {AppError} `verification`
 */
export function reviewTransfer(
	hex: string,
	request: TransferRequest,
	data: string,
	{ pubkey, chain }: OwnWallet,
	parents: Parents
): Review {
	const tx = readBuilt(hex);
	const spent = spentOutputs(tx, parents);
	const own = hexToBytes(pubkey);
	const recipient = hexToBytes(request.recipient);
	const scriptFor = (key: Uint8Array): Uint8Array =>
		data === '' ? tokenScript(key) : nftScript(key, parseInt(data.slice(0, 2), 16));
	const [paid] = tx.vout;
	if (!paid || !bytesEqual(paid.script, scriptFor(recipient))) {
		throw new AppError('verification.other-key');
	}
	if (paid.value !== request.units) {
		throw new AppError('verification.wrong-units', {
			units: paid.value.toString(),
			asked: request.units.toString()
		});
	}
	const payload = parseTokenPayload(payloadOutput(tx).script);
	if (payload?.kind !== 'transfer' || payload.tokenid !== request.tokenid) {
		throw new AppError('verification.other-token');
	}
	const [named, ...others] = payload.destPubkeys;
	if (!named || others.length > 0 || !bytesEqual(named, recipient)) {
		throw new AppError('verification.other-recipient-named');
	}
	if (payload.blobs.length > 0) throw new AppError('verification.payload-not-bare');
	const between = tx.vout.slice(1, -1);
	const back = between.filter(isToken);
	if (back.length > 1 || back.some(({ script }) => !bytesEqual(script, scriptFor(own)))) {
		throw new AppError('verification.units-not-back');
	}
	tx.vin.forEach(({ txid }, i) => {
		if (!isToken(spent[i]!)) return;
		const holds = bytesEqual(spent[i]!.script, scriptFor(own));
		if (!holds || !carriesToken(parents.get(txid)!, txid, request.tokenid)) {
			throw new AppError('verification.spends-other-token');
		}
	});
	const unitsIn = valueOf(spent.filter(isToken));
	const unitsOut = valueOf([paid, ...back]);
	if (unitsIn !== unitsOut) {
		throw new AppError('verification.units-unbalanced', {
			taken: unitsIn.toString(),
			given: unitsOut.toString()
		});
	}
	const change = changeOf(
		between.filter((output) => !isToken(output)),
		pubkey,
		chain
	);
	return reviewBuilt({ hex, tx, spent }, { paid: 0n, chain }, [
		{
			value: paid.value,
			address: addressOf(paid.script),
			meaning: {
				code: request.kind === 'token-burn' ? 'token.burned' : 'token.paid',
				params: {}
			}
		},
		...back.map(({ value, script }): ReviewedOutput => ({
			value,
			address: addressOf(script),
			meaning: { code: 'token.left', params: {} }
		})),
		...change,
		{ value: 0n, address: null, meaning: { code: 'token.move', params: {} } }
	]);
}
