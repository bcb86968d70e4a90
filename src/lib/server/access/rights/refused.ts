/** Refusals by a limit or a rule. */
import type { Denial } from '#lib/messages/denials.ts';
import type { CodesOf } from '#lib/messages/errors/index.ts';
import { AppError, isAppError } from '../../platform/errors/appError.ts';
import type { Term } from '../policy/rules/quorum.ts';
import type { OverLimit } from '../policy/limits/limits.ts';

export type RuleDenied = AppError<CodesOf<'policy'>>;
export type Refused = OverLimit | RuleDenied;

/**
 * Who has to approve what was refused. Kept aside because an error of the catalogue holds only the parameters
 * of its message.
 */
export const termsOf = new WeakMap<AppError, readonly Term[]>();

/** Returns the error that a rule demands approvals that are missing. */
export function needsApproval(rule: number, terms: readonly Term[], request = ''): RuleDenied {
	const needed = Math.max(...terms.map((term) => term.needed));
	const error = new AppError('policy.needs-approval', { rule, needed, request });
	termsOf.set(error, terms);
	return error;
}

/** Whether an error is a refusal by a limit or a rule. */
export const isRefused = (error: unknown): error is Refused => isAppError(error, 'limit', 'policy');

/**
 * Whether an error says only that what a transaction takes could not be measured now: the daemon did not answer, or a
 * reorganization removed a transaction that it spends. It refuses nothing for good, and the same may pass later.
 */
export const isUnmeasured = (
	error: unknown
): error is AppError<'limit.daemon-failed' | 'limit.parent-unknown'> =>
	isAppError(error, 'limit.daemon-failed', 'limit.parent-unknown');

/** Converts a refusal by a limit or a rule to a denial for the log of refusals. */
export const denialOf = (no: Refused): Extract<Denial, { code: 'limit' | 'policy' }> =>
	isAppError(no, 'policy')
		? { code: 'policy', why: no.coded }
		: { code: 'limit', why: (no as OverLimit).coded };
