import { AppError } from '../../platform/errors/appError.ts';
import type { Verdict } from '../policy/rules/decide.ts';
import { withOwn } from '../policy/rules/facts.ts';
import { sameTerms, termOf } from '../policy/rules/quorum.ts';
import type { MeasuredSpend } from './spend.ts';

const isDenied = ({ code }: Verdict): boolean => code === 'deny' || code === 'unknown';

/** Whether two verdicts hold back the same: what is asked of others instead is another thing only by other terms. */
function holdsBackAlike(verdict: Verdict, other: Verdict): boolean {
	if (isDenied(verdict)) return isDenied(other);
	return (
		verdict.code === 'approve' &&
		other.code === 'approve' &&
		sameTerms(verdict.rules.map(termOf), other.rules.map(termOf))
	);
}

/**
 * Returns the error that the spend could not be measured, where the verdict holds it back only because recipients
 * whose daemons could not be asked count as foreign; null where it would be held back in the same way if they were
 * own. Such a verdict must neither be taken for a refusal nor replace approvals that were given under other terms.
 * @param judge judges the spend again with other movements
 */
export async function restsOnDoubt(
	verdict: Verdict,
	{ doubt, movements }: Pick<MeasuredSpend, 'doubt' | 'movements'>,
	judge: (movements: MeasuredSpend['movements']) => Promise<Verdict | null>
): Promise<AppError<'limit.daemon-failed'> | null> {
	if (doubt === null) return null;
	const other = await judge(withOwn(movements, doubt.addresses));
	if (other === null || holdsBackAlike(verdict, other)) return null;
	const { failed } = doubt;
	return new AppError('limit.daemon-failed', { call: failed.coded }, { cause: failed });
}
