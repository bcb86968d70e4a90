/**
 * Has a wallet of many addresses list one that it does not list yet. A node tells the address of a UTXO coin's path
 * in no other way before it signs with it: its wallet grows address by address, each with the next number.
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { Failure } from '#lib/messages/errors/activation.ts';
import { isAppError } from '../../platform/errors/appError.ts';
import type { KdfPort } from './engine.ts';
import { callFailed, isUnsent } from './failure.ts';

/** An address that the wallet does not list, and what it takes until it does. */
export interface Unlisted {
	path: string;
	account: number;
	chain: 'External' | 'Internal';
	/** Addresses that are listed on the way, itself included. */
	more: number;
	/** The account has to be made first. */
	isNewAccount: boolean;
}

/** More are not listed for one signature: each is asked of the coin's servers from then on. */
export const MOST_LISTED = 100;
/** Unused addresses in a row, beside those that are listed here, at which a node lists no more unless told (release 2.5.1). */
const GAP = 20;
const POLL_MS = 100;
const MOST_POLLS = 100;
/** Nobody waits longer on a page: what is listed by then is, and asking again goes on from there. Milliseconds. */
const MOST_MS = 60_000;

const unsure = (): Failure => ({ kind: 'unsure', type: null, message: '', data: null });

/** Takes back what was counted of a kind of calls, where none of them left. */
export interface Uncounted {
	account: () => Promise<void>;
	addresses: () => Promise<void>;
}

const nothing = (): Promise<void> => Promise.resolve();
/** Where nothing was counted. */
export const COUNTED_NOTHING: Uncounted = { account: nothing, addresses: nothing };

/** What a call gives; where it did not leave, what was counted of it is taken back. */
async function leaving<T>(call: Promise<T>, giveBack: () => Promise<void>): Promise<T> {
	try {
		return await call;
	} catch (error) {
		if (isAppError(error, 'activation.call-failed') && isUnsent(error.params.failure)) {
			await giveBack();
		}
		throw error;
	}
}

async function createAccount(
	nodes: KdfPort,
	node: string,
	coin: string,
	account: number,
	until: number,
	giveBack: () => Promise<void>
) {
	const asked = { coin, account_id: account, scan: false };
	const { task_id: task } = await leaving(
		nodes.call(node, 'task::create_new_account::init', asked),
		giveBack
	);
	const own = { task_id: task };
	for (let polls = 0; polls < MOST_POLLS && performance.now() < until; polls++) {
		const { status, details } = await nodes.call(node, 'task::create_new_account::status', {
			...own,
			forget_if_finished: true
		});
		if (status === 'Ok') return;
		if (status === 'Error') {
			const { error: message, error_type: type } = details;
			throw callFailed({ kind: 'refused', type, message, data: null });
		}
		// A device is not asked from here: its pad belongs to the task of an activation.
		if (status === 'UserActionRequired') break;
		await pause(POLL_MS);
	}
	await nodes.call(node, 'task::create_new_account::cancel', own);
	throw callFailed(unsure());
}

/**
 * Nothing is sent or signed; the node asks the coin's servers for these addresses from then on.
 * @param giveBack takes back what was counted of calls that did not leave
 * @throws {AppError} `activation.call-failed`
 */
export async function listAddress(
	nodes: KdfPort,
	node: string,
	coin: string,
	{ path, account, chain, more, isNewAccount }: Unlisted,
	giveBack: Uncounted
): Promise<void> {
	const until = performance.now() + MOST_MS;
	if (isNewAccount) {
		try {
			await createAccount(nodes, node, coin, account, until, giveBack.account);
		} catch (error) {
			await giveBack.addresses();
			throw error;
		}
	}
	for (let n = 0; n < more; n++) {
		// One is listed each time, so that it does come to an end.
		if (n > 0 && performance.now() >= until) throw callFailed(unsure());
		const asked = { coin, account_id: account, chain, gap_limit: GAP + MOST_LISTED };
		const { new_address: added } = await leaving(
			nodes.call(node, 'get_new_address', asked),
			n === 0 ? giveBack.addresses : nothing
		);
		// Somebody else may have had addresses listed meanwhile.
		if (added.derivation_path === path) return;
	}
}
