import type { DaemonState } from '#lib/server/chains/daemon/types.ts';
import type { Problem } from './piece.ts';
import { isAppError } from '../../platform/errors/appError.ts';
import { explainDaemon } from '#lib/messages/explained/daemon.ts';
import { daemonError, type DaemonError } from '../daemon/daemonError.ts';

/** How long a daemon has been in its state, as far as words need it. */
interface Standing {
	state: DaemonState;
	/** Unix milliseconds. */
	since: number;
}

/** A moment as sentences say it. */
export const clock = (at: number) => `${new Date(at).toISOString().slice(11, 16)} UTC`;

/**
 * Says in words why an answer of a chain is not there.
 *
 * @param known whether the page has something older to show instead
 */
export function problemOf(
	chain: string,
	error: unknown,
	standing: Standing | undefined,
	known: boolean
): Problem {
	const shown = known ? ' Showing the last known data.' : '';
	if (!isAppError(error, 'daemon'))
		return { code: 'failed', words: `This could not be read from ${chain}.${shown}` };
	const since =
		standing !== undefined && standing.state !== 'up' && standing.state !== 'unknown'
			? ` since ${clock(standing.since)}`
			: '';
	const words =
		error.code === 'daemon.unreachable'
			? `${chain} ${since === '' ? 'is' : 'has been'} offline${since}.`
			: error.code === 'daemon.timeout'
				? `${chain} has not answered in time${since}.`
				: explainDaemon(error.coded).what;
	return { code: error.code, words: `${words}${shown}` };
}

/** Whether the daemon answered, and its answer is that there is no such thing. */
export function isRefusal(error: unknown): error is DaemonError {
	return isAppError(error, 'daemon.rpc-error', 'daemon.in-band-error');
}

/** The failure of an answer that fits the registry, but not what this call asked for. */
export function unasked(chain: string, method: string): DaemonError {
	const facts = { delivery: 'delivered', fault: { kind: 'form' } } as const;
	return daemonError('daemon.validation-mismatch', { daemon: chain, method }, facts);
}
