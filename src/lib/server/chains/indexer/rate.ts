/** How far back blocks count, in milliseconds. */
const WINDOW_MS = 10_000;
/** A shorter time says nothing of a rate. */
const LEAST_MS = 1_000;

/** Blocks a second, measured over the last seconds. Times are milliseconds of a clock that is never set. */
export class Rate {
	/** When blocks were written and how many; the first one only begins the time. */
	#marks: { at: number; blocks: number }[] = [];

	/** Begins anew: what came before a pause says nothing of what comes. */
	begin(now: number): void {
		this.#marks = [{ at: now, blocks: 0 }];
	}

	add(blocks: number, now: number): void {
		this.#marks.push({ at: now, blocks });
		// One that is older stays: the time of the others begins there.
		while (this.#marks.length > 2 && this.#marks[1]!.at <= now - WINDOW_MS) this.#marks.shift();
	}

	/** Null while it was not measured long enough. */
	perSecond(): number | null {
		const [first, ...rest] = this.#marks;
		const span = first === undefined ? 0 : (rest.at(-1)?.at ?? first.at) - first.at;
		if (span < LEAST_MS) return null;
		return (rest.reduce((sum, { blocks }) => sum + blocks, 0) * 1_000) / span;
	}
}
