import type { Turn } from '#lib/rpc/errors/index.ts';

/** What one refusal means, as sentences. */
export interface ErrorWords {
	/** What happened. */
	what: string;
	/** What to do now. */
	next: string;
}

const TURNS: Readonly<Record<Turn, string>> = {
	caller: 'Next step',
	operator: 'Next step for the operator',
	chain: 'Resolves with time',
	notaries: 'Depends on the notaries',
	nobody: 'Final'
};

/** What to do now, and whose turn it is. */
export const nextStep = ({ turn, next }: { turn: Turn; next: string }): string =>
	`${TURNS[turn]}: ${next}`;
