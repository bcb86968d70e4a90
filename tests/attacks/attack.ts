import type { Target } from './target.ts';

/** What became of an attack. */
export interface Outcome {
	/** The attacker got what the guard keeps. */
	succeeded: boolean;
	/** What was seen, for the reader of a failed test. */
	seen: string;
}

/** One attack: carried out over HTTP, it tells whether it succeeded. */
export interface Attack {
	/** As the list of guards names it. */
	name: string;
	run(target: Target): Promise<Outcome>;
}

export const outcome = (succeeded: boolean, seen: unknown): Outcome => ({
	succeeded,
	seen: typeof seen === 'string' ? seen.slice(0, 300) : (JSON.stringify(seen) ?? '').slice(0, 300)
});
