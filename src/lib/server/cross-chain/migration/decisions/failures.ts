import type { CodedError } from '#lib/messages/errors/index.ts';
import type { MigrationReason } from '#lib/messages/migration/reasons.ts';
import type { MigrationState } from '../states.ts';
import { currentStep } from './currentStep.ts';
import { rest, stop, stopped, tryAgain, type Context, type Decision } from './decision.ts';
import { approvalAwaited } from './policy.ts';

/** States in which what a look found is judged again: nothing is lost by that. */
const BUILDING: readonly MigrationState[] = [
	'burn-confirmed',
	'waiting-back-notarization',
	'import-built',
	'waiting-target-notarization',
	'backup-collecting'
];

/** What was built is not what it should be: the daemon is asked again, within bounds. */
export function reviewFailed(at: Context, error: CodedError): Decision {
	const reason = { code: 'review.failed', params: { error } } as const;
	const id = currentStep(at.migration) ?? 'burn';
	if (!BUILDING.includes(at.row.state)) return stop(at, id, reason);
	return tryAgain(at, id, reason, { tooOften: reason });
}

/** A daemon did not answer, or not as it should. */
export function noAnswer(at: Context, reason: MigrationReason): Decision {
	const id = currentStep(at.migration) ?? 'burn';
	// What a stopped migration says is worth more than that a daemon is away.
	if (at.row.state === 'stuck') return stopped(at, id);
	// So is what people are asked for; the burn is looked up once more before anything goes out.
	if (at.row.state === 'needs-approval') return approvalAwaited(at);
	return rest(at, id, reason);
}
