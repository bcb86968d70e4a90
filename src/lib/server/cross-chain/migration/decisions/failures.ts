import type { CodedError } from '#lib/messages/errors/index.ts';
import type { MigrationReason } from '#lib/messages/migration/reasons.ts';
import type { MigrationState } from '../states.ts';
import { answered } from './build.ts';
import { currentStep } from './currentStep.ts';
import { rest, step, stop, stopped, tryAgain, type Context, type Decision } from './decision.ts';
import { stillAwaited } from './policy.ts';

/** States in which building may be repeated without loss. */
const BUILDING: readonly MigrationState[] = [
	'burn-confirmed',
	'waiting-back-notarization',
	'import-built',
	'waiting-target-notarization',
	'backup-collecting'
];

/** The daemon built something else than was requested: it is asked again, a limited number of times. */
export function reviewFailed(at: Context, error: CodedError): Decision {
	const reason = { code: 'review.failed', params: { error } } as const;
	const id = currentStep(at.migration) ?? 'burn';
	if (!BUILDING.includes(at.row.state)) return stop(at, id, reason);
	const { patch, next } = tryAgain(at, id, reason, { tooOften: reason });
	// The daemon answered, so it did not crash on the build.
	const ended = step(at, 'import-built') === undefined ? [] : [answered];
	return { patch: { ...patch, steps: [...(patch.steps ?? []), ...ended] }, next };
}

/** A daemon did not answer, or gave an unusable answer. */
export function noAnswer(at: Context, reason: MigrationReason): Decision {
	const id = currentStep(at.migration) ?? 'burn';
	// The reason why the migration is stopped is more important than that a daemon is away.
	if (at.row.state === 'stuck') return stopped(at, id);
	// So is the request for approval; the burn is checked once more before anything is sent.
	if (at.row.state === 'needs-approval') return stillAwaited(at);
	return rest(at, id, reason);
}
