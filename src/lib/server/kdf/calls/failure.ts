/** Who refused a call to a trading node, and whether the node may have acted on it. Pure. */
import type { Failure } from '#lib/messages/errors/activation.ts';
import { AppError } from '../../platform/errors/appError.ts';

/**
 * Creates the error of a call to a trading node that gave no result. Its cause is dropped, because it may
 * contain what was sent.
 */
export const callFailed = (failure: Failure): AppError<'activation.call-failed'> =>
	new AppError('activation.call-failed', { failure });

/** Types of failures that this server reports itself. */
const OWN_TYPES: ReadonlySet<string | null> = new Set([
	'NoServerAnswers',
	'ServersNotListed',
	'NotAllowedNow',
	'RequestUnreadable',
	// A member's call that was not allowed any more when it could be sent.
	'CallKept',
	// Parameters that do not fit the method.
	'ParamsNotSent',
	// No configured node has this id: it was removed from the configuration.
	'UnknownNode'
]);

/** Whether this server refused, not the node. */
export const isOwn = ({ kind, type }: Failure): boolean =>
	kind === 'refused' && OWN_TYPES.has(type);

/** Whether the call was not sent, or the node did not process it. */
const isUnsent = ({ kind, type }: Failure): boolean =>
	kind === 'away' ||
	kind === 'password' ||
	kind === 'switched-off' ||
	// The node accepts calls from its own machine only.
	(kind === 'refused' && type === 'LocalHostOnly');

/** Whether the node may have acted on a call whose answer was lost: on this one, or on that of an earlier try. */
export const mayBeDone = ({ kind, unsure }: Failure): boolean =>
	kind === 'unsure' || unsure === true;

/** Whether the node was asked for what a call is about, in this try or in an earlier one. */
export const wasRequested = (failure: Failure): boolean =>
	failure.asked === true || mayBeDone(failure) || !(isUnsent(failure) || isOwn(failure));

/**
 * Returns a failure with what is known from the failure before it (the node was asked, and may have acted),
 * if the node was not asked again.
 */
export function afterEarlier(before: Failure | null, failure: Failure): Failure {
	if (before === null || wasRequested(failure) || !wasRequested(before)) return failure;
	return { ...failure, asked: true, ...(mayBeDone(before) ? { unsure: true } : {}) };
}

/** Whether the node itself refused the call. */
export const isByNode = (failure: Failure): boolean =>
	failure.kind === 'refused' && !isUnsent(failure) && !isOwn(failure);

/** Whether the node answered, but told nothing: it refuses the call, or answers in a form that cannot be read. */
export const hasNoResult = (failure: Failure): boolean =>
	failure.kind === 'misfit' || isByNode(failure);

/**
 * Whether the node does not serve the method. KDF reads a legacy call with an unknown name as one of version 2, and
 * refuses its members.
 */
export const isUnserved = ({ kind, type }: Failure): boolean =>
	kind === 'refused' && (type === 'NoSuchMethod' || type === 'InvalidRequest');
