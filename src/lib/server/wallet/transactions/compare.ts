/**
 * A built token transaction is read here, byte by byte, and compared with what was asked for. A difference
 * stops the flow before a person is asked to confirm anything.
 */
import { addressOfPubkey } from '#lib/chain/address.ts';
import { formatCoins, type Satoshi } from '#lib/chain/amount.ts';
import { bytesEqual, bytesToHex, ChainParseError, hexToBytes } from '#lib/chain/bytes.ts';
import { nftScript, tokenScript, TOKENS_GLOBAL_PUBKEY } from '#lib/chain/cryptocondition.ts';
import { classify } from '#lib/chain/script.ts';
import { faultySignature } from '#lib/chain/sign.ts';
import { BLOB, blobOf, parseTokenPayload } from '#lib/chain/token.ts';
import {
	isShielded,
	parseTransaction,
	txidOf,
	type Transaction,
	type TxOut
} from '#lib/chain/transaction.ts';
import { SendingError } from './errors.ts';
import type { CreateRequest, MergeRequest, TransferRequest } from './request.ts';

/** What a creation pays to the token module's own address, so that the token is listed. */
export const MARKER: Satoshi = 10_000n;
export const FEE: Satoshi = 10_000n;
/** Leftovers below this are not worth a change output: the builder adds them to the fee. */
const LEAST_CHANGE: Satoshi = 20_000n;

export interface ReviewedInput {
	txid: string;
	vout: number;
	value: Satoshi;
	address: string | null;
	meaning: string;
}

export interface ReviewedOutput {
	value: Satoshi;
	address: string | null;
	meaning: string;
}

/** What the bytes do. Values are satoshi; of a token output they are units. */
export interface Review {
	txid: string;
	/** Bytes of the transaction. */
	size: number;
	inputs: ReviewedInput[];
	outputs: ReviewedOutput[];
	fee: Satoshi;
	/** Coins that leave the wallet's free balance: locked in units, marker and fee. */
	cost: Satoshi;
	/** Bytes of the script that carries the payload: what nodes limit. */
	payloadBytes: number;
}

export type Parents = ReadonlyMap<string, Transaction>;

/**
 * The transaction behind a builder's hex.
 * @throws {SendingError} `unsigned` or `mismatch`
 */
export function readBuilt(hex: string): Transaction {
	// Komodo daemon 0.9.0: a builder that cannot sign answers success with an empty hex.
	if (hex === '') throw unsigned();
	let tx: Transaction;
	try {
		tx = parseTransaction(hex);
	} catch (cause) {
		if (!(cause instanceof ChainParseError)) throw cause;
		throw mismatch('it cannot be read', cause);
	}
	if (tx.vin.length === 0 || tx.vin.some(({ scriptSig }) => scriptSig.length === 0)) {
		throw unsigned();
	}
	if (isShielded(tx) || tx.valueBalance !== 0n) throw mismatch('it touches the shielded pool');
	return tx;
}

/** What a builder's answer without signatures means. */
export const unsigned = (): SendingError =>
	new SendingError(
		'unsigned',
		'The daemon built the transaction but could not sign it: its wallet is locked, or lacks the key. Nothing was sent. Unlock the wallet and try again.'
	);

/** Bytes that are not what was asked for: `what` says the difference. */
export const mismatch = (what: string, cause?: unknown): SendingError =>
	new SendingError(
		'mismatch',
		`The transaction that the daemon built is not what was asked for: ${what}. Nothing was sent.`,
		{ cause }
	);

/** The outputs that the inputs spend, each with a good signature. @throws {SendingError} */
export function spentOutputs(tx: Transaction, parents: Parents): TxOut[] {
	const spent = tx.vin.map(({ txid, vout }) => {
		const parent = parents.get(txid);
		const output = parent?.vout[vout];
		if (!parent || !output || txidOf(parent) !== txid) {
			throw mismatch(`the output ${txid}:${vout} that it spends is unknown`);
		}
		return output;
	});
	const faulty = faultySignature(tx, spent);
	if (faulty) {
		const which = `the signature of input ${faulty.input + 1}`;
		throw mismatch(
			faulty.fault === 'not-all'
				? `${which} does not cover the whole transaction, so anybody could change where it pays`
				: `${which} is not good`
		);
	}
	return spent;
}

/** What the inputs hold beyond the outputs, within the builder's bounds. @throws {SendingError} */
export function balance(tx: Transaction, spent: readonly TxOut[]): Satoshi {
	const sum = (outputs: readonly TxOut[]): Satoshi =>
		outputs.reduce((total, { value }) => total + value, 0n);
	if (tx.vout.some(({ value }) => value < 0n)) throw mismatch('an output has a negative value');
	const fee = sum(spent) - sum(tx.vout);
	if (fee < 0n || fee >= FEE + LEAST_CHANGE) {
		throw mismatch(`its fee would be ${formatCoins(fee)} coins`);
	}
	return fee;
}

/** Checks that nothing is paid but to the own key; returns what comes back. @throws {SendingError} */
export function changeOf(outputs: readonly TxOut[], pubkey: string): ReviewedOutput[] {
	const own = addressOfPubkey(pubkey);
	return outputs.map(({ value, script }) => {
		const { type, address = null } = classify(script);
		if ((type !== 'pubkey' && type !== 'pubkeyhash') || address !== own) {
			throw mismatch(
				`it also pays ${formatCoins(value)} coins to ${address ?? 'a script without an address'}`
			);
		}
		return { value, address, meaning: 'change, back to this wallet' };
	});
}

/** The last output, which carries a payload and no coins. @throws {SendingError} */
export function payloadOutput(tx: Transaction): TxOut {
	const last = tx.vout.at(-1);
	if (!last || last.value !== 0n) throw mismatch('its last output does not carry the payload');
	return last;
}

/** Whether an output holds units of a token rather than coins. */
export const isToken = ({ script }: TxOut): boolean => classify(script).type === 'cryptocondition';

const addressOf = (script: Uint8Array): string | null => classify(script).address ?? null;

/** Inputs as a review shows them. */
export function describeInputs(tx: Transaction, spent: readonly TxOut[]): ReviewedInput[] {
	return tx.vin.map(({ txid, vout }, i) => {
		const { value, script } = spent[i]!;
		return {
			txid,
			vout,
			value,
			address: addressOf(script),
			meaning: isToken(spent[i]!) ? 'units of the token' : 'coins'
		};
	});
}

/**
 * Compares a built creation with the request.
 * @param pubkey key of the daemon's wallet, hex
 * @param parents the transactions that the inputs spend, by txid
 * @throws {SendingError}
 */
export function reviewCreate(
	hex: string,
	request: CreateRequest,
	pubkey: string,
	parents: Parents
): Review {
	const tx = readBuilt(hex);
	const spent = spentOutputs(tx, parents);
	if (spent.some(isToken)) throw mismatch('it would spend units of a token');
	const own = hexToBytes(pubkey);
	const [marker, supply] = tx.vout;
	const data = request.data === '' ? undefined : hexToBytes(request.data);
	const script = data ? nftScript(own, data[0]!) : tokenScript(own);
	if (marker?.value !== MARKER || !bytesEqual(marker.script, tokenScript(TOKENS_GLOBAL_PUBKEY))) {
		throw mismatch('the marker that puts it into the token list is missing');
	}
	if (!supply || !bytesEqual(supply.script, script)) {
		throw mismatch('the units would not belong to this wallet');
	}
	if (supply.value !== request.supply) {
		throw mismatch(`it would create ${supply.value} units, and ${request.supply} were asked for`);
	}
	const last = payloadOutput(tx);
	const payload = parseTokenPayload(last.script);
	if (payload?.kind !== 'create') throw mismatch('it does not create a token');
	const blob = blobOf(payload.blobs, BLOB.nonFungible);
	if (payload.name !== request.name || payload.description !== request.description) {
		throw mismatch('the name or the description is another one');
	}
	if (!bytesEqual(payload.owner, own)) throw mismatch('another key would own the token');
	const blobs = data ? 1 : 0;
	if (payload.blobs.length !== blobs || (blob ? bytesToHex(blob) : '') !== request.data) {
		throw mismatch('the non-fungible data is another one');
	}
	const change = changeOf(tx.vout.slice(2, -1), pubkey);
	const fee = balance(tx, spent);
	return {
		txid: txidOf(tx),
		size: hex.length / 2,
		inputs: describeInputs(tx, spent),
		outputs: [
			{
				value: marker.value,
				address: addressOf(marker.script),
				meaning: 'marker: puts the token into the list; it is not yours any more'
			},
			{
				value: supply.value,
				address: addressOf(supply.script),
				meaning: 'the units, to this wallet'
			},
			...change,
			{ value: 0n, address: null, meaning: 'name, description and owner' }
		],
		fee,
		cost: supply.value + marker.value + fee,
		payloadBytes: last.script.length
	};
}

/** Whether the units in a transaction are of this token: it made the token, or moved units of it. */
function carriesToken(tx: Transaction, txid: string, tokenid: string): boolean {
	if (txid === tokenid) return true;
	const last = tx.vout.at(-1);
	const payload = last && parseTokenPayload(last.script);
	return payload?.kind === 'transfer' && payload.tokenid === tokenid;
}

/**
 * Compares a built transfer or burn with the request.
 * @param data non-fungible data of the token, hex, empty for a fungible one
 * @throws {SendingError}
 */
export function reviewTransfer(
	hex: string,
	request: TransferRequest,
	data: string,
	pubkey: string,
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
		throw mismatch('the units would go to another key');
	}
	if (paid.value !== request.units) {
		throw mismatch(`it would move ${paid.value} units, and ${request.units} were asked for`);
	}
	const last = payloadOutput(tx);
	const payload = parseTokenPayload(last.script);
	if (payload?.kind !== 'transfer' || payload.tokenid !== request.tokenid) {
		throw mismatch('it does not move this token');
	}
	const [named, ...others] = payload.destPubkeys;
	if (!named || others.length > 0 || !bytesEqual(named, recipient)) {
		throw mismatch('its payload names another recipient');
	}
	if (payload.blobs.length > 0) throw mismatch('its payload carries more than a transfer needs');
	const between = tx.vout.slice(1, -1);
	const back = between.filter(isToken);
	if (back.length > 1 || back.some(({ script }) => !bytesEqual(script, scriptFor(own)))) {
		throw mismatch('the units that are left would not come back to this wallet');
	}
	tx.vin.forEach(({ txid }, i) => {
		if (!isToken(spent[i]!)) return;
		const holds = bytesEqual(spent[i]!.script, scriptFor(own));
		if (!holds || !carriesToken(parents.get(txid)!, txid, request.tokenid)) {
			throw mismatch('it would spend units of another token');
		}
	});
	const unitsIn = spent.filter(isToken).reduce((sum, { value }) => sum + value, 0n);
	const unitsOut = [paid, ...back].reduce((sum, { value }) => sum + value, 0n);
	if (unitsIn !== unitsOut) {
		throw mismatch(`it takes ${unitsIn} units and gives ${unitsOut}`);
	}
	const change = changeOf(
		between.filter((output) => !isToken(output)),
		pubkey
	);
	const fee = balance(tx, spent);
	return {
		txid: txidOf(tx),
		size: hex.length / 2,
		inputs: describeInputs(tx, spent),
		outputs: [
			{
				value: paid.value,
				address: addressOf(paid.script),
				meaning:
					request.kind === 'token-burn' ? 'units, destroyed for ever' : 'units, to the recipient'
			},
			...back.map(({ value, script }) => ({
				value,
				address: addressOf(script),
				meaning: 'units that are left, back to this wallet'
			})),
			...change,
			{ value: 0n, address: null, meaning: 'which token it is, and who receives' }
		],
		fee,
		cost: fee,
		payloadBytes: last.script.length
	};
}

/**
 * Compares a built merge of outputs with the request: everything goes into one output of the own key.
 * @throws {SendingError}
 */
export function reviewMerge(
	hex: string,
	request: MergeRequest,
	pubkey: string,
	parents: Parents
): Review {
	const tx = readBuilt(hex);
	const spent = spentOutputs(tx, parents);
	const [merged] = changeOf(tx.vout, pubkey);
	if (!merged || tx.vout.length !== 1) throw mismatch('it does not make one output');
	const total = spent.reduce((sum, { value }) => sum + value, 0n);
	if (spent.length !== request.count || total !== request.total || spent.some(isToken)) {
		throw mismatch('it spends other outputs');
	}
	const fee = balance(tx, spent);
	return {
		txid: txidOf(tx),
		size: hex.length / 2,
		inputs: describeInputs(tx, spent),
		outputs: [{ ...merged, meaning: 'everything, back to this wallet in one output' }],
		fee,
		cost: fee,
		payloadBytes: 0
	};
}
