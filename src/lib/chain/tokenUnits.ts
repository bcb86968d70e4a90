/**
 * Converts token amounts between base units and whole tokens. One token is 10^decimals base units; with 0
 * decimals both are the same.
 */
import { amountFault, bareAmount } from './amount.ts';
import type { AmountFault } from './chainError.ts';

/** Largest int64: the type in which a transaction stores base units. */
const MAX_UNITS = 2n ** 63n - 1n;

type ReadUnits = { ok: true; units: bigint } | { ok: false; fault: AmountFault };

const TOO_LARGE: AmountFault = { code: 'amount.too-large', params: {} };

const refused = (fault: AmountFault): ReadUnits => ({ ok: false, fault });

/** Parses an amount in whole tokens, as typed. */
export function parseUnits(text: string, decimals: number): ReadUnits {
	const trimmed = bareAmount(text);
	if (trimmed === '') return refused({ code: 'amount.empty', params: {} });
	const match = /^(\d+)(?:\.(\d+))?$/.exec(trimmed);
	if (!match) return refused(amountFault(trimmed, decimals > 0));
	const [, whole = '0', part = ''] = match;
	if (part.length > decimals) {
		return refused({ code: 'amount.too-many-decimals', params: { of: 'token', decimals } });
	}
	// An int64 has 19 digits; a much longer text is refused before it is converted.
	if (whole.length > 40) return refused(TOO_LARGE);
	const units = BigInt(whole) * 10n ** BigInt(decimals) + BigInt(part.padEnd(decimals, '0') || '0');
	if (units <= 0n) return refused({ code: 'amount.zero', params: {} });
	if (units > MAX_UNITS) return refused(TOO_LARGE);
	return { ok: true, units };
}

/**
 * Returns the base units of an amount in whole tokens while it is being typed; null while it is not a valid
 * amount. Errors are reported when the form is submitted.
 */
export function typedUnits(text: string, decimals: number): bigint | null {
	const read = parseUnits(text.trim().replace(/\.$/, ''), decimals);
	return read.ok ? read.units : null;
}

/** Formats base units as whole tokens: 1234n with 2 decimals is `12.34`. */
export function formatUnits(units: bigint, decimals: number): string {
	if (decimals === 0) return units.toString();
	const digits = units.toString().padStart(decimals + 1, '0');
	return `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
}
