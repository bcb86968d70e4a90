const HUNDREDTHS_OF_A_PERCENT = 10_000n;

/**
 * Formats a part of a whole in percent, rounded to two decimals: `12.50`. Null when the whole is not
 * positive.
 *
 * @param part from 0 to `whole`, in the same unit
 */
export function percent(part: bigint, whole: bigint): string | null {
	if (whole <= 0n) return null;
	const hundredths = (part * HUNDREDTHS_OF_A_PERCENT * 2n + whole) / (whole * 2n);
	return `${hundredths / 100n}.${(hundredths % 100n).toString().padStart(2, '0')}`;
}

/** Formats a percentage for display: `12.50 %`, or `< 0.01 %` for a nonzero part that would round to zero. */
export function percentText(part: bigint, whole: bigint): string {
	const text = percent(part, whole);
	if (text === null) return '';
	return text === '0.00' && part > 0n ? '< 0.01 %' : `${text} %`;
}
