/** The form of a customized burn: which outputs are spent and who receives, or a transaction that says both. */
import { decodeAddress } from '#lib/chain/address.ts';
import { formatCoins, type Satoshi } from '#lib/chain/amount.ts';
import { isHex } from '#lib/chain/bytes.ts';
import { isChainError } from '#lib/chain/chainError.ts';
import { classify, p2pkh } from '#lib/chain/script.ts';
import {
	isShielded,
	parseTransaction,
	type Transaction,
	type TxOut
} from '#lib/chain/transaction.ts';
import { chainErrorMessage } from '#lib/messages/chainErrors.ts';
import { recipientLines } from '../../wallet/recipients/lines.ts';
import { addressFault, chainErrors, MOST, readCoins, type FieldErrors } from './request.ts';
import type { MigrationPolicy } from './states.ts';

/** Komodo daemon 0.9.0: "Cannot have more than 50 vins", which it says of more than 25 outputs. */
const MOST_PAYOUTS = 25;

/** As a form gives it. */
export interface CustomInput {
	source: string;
	destination: string;
	/** Chosen outputs of the wallet, each `txid:vout`. */
	outputs: readonly string[];
	/** One recipient a line: address, comma or space, coins. */
	recipients: string;
	/** A raw transaction in hex instead of both. */
	raw: string;
	policy: MigrationPolicy;
}

export interface Outpoint {
	txid: string;
	vout: number;
}

/** The same, read. */
interface CustomRequest {
	source: string;
	destination: string;
	policy: MigrationPolicy;
	inputs: Outpoint[];
	payouts: TxOut[];
	/** The transaction that was brought along; null where the daemon composes it. */
	raw: string | null;
}

function readRecipients(text: string): { payouts: TxOut[] } | { fault: string } {
	const lines = recipientLines(text);
	if (lines.length === 0) return { fault: 'Enter at least one recipient.' };
	if (lines.length > MOST_PAYOUTS) {
		return { fault: `One burn pays ${MOST_PAYOUTS} recipients at most.` };
	}
	const payouts: TxOut[] = [];
	const seen = new Set<string>();
	for (const { line, recipient: address, amount } of lines) {
		const at = lines.length > 1 ? `Line ${line}: ` : '';
		if (/\s/.test(amount)) {
			return { fault: `${at}Write an address, a comma or a space, and the coins.` };
		}
		const fault = addressFault(address);
		if (fault !== null) return { fault: `${at}${fault}` };
		if (seen.has(address)) return { fault: `${at}This address stands there twice.` };
		seen.add(address);
		const read = readCoins(amount);
		if ('fault' in read) return { fault: `${at}${read.fault}` };
		payouts.push({ value: read.amount, script: p2pkh(decodeAddress(address).hash) });
	}
	return { payouts };
}

/** What is wrong with the outputs of a transaction that is to become a burn; null when nothing is. */
function payoutsFault(payouts: readonly TxOut[]): string | null {
	if (payouts.length === 0) return 'The transaction pays no one.';
	if (payouts.length > MOST_PAYOUTS) {
		return `The transaction has ${payouts.length} outputs; ${MOST_PAYOUTS} are the most.`;
	}
	for (const [index, { value, script }] of payouts.entries()) {
		const { type } = classify(script);
		if (type !== 'pubkeyhash' && type !== 'pubkey') {
			return `Output ${index} pays no ordinary address: it would be lost on the destination.`;
		}
		if (value <= 0n) return `Output ${index} pays nothing.`;
	}
	return null;
}

const sum = (payouts: readonly TxOut[]): Satoshi =>
	payouts.reduce((total, { value }) => total + value, 0n);

function readRaw(text: string): { tx: Transaction } | { fault: string } {
	if (!isHex(text)) return { fault: 'Write the transaction as an even number of hex digits.' };
	let tx: Transaction;
	try {
		tx = parseTransaction(text);
	} catch (error) {
		if (!isChainError(error, 'parse')) throw error;
		return { fault: `This transaction cannot be read: ${chainErrorMessage(error)}` };
	}
	if (isShielded(tx) || tx.valueBalance !== 0n) {
		return { fault: 'The transaction touches the shielded pool; a burn cannot.' };
	}
	if (!tx.overwintered || tx.version !== 4) {
		return { fault: 'The transaction is of an old version that chains with Sapling refuse.' };
	}
	const fault = payoutsFault(tx.vout);
	return fault === null ? { tx } : { fault };
}

function readOutputs(outputs: readonly string[]): Outpoint[] | null {
	const read = [...new Set(outputs)].map((text) => /^([0-9a-f]{64}):(\d{1,9})$/.exec(text));
	if (read.length === 0 || read.some((match) => match === null)) return null;
	return read.flatMap((match) => (match ? [{ txid: match[1]!, vout: Number(match[2]) }] : []));
}

/** Inputs and payouts of a transaction that is to become a burn. */
export function composedParts(hex: string): { inputs: Outpoint[]; payouts: TxOut[] } {
	const { vin, vout } = parseTransaction(hex);
	return { inputs: vin.map(({ txid, vout: n }) => ({ txid, vout: n })), payouts: vout };
}

/** Reads the form; every mistake is found at its field. */
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
			errors.raw = 'Either choose outputs and recipients, or paste a transaction: not both.';
		} else if ('fault' in read) errors.raw = read.fault;
		else request = { source, destination, policy, raw, ...composedParts(raw) };
	} else {
		const inputs = readOutputs(input.outputs);
		if (inputs === null) errors.outputs = 'Choose the outputs that shall be spent.';
		const read = readRecipients(input.recipients);
		if ('fault' in read) errors.recipients = read.fault;
		else if (inputs !== null) {
			request = { source, destination, policy, raw: null, inputs, payouts: read.payouts };
		}
	}
	if (request && sum(request.payouts) > MOST) {
		errors[raw === '' ? 'recipients' : 'raw'] =
			`One migration holds ${formatCoins(MOST)} coins at most.`;
	}
	if (!request || Object.keys(errors).length > 0) return { errors };
	return { request };
}
