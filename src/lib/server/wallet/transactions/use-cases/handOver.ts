import {
	RPC_DESERIALIZATION_ERROR,
	RPC_VERIFY_ALREADY_IN_CHAIN,
	RPC_VERIFY_ERROR,
	RPC_VERIFY_REJECTED
} from '#lib/rpc/errorCodes.ts';
import type { DaemonErrorCode } from '#lib/rpc/errors/index.ts';
import type { Counted } from '../../../access/rights/spend.ts';
import { daemonClientOf } from '../../../chains/daemon/daemonClient.ts';
import { isInternal } from '../../../chains/daemon/internalError.ts';
import { refusalCode } from '../../../chains/daemon/refusalCode.ts';
import { databaseErrorKind } from '../../../platform/database/databaseError.ts';
import { AppError, isAppError } from '../../../platform/errors/appError.ts';
import { certaintyOf, toSendError } from '../notBuilt.ts';
import { awaitsOthers } from '../refusedOutlook.ts';
import type { Send } from '../store.ts';
import type { SendState } from '../tables.ts';
import type { SendingDependencies } from './dependencies.ts';
import { existing, reconcile, reject } from './reconcile.ts';
import type { DaemonError } from '../../../chains/daemon/daemonError.ts';

/**
 * Komodo daemon 0.9.0: bytes cannot be decoded, an input is missing, a rule is violated. A transaction
 * that is refused with one of these is not on the network.
 */
const REFUSED_FOR_GOOD: ReadonlySet<number | undefined> = new Set([
	RPC_DESERIALIZATION_ERROR,
	RPC_VERIFY_ERROR,
	RPC_VERIFY_REJECTED
]);

/** States during the call that sends a transaction: `leaveBehind` sets a slow one to `unknown`. */
const ON_THE_WAY: readonly SendState[] = ['broadcasting', 'unknown'];

/**
 * Komodo daemon 0.9.0: after a reorganization a coinbase may be immature again, and a lock time ahead of the
 * tip; and the conflicting transaction in the mempool may drop out of it.
 */
const PASSES_BY_ITSELF: readonly (DaemonErrorCode | null)[] = [
	'broadcast.coinbase-immature',
	'broadcast.mempool-conflict',
	'broadcast.not-final'
];

/**
 * Whether a transaction that was on the network would be refused now for a temporary reason: one of its
 * inputs is not found, or is spent in the mempool. For one that was never on the network such a refusal
 * counts like any other, and the second of a pair spends no output.
 * @throws {AppError} `daemon`
 */
export async function hasToWait(
	{ gateway }: SendingDependencies,
	{ daemon, hex, takenAt, follows }: Pick<Send, 'daemon' | 'hex' | 'takenAt' | 'follows'>
): Promise<boolean> {
	if (takenAt === null || follows !== null) return false;
	return awaitsOthers(daemonClientOf(gateway, daemon), hex);
}

/**
 * Whether a transaction that was on the network was refused for a temporary reason, so that some more blocks
 * may make it valid again.
 * @throws {AppError} `daemon`
 */
async function mayPass(
	deps: SendingDependencies,
	send: Send,
	error: DaemonError
): Promise<boolean> {
	if (send.takenAt === null) return false;
	return PASSES_BY_ITSELF.includes(refusalCode(error)) || hasToWait(deps, send);
}

/**
 * Sends the stored bytes to the daemon. The row is `broadcasting` already.
 * @param counted what was counted for this send; null when nothing was, as for bytes that are sent again
 * @param sending `broadcast_at` of the row, Unix milliseconds
 * @param beforeSend called right before the call is sent, after all waits; nothing is sent when it rejects
 */
export async function handOver(
	deps: SendingDependencies,
	row: Send,
	counted: Counted | null,
	sending: number,
	beforeSend?: () => Promise<void>
): Promise<SendState> {
	const { store, gateway, clock } = deps;
	const { id } = row;
	let txid: string;
	try {
		txid = await gateway.call(row.daemon, 'sendrawtransaction', [row.hex], {
			...(beforeSend ? { beforeSend } : {})
		});
	} catch (error) {
		return settleCall(deps, row, { counted, sending }, error);
	}
	if (txid !== row.txid) {
		await store.move(id, ['broadcasting'], { state: 'unknown' });
		throw new AppError('transaction.other-txid', { txid });
	}
	await store.move(id, ON_THE_WAY, { state: 'broadcast', takenAt: clock() });
	return 'broadcast';
}

/**
 * Stores the outcome of a call that failed. A refusal is believed only if the transaction is not found either.
 */
async function settleCall(
	deps: SendingDependencies,
	send: Send,
	{ counted, sending }: { counted: Counted | null; sending: number },
	error: unknown
): Promise<SendState> {
	const { db, store, rights, audit } = deps;
	const { id, chain, daemon, kind, txid: target } = send;
	/**
	 * Restores the state before a call that never left. The send was recorded before, so the failure is
	 * recorded, too.
	 */
	const takeBack = async (): Promise<void> => {
		const before = { state: send.state, rejection: send.rejection };
		await db.transaction().execute(async (trx) => {
			// From `unknown` it goes back there: an earlier call may still have been heard, and stays counted.
			// One that waited so long that another took its place belongs to that one.
			const isBack = await store.move(id, ON_THE_WAY, before, trx, sending);
			if (!isBack) return;
			if (counted !== null) await rights.giveBack(counted, trx);
			const detail = { chain, daemon, kind };
			await audit.append({ actor: 'engine', action: 'send.failed', target, detail }, trx);
		});
	};
	// Rights and database are asked before the call leaves, not after, so nothing was sent.
	const isKept = isAppError(error, 'work.denied', 'queue.kept');
	if (isKept || databaseErrorKind(error) !== null) await takeBack();
	if (!isAppError(error, 'daemon')) throw error;
	const refused = error.code === 'daemon.rpc-error' || error.code === 'daemon.in-band-error';
	if (!refused && error.params.delivery === 'not-sent') {
		await takeBack();
		throw toSendError(error, certaintyOf(send));
	}
	await store.move(id, ['broadcasting'], { state: 'unknown' });
	try {
		const found = await reconcile(deps, id);
		if (found !== 'absent') return found;
		const { rpcCode } = error.params;
		// If the lookup does not find a transaction that is in a block, the daemon that answered the lookup may be
		// behind the one that said so.
		const isRefusal = refused && !isInternal(rpcCode) && rpcCode !== RPC_VERIFY_ALREADY_IN_CHAIN;
		if (!isRefusal || (await mayPass(deps, send, error))) return 'unknown';
		return await refuse(deps, send, error);
	} catch (lookup) {
		if (!isAppError(lookup, 'daemon')) throw lookup;
		return refused && send.takenAt === null && REFUSED_FOR_GOOD.has(error.params.rpcCode)
			? refuse(deps, send, error)
			: 'unknown';
	}
}

async function refuse(
	deps: SendingDependencies,
	send: Send,
	error: DaemonError
): Promise<SendState> {
	const isMine = await reject(deps, send.id, ['broadcasting', 'unknown'], {
		rejection: {
			code: 'daemon.refused',
			params: { response: (error.params.rpcMessage ?? error.message).trim() }
		},
		finalAt: null,
		spentSince: null
	});
	// Another process has found the transaction meanwhile: that outweighs the refusal.
	return isMine ? 'rejected' : (await existing(deps, send.id)).state;
}

/**
 * Sends the same bytes again, of a transaction that was on the network and that a reorganization removed. It
 * can confirm only once, and it was counted when it was first sent.
 * @returns false while it has to wait for other transactions
 * @throws {AppError} when a safety control stops it, before the send is recorded
 */
export async function resend(deps: SendingDependencies, id: string): Promise<boolean> {
	const { db, store, gateway, audit, clock } = deps;
	const row = await existing(deps, id);
	const { chain, daemon, kind, takenAt, txid: target } = row;
	if (takenAt === null) return true;
	if (await hasToWait(deps, row)) return false;
	try {
		await gateway.mayLeave(daemon, 'sendrawtransaction');
	} catch (error) {
		throw toSendError(error, certaintyOf(row));
	}
	const broadcastAt = clock();
	const sending = { state: 'broadcasting', broadcastAt } as const;
	const isMine = await db.transaction().execute(async (trx) => {
		if (!(await store.move(id, ['unknown'], sending, trx))) return false;
		const detail = { chain, daemon, kind, again: true };
		await audit.append({ actor: 'engine', action: 'send.sent', target, detail }, trx);
		return true;
	});
	if (isMine) await handOver(deps, row, null, broadcastAt);
	return true;
}
