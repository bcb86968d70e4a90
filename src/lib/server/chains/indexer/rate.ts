/** Milliseconds over which the rate is measured. */
const WINDOW_MS = 10_000;
/** Milliseconds. A shorter time gives no reliable rate. */
const LEAST_MS = 1_000;

/** Blocks per second over the last seconds. Times are milliseconds of a monotonic clock. */
export class Rate {
	/** When blocks were written, and how many; the first entry only marks the start. */
	#marks: { at: number; blocks: number }[] = [];

	/** Starts a new measurement after a pause. */
	begin(now: number): void {
		this.#marks = [{ at: now, blocks: 0 }];
	}

	add(blocks: number, now: number): void {
		this.#marks.push({ at: now, blocks });
		// One older entry is kept, because it marks the start of the others.
		while (this.#marks.length > 2 && this.#marks[1]!.at <= now - WINDOW_MS) this.#marks.shift();
	}

	/** Null until enough time was measured. */
	perSecond(): number | null {
		const [first, ...rest] = this.#marks;
		const span = first === undefined ? 0 : (rest.at(-1)?.at ?? first.at) - first.at;
		if (span < LEAST_MS) return null;
		return (rest.reduce((sum, { blocks }) => sum + blocks, 0) * 1_000) / span;
	}
}
