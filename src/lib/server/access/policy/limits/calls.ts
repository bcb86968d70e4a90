/** What a call of the RPC API takes, where it makes its own transaction or signs a message. */
import type { DaemonMethod } from '#lib/rpc/daemon/index.ts';
import { isValidAddress } from '#lib/chain/address.ts';
import { MAX_SATOSHI } from '#lib/chain/amount.ts';
import type { Movement } from '../rules/facts.ts';
import type { Usage } from './kinds.ts';

/** Python writes 0.00001 as `1e-05`. */
const AMOUNT = /^"?(\d{1,12})(?:\.(\d{1,30}))?(?:[eE]([-+]?\d{1,2}))?"?$/;

/**
 * The satoshi of an amount as a caller wrote it, a JSON number or text, rounded up; null when it is no
 * amount, one so written that the daemon may read another, or more than any chain holds.
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

/** The text of a JSON string; empty when it is none. */
export function textOf(json: string | undefined): string {
	try {
		const value: unknown = JSON.parse(json ?? '""');
		return typeof value === 'string' ? value : '';
	} catch {
		return '';
	}
}

/**
 * What such a call moves. A daemon pays the address that the call names; one that it may read otherwise is unknown.
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
 * What a call takes that does not bring a transaction along; null for one that takes nothing of a limit, or
 * whose hex says it (`sendrawtransaction`).
 * @param params JSON texts
 */
export function usageOfCall(method: DaemonMethod, params: readonly string[]): Usage | null {
	switch (method) {
		case 'sendtoaddress':
			return { kind: 'coin-send', amount: satoshiOf(params[1] ?? '') };
		// The daemon computes the fee of an entry from its size and its days.
		case 'kvupdate':
			return { kind: 'coin-send', amount: null };
		case 'signmessage':
			return { kind: 'sign', amount: 0n };
		default:
			return null;
	}
}
