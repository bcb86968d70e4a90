import type { Rejection } from '#lib/messages/transactions/rejections.ts';
import type { Executor } from '../../../platform/database/database.ts';
import { AppError, isAppError } from '../../../platform/errors/appError.ts';
import type { WalletTables } from '../../tables.ts';
import type { Send } from '../store.ts';
import { toSendError } from '../notBuilt.ts';
import { UNSENT, type SendState } from '../tables.ts';
import type { SendingDependencies } from './dependencies.ts';
import { reconcile } from './reconcile.ts';

/** Maximum number of approval requests that one round closes. */
const MOST_CLOSED = 500;

/**
 * Discards a review that was not sent, with the second transaction of its pair. Returns false when it was sent.
 * @param also further writes, in the same database transaction
 */
export async function discardReview(
	deps: SendingDependencies,
	{ id }: Pick<Send, 'id'>,
	rejection: Rejection | null = null,
	also?: (trx: Executor<WalletTables>) => Promise<void>
): Promise<boolean> {
	const { db, store, clock } = deps;
	const change = { state: 'discarded', settledAt: clock(), rejection } as const;
	return db.transaction().execute(async (trx) => {
		if (!(await store.move(id, UNSENT, change, trx))) return false;
		await store.release(id, trx);
		const next = await store.followerOf(id, trx);
		if (next) await store.move(next.id, ['reviewed'], change, trx);
		await also?.(trx);
		return true;
	});
}

/** Ignores errors of a daemon, which is asked again later. */
async function passing(look: Promise<void>): Promise<void> {
	try {
		await look;
	} catch (error) {
		if (!isAppError(error, 'daemon')) throw error;
	}
}

/** States in which a transaction waits for no approval, unless one is requested again. */
const WAITS_FOR_NONE: readonly SendState[] = ['broadcast', 'confirmed', 'rejected', 'discarded'];

/** Returns why a review will not get the approvals it waits for; null while it may. */
async function unapproved(
	{ approvals }: SendingDependencies,
	id: string
): Promise<Rejection | null> {
	const request = await approvals.lastOf(id);
	const why = request?.state ?? 'voided';
	// An approved transaction is being sent, or may be sent again.
	if (why === 'open' || why === 'used') return null;
	return { code: 'approval.missing', params: { why } };
}

/**
 * Discards a transaction whose approvals will not come: rejected, expired or voided. A member who may read its
 * bytes may have sent them by other means: if it is found, it is kept, and nothing else must be built for it.
 * @throws {AppError} `daemon`
 */
export async function discardUnapproved(deps: SendingDependencies, id: string): Promise<void> {
	const why = await unapproved(deps, id);
	if (why === null || (await reconcile(deps, id)) !== 'absent') return;
	await discardReview(deps, { id }, why);
}

/** Voids requests for transactions that were sent without approvals because the rule is gone. */
async function voidUnneeded({ db, approvals }: SendingDependencies): Promise<boolean> {
	const asked = await db
		.selectFrom('approval_requests')
		.innerJoin('transactions', 'transactions.id', 'approval_requests.subject')
		.select('transactions.id')
		.where('approval_requests.state', '=', 'open')
		.where('transactions.state', 'in', WAITS_FOR_NONE)
		.limit(MOST_CLOSED)
		.execute();
	for (const { id } of asked) await approvals.voidOf(id, 'engine');
	return asked.length > 0;
}

/**
 * Discards the transactions whose approvals will not come. A transaction that its daemon cannot look up now
 * waits for the next round; a daemon that hangs delays only its own transactions.
 * @returns whether any transaction waited for approvals, or any request was voided
 */
export async function discardAllUnapproved(deps: SendingDependencies): Promise<boolean> {
	const { db, discarding } = deps;
	const anyAsked = await voidUnneeded(deps);
	const waiting = await db
		.selectFrom('transactions')
		.select(['id', 'daemon'])
		.where('state', '=', 'needs-approval')
		.execute();
	const due = [...Map.groupBy(waiting, ({ daemon }) => daemon)];
	await Promise.all(
		due.map(async ([daemon, rows]) => {
			if (discarding.has(daemon)) return;
			discarding.add(daemon);
			try {
				for (const { id } of rows) await passing(discardUnapproved(deps, id));
			} finally {
				discarding.delete(daemon);
			}
		})
	);
	return anyAsked || waiting.length > 0;
}

/** Discards a review that is past its expiry height: if it were sent, it would be refused, and counted. */
export const discardOutlived = (deps: SendingDependencies, row: Send): Promise<boolean> =>
	discardReview(deps, row, { code: 'never.confirmed', params: { why: 'expired' } }, (trx) =>
		deps.approvals.voidOf(row.id, 'engine', trx)
	);

async function discardFor(
	deps: SendingDependencies,
	row: Send,
	actor: string,
	rejection: Rejection
): Promise<boolean> {
	const { audit, approvals } = deps;
	const { id: target, chain, daemon } = row;
	return discardReview(deps, row, rejection, async (trx) => {
		await approvals.voidOf(target, actor, trx);
		await audit.append({ actor, action: 'send.discarded', target, detail: { chain, daemon } }, trx);
	});
}

/**
 * Whether the transaction of a review is found; false for a daemon that is not configured any more, which can
 * never be asked.
 * @throws {AppError} `daemon`
 */
const isOut = async (deps: SendingDependencies, { id, daemon }: Send): Promise<boolean> =>
	deps.gateway.daemon(daemon) !== undefined && (await reconcile(deps, id)) !== 'absent';

/**
 * Discards a review and releases its UTXOs. Returns false when it was sent. A member who may read its bytes
 * may have sent them by other means: if it is found, it is kept, and nothing else must be built for it.
 * @throws {AppError} `work.denied`, or `transaction.not-built` when the daemon cannot tell
 */
export async function discard(
	deps: SendingDependencies,
	id: string,
	actor: string
): Promise<boolean> {
	const { store, rights } = deps;
	const row = await store.get(id);
	// The second of a pair is discarded with the first.
	if (row === null || row.follows !== null) return false;
	const { daemon, createdBy: by } = row;
	const work = { kind: 'review', id, by, daemon } as const;
	const no = await rights.endRefusal(actor, work, 'discard');
	if (no !== null) throw new AppError('work.denied', { why: no.coded, certain: 'not-discarded' });
	if (!UNSENT.includes(row.state)) return false;
	try {
		if (await isOut(deps, row)) return false;
	} catch (error) {
		throw toSendError(error, 'discard-unknown');
	}
	return discardFor(deps, row, actor, { code: 'review.discarded', params: {} });
}

/**
 * Whether a member discarded it on purpose. Its expiry alone does not tell, because a review that waits for
 * approvals outlives it. Rows of earlier releases have no rejection: there, a discard before the expiry
 * counts as one by a member.
 */
export const isByHand = ({
	state,
	rejection,
	settledAt,
	expiresAt
}: Pick<Send, 'state' | 'rejection' | 'settledAt' | 'expiresAt'>): boolean =>
	state === 'discarded' &&
	(rejection === null ? (settledAt ?? 0) < expiresAt : rejection.code === 'review.discarded');

/**
 * Discards a review that a batch transfer built and cannot use, with a code that tells it from a member's
 * discard. Returns false when it was sent.
 * @throws {AppError} `daemon`
 */
export const drop = async (deps: SendingDependencies, row: Send): Promise<boolean> =>
	!(await isOut(deps, row)) &&
	discardFor(deps, row, 'series', { code: 'batch.dropped', params: {} });
