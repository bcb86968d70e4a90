/**
 * Only transactions whose signatures cover all of their outputs leave this server. With a hash type other than ALL,
 * anyone who sees a signature could redirect the payment, past every limit, review and audit event. So no other
 * hash type is requested from a daemon, and each answer that may contain signed bytes is examined before it is
 * returned.
 */
import { parsePayouts } from '#lib/chain/burn.ts';
import { readOrNull } from '#lib/chain/chainError.ts';

import { looksLikeImport } from '#lib/chain/importProof.ts';
import { faultySignature } from '#lib/chain/sign.ts';
import {
	isShielded,
	readableTransaction,
	txidOf,
	type Transaction,
	type TxOut
} from '#lib/chain/transaction.ts';
import type { CodedError, CodesOf } from '#lib/messages/errors/index.ts';
import type { DaemonMethod } from '#lib/rpc/daemon/index.ts';
import { someAtATime } from '../../platform/async/someAtATime.ts';
import { daemonClientOf } from './daemonClient.ts';
import { isNotFound } from './notFound.ts';
import type { DaemonClient, Gateway } from './types.ts';
import { isAppError } from '../../platform/errors/appError.ts';

/** Parameter index of the hash type in `signrawtransaction`. */
const HASH_TYPE_AT = 3;
/** Hex digits. The smallest transaction with one input and one output has more; keys, ids and addresses have fewer. */
const SHORTEST = 120;
const HEX_RUN = new RegExp(`[0-9a-f]{${SHORTEST},}`, 'gi');
/** Most transactions that are requested from a daemon to check one answer. */
const MOST_PARENTS = 500;
const AT_A_TIME = 4;

type SignatureProblem = CodedError<CodesOf<'signature'>>;

/**
 * Returns why a call must not request its hash type; null when it may.
 * @param params JSON texts
 */
export function hashTypeRefusal(
	method: DaemonMethod,
	params: readonly string[]
): SignatureProblem | null {
	if (method !== 'signrawtransaction') return null;
	const given = params[HASH_TYPE_AT]?.trim() ?? 'null';
	if (given === 'null' || given === '"ALL"') return null;
	return { code: 'signature.hash-type', params: {} };
}

/** Yields all texts within a JSON value, including member names. */
function* textsIn(value: unknown): Generator<string> {
	const left: unknown[] = [value];
	while (left.length > 0) {
		const next = left.pop();
		if (typeof next === 'string') yield next;
		else if (typeof next === 'object' && next !== null) {
			left.push(...Object.keys(next), ...(Object.values(next) as unknown[]));
		}
	}
}

/** Returns the hex texts of an answer that are long enough for a transaction, in lower case, each once. */
function longHexIn(answer: string): string[] {
	const texts = [answer];
	// Only escapes can hide a text that does not appear literally in the answer.
	if (answer.includes('\\')) {
		try {
			texts.push(...textsIn(JSON.parse(answer)));
		} catch {
			// Not JSON, so there are no escapes.
		}
	}
	const runs = texts.flatMap((text) => text.match(HEX_RUN) ?? []);
	return [...new Set(runs.map((run) => run.toLowerCase()))];
}

const arePayouts = (hex: string): boolean => readOrNull(() => parsePayouts(hex)) !== null;

const hasScripts = ({ vin }: Transaction): boolean =>
	vin.some(({ scriptSig }) => scriptSig.length > 0);

/** Whether the transaction spends by signatures. An import has a proof instead and spends nothing. */
const isSigned = (tx: Transaction): boolean => hasScripts(tx) && !looksLikeImport(tx);

/**
 * Returns the transaction; null when the daemon does not know it or its bytes do not match.
 * @throws {AppError} `daemon` when the daemon could not be asked
 */
async function transaction(client: DaemonClient, txid: string): Promise<Transaction | null> {
	try {
		const hex = await client.call('getrawtransaction', txid);
		const tx = typeof hex === 'string' ? readableTransaction(hex) : null;
		return tx !== null && txidOf(tx) === txid ? tx : null;
	} catch (error) {
		if (isNotFound(error)) return null;
		throw error;
	}
}

/** Looks up the outputs that the transactions spend, in the answer itself and at the daemon; null where unknown. */
async function knownOutputs(
	client: DaemonClient,
	txs: readonly Transaction[]
): Promise<(tx: Transaction) => (TxOut | null)[]> {
	const known = new Map<string, Transaction | null>(txs.map((tx) => [txidOf(tx), tx]));
	const wanted = new Set(txs.flatMap(({ vin }) => vin.map(({ txid }) => txid)));
	const missing = [...wanted].filter((txid) => !known.has(txid)).slice(0, MOST_PARENTS);
	const found = await someAtATime(missing, AT_A_TIME, (txid) => transaction(client, txid));
	missing.forEach((txid, at) => known.set(txid, found[at] ?? null));
	return ({ vin }) => vin.map(({ txid, vout }) => known.get(txid)?.vout[vout] ?? null);
}

/** A hex text of an answer that is long enough for a transaction. */
export interface AnswerHex {
	/** In lower case. */
	hex: string;
	/** Null when the text does not parse as a transaction. */
	tx: Transaction | null;
}

/** Returns the long hex texts of an answer, wherever they appear, each once. */
export const hexOfAnswer = (answer: string): AnswerHex[] =>
	longHexIn(answer).map((hex) => ({ hex, tx: readableTransaction(hex) }));

/** Returns the texts that are partly or fully signed transactions, whose bytes anyone could broadcast. */
export const signedHex = (found: readonly AnswerHex[]): string[] =>
	found.flatMap(({ hex, tx }) => (tx !== null && (isShielded(tx) || hasScripts(tx)) ? [hex] : []));

/**
 * Returns why bytes of an answer must not be returned to the caller; null when they may.
 *
 * @param given the caller's own request text: bytes that the caller sent may come back
 */
export async function signatureRefusal(
	gateway: Gateway,
	daemon: string,
	given: string,
	found: readonly AnswerHex[]
): Promise<SignatureProblem | null> {
	const whole = found.filter(({ tx }) => tx !== null).map(({ hex }) => hex);
	const before = given.toLowerCase();
	const strange = found.some(
		({ hex, tx }) =>
			tx === null &&
			!arePayouts(hex) &&
			!before.includes(hex) &&
			// The script of an incompletely signed input is listed once more next to its transaction.
			!whole.some((other) => other.includes(hex))
	);
	if (strange) {
		return { code: 'signature.unreadable-bytes', params: {} };
	}
	const signed = found.flatMap(({ tx }) => (tx !== null && isSigned(tx) ? [tx] : []));
	if (signed.length === 0) return null;
	let outputsOf: (tx: Transaction) => (TxOut | null)[];
	try {
		outputsOf = await knownOutputs(daemonClientOf(gateway, daemon), signed);
	} catch (error) {
		if (!isAppError(error, 'daemon')) throw error;
		return { code: 'signature.unchecked', params: {} };
	}
	for (const tx of signed) {
		const faulty = faultySignature(tx, outputsOf(tx), ['unsigned', 'incomplete']);
		if (faulty === null) continue;
		return { code: 'signature.faulty', params: { input: faulty.input + 1, fault: faulty.fault } };
	}
	return null;
}
