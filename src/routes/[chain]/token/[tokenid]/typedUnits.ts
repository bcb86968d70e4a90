/**
 * The units that an amount in wholes means, while it is being typed; null for what is no amount (yet).
 * The server reads the form itself and says what is wrong.
 */
export function typedUnits(text: string, decimals: number): bigint | null {
	const match = /^(\d{1,20})(?:\.(\d*))?$/.exec(text.trim());
	if (!match) return null;
	const [, whole = '0', part = ''] = match;
	if (part.length > decimals) return null;
	const units = BigInt(whole + part.padEnd(decimals, '0'));
	return units > 0n ? units : null;
}
