import type { DaemonState } from '#lib/server/chains/daemon/types.ts';
import type { Problem } from './piece.ts';
import { isAppError } from '../../platform/errors/appError.ts';
import { pageProblemMessage, stillShown, type ChainProblem } from '#lib/messages/chainProblem.ts';
import { recognizeError } from '#lib/rpc/errors/index.ts';
import { daemonError, type DaemonError } from '../daemon/daemonError.ts';

/** How long a daemon has been in its state, as far as words need it. */
interface Status {
	state: DaemonState;
	/** Unix milliseconds. */
	since: number;
}

/** Why an answer of a chain is not there. */
export function chainProblemOf(
	chain: string,
	error: unknown,
	status: Status | undefined
): ChainProblem {
	const isAway = status !== undefined && status.state !== 'up' && status.state !== 'unknown';
	return {
		chain,
		error: isAppError(error, 'daemon') ? error.coded : null,
		since: isAway ? status.since : null
	};
}

/**
 * Says in words why an answer of a chain is not there.
 *
 * @param known whether the page has something older to show instead
 */
export function problemOf(
	chain: string,
	error: unknown,
	status: Status | undefined,
	known: boolean
): Problem {
	const words = pageProblemMessage(chainProblemOf(chain, error, status));
	const isUntold = isRefusal(error) && !saysNone(error);
	return {
		code: isAppError(error, 'daemon') && !isUntold ? error.code : 'failed',
		words: known ? stillShown(words) : words
	};
}

/** Whether the daemon answered, and its answer is that there is no such thing. What it was not run to know it cannot tell. */
export function saysNone(error: unknown): boolean {
	if (!isRefusal(error)) return false;
	const { method, rpcMessage = '' } = error.params;
	return recognizeError(method, rpcMessage)?.turn !== 'operator';
}

/** Whether the daemon answered, and refused. */
export function isRefusal(error: unknown): error is DaemonError {
	return isAppError(error, 'daemon.rpc-error', 'daemon.in-band-error');
}

/** The failure of an answer that fits the registry, but not what this call asked for. */
export function unasked(chain: string, method: string): DaemonError {
	const facts = { delivery: 'delivered', fault: { kind: 'form' } } as const;
	return daemonError('daemon.validation-mismatch', { daemon: chain, method }, facts);
}
