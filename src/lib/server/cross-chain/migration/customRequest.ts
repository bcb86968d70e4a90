/** The form of a custom burn: UTXOs to spend and recipients, or a transaction that contains both. */
import { decodeAddress } from '#lib/chain/address.ts';
import { valueOf } from '#lib/chain/amount.ts';
import { serializePayouts } from '#lib/chain/burn.ts';
import { isHex } from '#lib/chain/bytes.ts';
import { isChainError } from '#lib/chain/chainError.ts';
import { classify, p2pkh } from '#lib/chain/script.ts';
import {
	isShielded,
	parseTransaction,
	type Transaction,
	type TxOut
} from '#lib/chain/transaction.ts';
import type { RequestFault } from '#lib/messages/migration/requestFaults.ts';
import { recipientLines } from '../../wallet/recipients/lines.ts';
import { addressFault, chainErrors, MOST, readCoins, type FieldErrors } from './request.ts';
import type { MigrationPolicy } from './states.ts';

/** Half of the largest transaction: the import contains all payouts besides its burn and proof. */
const MOST_PAYOUT_BYTES = 100_000;

/** The form's input. */
export interface CustomInput {
	source: string;
	destination: string;
	/** Selected UTXOs of the wallet, each `txid:vout`. */
	outputs: readonly string[];
	/** One recipient per line: address, comma or space, coins. */
	recipients: string;
	/** A raw transaction in hex, instead of outputs and recipients. */
	raw: string;
	policy: MigrationPolicy;
	/** Whether to publish the burn for approval by notaries, instead of proving it by notarizations. */
	approvals?: boolean;
}

export interface Outpoint {
	txid: string;
	vout: number;
}

/** The parsed input. */
interface CustomRequest {
	source: string;
	destination: string;
	policy: MigrationPolicy;
	inputs: Outpoint[];
	payouts: TxOut[];
	/** The pasted transaction; null when the daemon composes it. */
	raw: string | null;
}

function readRecipients(text: string): { payouts: TxOut[] } | { fault: RequestFault } {
	const lines = recipientLines(text);
	if (lines.length === 0) return { fault: { code: 'recipients-missing' } };
	const payouts: TxOut[] = [];
	const seen = new Set<string>();
	for (const { line, recipient: address, amount } of lines) {
		const at = lines.length > 1 ? { line } : {};
		if (/\s/.test(amount)) return { fault: { code: 'recipient-line', ...at } };
		const fault = addressFault(address);
		if (fault !== null) return { fault: { ...fault, ...at } };
		if (seen.has(address)) return { fault: { code: 'recipient-twice', ...at } };
		seen.add(address);
		const read = readCoins(amount);
		if ('fault' in read) return { fault: { ...read.fault, ...at } };
		payouts.push({ value: read.amount, script: p2pkh(decodeAddress(address).hash) });
	}
	const fault = sizeFault(payouts);
	return fault === null ? { payouts } : { fault };
}

/** Returns why payouts are too large for an import; null when they are not. */
function sizeFault(payouts: readonly TxOut[]): RequestFault | null {
	const bytes = serializePayouts(payouts).length;
	return bytes > MOST_PAYOUT_BYTES
		? { code: 'payouts-above', recipients: payouts.length, bytes, most: MOST_PAYOUT_BYTES }
		: null;
}

/** Returns why a transaction with these outputs cannot become a burn; null when it can. */
function payoutsFault(payouts: readonly TxOut[]): RequestFault | null {
	if (payouts.length === 0) return { code: 'raw-no-outputs' };
	for (const [index, { value, script }] of payouts.entries()) {
		const { type } = classify(script);
		if (type !== 'pubkeyhash' && type !== 'pubkey') {
			return { code: 'raw-output-script', output: index };
		}
		if (value <= 0n) return { code: 'raw-output-empty', output: index };
	}
	return sizeFault(payouts);
}

function readRaw(text: string): { tx: Transaction } | { fault: RequestFault } {
	if (!isHex(text)) return { fault: { code: 'raw-not-hex' } };
	let tx: Transaction;
	try {
		tx = parseTransaction(text);
	} catch (error) {
		if (!isChainError(error, 'parse')) throw error;
		return { fault: { code: 'raw-unreadable', error: error.fault } };
	}
	if (isShielded(tx) || tx.valueBalance !== 0n) return { fault: { code: 'raw-shielded' } };
	if (!tx.overwintered || tx.version !== 4) return { fault: { code: 'raw-version' } };
	const fault = payoutsFault(tx.vout);
	return fault === null ? { tx } : { fault };
}

function readOutputs(outputs: readonly string[]): Outpoint[] | null {
	const read = [...new Set(outputs)].map((text) => /^([0-9a-f]{64}):(\d{1,9})$/.exec(text));
	if (read.length === 0 || read.some((match) => match === null)) return null;
	return read.flatMap((match) => (match ? [{ txid: match[1]!, vout: Number(match[2]) }] : []));
}

/** Returns inputs and payouts of a transaction that is to become a burn. */
export function composedParts(hex: string): { inputs: Outpoint[]; payouts: TxOut[] } {
	const { vin, vout } = parseTransaction(hex);
	return { inputs: vin.map(({ txid, vout: n }) => ({ txid, vout: n })), payouts: vout };
}

/** Parses the form; reports each mistake at its field. */
export function readCustom(
	input: CustomInput
): { request: CustomRequest } | { errors: FieldErrors } {
	const errors = chainErrors(input);
	const { source, destination, policy } = input;
	const raw = input.raw.replaceAll(/\s/g, '').toLowerCase();
	let request: CustomRequest | null = null;
	if (raw !== '') {
		const read = readRaw(raw);
		if (input.recipients.trim() !== '' || input.outputs.length > 0) {
			errors.raw = { code: 'raw-and-inputs' };
		} else if ('fault' in read) errors.raw = read.fault;
		else request = { source, destination, policy, raw, ...composedParts(raw) };
	} else {
		const inputs = readOutputs(input.outputs);
		if (inputs === null) errors.outputs = { code: 'inputs-missing' };
		const read = readRecipients(input.recipients);
		if ('fault' in read) errors.recipients = read.fault;
		else if (inputs !== null) {
			request = { source, destination, policy, raw: null, inputs, payouts: read.payouts };
		}
	}
	if (request && valueOf(request.payouts) > MOST) {
		errors[raw === '' ? 'recipients' : 'raw'] = { code: 'amount-above', most: MOST };
	}
	if (!request || Object.keys(errors).length > 0) return { errors };
	return { request };
}
