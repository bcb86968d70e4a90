/** Token units and wholes. One whole is 10^decimals units; without decimals they are the same. */
import { amountFault, bareAmount } from './amount.ts';
import type { AmountFault } from './chainError.ts';

/** An int64 counts units in a transaction. */
const MAX_UNITS = 2n ** 63n - 1n;

type ReadUnits = { ok: true; units: bigint } | { ok: false; fault: AmountFault };

const TOO_LARGE: AmountFault = { code: 'amount.too-large', params: {} };

const refused = (fault: AmountFault): ReadUnits => ({ ok: false, fault });

/** Reads an amount that was typed in wholes. */
export function parseUnits(text: string, decimals: number): ReadUnits {
	const trimmed = bareAmount(text);
	if (trimmed === '') return refused({ code: 'amount.empty', params: {} });
	const match = /^(\d+)(?:\.(\d+))?$/.exec(trimmed);
	if (!match) return refused(amountFault(trimmed, decimals > 0));
	const [, whole = '0', part = ''] = match;
	if (part.length > decimals) {
		return refused({ code: 'amount.too-many-decimals', params: { of: 'token', decimals } });
	}
	// An int64 has 19 digits: what is far longer is not turned into a number first.
	if (whole.length > 40) return refused(TOO_LARGE);
	const units = BigInt(whole) * 10n ** BigInt(decimals) + BigInt(part.padEnd(decimals, '0') || '0');
	if (units <= 0n) return refused({ code: 'amount.zero', params: {} });
	if (units > MAX_UNITS) return refused(TOO_LARGE);
	return { ok: true, units };
}

/**
 * The units that an amount in wholes means while it is being typed; null for what is no amount (yet).
 * What is wrong with it is said when the form is read.
 */
export function typedUnits(text: string, decimals: number): bigint | null {
	const read = parseUnits(text.trim().replace(/\.$/, ''), decimals);
	return read.ok ? read.units : null;
}

/** Units as wholes: 1234n with 2 decimals is `12.34`. */
export function formatUnits(units: bigint, decimals: number): string {
	if (decimals === 0) return units.toString();
	const digits = units.toString().padStart(decimals + 1, '0');
	return `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
}
