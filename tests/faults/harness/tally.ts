/** Counts actions and results for the summary. */
import type { Findings } from './judge.ts';

/** The exit code for coins that were lost or spent twice, which a slow machine cannot cause. */
export const HARM = 3;

export class Tally {
	readonly #counts = new Map<string, Map<string, number>>();
	readonly #findings: Record<keyof Findings, string[]> = { lost: [], doubled: [], stopped: [] };
	#failures = 0;
	readonly #say: (line: string) => void;

	constructor(say: (line: string) => void) {
		this.#say = say;
	}

	note(line: string): void {
		this.#say(line);
	}

	count(group: 'runs' | 'kills' | 'faults' | 'left out', what: string): void {
		const counts = this.#counts.get(group) ?? new Map<string, number>();
		counts.set(what, (counts.get(what) ?? 0) + 1);
		this.#counts.set(group, counts);
	}

	/** Records a failure of the harness or of the product that concerns no migration. */
	failed(sentence: string): void {
		this.#failures += 1;
		this.#say(`failed: ${sentence}`);
	}

	found(where: string, findings: Findings): void {
		for (const kind of ['lost', 'doubled', 'stopped'] as const) {
			for (const line of findings[kind]) {
				this.#findings[kind].push(line);
				this.#say(`${kind}: ${where}: ${line}`);
			}
		}
	}

	/** Prints the summary. @returns the exit code */
	end(): number {
		this.#say('');
		for (const [group, counts] of this.#counts) {
			const sum = [...counts.values()].reduce((all, n) => all + n, 0);
			this.#say(`${sum} ${group}`);
			for (const [what, n] of [...counts].sort()) this.#say(`${String(n).padStart(6)} ${what}`);
		}
		const { lost, doubled, stopped } = this.#findings;
		this.#say(
			`${lost.length} lost, ${doubled.length} doubled, ${stopped.length} stopped without a reason, ${this.#failures} failures`
		);
		if (lost.length + doubled.length > 0) return HARM;
		return stopped.length + this.#failures === 0 ? 0 : 1;
	}
}
