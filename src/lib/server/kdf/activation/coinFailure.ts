/** What a node's refusal says about the coin of a call. Pure. */
import type { Failure } from '#lib/messages/errors/activation.ts';

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

/** Whether legacy calls do not find the coin: it is not active, or passive because of its tokens. */
export const isNoSuchCoin = ({ kind, type, message }: Failure): boolean =>
	kind === 'refused' && type === null && /No such coin/.test(message);

/** Whether the coin has an HD wallet, which legacy calls refuse. */
export const hasManyAddresses = (failure: Failure): boolean =>
	failure.kind === 'refused' && failure.type === null && !isNoSuchCoin(failure);

/** Whether the coin has a wallet with one address, and so no accounts. */
export const hasOneAddress = ({ type }: Failure): boolean =>
	type === 'CoinIsActivatedNotWithHDWallet';
