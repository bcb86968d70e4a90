import type { Turn } from '#lib/rpc/errors/index.ts';

/** What one refusal means, as sentences. */
export interface ErrorWords {
	/** What happened. */
	what: string;
	/** What to do now. */
	next: string;
	/** That is to build another transaction: no advice while a block could still take the one that was refused. */
	buildsAnother?: true;
}

/** What to do now, and that it is for the operator of the daemon or node where nobody else can do it. */
export const nextStep = ({ turn, next }: { turn: Turn; next: string }): string =>
	turn === 'operator' && !next.includes('operator')
		? `${next} Only its operator can do this.`
		: next;
