/**
 * Approves several burns with all notary wallets that a member may use: the transaction of each wallet is built and
 * decoded, the member reviews it, and the worker sends each confirmed one once.
 */
import { MINUTE_MS } from '#lib/text/units.ts';
import type { Audit } from '../../../access/audit/audit.ts';
import type { Rights } from '../../../access/rights/rights.ts';
import type { Database, Executor } from '../../../platform/database/database.ts';
import { AppError } from '../../../platform/errors/appError.ts';
import { createAdvanceAll } from '../../../platform/jobs/advanceAll.ts';
import { isTransactionError } from '../../../wallet/transactions/errors.ts';
import type { Send } from '../../../wallet/transactions/store.ts';
import { UNSENT } from '../../../wallet/transactions/tables.ts';
import type { CrossChainTables } from '../../tables.ts';
import type { PublishedBurn } from '../notaryApprovals.ts';
import { createAdvance, type AdvanceParts } from './advance.ts';
import {
	createApprovalQueueStore,
	type ApprovalQueue,
	type ApprovalQueueItem,
	type NewItem
} from './store.ts';

/** Most burns in one queue. */
export const MOST_BURNS = 20;
/** Most attempts to discard a queue while the worker advances it. */
const MOST_LOOKS = 4;
/** How long waiting approvals are built automatically, in milliseconds: longer than a few blocks take. */
export const ACTIVE_MS = 30 * MINUTE_MS;

interface ApprovalQueueParts extends Omit<AdvanceParts, 'store' | 'clock'> {
	db: Database<CrossChainTables>;
	audit: Audit;
	/** Access to wallets. */
	rights: Pick<Rights, 'walletRefusal' | 'sendRefusal'>;
	/** Unix milliseconds. */
	clock?: () => number;
}

/** One approval with its transaction. */
export interface QueuedApproval extends ApprovalQueueItem {
	transaction: Send | null;
}

interface ApprovalQueueView {
	queue: ApprovalQueue;
	items: QueuedApproval[];
}

type Created = { id: string } | { refused: 'no-burn' | 'too-many' | 'no-wallet' };

/** Whether an approval may be discarded: a confirmed one only while it waits for approval by other members. */
const mayBeDiscarded = ({ state, transaction }: QueuedApproval): boolean =>
	state === 'waiting' ||
	state === 'underway' ||
	(state === 'confirmed' && transaction?.state === 'needs-approval');

export function createApprovalQueues({
	db,
	audit,
	rights,
	clock = Date.now,
	...parts
}: ApprovalQueueParts) {
	const { sender, approvals } = parts;
	const store = createApprovalQueueStore(db, audit, clock);
	const advanceAll = createAdvanceAll(createAdvance({ ...parts, rights, store, clock }));

	/** Returns the approvals of one burn by all notary wallets of its destination that this member may use. */
	async function itemsOf(found: PublishedBurn, actor: string): Promise<NewItem[]> {
		const { burnTxid, source, destination } = found.burn;
		const items: NewItem[] = [];
		for (const { daemon, problem } of await approvals.wallets(found)) {
			if ((await rights.walletRefusal(actor, daemon)) !== null) continue;
			const why: NewItem['problem'] =
				problem === null ? null : { code: 'approval.wallet', params: { problem } };
			items.push({ burnTxid, source, destination, daemon, problem: why });
		}
		return items;
	}

	/** Changes the items that are unchanged since they were read, in the caller's transaction; returns how many. */
	async function moveAll(
		id: string,
		items: readonly ApprovalQueueItem[],
		to: Parameters<typeof store.moveItem>[2],
		trx: Executor<CrossChainTables>
	): Promise<number> {
		let moved = 0;
		for (const item of items) if (await store.moveItem(id, item, to, trx)) moved += 1;
		return moved;
	}

	async function view(id: string): Promise<ApprovalQueueView | null> {
		const queue = await store.get(id);
		if (queue === null) return null;
		const items: QueuedApproval[] = [];
		for (const item of await store.items(id)) {
			items.push({ ...item, transaction: item.send === null ? null : await sender.get(item.send) });
		}
		return { queue, items };
	}

	/**
	 * Discards the approvals that were not confirmed, which frees their UTXOs; those already sent are not
	 * affected. A member who did not create the queue discards only those of wallets that they may use.
	 * @param looks most attempts: the worker may begin a waiting approval in the meantime
	 * @param before number of approvals that earlier attempts discarded
	 * @throws {AppError} `work.denied` when the member may discard none of them, or no daemon can look them
	 *   up
	 */
	async function discard(id: string, actor: string, looks = MOST_LOOKS, before = 0): Promise<void> {
		const found = await view(id);
		if (found?.queue.state !== 'open') return;
		let refused: AppError | null = null;
		const mine: QueuedApproval[] = [];
		/** Items whose transactions this call discarded. */
		const own = new Set<number>();
		for (const item of found.items) {
			if (!mayBeDiscarded(item)) continue;
			const no =
				found.queue.builtBy === actor
					? null
					: await rights.walletRefusal(actor, item.daemon, 'discard');
			if (no !== null) {
				refused = new AppError('work.denied', { why: no.coded, certain: 'not-discarded' });
				continue;
			}
			const { transaction } = item;
			if (transaction !== null && UNSENT.includes(transaction.state)) {
				try {
					// Another caller was faster: the transaction is being sent.
					if (!(await sender.discard(transaction.id, actor))) continue;
					own.add(item.n);
				} catch (error) {
					if (!isTransactionError(error)) throw error;
					refused = error;
					continue;
				}
			}
			mine.push(item);
		}
		const to = {
			state: 'refused',
			problem: { code: 'approval.discarded', params: {} }
		} as const;
		const { left, all } = await db.transaction().execute(async (trx) => {
			let discarded = 0;
			const faster: number[] = [];
			for (const item of mine) {
				if (await store.moveItem(id, item, to, trx)) discarded += 1;
				else faster.push(item.n);
			}
			await store.lock(id, trx);
			const items = await store.items(id, trx);
			const stateOf = (n: number) => items.find((item) => item.n === n)?.state;
			// If the worker saw a transaction discarded here, it has ended the item itself; that counts, too.
			discarded += faster.filter((n) => own.has(n) && stateOf(n) === 'refused').length;
			const isNothing = discarded === 0 && faster.length === 0 && before === 0;
			if (isNothing && refused !== null) throw refused;
			const detail = { approvals: discarded };
			if (discarded > 0 || isNothing)
				await audit.append({ actor, action: 'approvals.discarded', target: id, detail }, trx);
			if (items.every(({ state }) => state === 'refused')) {
				const over = { state: 'discarded', ended_at: clock() } as const;
				await store.move(id, ['open', 'done'], over, undefined, trx);
			}
			return {
				left: faster.some((n) => ['underway', 'waiting'].includes(stateOf(n) ?? '')),
				all: before + discarded
			};
		});
		if (left && looks > 1) await discard(id, actor, looks - 1, all);
	}

	return {
		newest: store.newest,
		get: view,

		/**
		 * Creates a queue of burns and wallets. Nothing is built before that.
		 * @param burnTxids txids of published burns; burns that accept no further approvals are skipped
		 */
		async create(burnTxids: readonly string[], actor: string): Promise<Created> {
			const wanted = [...new Set(burnTxids)];
			if (wanted.length > MOST_BURNS) return { refused: 'too-many' };
			const burns: PublishedBurn[] = [];
			for (const txid of wanted) {
				const found = await approvals.published(txid);
				if (found?.burn.open) burns.push(found);
			}
			if (burns.length === 0) return { refused: 'no-burn' };
			const items: NewItem[] = [];
			for (const found of burns) items.push(...(await itemsOf(found, actor)));
			if (items.length === 0) return { refused: 'no-wallet' };
			return { id: await store.add(items, actor, ACTIVE_MS) };
		},

		/** Advances one queue, unless this process is already doing so. */
		advance: (id: string): Promise<void> => advanceAll([id]),

		/**
		 * Confirms transactions of a queue that this member has reviewed. Those of wallets with which they may not
		 * approve, and those no longer awaiting confirmation, stay unchanged.
		 * @param sends ids of the transactions that were shown
		 * @returns how many were confirmed
		 * @throws {AppError} `work.denied` when the member may approve with none of the wallets
		 */
		async confirm(id: string, sends: readonly string[], actor: string): Promise<number> {
			const found = await view(id);
			if (found?.queue.state !== 'open') return 0;
			const wanted = new Set(sends);
			const mine: QueuedApproval[] = [];
			let denied: Awaited<ReturnType<Rights['sendRefusal']>> = null;
			for (const item of found.items) {
				const { state, transaction } = item;
				if (state !== 'underway' || transaction === null || !UNSENT.includes(transaction.state))
					continue;
				if (!wanted.has(transaction.id)) continue;
				const no = await rights.sendRefusal(actor, item.daemon, 'notary', 'send');
				if (no === null) mine.push(item);
				else denied = no;
			}
			const to = { state: 'confirmed', confirmed_by: actor, problem: null } as const;
			// Confirmation and audit event are written in one transaction.
			const confirmed = await db.transaction().execute(async (trx) => {
				const moved = await moveAll(id, mine, to, trx);
				const detail = { approvals: moved };
				if (moved > 0)
					await audit.append({ actor, action: 'approvals.confirmed', target: id, detail }, trx);
				return moved;
			});
			if (confirmed === 0 && denied !== null) {
				throw new AppError('work.denied', { why: denied.coded, certain: 'not-sent' });
			}
			return confirmed;
		},

		/**
		 * Builds approvals again that were refused or not sent in time, in the name of this member and for the
		 * wallets that they may use; sent ones stay unchanged.
		 * @returns how many are built again
		 */
		async buildAgain(id: string, actor: string): Promise<number> {
			const again: ApprovalQueueItem[] = [];
			for (const item of await store.items(id)) {
				if (item.state !== 'refused' && item.state !== 'lapsed') continue;
				if ((await rights.walletRefusal(actor, item.daemon, 'approval')) === null) again.push(item);
			}
			const to = { state: 'waiting', transaction_id: null, problem: null } as const;
			// The queue is reopened in the same transaction, because nothing is built in a queue that is done.
			return db.transaction().execute(async (trx) => {
				const put = await moveAll(id, again, to, trx);
				if (put > 0) {
					await store.move(
						id,
						['open', 'done', 'discarded'],
						{ state: 'open', built_by: actor, active_until: clock() + ACTIVE_MS, ended_at: null },
						{ actor, action: 'approvals.rebuilt', detail: { approvals: put } },
						trx
					);
				}
				return put;
			});
		},

		discard: (id: string, actor: string): Promise<void> => discard(id, actor),

		/**
		 * Advances every open queue; a failing one does not delay the others.
		 * @returns whether any queue was open
		 */
		async round(): Promise<boolean> {
			const open = await store.open();
			await advanceAll(open);
			return open.length > 0;
		}
	};
}

export type ApprovalQueues = ReturnType<typeof createApprovalQueues>;
