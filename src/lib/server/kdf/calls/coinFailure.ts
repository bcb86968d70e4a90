/** What a node's refusal says about the coin of a call. Pure. */
import type { KdfErrorCode } from '#lib/rpc/errors/kdf.ts';
import type { Failure } from '#lib/messages/errors/activation.ts';
import { refusalCode } from './refusals.ts';

type Codes = ReadonlySet<KdfErrorCode | null>;

const ALREADY_ACTIVE: Codes = new Set<KdfErrorCode>([
	'CoinIsAlreadyActivated',
	'PlatformIsAlreadyActivated',
	'TokenIsAlreadyActivated'
]);

/** Whether the coin is active already, as requested. */
export const isAlreadyActive = (failure: Failure): boolean =>
	ALREADY_ACTIVE.has(refusalCode(null, failure));

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
 * The node reached no server of a coin, or could not read its balance. An HD wallet, whose balance cannot be
 * read this way however often, has another code.
 */
const UNREACHED: Codes = new Set<KdfErrorCode>([
	'Transport',
	'balance.timeout',
	'balance.unreadable'
]);

/** Whether another try may work, because servers or the daemon behind the node could not be reached. */
export const isPassing = (failure: Failure): boolean =>
	failure.kind === 'away' ||
	failure.kind === 'unsure' ||
	// Of an EVM chain, the text of this type says more, and has a code of its own.
	(failure.kind === 'refused' && failure.type === 'Transport') ||
	UNREACHED.has(refusalCode(null, failure));

/** Whether legacy calls do not find the coin: it is not active, or passive because of its tokens. */
export const isNoSuchCoin = (failure: Failure): boolean =>
	failure.type === null && refusalCode(null, failure) === 'NoSuchCoin';

/** Whether the coin has an HD wallet, which legacy calls refuse. */
export const hasManyAddresses = (failure: Failure): boolean =>
	failure.kind === 'refused' && failure.type === null && !isNoSuchCoin(failure);

/** Whether the coin has a wallet with one address, and so no accounts. */
export const hasOneAddress = ({ type }: Failure): boolean =>
	type === 'CoinIsActivatedNotWithHDWallet';
