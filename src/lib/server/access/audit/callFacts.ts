/**
 * Facts for the audit log of a call that sends, builds or signs: amount, asset and recipients, or which
 * message.
 */
import { formatCoins, valueOf } from '#lib/chain/amount.ts';
import { parseBurn } from '#lib/chain/burn.ts';
import { bytesToHex } from '#lib/chain/bytes.ts';
import { classify } from '#lib/chain/script.ts';
import { tokenPayloadOf } from '#lib/chain/tokenEffect.ts';
import { readableTransaction, txidOf, type Transaction } from '#lib/chain/transaction.ts';
import type { DaemonMethod } from '#lib/rpc/daemon/index.ts';
import { jsonOrNull } from '#lib/text/jsonOrNull.ts';
import type { AuditValue } from '../../platform/audit-trail/entry.ts';
import { sha256Hex } from '../../platform/secrets/digest.ts';

type Facts = Readonly<Record<string, AuditValue>>;

/** Most recipients that one event names; the number of outputs is always given. */
const MOST_RECIPIENTS = 10;
/** Most characters of a parameter. Addresses, keys and amounts are shorter. */
const LONGEST = 80;

/** The asset of a call that creates a token. */
const NEW_TOKEN = { code: 'new-token', params: {} } as const;

/**
 * Facts of a message that is signed: a signature can log in elsewhere or make a promise. Whoever has the
 * message can compare it; the message itself is not stored, because it may be a secret that was pasted by
 * mistake.
 */
export const messageFacts = (message: string): Facts => ({
	messageBytes: Buffer.byteLength(message),
	messageSha256: sha256Hex(message)
});

/** Parses a parameter; null for invalid JSON. */
const parameterOf = (json: string | undefined): unknown => jsonOrNull(json ?? 'null');

/** A parameter that is a string or number, as truncated text; null for any other. */
function textOf(json: string | undefined): string | null {
	const value = parameterOf(json);
	return typeof value === 'string' || typeof value === 'number'
		? String(typeof value === 'number' ? json : value).slice(0, LONGEST)
		: null;
}

/** Returns what the bytes of a transaction do. The bytes themselves are not stored. */
export function transactionFacts(tx: Transaction): Facts {
	const burn = parseBurn(tx);
	const token = tokenPayloadOf(tx);
	const paid = tx.vout.filter(({ value }) => value > 0n);
	return {
		txid: txidOf(tx),
		amount: formatCoins(valueOf(paid)),
		recipients: paid.slice(0, MOST_RECIPIENTS).map(({ value, script }) => ({
			to: classify(script).address ?? { code: 'no-address', params: {} },
			amount: formatCoins(value)
		})),
		outputs: tx.vout.length,
		...(burn === null ? {} : { burnFor: burn.targetSymbol }),
		...(token === null
			? {}
			: token.kind === 'create'
				? { asset: NEW_TOKEN }
				: {
						asset: token.tokenid,
						keys: token.destPubkeys.slice(0, MOST_RECIPIENTS).map((key) => bytesToHex(key))
					})
	};
}

/**
 * Returns the facts of a call, from its bytes or its parameters.
 * @param params JSON texts
 */
export function callFacts(method: DaemonMethod, params: readonly string[]): Facts {
	const at = (index: number): string | null => textOf(params[index]);
	switch (method) {
		case 'sendrawtransaction':
		case 'signrawtransaction':
		case 'fundrawtransaction': {
			let hex: unknown;
			try {
				hex = JSON.parse(params[0] ?? 'null');
			} catch {
				return {};
			}
			const tx = typeof hex === 'string' ? readableTransaction(hex.toLowerCase()) : null;
			return tx === null ? { unreadable: true } : transactionFacts(tx);
		}
		case 'sendtoaddress':
			return { recipients: [{ to: at(0), amount: at(1) }], amount: at(1) };
		case 'tokentransfer':
			return { asset: at(0), recipients: [{ to: at(1), amount: at(2) }], amount: at(2) };
		case 'tokencreate':
			return { asset: NEW_TOKEN, amount: at(1) };
		case 'migrate_createburntransaction':
			return {
				burnFor: at(0),
				recipients: [{ to: at(1), amount: at(2) }],
				amount: at(2),
				...(params[3] === undefined ? {} : { asset: at(3) })
			};
		case 'signmessage': {
			const message = parameterOf(params[1]);
			return { address: at(0), ...(typeof message === 'string' ? messageFacts(message) : {}) };
		}
		case 'selfimport':
			return { recipients: [{ to: at(0), amount: at(1) }], amount: at(1) };
		default:
			return {};
	}
}
