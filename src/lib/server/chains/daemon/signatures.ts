/**
 * Only transactions whose signatures cover all of their outputs leave this server. Under another hash type than
 * ALL whoever sees a signature can make it pay somebody else, and no limit, review or audit event would know.
 * So another type is not asked of a daemon, and each answer that can hold signed bytes is read before it is
 * handed out.
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
import { daemonClientOf, type DaemonClient } from './lookup.ts';
import type { Gateway } from './types.ts';
import { isAppError } from '../../platform/errors/appError.ts';

/** Where `signrawtransaction` takes the hash type. */
const HASH_TYPE_AT = 3;
/** The smallest transaction with one input and one output has more hex digits; keys, ids and addresses have fewer. */
const SHORTEST = 120;
const HEX_RUN = new RegExp(`[0-9a-f]{${SHORTEST},}`, 'gi');
/** Transactions that are asked of a daemon to check one answer. */
const MOST_PARENTS = 500;
const AT_A_TIME = 4;
/** Komodo daemon 0.9.0: no such transaction, in the chain or in the mempool. */
const NOT_FOUND = -5;

type SignatureProblem = CodedError<CodesOf<'signature'>>;

/**
 * Why a call must not ask for its hash type; null when it may.
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

/** All texts within a JSON value, names of members included. */
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

/** The hex texts in an answer that are long enough for a transaction, in lower case, each once. */
function longHexIn(answer: string): string[] {
	const texts = [answer];
	// Only where something is escaped can a text hold more than the answer shows.
	if (answer.includes('\\')) {
		try {
			texts.push(...textsIn(JSON.parse(answer)));
		} catch {
			// What is no JSON has no escapes.
		}
	}
	const runs = texts.flatMap((text) => text.match(HEX_RUN) ?? []);
	return [...new Set(runs.map((run) => run.toLowerCase()))];
}

const arePayouts = (hex: string): boolean => readOrNull(() => parsePayouts(hex)) !== null;

const hasScripts = ({ vin }: Transaction): boolean =>
	vin.some(({ scriptSig }) => scriptSig.length > 0);

/** A transaction that spends by signatures: an import has a proof in their place, and spends nothing. */
const isSigned = (tx: Transaction): boolean => hasScripts(tx) && !looksLikeImport(tx);

/** @throws {AppError} `daemon` when it could not be found out */
async function transaction(client: DaemonClient, txid: string): Promise<Transaction | null> {
	try {
		const hex = await client.call('getrawtransaction', txid);
		const tx = typeof hex === 'string' ? readableTransaction(hex) : null;
		return tx !== null && txidOf(tx) === txid ? tx : null;
	} catch (error) {
		if (isAppError(error, 'daemon') && error.params.rpcCode === NOT_FOUND) return null;
		throw error;
	}
}

/** The outputs that transactions spend, as far as the daemon or the answer itself knows them. */
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
	/** Null: it is none that can be read. */
	tx: Transaction | null;
}

/** Reads the long hex texts of an answer, wherever they stand, each once. */
export const hexOfAnswer = (answer: string): AnswerHex[] =>
	longHexIn(answer).map((hex) => ({ hex, tx: readableTransaction(hex) }));

/** Those that are signed transactions, in part or in whole: whoever has their bytes can send them from anywhere. */
export const signedHex = (found: readonly AnswerHex[]): string[] =>
	found.flatMap(({ hex, tx }) => (tx !== null && (isShielded(tx) || hasScripts(tx)) ? [hex] : []));

/**
 * Why bytes of an answer must not be handed out; null when they may.
 *
 * @param given the caller's own text: bytes that only come back were the caller's before
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
			// The script of an input that is not complete stands beside its transaction once more.
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
