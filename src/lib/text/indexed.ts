/** How far the index of a chain is, as pages and the command line count it. Heights and blocks. */
interface Heights {
	startHeight: number;
	height: number;
	target: number;
	/** Blocks a second; 0 while that is not known. */
	rate: number;
}

/** Of a chain of which nothing is known. */
export const NOTHING: Heights = { startHeight: 0, height: -1, target: -1, rate: 0 };

/** Blocks that are indexed, all of them and those that are left; the seconds that these take, null where that is unknown. */
export function indexed({ startHeight, height, target, rate }: Heights) {
	const done = height - startHeight + 1;
	const all = Math.max(done, target - startHeight + 1);
	const left = all - done;
	return { done, all, left, secondsLeft: rate > 0 ? left / rate + 1 : null };
}
