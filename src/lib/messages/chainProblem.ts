/** Why something of a chain is not there. */
import type { CodedError } from './errors/index.ts';
import { misconfigured } from './explained/daemon.ts';
import { explainedMessage, isDaemonError } from './explained/failedCall.ts';

export interface ChainProblem {
	readonly chain: string;
	/** How the call failed; null when it was no failure of the daemon's. */
	readonly error: CodedError | null;
	/** Unix milliseconds since when the daemon is away; null when it is not. */
	readonly since: number | null;
}

/** A moment as sentences say it. */
export const clock = (at: number): string => `${new Date(at).toISOString().slice(11, 16)} UTC`;

/** Says why an answer of a chain is not there, as a sentence. */
export function chainProblemMessage({ chain, error, since }: ChainProblem): string {
	if (error === null) return `This could not be read from ${chain}.`;
	const long = since === null ? '' : ` since ${clock(since)}`;
	if (error.code === 'daemon.unreachable') {
		return `${chain} ${since === null ? 'is' : 'has been'} offline${long}.`;
	}
	if (error.code === 'daemon.timeout') return `${chain} has not answered in time${long}.`;
	return explainedMessage(error);
}

/** The same on a page of the chain, which everyone reads. */
export const pageProblemMessage = (problem: ChainProblem): string =>
	(problem.error && isDaemonError(problem.error) ? misconfigured(problem.error) : null) ??
	chainProblemMessage(problem);

/** A problem beside which what was known before is shown. */
export const stillShown = (problem: string): string => `${problem} Showing the last known data.`;
