/** Repeatable random numbers: the same seed gives the same choices. */

export interface Chance {
	/** A number from 0 up to, but not including, 1. */
	next(): number;
	/** An integer, both bounds included. */
	between(least: number, most: number): number;
	pick<T>(from: readonly T[]): T;
	/** The same elements in another order. */
	shuffled<T>(from: readonly T[]): T[];
}

/** Mulberry32: small, and good enough to choose what to break next. */
export function chanceOf(seed: number): Chance {
	let state = seed >>> 0;
	const next = (): number => {
		state = (state + 0x6d2b79f5) >>> 0;
		let mixed = Math.imul(state ^ (state >>> 15), state | 1);
		mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
	};
	const between = (least: number, most: number): number =>
		least + Math.floor(next() * (most - least + 1));
	return {
		next,
		between,
		pick: (from) => from[between(0, from.length - 1)]!,
		shuffled(from) {
			const left = [...from];
			return from.map(() => left.splice(between(0, left.length - 1), 1)[0]!);
		}
	};
}
