/** The strands of the picture of a transaction: one for each input or output, as thick as its share. Pure. */

interface Strand {
	/** Where it begins at the side of the picture, and where it meets the others in the middle. */
	side: number;
	middle: number;
	width: number;
}

/** More become one strand. */
const MOST = 24;
const THINNEST = 1.5;

/**
 * @param values satoshi; null where it is not known, which makes all equally thick
 * @param height of the picture
 * @param thick how thick all are together in the middle
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
			? [
					...amounts.slice(0, MOST - 1),
					amounts.slice(MOST - 1).reduce((sum, value) => sum + value, 0n)
				]
			: amounts;
	const total = shown.reduce((sum, value) => sum + value, 0n);
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
