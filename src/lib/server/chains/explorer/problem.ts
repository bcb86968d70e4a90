import { explainUpstream } from '#lib/server/chains/daemon/explain.ts';
import type { DaemonState } from '#lib/server/chains/daemon/types.ts';
import { UpstreamError } from '#lib/server/chains/daemon/types.ts';
import type { Problem } from './piece.ts';

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
	if (!(error instanceof UpstreamError))
		return { code: 'failed', words: `This could not be read from ${chain}.${shown}` };
	const since =
		standing !== undefined && standing.state !== 'up' && standing.state !== 'unknown'
			? ` since ${clock(standing.since)}`
			: '';
	const words =
		error.code === 'unreachable'
			? `${chain} ${since === '' ? 'is' : 'has been'} offline${since}.`
			: error.code === 'timeout'
				? `${chain} has not answered in time${since}.`
				: explainUpstream(error).what;
	return { code: error.code, words: `${words}${shown}` };
}

/** Whether the daemon answered, and its answer is that there is no such thing. */
export function isRefusal(error: unknown): error is UpstreamError {
	return error instanceof UpstreamError && (error.code === 'rpc' || error.code === 'soft');
}

/** The failure of an answer that fits the registry, but not what this call asked for. */
export function unasked(chain: string, method: string): UpstreamError {
	return new UpstreamError('misfit', `${chain} answered ${method} in another form than asked`, {
		daemon: chain,
		method,
		reached: 'yes'
	});
}
