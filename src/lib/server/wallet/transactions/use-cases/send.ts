import { daemonClientOf } from '../../../chains/daemon/daemonClient.ts';
import { findAnyImport, type FoundImport } from '../../../chains/daemon/findImport.ts';
import { isRefused } from '../../../access/rights/refused.ts';
import type { Counted, MeasuredSpend } from '../../../access/rights/spend.ts';
import type { Executor } from '../../../platform/database/database.ts';
import { AppError, isAppError } from '../../../platform/errors/appError.ts';
import type { WalletTables } from '../../tables.ts';
import { statusOfChain } from '../chainStatus.ts';
import { isTransactionError, type TransactionError } from '../errors.ts';
import { readBuilt } from '../verifyTransaction.ts';
import { certaintyOf, toSendError } from '../notBuilt.ts';
import type { Send } from '../store.ts';
import { sendAccessOf } from '../sendAccess.ts';
import { UNSENT, type SendState } from '../tables.ts';
import { storeDecimals } from '../tokenDisplay.ts';
import { walletOf } from '../wallet.ts';
import type { SendingDependencies } from './dependencies.ts';
import { discardOutlived, discardReview, discardUnapproved } from './discard.ts';
import { existing, reconcile } from './reconcile.ts';
import { handOver, hasToWait } from './handOver.ts';
import { refuseForeign } from './mayBuild.ts';

/** States from which a transaction may be sent; `ALSO_REFUSED` while a rejected one can still confirm. */
const FROM_HERE: readonly SendState[] = [...UNSENT, 'unknown'];

const ALSO_REFUSED: readonly SendState[] = [...FROM_HERE, 'rejected'];

/**
 * Returns an import of the same source that is known already: this import must not be sent then. (Komodo
 * daemon 0.9.0 does not refuse a second import of one burn, and anyone who sees a source can build one.)
 * @throws {AppError} `daemon`
 */
async function importOf(
	{ gateway }: SendingDependencies,
	row: Send,
	before: Send
): Promise<FoundImport | null> {
	const [input] = readBuilt(row.hex).vin;
	const client = daemonClientOf(gateway, row.daemon);
	return (await findAnyImport(client, input?.txid ?? '', BigInt(before.height ?? 1))).found;
}

/** Whether it is past its expiry height, because it waited too long for approvals. @throws {AppError} `daemon` */
async function isOutlived({ gateway }: SendingDependencies, row: Send): Promise<boolean> {
	const { expiryHeight } = readBuilt(row.hex);
	if (expiryHeight === 0) return false;
	const { tip } = await statusOfChain(daemonClientOf(gateway, row.daemon));
	return tip + 1 > expiryHeight;
}

/** Sets the decimals of a new token to those with which its supply was typed. */
async function showDecimals(
	{ audit }: SendingDependencies,
	{ chain, txid, request }: Send,
	actor: string,
	trx: Executor<WalletTables>
): Promise<void> {
	if (request.kind !== 'token-create' || !request.decimals) return;
	const { decimals } = request;
	await audit.append(
		{ actor, action: 'token.decimals', target: txid, detail: { chain, decimals } },
		trx
	);
	await storeDecimals(trx, chain, txid, decimals);
}

/** Refuses a member who may not send a transaction, by account, wallet and role. @throws {AppError} `work.denied` */
const refuseSender = (deps: SendingDependencies, row: Send, actor: string): Promise<void> =>
	refuseForeign(deps, actor, row.daemon, sendAccessOf(row), certaintyOf(row), 'send');

type RefusedSpend = Parameters<SendingDependencies['rights']['withRequest']>[0];

/** Whether what a transaction belongs to is still to be sent; asked within the database transaction of its mark. */
type StillWanted = (within: Executor<WalletTables>) => Promise<boolean>;

const ALWAYS: StillWanted = () => Promise.resolve(true);

/**
 * Requests approval. Until it is granted, the transaction keeps its UTXOs and is not sent. Its state and the
 * request are stored in one database transaction.
 * @returns undefined when another process was faster
 * @throws {AppError} `utxos.locked`
 */
async function awaitApproval(
	{ db, store, rights, clock }: SendingDependencies,
	row: Send,
	spend: MeasuredSpend,
	error: RefusedSpend,
	isWanted: StillWanted
): Promise<RefusedSpend | undefined> {
	// A transaction that may be on the network cannot wait for approval. The member who sent it before is not
	// judged a second time.
	if (isAppError(error, 'policy.needs-approval') && !UNSENT.includes(row.state)) {
		return new AppError('policy.resend-needs-approval', error.params);
	}
	try {
		return await db.transaction().execute(async (trx) => {
			const waiting = { state: 'needs-approval' } as const;
			if (!(await isWanted(trx))) return;
			if (!(await store.move(row.id, UNSENT, waiting, trx))) return;
			await store.lock(trx, row, clock());
			const about = { kind: 'transaction', subject: row.id } as const;
			const asked = await rights.withRequest(error, spend, about, trx);
			// When approval cannot be requested, the rollback leaves it a review.
			if (!isAppError(asked, 'policy.needs-approval')) throw asked;
			return asked;
		});
	} catch (refused) {
		if (!isRefused(refused)) throw refused;
		return refused;
	}
}

/**
 * Marks a transaction as broadcasting, counts it for the limits and records the event, all or nothing.
 * @returns what was counted (null for nothing), and the time of the mark; undefined when another process was
 * faster, or it is not wanted any more
 * @throws {AppError} `limit`, `policy` or `utxos.locked`
 */
async function markBroadcasting(
	deps: SendingDependencies,
	row: Send,
	actor: string,
	isWanted: StillWanted
): Promise<{ counted: Counted | null; broadcastAt: number } | undefined> {
	const { db, store, audit, rights, clock } = deps;
	let spend: MeasuredSpend | null = null;
	try {
		if (row.follows === null) {
			spend = await rights.measureSpend(actor, row.daemon, row.hex);
			// Measuring asks a daemon, and the wallet may have been withdrawn in that time.
			await refuseSender(deps, row, actor);
		}
		// Read only now: measuring may take long, and a row with an old time is taken for one that a crash
		// left behind.
		const broadcastAt = clock();
		const sending = { state: 'broadcasting', broadcastAt, rejection: null } as const;
		return await db.transaction().execute(async (trx) => {
			if (!(await isWanted(trx))) return;
			// Only from the state that was checked: a transaction that became unknown since was not looked up.
			if (!(await store.move(row.id, [row.state], sending, trx))) return;
			// A server whose clock is ahead, or a refusal, may have released them; from now on no other draft
			// gets them.
			await store.lock(trx, row, broadcastAt);
			const counted = spend === null ? null : await rights.recordSpend(spend, trx);
			await showDecimals(deps, row, actor, trx);
			const { chain, daemon, kind } = row;
			await audit.append(
				{ actor, action: 'send.sent', target: row.txid, detail: { chain, daemon, kind } },
				trx
			);
			return { counted, broadcastAt };
		});
	} catch (error) {
		if (!isRefused(error)) throw error;
		const refused =
			isAppError(error, 'policy.needs-approval') && spend !== null
				? await awaitApproval(deps, row, spend, error, isWanted)
				: error;
		if (refused === undefined) return;
		if (!isAppError(refused, 'policy.needs-approval')) {
			await rights.spendRefused(actor, row.daemon, row.hex, row.kind, refused);
		}
		throw refused;
	}
}

/**
 * Discards a review that has expired. A member who may read its bytes may have sent them by other means: if
 * it is found, it is kept, and nothing else must be built for it.
 * @throws {AppError} `transaction.review-expired`, or when the daemon cannot tell
 */
async function discardExpired(deps: SendingDependencies, row: Send): Promise<SendState> {
	let found: Awaited<ReturnType<typeof reconcile>>;
	try {
		found = await reconcile(deps, row.id);
	} catch (error) {
		throw toSendError(error, certaintyOf(row));
	}
	if (found !== 'absent') return found;
	await discardReview(deps, row);
	throw new AppError('transaction.review-expired');
}

/**
 * Returns what prevents a transaction from being sent now, as far as that can be determined without sending
 * it; null for nothing. Rounds retry silently, so pages ask here for the reason.
 */
export async function hindrance(
	{ store, gateway }: SendingDependencies,
	id: string
): Promise<TransactionError | null> {
	const row = await store.get(id);
	if (row === null) return null;
	try {
		await walletOf(gateway, row.chain, row);
		await gateway.mayLeave(row.daemon, 'sendrawtransaction');
		return null;
	} catch (error) {
		const told = toSendError(error, certaintyOf(row));
		if (!isTransactionError(told)) throw told;
		return told;
	}
}

/**
 * Sends a reviewed transaction. Only its stored bytes go out, and only for the one caller that moves the
 * row to `broadcasting`; other callers get the state.
 * @param isWanted asked until the call leaves; left out for a transaction that a member sends by hand
 * @throws {AppError} when it is too old, another draft has its UTXOs, or the daemon is another one; `queue.kept` when
 * it was not wanted any more after it had waited for the daemon
 */
export async function send(
	deps: SendingDependencies,
	id: string,
	actor: string,
	isWanted?: StillWanted
): Promise<SendState> {
	const { db, store, gateway, clock } = deps;
	const row = await existing(deps, id);
	const before = row.follows === null ? null : await existing(deps, row.follows);
	if (before !== null && before.state !== 'confirmed') {
		throw new AppError('transaction.not-due');
	}
	// The second transaction of a pair does not expire: it spends no outputs of the wallet.
	if (row.state === 'reviewed' && before === null && row.expiresAt <= clock()) {
		return discardExpired(deps, row);
	}
	if (row.state === 'needs-approval') {
		try {
			await discardUnapproved(deps, id);
		} catch (error) {
			throw toSendError(error, certaintyOf(row));
		}
		const { state } = await existing(deps, id);
		if (state !== 'needs-approval') return state;
	}
	// What was refused may be tried again until it is certain that nothing can come of it; the second of a pair
	// always, because the first has been paid for.
	const isReplaced = row.rejection?.code === 'batch.replaced';
	const isOver = before === null && (row.finalAt !== null || isReplaced);
	const open = isOver ? FROM_HERE : ALSO_REFUSED;
	if (!open.includes(row.state)) return row.state;
	// The second of a pair was confirmed by a member together with the first, and spends nothing of a wallet.
	if (before === null) await refuseSender(deps, row, actor);
	try {
		await walletOf(gateway, row.chain, row);
		// A transaction that may be on the network is looked up before it is sent again.
		const isNew = UNSENT.includes(row.state);
		if (isNew && before === null && (await isOutlived(deps, row))) {
			// A member who may read its bytes may have sent them in time.
			const outside = await reconcile(deps, id);
			if (outside !== 'absent') return outside;
			await discardOutlived(deps, row);
			return (await existing(deps, id)).state;
		}
		const found = isNew ? 'absent' : await reconcile(deps, id);
		if (found !== 'absent') return found;
		// Sent now, it would be refused; an `unknown` one is sent again by the round when its inputs are back.
		if (!isNew && (await hasToWait(deps, row))) return row.state;
		const made = before === null ? null : await importOf(deps, row, before);
		if (made?.where === 'mined' && made.txid === row.txid) {
			// The lookup could not find it: its outputs are spent already, and the daemon has no index that
			// it needs for that.
			const [settledAt, takenAt] = [clock(), clock()];
			const taken = { rejection: null, settledAt, takenAt, height: made.height } as const;
			await store.move(id, open, { state: 'confirmed', ...taken });
			return 'confirmed';
		}
		if (made !== null && made.txid !== row.txid) {
			const params = { chain: row.chain, txid: made.txid };
			const rejection = { code: 'import.elsewhere', params } as const;
			await store.move(id, open, { state: 'rejected', rejection, settledAt: clock() });
			return 'rejected';
		}
		// Checked before the send is recorded: rounds retry often, and what a safety control stops is not
		// recorded each time.
		await gateway.mayLeave(row.daemon, 'sendrawtransaction');
	} catch (error) {
		throw toSendError(error, certaintyOf(row));
	}
	const marked = await markBroadcasting(deps, row, actor, isWanted ?? ALWAYS);
	if (marked === undefined) return (await existing(deps, id)).state;
	// While the call waits in the daemon's queue, the account may be disabled or the wallet withdrawn.
	const beforeSend =
		before === null
			? async () => {
					await refuseSender(deps, row, actor);
					if (isWanted && !(await isWanted(db))) throw new AppError('queue.kept');
				}
			: undefined;
	return handOver(deps, row, marked.counted, marked.broadcastAt, beforeSend);
}
