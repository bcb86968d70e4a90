/** Stores approval queues and their approvals. Each change requires the state that it starts from. */
import { randomUUID } from 'node:crypto';
import type { Selectable } from 'kysely';
import { readStored, storedMessage } from '#lib/messages/catalogue.ts';
import { queueProblems, type QueueProblem } from '#lib/messages/notary-approvals/queueProblems.ts';
import type { Audit } from '../../../access/audit/audit.ts';
import type { AuditEntry } from '../../../platform/audit-trail/entry.ts';
import { chunks } from '../../../platform/database/chunks.ts';
import type { Database, Executor } from '../../../platform/database/database.ts';
import type { CrossChainTables } from '../../tables.ts';
import type {
	ApprovalQueueItemState,
	ApprovalQueueItemsTable,
	ApprovalQueuesTable,
	ApprovalQueueState
} from './tables.ts';

/** A queue without its approvals. */
export interface ApprovalQueue {
	id: string;
	state: ApprovalQueueState;
	createdBy: string;
	builtBy: string;
	/** Unix milliseconds. */
	createdAt: number;
	activeUntil: number;
	endedAt: number | null;
}

/** One approval of a queue: a burn and the approving wallet. */
export interface ApprovalQueueItem {
	n: number;
	burnTxid: string;
	source: string;
	destination: string;
	daemon: string;
	state: ApprovalQueueItemState;
	/** Id of its transaction in the table `transactions`. */
	send: string | null;
	problem: QueueProblem | null;
	confirmedBy: string | null;
}

/** An approval of a new queue; `problem` says why it cannot be built. */
export type NewItem = Pick<
	ApprovalQueueItem,
	'burnTxid' | 'source' | 'destination' | 'daemon' | 'problem'
>;

type ItemChange = Partial<
	Pick<Selectable<ApprovalQueueItemsTable>, 'state' | 'transaction_id' | 'confirmed_by'>
> & { problem?: QueueProblem | null };

/** Rows that one statement inserts. */
const ROWS_AT_ONCE = 50;
/** Queues in the list. */
const MOST_LISTED = 10;

const toQueue = (row: Selectable<ApprovalQueuesTable>): ApprovalQueue => ({
	id: row.id,
	state: row.state,
	createdBy: row.created_by,
	builtBy: row.built_by,
	createdAt: Number(row.created_at),
	activeUntil: Number(row.active_until),
	endedAt: row.ended_at === null ? null : Number(row.ended_at)
});

const toItem = (row: Selectable<ApprovalQueueItemsTable>): ApprovalQueueItem => ({
	n: Number(row.n),
	burnTxid: row.burn_txid,
	source: row.source,
	destination: row.destination,
	daemon: row.daemon,
	state: row.state,
	send: row.transaction_id,
	problem: row.problem === null ? null : readStored(queueProblems.parse, row.problem),
	confirmedBy: row.confirmed_by
});

/** Converts a change to column values, with the problem as JSON. */
const written = ({ problem, ...rest }: ItemChange) => ({
	...rest,
	...(problem === undefined ? {} : { problem: problem === null ? null : storedMessage(problem) })
});

/**
 * Creates the store of approval queues, whose changes by members are in the audit log.
 * @param clock Unix milliseconds
 */
export function createApprovalQueueStore(
	db: Database<CrossChainTables>,
	audit: Audit,
	clock: () => number
) {
	/**
	 * Locks a queue before its approvals are read to tell whether it is over: a member may have them built again at
	 * this moment.
	 */
	async function lock(id: string, trx: Executor<CrossChainTables>): Promise<void> {
		await trx
			.updateTable('approval_queues')
			.set((set) => ({ state: set.ref('state') }))
			.where('id', '=', id)
			.execute();
	}

	/** Moves a queue from one of the states to another; false when it was in none of them. */
	async function move(
		id: string,
		from: readonly ApprovalQueueState[],
		to: Partial<Pick<Selectable<ApprovalQueuesTable>, 'state' | 'built_by'>> & {
			active_until?: number;
			ended_at?: number | null;
		},
		act?: Pick<AuditEntry, 'actor' | 'action' | 'detail'>,
		within?: Executor<CrossChainTables>
	): Promise<boolean> {
		const run = async (trx: Executor<CrossChainTables>): Promise<boolean> => {
			const { numUpdatedRows } = await trx
				.updateTable('approval_queues')
				.set(to)
				.where('id', '=', id)
				.where('state', 'in', from)
				.executeTakeFirst();
			if (numUpdatedRows === 0n) return false;
			if (act) await audit.append({ ...act, target: id }, trx);
			return true;
		};
		return within ? run(within) : db.transaction().execute(run);
	}

	return {
		/** @param activeMs milliseconds for which waiting approvals are built automatically */
		async add(items: readonly NewItem[], actor: string, activeMs: number): Promise<string> {
			const id = randomUUID();
			const now = clock();
			await db.transaction().execute(async (trx) => {
				await trx
					.insertInto('approval_queues')
					.values({
						id,
						state: 'open',
						created_by: actor,
						built_by: actor,
						created_at: now,
						active_until: now + activeMs
					})
					.execute();
				const rows = items.map((item, at) => ({
					queue: id,
					n: at + 1,
					burn_txid: item.burnTxid,
					source: item.source,
					destination: item.destination,
					daemon: item.daemon,
					state: item.problem === null ? ('waiting' as const) : ('refused' as const),
					problem: item.problem === null ? null : storedMessage(item.problem)
				}));
				for (const part of chunks(rows, ROWS_AT_ONCE)) {
					await trx.insertInto('approval_queue_items').values(part).execute();
				}
				await audit.append(
					{
						actor,
						action: 'approvals.queued',
						target: id,
						detail: {
							burns: new Set(items.map(({ burnTxid }) => burnTxid)).size,
							approvals: items.length
						}
					},
					trx
				);
			});
			return id;
		},

		async get(id: string): Promise<ApprovalQueue | null> {
			const row = await db
				.selectFrom('approval_queues')
				.selectAll()
				.where('id', '=', id)
				.executeTakeFirst();
			return row ? toQueue(row) : null;
		},

		/** Returns the newest queues, without discarded ones. */
		async newest(): Promise<(ApprovalQueue & { approvals: number })[]> {
			const rows = await db
				.selectFrom('approval_queues as q')
				.selectAll('q')
				.select((select) =>
					select
						.selectFrom('approval_queue_items as i')
						.select(({ fn }) => fn.countAll<bigint | number | string>().as('many'))
						.whereRef('i.queue', '=', 'q.id')
						.as('many')
				)
				.where('q.state', '!=', 'discarded')
				.orderBy('q.created_at', 'desc')
				.orderBy('q.id')
				.limit(MOST_LISTED)
				.execute();
			return rows.map(({ many, ...row }) => ({ ...toQueue(row), approvals: Number(many) }));
		},

		async open(): Promise<string[]> {
			const rows = await db
				.selectFrom('approval_queues')
				.select('id')
				.where('state', '=', 'open')
				.orderBy('created_at')
				.execute();
			return rows.map(({ id }) => id);
		},

		/** Returns all approvals of a queue, in order. */
		async items(id: string, within: Executor<CrossChainTables> = db): Promise<ApprovalQueueItem[]> {
			const rows = await within
				.selectFrom('approval_queue_items')
				.selectAll()
				.where('queue', '=', id)
				.orderBy('n')
				.execute();
			return rows.map(toItem);
		},

		lock,

		/** Marks an open queue as done, unless one of its approvals is not over any more. */
		async end(id: string): Promise<void> {
			await db.transaction().execute(async (trx) => {
				await lock(id, trx);
				const open = await trx
					.selectFrom('approval_queue_items')
					.select('n')
					.where('queue', '=', id)
					.where('state', 'not in', ['sent', 'refused', 'lapsed'])
					.limit(1)
					.executeTakeFirst();
				if (open) return;
				await move(id, ['open'], { state: 'done', ended_at: clock() }, undefined, trx);
			});
		},

		move,

		/** Changes an approval that is still as it was read; false when it was changed meanwhile. */
		async moveItem(
			id: string,
			{ n, state, send }: Pick<ApprovalQueueItem, 'n' | 'state' | 'send'>,
			to: ItemChange,
			within: Executor<CrossChainTables> = db
		): Promise<boolean> {
			const { numUpdatedRows } = await within
				.updateTable('approval_queue_items')
				.set(written(to))
				.where('queue', '=', id)
				.where('n', '=', BigInt(n))
				.where('state', '=', state)
				.where('transaction_id', send === null ? 'is' : '=', send)
				.executeTakeFirst();
			return numUpdatedRows > 0n;
		}
	};
}

export type ApprovalQueueStore = ReturnType<typeof createApprovalQueueStore>;
