/** What a failed call to a trading node means for an activation. Pure. */
import type { Failure } from '#lib/messages/errors/activation.ts';
import { AppError } from '../../platform/errors/appError.ts';

/** A call to a trading node that gave no result. Its cause is left behind: it may hold what was sent. */
export const callFailed = (failure: Failure): AppError<'activation.call-failed'> =>
	new AppError('activation.call-failed', { failure });

const ALREADY_TYPES: readonly string[] = [
	'CoinIsAlreadyActivated',
	'PlatformIsAlreadyActivated',
	'TokenIsAlreadyActivated'
];

/** The coin is active already: what was asked for is so. */
export function isAlreadyActive({ type, message }: Failure): boolean {
	if (type !== null) return ALREADY_TYPES.includes(type);
	// The older calls say it as text: of an EVM coin in other words than of the others (KDF 2.5.1).
	return / already (?:initialized|activated)$/.test(message.trim());
}

/** Refusals whose data is the ticker of the coin that was asked for. */
const TICKER_ALONE: ReadonlySet<string | null> = new Set([
	'CoinConfigIsNotFound',
	'PlatformConfigIsNotFound',
	'PlatformIsAlreadyActivated'
]);

/** Refusals whose data holds it beside the reason; of others it may be a token's. */
const TICKER_INSIDE: ReadonlySet<string | null> = new Set([
	'CoinIsAlreadyActivated',
	'CoinProtocolParseError',
	'UnexpectedCoinProtocol',
	'UnexpectedPlatformProtocol',
	'CoinCreationError',
	'PlatformCoinCreationError'
]);

/** The coin that a refusal says it is about; null where it says none. */
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
 * The node reached no server of a coin. The interface document has that as a coin that could not be created,
 * with the reason in the text.
 */
export function isUnreached({ type, message }: Failure): boolean {
	if (type === 'Transport') return true;
	return (
		type === 'CoinCreationError' &&
		/\bservers? (?:errored|unavailable|inactive)\b|\bTransport\(/i.test(message)
	);
}

/** Servers or the daemon behind the node could not be reached: another try may work. */
export function isPassing({ kind, type, message, data }: Failure): boolean {
	if (kind === 'away' || kind === 'unsure') return true;
	if (kind !== 'refused') return false;
	if (isUnreached({ kind, type, message, data })) return true;
	// A wallet of many addresses cannot be asked this way, however often.
	if (/UnexpectedDerivationMethod/.test(message)) return false;
	return type === null && /^Deactivated coin due to error in balance querying/.test(message);
}

/** Types of failures that are this console's own. */
const OWN_TYPES: ReadonlySet<string | null> = new Set([
	'NoServerAnswers',
	'ServersNotListed',
	'NotAllowedNow',
	'RequestUnreadable',
	'UnknownNode'
]);

/** It is this console that refuses, not the node. */
export const isOwn = ({ kind, type }: Failure): boolean =>
	kind === 'refused' && OWN_TYPES.has(type);

/** Nothing went out, or nothing was looked at. */
export const isUnsent = ({ kind, type }: Failure): boolean =>
	kind === 'away' ||
	kind === 'password' ||
	kind === 'switched-off' ||
	// The node takes calls from its own machine only.
	(kind === 'refused' && type === 'LocalHostOnly');

/** The node may have acted on a call whose answer nobody heard: on this one, or on that of an earlier try. */
export const mayBeDone = ({ kind, unsure }: Failure): boolean =>
	kind === 'unsure' || unsure === true;

/** The node was asked to activate the coin: in this try, or in an earlier one. */
export const wasAsked = (failure: Failure): boolean =>
	failure.asked === true || mayBeDone(failure) || !(isUnsent(failure) || isOwn(failure));

/** A failure with what is to be known of the one before it, where it says nothing of that: the node was not asked again. */
export function afterEarlier(before: Failure | null, failure: Failure): Failure {
	if (before === null || wasAsked(failure) || !wasAsked(before)) return failure;
	return { ...failure, asked: true, ...(mayBeDone(before) ? { unsure: true } : {}) };
}

/** The older calls do not find the coin: it is not active, or passive for the sake of its tokens. */
export const isNoSuchCoin = ({ kind, type, message }: Failure): boolean =>
	kind === 'refused' && type === null && /No such coin/.test(message);

/** The coin has a wallet of many addresses, which the older calls refuse to speak of. */
export const hasManyAddresses = (failure: Failure): boolean =>
	failure.kind === 'refused' && failure.type === null && !isNoSuchCoin(failure);

/** The coin has a wallet with one address, of which there are no accounts. */
export const hasOneAddress = ({ type }: Failure): boolean =>
	type === 'CoinIsActivatedNotWithHDWallet';

/** No configured node has this name: the one that had it was taken out of the configuration. */
export const isUnknownNode = ({ kind, type }: Failure): boolean =>
	kind === 'refused' && type === 'UnknownNode';

export const isNoSuchTask = ({ type }: Failure): boolean => type === 'NoSuchTask';
export const isTaskFinished = ({ type }: Failure): boolean => type === 'TaskFinished';

/** A device said that the PIN was wrong. (KDF 2.5.1: as text of `CoinCreationError`, or as `HwError`.) */
export function isWrongPin({ type, message, data }: Failure): boolean {
	if (type !== 'CoinCreationError' && type !== 'HwError') return false;
	return /InvalidPin|invalid pin/i.test(`${message} ${JSON.stringify(data)}`);
}
