/** What a call of the RPC API takes that makes its own transaction or signs a message. */
import type { DaemonMethod } from '#lib/rpc/daemon/index.ts';
import { isValidAddress } from '#lib/chain/address.ts';
import { MAX_SATOSHI } from '#lib/chain/amount.ts';
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
	try {
		const value: unknown = JSON.parse(json ?? '""');
		return typeof value === 'string' ? value : '';
	} catch {
		return '';
	}
}

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
		// The daemon computes the fee of an entry from its size and its days.
		case 'kvupdate':
			return { kind: 'coin-send', amount: null };
		case 'signmessage':
			return { kind: 'sign', amount: 0n };
		default:
			return null;
	}
}
