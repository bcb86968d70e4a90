/** What a call of the RPC API takes that makes its own transaction or signs a message. */
import type { DaemonMethod } from '#lib/rpc/daemon/index.ts';
import { isValidAddress } from '#lib/chain/address.ts';
import { MAX_SATOSHI } from '#lib/chain/amount.ts';
import { jsonOrNull } from '#lib/text/jsonOrNull.ts';
import type { Movement } from '../rules/facts.ts';
import type { Usage } from './kinds.ts';

/** Allows exponents: Python writes 0.00001 as `1e-05`. */
const AMOUNT = /^"?(\d{1,12})(?:\.(\d{1,30}))?(?:[eE]([-+]?\d{1,2}))?"?$/;

/**
 * Returns the satoshi of an amount as a caller wrote it, a JSON number or text, rounded up. Null when it is
 * not an amount, is written so that the daemon may read a different one, or exceeds what any chain holds.
 */
export function satoshiOf(text: string): bigint | null {
	const match = AMOUNT.exec(text.trim());
	if (!match) return null;
	const [, whole = '', fraction = '', exponent = '0'] = match;
	const digits = BigInt(whole + fraction);
	const power = Number(exponent) - fraction.length + 8;
	const unit = 10n ** BigInt(Math.abs(power));
	const satoshi = power >= 0 ? digits * unit : (digits + unit - 1n) / unit;
	return satoshi > MAX_SATOSHI ? null : satoshi;
}

/** Returns the value of a JSON string; empty when the text is not one. */
export function textOf(json: string | undefined): string {
	const value = jsonOrNull(json ?? '""');
	return typeof value === 'string' ? value : '';
}

/** What `kvupdate` pays to the address that all entries pay, in satoshi. */
const KV_PAYMENT = 10_000n;
/** Smallest fee of an entry, in satoshi. */
const KV_LEAST_FEE = 100_000n;
/**
 * Most bytes of an entry's output beside key and value: header, public key, signature, and the opcodes before
 * them.
 */
const KV_OVERHEAD = 82;
const KV_MOST_DAYS = 365;
const KV_KEY_BYTES = 32;

/** Bytes that a daemon reads of a text: it stops at a zero byte. */
const bytesRead = (json: string | undefined): number =>
	Buffer.byteLength(textOf(json).split('\0', 1)[0] ?? '');

/**
 * Returns the highest fee of an entry of the key-value store, without the network's, in satoshi. Null for an empty
 * key, with which a daemon writes nothing. Source: `kvupdate`, wallet/rpcwallet.cpp, and `komodo_kvfee`,
 * komodo_kv.cpp, of Komodo daemon 0.9.0: days times the square of the output's bytes, divided by those of the
 * key. That daemon counts four days as one; others may count each.
 * @param params JSON texts
 */
function feeOfEntry([key, value, days]: readonly string[]): bigint | null {
	const keyBytes = bytesRead(key);
	if (keyBytes === 0) return null;
	const written = /^"?(\d{1,9})"?$/.exec((days ?? '').trim())?.[1];
	const counted = written === undefined ? KV_MOST_DAYS : Math.max(1, Number(written));
	const bytes = BigInt(keyBytes + bytesRead(value) + KV_OVERHEAD);
	const share = (bytes * bytes) / BigInt(Math.min(keyBytes, KV_KEY_BYTES));
	const fee = BigInt(Math.min(counted, KV_MOST_DAYS)) * share;
	return fee > KV_LEAST_FEE ? fee : KV_LEAST_FEE;
}

/**
 * Returns the highest fee that the parameters of such a call make its daemon pay, in satoshi. The network's fee
 * depends on the daemon.
 * @param params JSON texts
 */
export const feeOfCall = (method: DaemonMethod, params: readonly string[]): bigint =>
	method === 'kvupdate' ? (feeOfEntry(params) ?? 0n) : 0n;

/**
 * Returns what such a call moves. A daemon pays the address that the call names; an address that it may read
 * differently is unknown.
 * @param params JSON texts
 */
export function movementOfCall(
	method: DaemonMethod,
	params: readonly string[],
	chain: string,
	{ kind, amount }: Usage
): Movement {
	const address = textOf(params[0]);
	const recipient =
		method !== 'sendtoaddress'
			? ({ is: 'nobody' } as const)
			: isValidAddress(address)
				? ({ is: 'address', address, own: false } as const)
				: ({ is: 'unknown' } as const);
	return { kind, chain, tokenid: null, parts: [{ recipient, amount }], rest: 0n };
}

/**
 * Returns what a call takes whose parameters hold no transaction. Null for a call that takes nothing from a
 * limit, or whose hex tells what it takes (`sendrawtransaction`).
 * @param params JSON texts
 */
export function usageOfCall(method: DaemonMethod, params: readonly string[]): Usage | null {
	switch (method) {
		case 'sendtoaddress':
			return { kind: 'coin-send', amount: satoshiOf(params[1] ?? '') };
		case 'kvupdate': {
			const fee = feeOfEntry(params);
			return { kind: 'coin-send', amount: fee && KV_PAYMENT + fee };
		}
		case 'signmessage':
			return { kind: 'sign', amount: 0n };
		default:
			return null;
	}
}
