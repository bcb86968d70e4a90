/**
 * Strands in the picture of a transaction: one for each input or output, its width proportional to the
 * amount. Pure.
 */
import { sumOf } from '#lib/chain/amount.ts';

interface Strand {
	/** Position at the side of the picture, and in the middle where the strands meet. */
	side: number;
	middle: number;
	width: number;
}

/** With more values the rest become a single strand. */
const MOST = 24;
const THINNEST = 1.5;

/**
 * @param values satoshi; a null (unknown) makes all strands equally wide
 * @param height height of the picture
 * @param thick total width of all strands in the middle
 */
export function flowStrands(
	values: readonly (bigint | null)[],
	height: number,
	thick: number
): Strand[] {
	const known = values.filter((value) => value !== null);
	const amounts = known.length === values.length ? known : values.map(() => 1n);
	const shown =
		amounts.length > MOST
			? [...amounts.slice(0, MOST - 1), sumOf(amounts.slice(MOST - 1))]
			: amounts;
	const total = sumOf(shown);
	const widths = shown.map((value) =>
		Math.max(
			THINNEST,
			total === 0n ? thick / shown.length : (Number((value * 10_000n) / total) / 10_000) * thick
		)
	);
	const used = widths.reduce((sum, width) => sum + width, 0);
	const gap = (height - used) / shown.length;
	let side = gap / 2;
	let middle = (height - used) / 2;
	return widths.map((width) => {
		const strand = { side: side + width / 2, middle: middle + width / 2, width };
		side += width + gap;
		middle += width;
		return strand;
	});
}
