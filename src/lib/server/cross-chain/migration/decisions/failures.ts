import type { MigrationState } from '../states.ts';
import { words } from '../words.ts';
import { currentStep } from './currentStep.ts';
import { rest, stop, tryAgain, type Context, type Decision } from './decision.ts';
import type { Observation } from './observation.ts';
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
export function reviewFailed(at: Context, said: string): Decision {
	const id = currentStep(at.loaded) ?? 'burn';
	if (!BUILDING.includes(at.row.state)) return stop(at, id, said);
	return tryAgain(at, id, said, { tooOften: said });
}

/** A daemon did not answer, or not as it should. */
export function noAnswer(
	at: Context,
	{ chain, words: said, unreadable }: Extract<Observation, { about: 'no-answer' }>
): Decision {
	const id = currentStep(at.loaded) ?? 'burn';
	// What a stopped migration says is worth more than that a daemon is away.
	if (at.row.state === 'stuck') return stop(at, id, at.row.reason ?? '');
	// So is what people are asked for; the burn is looked up once more before anything goes out.
	if (at.row.state === 'needs-approval') return approvalAwaited(at);
	return rest(at, id, unreadable ? words.unreadable(chain, said) : words.noAnswer(chain, said));
}
