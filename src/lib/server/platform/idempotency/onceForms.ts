import type { OpenBudget } from '../rate-limits/budgets.ts';
import type { Idempotency, Keyed, Once } from './idempotency.ts';
import type { Answer } from './answer.ts';

/** Forms with a key of one member within a day: each takes room in the database, and nobody sends as many by hand. */
const KEYED_PER_DAY = 10_000;

/** - `limited`: too many keys, nothing was done. */
type OnceForm = Once | { kind: 'limited'; seconds: number };

/**
 * Carries out forms that name themselves, each once.
 * @param open where keys are counted
 * @param perDay keys of one member
 */
export function createOnceForms(once: Idempotency, open: OpenBudget, perDay = KEYED_PER_DAY) {
	const budget = open('form keys', perDay, 86_400);
	return async (form: Keyed, work: () => Promise<Answer>): Promise<OnceForm> => {
		const seconds = await budget.take(form.actor, 1);
		return seconds === null ? once(form, work) : { kind: 'limited', seconds };
	};
}

export type OnceForms = ReturnType<typeof createOnceForms>;
