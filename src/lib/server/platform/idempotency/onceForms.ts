import type { OpenBudget } from '../rate-limits/budgets.ts';
import type { Idempotency, Keyed, Once, OnceOptions } from './idempotency.ts';
import type { Answer } from './answer.ts';

/** Limit of form keys per member and day: each takes space in the database, and manual use stays far below. */
const KEYED_PER_DAY = 10_000;

/** - `limited`: too many keys, nothing was executed. */
type OnceForm = Once | { kind: 'limited'; seconds: number };

/**
 * Executes forms with an idempotency key, each once.
 * @param open opens the budget that counts keys
 * @param perDay keys of one member per day
 */
export function createOnceForms(once: Idempotency, open: OpenBudget, perDay = KEYED_PER_DAY) {
	const budget = open('form keys', perDay, 86_400);
	return async (
		form: Keyed,
		work: () => Promise<Answer>,
		options: Pick<OnceOptions, 'keep'> = {}
	): Promise<OnceForm> => {
		const seconds = await budget.take(form.actor, 1);
		return seconds === null ? once(form, work, options) : { kind: 'limited', seconds };
	};
}

export type OnceForms = ReturnType<typeof createOnceForms>;
