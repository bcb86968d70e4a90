/** What a failed call to a trading node means for an activation. Pure. */
import type { Failure } from '#lib/messages/errors/activation.ts';
import { AppError } from '../../platform/errors/appError.ts';

/**
 * Creates the error of a call to a trading node that gave no result. Its cause is dropped, because it may
 * contain what was sent.
 */
export const callFailed = (failure: Failure): AppError<'activation.call-failed'> =>
	new AppError('activation.call-failed', { failure });

const ALREADY_TYPES: readonly string[] = [
	'CoinIsAlreadyActivated',
	'PlatformIsAlreadyActivated',
	'TokenIsAlreadyActivated'
];

/** Whether the coin is active already, as requested. */
export function isAlreadyActive({ type, message }: Failure): boolean {
	if (type !== null) return ALREADY_TYPES.includes(type);
	// Legacy calls report it as text, in different words for EVM coins and others (KDF 2.5.1).
	return / already (?:initialized|activated)$/.test(message.trim());
}

/** Refusals whose data is the ticker of the requested coin. */
const TICKER_ALONE: ReadonlySet<string | null> = new Set([
	'CoinConfigIsNotFound',
	'PlatformConfigIsNotFound',
	'PlatformIsAlreadyActivated'
]);

/**
 * Refusals whose data has the ticker of the requested coin next to the reason; in other refusals it may be
 * that of a token.
 */
const TICKER_INSIDE: ReadonlySet<string | null> = new Set([
	'CoinIsAlreadyActivated',
	'CoinProtocolParseError',
	'UnexpectedCoinProtocol',
	'UnexpectedPlatformProtocol',
	'CoinCreationError',
	'PlatformCoinCreationError'
]);

/** Returns the ticker that a refusal names; null when it names none. */
export function tickerOf({ type, data }: Failure): string | null {
	const isInside = typeof data === 'object' && data !== null && 'ticker' in data;
	const named = TICKER_ALONE.has(type)
		? data
		: TICKER_INSIDE.has(type) && isInside
			? data['ticker']
			: null;
	return typeof named === 'string' ? named : null;
}

/**
 * Whether the node reached no server of a coin. In the interface document this is a coin that could not be
 * created, with the reason in the text.
 */
export function isUnreached({ type, message }: Failure): boolean {
	if (type === 'Transport') return true;
	return (
		type === 'CoinCreationError' &&
		/\bservers? (?:errored|unavailable|inactive)\b|\bTransport\(/i.test(message)
	);
}

/** Whether another try may work, because servers or the daemon behind the node could not be reached. */
export function isPassing({ kind, type, message, data }: Failure): boolean {
	if (kind === 'away' || kind === 'unsure') return true;
	if (kind !== 'refused') return false;
	if (isUnreached({ kind, type, message, data })) return true;
	// An HD wallet cannot be queried this way, however often.
	if (/UnexpectedDerivationMethod/.test(message)) return false;
	return type === null && /^Deactivated coin due to error in balance querying/.test(message);
}

/** Types of failures that this server reports itself. */
const OWN_TYPES: ReadonlySet<string | null> = new Set([
	'NoServerAnswers',
	'ServersNotListed',
	'NotAllowedNow',
	'RequestUnreadable',
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
export const wasAsked = (failure: Failure): boolean =>
	failure.asked === true || mayBeDone(failure) || !(isUnsent(failure) || isOwn(failure));

/**
 * Returns a failure with what is known from the failure before it (the node was asked, and may have acted),
 * if the node was not asked again.
 */
export function afterEarlier(before: Failure | null, failure: Failure): Failure {
	if (before === null || wasAsked(failure) || !wasAsked(before)) return failure;
	return { ...failure, asked: true, ...(mayBeDone(before) ? { unsure: true } : {}) };
}

/** Whether the node itself refused the call. */
export const isByNode = (failure: Failure): boolean =>
	failure.kind === 'refused' && !isUnsent(failure) && !isOwn(failure);

/** Whether the node answered, but told nothing: it refuses the call, or answers in a form that cannot be read. */
export const isUntold = (failure: Failure): boolean =>
	failure.kind === 'misfit' || isByNode(failure);

/**
 * Whether the node does not serve the method. KDF reads a legacy call with an unknown name as one of version 2, and
 * refuses its members.
 */
export const isUnserved = ({ kind, type }: Failure): boolean =>
	kind === 'refused' && (type === 'NoSuchMethod' || type === 'InvalidRequest');

/** Whether legacy calls do not find the coin: it is not active, or passive because of its tokens. */
export const isNoSuchCoin = ({ kind, type, message }: Failure): boolean =>
	kind === 'refused' && type === null && /No such coin/.test(message);

/** Whether the coin has an HD wallet, which legacy calls refuse. */
export const hasManyAddresses = (failure: Failure): boolean =>
	failure.kind === 'refused' && failure.type === null && !isNoSuchCoin(failure);

/** Whether the coin has a wallet with one address, and so no accounts. */
export const hasOneAddress = ({ type }: Failure): boolean =>
	type === 'CoinIsActivatedNotWithHDWallet';

/** Whether the node has no such task: it does not know it any more, or was replaced by a build without such tasks. */
export const isNoSuchTask = ({ type }: Failure): boolean =>
	type === 'NoSuchTask' || type === 'NoSuchMethod';
export const isTaskFinished = ({ type }: Failure): boolean => type === 'TaskFinished';

/** Whether the node is cancelling the task already (KDF 2.5.1). */
export const isBeingCancelled = ({ type, message }: Failure): boolean =>
	type === 'Internal' && /Actual: 'Cancelled', expected: 'InProgress'/.test(message);

/** Whether a hardware wallet refused the PIN. (KDF 2.5.1: as text of `CoinCreationError`, or as `HwError`.) */
export function isWrongPin({ type, message, data }: Failure): boolean {
	if (type !== 'CoinCreationError' && type !== 'HwError') return false;
	return /InvalidPin|invalid pin/i.test(`${message} ${JSON.stringify(data)}`);
}
