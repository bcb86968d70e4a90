/** When a chain was notarized, as a picture: places along a line, and how the intervals compare. Pure. */

export interface Mark {
	txid: string;
	/** Unix seconds. */
	time: number;
	height: number;
	signers: readonly number[];
}

export interface PlacedMark extends Mark {
	/** 0 to 1 along the time that the picture spans. */
	x: number;
	/** Seconds since the one before; null for the oldest. */
	interval: number | null;
	/** Blocks since the one before. */
	blocks: number | null;
	/** The interval against the median: 1 is usual, 3 is three times as long. */
	drift: number | null;
}

export interface Timeline {
	marks: PlacedMark[];
	/** Unix seconds. */
	from: number;
	to: number;
	/** Seconds; null with fewer than two. */
	median: number | null;
	/** How often each notary signed, by its number. */
	signed: Map<number, number>;
}

const median = (values: readonly number[]): number | null => {
	if (values.length === 0) return null;
	const sorted = [...values].sort((a, b) => a - b);
	const middle = sorted.length >> 1;
	return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
};

/** Places notarizations of one chain, given newest first. */
export function timelineOf(newestFirst: readonly Mark[]): Timeline {
	const marks = [...newestFirst].sort((a, b) => a.time - b.time);
	const from = marks[0]?.time ?? 0;
	const to = marks.at(-1)?.time ?? 0;
	const intervals = marks.slice(1).map((mark, at) => mark.time - marks[at]!.time);
	const usual = median(intervals);
	const signed = new Map<number, number>();
	for (const { signers } of marks) {
		for (const signer of signers) signed.set(signer, (signed.get(signer) ?? 0) + 1);
	}
	return {
		marks: marks.map((mark, at) => {
			const before = marks[at - 1];
			const interval = before ? mark.time - before.time : null;
			return {
				...mark,
				x: to === from ? 0.5 : (mark.time - from) / (to - from),
				interval,
				blocks: before ? mark.height - before.height : null,
				drift: interval === null || !usual ? null : interval / usual
			};
		}),
		from,
		to,
		median: usual,
		signed
	};
}
