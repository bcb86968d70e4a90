/** Why data of a chain is unavailable. */
import { utcClock } from '#lib/text/utc.ts';
import { misconfigured } from './errors/explainDaemon.ts';
import type { CodedError } from './errors/index.ts';
import { explainedMessage, isDaemonError } from './explained/failedCall.ts';

export interface ChainProblem {
	readonly chain: string;
	/** The failed call; null when the daemon was not the cause. */
	readonly error: CodedError | null;
	/** Since when the daemon has been unavailable, Unix milliseconds; null when it is available. */
	readonly since: number | null;
}

/** Describes why data of a chain is unavailable, as a sentence. */
export function chainProblemMessage({ chain, error, since }: ChainProblem): string {
	if (error === null) return `This could not be read from ${chain}.`;
	const long = since === null ? '' : ` since ${utcClock(since)}`;
	if (error.code === 'daemon.unreachable') {
		return `${chain} ${since === null ? 'is' : 'has been'} offline${long}.`;
	}
	if (error.code === 'daemon.timeout') return `${chain} has not answered in time${long}.`;
	return explainedMessage(error);
}

/** The same for a page of the chain, which visitors may read, too. */
export const pageProblemMessage = (problem: ChainProblem): string =>
	(problem.error && isDaemonError(problem.error) ? misconfigured(problem.error) : null) ??
	chainProblemMessage(problem);

/** Adds that older data is displayed. */
export const stillShown = (problem: string): string => `${problem} Showing the last known data.`;
