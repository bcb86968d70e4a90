import type { DaemonState } from '#lib/server/chains/daemon/types.ts';
import type { Problem } from './piece.ts';
import { isAppError } from '../../platform/errors/appError.ts';
import { pageProblemMessage, stillShown, type ChainProblem } from '#lib/messages/chainProblem.ts';
import { RPC_INVALID_ADDRESS_OR_KEY, RPC_INVALID_PARAMETER } from '#lib/rpc/errorCodes.ts';
import { recognizeError } from '#lib/rpc/errors/index.ts';
import { daemonError, type DaemonError } from '../daemon/daemonError.ts';

/** State of a daemon and when it began. */
interface Status {
	state: DaemonState;
	/** Unix milliseconds. */
	since: number;
}

/** Returns why an answer about a chain is unavailable. */
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
 * Describes why an answer about a chain is unavailable.
 *
 * @param known whether the page shows older data instead
 */
export function problemOf(
	chain: string,
	error: unknown,
	status: Status | undefined,
	known: boolean
): Problem {
	const words = pageProblemMessage(chainProblemOf(chain, error, status));
	const hasNoResult = isRefusal(error) && !saysNone(error);
	return {
		code: isAppError(error, 'daemon') && !hasNoResult ? error.code : 'failed',
		words: known ? stillShown(words) : words
	};
}

/** Codes of refusals because of a value: an unknown id, or a parameter out of range. */
const OF_VALUES: readonly (number | undefined)[] = [
	RPC_INVALID_ADDRESS_OR_KEY,
	RPC_INVALID_PARAMETER
];
/** Recognized errors that mean the same whatever their code is. */
const UNKNOWN: ReadonlySet<string> = new Set([
	'general.unknown',
	'general.block-unknown',
	'general.block-taken-back',
	'general.height-range',
	'general.key-unknown',
	'tokens.unknown',
	'migration.token-unknown',
	'migration.transaction-unknown',
	'migration.notarization-unknown',
	'migration.burn-unknown'
]);

/**
 * Whether the daemon answered that there is no such thing; not if its operator must act, as on a missing index, or if
 * the error is about something else than a value.
 */
export function saysNone(error: unknown): boolean {
	if (!isRefusal(error)) return false;
	const { method, rpcMessage = '', rpcCode } = error.params;
	const known = recognizeError(method, rpcMessage);
	if (known?.turn === 'operator') return false;
	const isOfValue = isAppError(error, 'daemon.in-band-error') || OF_VALUES.includes(rpcCode);
	return isOfValue || (known !== null && UNKNOWN.has(known.code));
}

/**
 * Returns the result of a call; undefined when the daemon answered that there is no such thing.
 * @param isNone whether an error means that
 */
export async function orNothing<T>(answer: Promise<T>, isNone = saysNone): Promise<T | undefined> {
	try {
		return await answer;
	} catch (error) {
		if (isNone(error)) return undefined;
		throw error;
	}
}

/** Returns whether the daemon answered with an error of the method. */
export function isRefusal(error: unknown): error is DaemonError {
	return isAppError(error, 'daemon.rpc-error', 'daemon.in-band-error');
}

/** Returns the error for an answer that fits the registry, but has another form than this call requested. */
export function unasked(chain: string, method: string): DaemonError {
	const facts = { delivery: 'delivered', fault: { kind: 'form' } } as const;
	return daemonError('daemon.validation-mismatch', { daemon: chain, method }, facts);
}
