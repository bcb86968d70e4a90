/**
 * Has the HD wallet of a node list an address that it does not list yet. For a UTXO coin this is the only way
 * to learn the address of a path before the node signs with it: the wallet grows by one address at a time,
 * each with the next index.
 */
import type { Failure } from '#lib/messages/errors/activation.ts';
import { reported } from '#lib/rpc/tolerant.ts';
import { isAppError } from '../../platform/errors/appError.ts';
import type { KdfPort } from '../calls/kdfPort.ts';
import { orGiveBack } from '../calls/orGiveBack.ts';
import { callFailed } from '../calls/failure.ts';
import { isTaskFinished } from '../calls/taskFailure.ts';

/** An address that the wallet does not list, and what has to be done until it does. */
export interface Unlisted {
	path: string;
	account: number;
	chain: 'External' | 'Internal';
	/** Number of addresses that have to be listed, this one included. */
	more: number;
	/** Whether the account has to be created first. */
	isNewAccount: boolean;
}

/**
 * Maximum number of addresses that are listed for one signature: from then on the node queries the coin's
 * servers for each.
 */
export const MOST_LISTED = 100;
/**
 * Default gap limit of a node (release 2.5.1): number of unused addresses in a row after which it lists no
 * more. The addresses that are listed here come on top.
 */
const GAP = 20;
const POLL_MS = 100;
/**
 * Time limit for a page, milliseconds. What was listed by then stays listed, and another request continues
 * from there.
 */
const MOST_MS = 60_000;

const pause = (ms: number): Promise<void> => new Promise((resolve) => void setTimeout(resolve, ms));

const unsure = (): Failure => ({ kind: 'unsure', type: null, message: '', data: null });

/** Reverses what was counted for a kind of calls, when none of them was sent. */
export interface Uncounted {
	account: () => Promise<void>;
	addresses: () => Promise<void>;
}

const nothing = (): Promise<void> => Promise.resolve();
/** For callers that counted nothing. */
export const COUNTED_NOTHING: Uncounted = { account: nothing, addresses: nothing };

async function createAccount(
	nodes: KdfPort,
	node: string,
	coin: string,
	account: number,
	until: number,
	giveBack: () => Promise<void>
) {
	const asked = { coin, account_id: account, scan: false };
	const { task_id: task } = await orGiveBack(
		nodes.call(node, 'task::create_new_account::init', asked),
		giveBack
	);
	const own = { task_id: task };
	const look = async () => {
		const { status, details } = await nodes.call(node, 'task::create_new_account::status', {
			...own,
			forget_if_finished: true
		});
		if (status === 'Error') {
			const { error: message, error_type: type } = details;
			throw callFailed({ kind: 'refused', type, message, data: null });
		}
		return status;
	};
	while (performance.now() < until) {
		const status = await look();
		if (status === 'Ok') return;
		// Hardware wallets are not used here: the PIN pad belongs to the task of an activation.
		if (status === 'UserActionRequired') break;
		await pause(POLL_MS);
	}
	try {
		await nodes.call(node, 'task::create_new_account::cancel', own);
	} catch (error) {
		const failure = isAppError(error, 'activation.call-failed') ? error.params.failure : null;
		if (failure === null || !isTaskFinished(failure)) throw error;
		if ((await look()) === 'Ok') return;
	}
	throw callFailed(unsure());
}

/**
 * Has the wallet list an address. Nothing is sent or signed, but the node queries the coin's servers for the
 * new addresses from then on.
 * @param giveBack reverses what was counted for calls that were not sent
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
		// Each request lists at least one address, so that repeated requests come to an end.
		if (n > 0 && performance.now() >= until) throw callFailed(unsure());
		const asked = { coin, account_id: account, chain, gap_limit: GAP + MOST_LISTED };
		const { new_address: added } = await orGiveBack(
			nodes.call(node, 'get_new_address', asked),
			n === 0 ? giveBack.addresses : nothing
		);
		// Other callers may have had addresses listed in the meantime.
		if (reported(added, 'derivation_path') === path) return;
	}
}
