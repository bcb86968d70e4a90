import type { Turn } from '#lib/rpc/errors/index.ts';

/** The meaning of an error, as sentences. */
export interface ErrorWords {
	/** What happened. */
	what: string;
	/** What to do now. */
	next: string;
	/** The advice is to build another transaction: withheld while the refused one could still be confirmed. */
	buildsAnother?: true;
}

/** Returns the advice, with a note that it is for the operator when members cannot follow it themselves. */
export const nextStep = ({ turn, next }: { turn: Turn; next: string }): string =>
	turn === 'operator' && !next.includes('operator')
		? `${next} Only its operator can do this.`
		: next;
