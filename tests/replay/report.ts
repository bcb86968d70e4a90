/** Collects comparisons, mismatches and impossible or unfinished steps. */

/** How a replay ended, as its exit code. */
export const EXIT = { fits: 0, mismatches: 1, unusable: 2, unfinished: 3 } as const;

/** Maximum number of printed lines of one kind. */
const SHOWN_OF_A_KIND = 20;

export class Report {
	readonly #counts = new Map<string, number>();
	readonly #shown = new Map<string, number>();
	readonly #say: (line: string) => void;
	#mismatches = 0;
	#unfinished = 0;

	constructor(say: (line: string) => void) {
		this.#say = say;
	}

	/** Prints a line of progress. */
	note(line: string): void {
		this.#say(line);
	}

	/** Counts comparisons, whether they match or not. */
	count(what: string, n = 1): void {
		this.#counts.set(what, (this.#counts.get(what) ?? 0) + n);
	}

	mismatch(what: string, sentence: string): void {
		this.#mismatches += 1;
		const shown = (this.#shown.get(what) ?? 0) + 1;
		this.#shown.set(what, shown);
		if (shown <= SHOWN_OF_A_KIND) this.#say(`mismatch: ${what}: ${sentence}`);
	}

	/** Counts a comparison; a difference is a mismatch. */
	same(what: string, place: string, product: unknown, daemon: unknown): void {
		this.count(what);
		if (String(product) === String(daemon)) return;
		this.mismatch(
			what,
			`${place}: the product says ${String(product)}, the daemon ${String(daemon)}.`
		);
	}

	/** Records a step that these daemons cannot do, with the daemon's own message. It is not a mismatch. */
	impossible(what: string, sentence: string): void {
		this.count('not possible with these daemons');
		this.#say(`not possible with these daemons: ${what}: ${sentence}`);
	}

	/** Records a step that timed out. */
	unfinished(what: string, sentence: string): void {
		this.#unfinished += 1;
		this.#say(`unfinished: ${what}: ${sentence}`);
	}

	/** Prints the summary. @returns the exit code */
	end(): number {
		this.#say('');
		for (const [what, n] of this.#counts) this.#say(`${String(n).padStart(7)} ${what}`);
		for (const [what, n] of this.#shown) {
			if (n > SHOWN_OF_A_KIND) this.#say(`mismatch: ${what}: ${n - SHOWN_OF_A_KIND} more`);
		}
		if (this.#unfinished > 0) this.#say(`${this.#unfinished} unfinished`);
		this.#say(`${this.#mismatches} mismatches`);
		if (this.#mismatches > 0) return EXIT.mismatches;
		return this.#unfinished > 0 ? EXIT.unfinished : EXIT.fits;
	}
}
