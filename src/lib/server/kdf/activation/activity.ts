/** Finds out whether a coin is active at a node, also at one that does not serve the list of its active coins. */
import type { Failure } from '#lib/messages/errors/activation.ts';
import { isAppError } from '../../platform/errors/appError.ts';
import { plain, type Plain } from '../client/plain.ts';
import type { KdfPort } from '../calls/kdfPort.ts';
import { isNoSuchCoin } from '../calls/coinFailure.ts';
import { hasNoResult } from '../calls/failure.ts';
import { DEVICE } from '../coins/methods.ts';
import type { ActivationRow } from './activationRow.ts';
import type { Activity } from './step.ts';

/** What a node reports about a coin. */
interface Found {
	active: Activity;
	/** Its balance, if the node reported one. */
	result: Plain | null;
	/** Why it is not known; null when it is. */
	why: Failure | null;
}

type Place = Pick<ActivationRow, 'node' | 'coin'>;

/** Returns the value, or the failure of a call. */
export async function attempt<T>(work: Promise<T>): Promise<{ value: T } | { failure: Failure }> {
	try {
		return { value: await work };
	} catch (error) {
		if (isAppError(error, 'activation.call-failed')) return { failure: error.params.failure };
		throw error;
	}
}

const known = (active: boolean, result: Plain | null = null): Found => ({
	active,
	result,
	why: null
});

const unknown = (failure: Failure): Found => ({
	active: hasNoResult(failure) ? 'untold' : null,
	result: null,
	why: failure
});

/** Whether the node lists the coin as active. A disabled platform is listed, too, because of its tokens. */
async function listed(nodes: KdfPort, { node, coin }: Place): Promise<Found> {
	const tickers = nodes
		.call(node, 'get_enabled_coins', {})
		.then(({ coins }) => coins.map(({ ticker }) => ticker));
	const asked = await attempt(tickers);
	return 'failure' in asked ? unknown(asked.failure) : known(asked.value.includes(coin));
}

/** Refusals of `account_balance` by a node that found the coin (KDF 2.5.1). */
const FOUND: ReadonlySet<string | null> = new Set([
	'CoinIsActivatedNotWithHDWallet',
	'UnknownAccount',
	'ErrorDerivingAddress',
	'Timeout',
	'WalletStorageError',
	'RpcInvalidResponse',
	'FailedScripthashSubscription',
	'Transport'
]);

/** Whether the node finds the coin when it is asked for the balance of an account. */
async function withAccounts(nodes: KdfPort, { node, coin }: Place): Promise<Found> {
	const params = { coin, account_index: 0, chain: 'External' as const, limit: 1 };
	const asked = await attempt(nodes.call(node, 'account_balance', params));
	if (!('failure' in asked)) return known(true);
	const { failure } = asked;
	if (failure.type === 'NoSuchCoin') return known(false);
	return FOUND.has(failure.type) ? known(true) : unknown(failure);
}

/** Returns the balance and address that the node reports for a coin, or why it reports none. */
export const heldOf = (nodes: KdfPort, { node, coin }: Place) =>
	attempt(nodes.call(node, 'my_balance', { coin }));

/** Finds out whether a coin is active, from its balance where the node does not list its coins. */
export async function activityOf(nodes: KdfPort, place: Place): Promise<Found> {
	if (place.coin === DEVICE) return known(false);
	const list = await listed(nodes, place);
	if (list.active === null || list.active === false) return list;
	const held = await heldOf(nodes, place);
	if (!('failure' in held)) return known(true, plain(held.value));
	if (isNoSuchCoin(held.failure)) return known(false);
	if (list.active === true) return list;
	const balance = unknown(held.failure);
	return balance.active === null ? balance : withAccounts(nodes, place);
}

/**
 * Whether a result that names no coin belongs to this activation: then the coin is active. True at a node that
 * does not tell; null when it does not answer now.
 */
export async function isResultOf(nodes: KdfPort, place: Place): Promise<boolean | null> {
	if (place.coin === DEVICE) return true;
	const list = await listed(nodes, place);
	const { active } = list.active === 'untold' ? await activityOf(nodes, place) : list;
	return active === 'untold' ? true : active;
}
