/**
 * Reads and writes batch transfers and their rows. Each update is conditional on the state that it starts
 * from.
 */
import { randomUUID } from 'node:crypto';
import type { Selectable } from 'kysely';
import { sumOf } from '#lib/chain/amount.ts';
import { problems, type BatchTransferProblem } from '#lib/messages/batch-transfers/problems.ts';
import { readStored, storedMessage } from '#lib/messages/catalogue.ts';
import { rejections } from '#lib/messages/transactions/rejections.ts';
import type { Audit } from '../../access/audit/audit.ts';
import type { AuditEntry } from '../../platform/audit-trail/entry.ts';
import { chunks } from '../../platform/database/chunks.ts';
import { numberOrNull } from '../../platform/database/columns.ts';
import type { Database, Executor } from '../../platform/database/database.ts';
import type { WalletTables } from '../tables.ts';
import type { SendState } from '../transactions/tables.ts';
import type { BatchTransferRow } from './read.ts';
import type {
	BatchTransferItemState,
	BatchTransferState,
	BatchTransferItemsTable,
	BatchTransfersTable
} from './tables.ts';

/** A batch transfer without its rows. */
export interface BatchTransfer {
	id: string;
	chain: string;
	tokenid: string;
	daemon: string;
	pubkey: string;
	state: BatchTransferState;
	problem: BatchTransferProblem | null;
	createdBy: string;
	confirmedBy: string | null;
	/** Unix milliseconds. */
	createdAt: number;
	confirmedAt: number | null;
	endedAt: number | null;
}

/** One row of a batch transfer, with the state of its transaction. */
export interface BatchTransferItem {
	n: number;
	recipient: string;
	units: bigint;
	state: BatchTransferItemState;
	/** State as stored; `state` also takes account of what has become of the transaction since. */
	written: BatchTransferItemState;
	send: string | null;
	problem: BatchTransferProblem | null;
	txid: string | null;
	sendState: SendState | null;
	height: number | null;
}

type NewBatchTransfer = Pick<
	BatchTransfer,
	'chain' | 'tokenid' | 'daemon' | 'pubkey' | 'createdBy'
>;

/** Number of rows that one statement inserts. */
const ROWS_AT_ONCE = 100;

/** States of a batch transfer of which a member can queue failed rows again. */
export const RETRIABLE: readonly BatchTransferState[] = ['done', 'stopped', 'running'];

/** States in which a transaction may be on the network. */
const MAY_BE_OUT: ReadonlySet<SendState | null> = new Set([
	'broadcasting',
	'unknown',
	'broadcast',
	'confirmed'
]);

const readProblem = (stored: string | null): BatchTransferProblem | null =>
	stored === null ? null : readStored(problems.parse, stored);

/**
 * Returns the problem of a row whose transaction was rejected.
 * @param rejection as stored, JSON
 */
const rejectedAs = (rejection: string | null): BatchTransferProblem => ({
	code: 'transaction.rejected',
	params: { rejection: rejection === null ? null : readStored(rejections.parse, rejection) }
});

/** Converts a change to column values, with its problem as JSON. */
const written = <To extends { problem?: BatchTransferProblem | null }>({
	problem,
	...rest
}: To) => ({
	...rest,
	...(problem === undefined ? {} : { problem: problem === null ? null : storedMessage(problem) })
});

const toBatchTransfer = (row: Selectable<BatchTransfersTable>): BatchTransfer => ({
	id: row.id,
	chain: row.chain,
	tokenid: row.tokenid,
	daemon: row.daemon,
	pubkey: row.pubkey,
	state: row.state,
	problem: readProblem(row.problem),
	createdBy: row.created_by,
	confirmedBy: row.confirmed_by,
	createdAt: Number(row.created_at),
	confirmedAt: numberOrNull(row.confirmed_at),
	endedAt: numberOrNull(row.ended_at)
});

/**
 * Creates the store of batch transfers, whose changes by members are in the audit log. Amounts are base units of the
 * token.
 * @param clock Unix milliseconds
 */
export function createBatchTransferStore(
	db: Database<WalletTables>,
	audit: Audit,
	clock: () => number
) {
	/** Whether a batch transfer is in one of these states. Within a database transaction it stays so until that ends. */
	async function isIn(
		id: string,
		states: readonly BatchTransferState[],
		within: Executor<WalletTables>
	): Promise<boolean> {
		const { numUpdatedRows } = await within
			.updateTable('batch_transfers')
			.set((set) => ({ state: set.ref('state') }))
			.where('id', '=', id)
			.where('state', 'in', states)
			.executeTakeFirst();
		return numUpdatedRows > 0n;
	}

	/** Updates a row that has not changed since it was read. Returns false when another writer was faster. */
	async function moveRow(
		id: string,
		{ n, written: from, send }: Pick<BatchTransferItem, 'n' | 'written' | 'send'>,
		to: Partial<Pick<Selectable<BatchTransferItemsTable>, 'state' | 'transaction_id'>> & {
			problem?: BatchTransferProblem | null;
		},
		within: Executor<WalletTables> = db
	): Promise<boolean> {
		const { numUpdatedRows } = await within
			.updateTable('batch_transfer_items')
			.set(written(to))
			.where('batch_transfer', '=', id)
			.where('n', '=', BigInt(n))
			.where('state', '=', from)
			.where('transaction_id', send === null ? 'is' : '=', send)
			.executeTakeFirst();
		return numUpdatedRows > 0n;
	}

	/** Keeps a row's rejected transaction from being sent again; false when it was sent meanwhile. */
	async function replace(
		trx: Executor<WalletTables>,
		{ send }: Pick<BatchTransferItem, 'send'>
	): Promise<boolean> {
		const { numUpdatedRows } = await trx
			.updateTable('transactions')
			.set({ rejection: storedMessage({ code: 'batch.replaced', params: {} }) })
			.where('id', '=', send ?? '')
			.where('state', '=', 'rejected')
			.executeTakeFirst();
		return numUpdatedRows > 0n;
	}

	type Change = Partial<Pick<Selectable<BatchTransfersTable>, 'state' | 'confirmed_by'>> & {
		problem?: BatchTransferProblem | null;
		confirmed_at?: number;
		ended_at?: number | null;
	};

	/** Moves a batch transfer from one of the states to another; false when it was in none of them. */
	async function move(
		id: string,
		from: readonly BatchTransferState[],
		to: Change,
		act?: Pick<AuditEntry, 'actor' | 'action' | 'detail'>,
		within?: Executor<WalletTables>
	): Promise<boolean> {
		const run = async (trx: Executor<WalletTables>): Promise<boolean> => {
			const { numUpdatedRows } = await trx
				.updateTable('batch_transfers')
				.set(written(to))
				.where('id', '=', id)
				.where('state', 'in', from)
				.executeTakeFirst();
			if (numUpdatedRows === 0n) return false;
			if (act) await audit.append({ ...act, target: id }, trx);
			return true;
		};
		return within ? run(within) : db.transaction().execute(run);
	}

	/** Returns all rows of a batch transfer in their order. */
	async function lines(
		id: string,
		within: Executor<WalletTables> = db
	): Promise<BatchTransferItem[]> {
		const rows = await within
			.selectFrom('batch_transfer_items as r')
			.leftJoin('transactions as s', 's.id', 'r.transaction_id')
			.select(['r.n', 'r.recipient', 'r.units', 'r.state', 'r.transaction_id', 'r.problem'])
			.select(['s.txid', 's.state as send_state', 's.rejection', 's.height'])
			.where('r.batch_transfer', '=', id)
			.orderBy('r.n')
			.execute();
		return rows.map((row) => {
			// A rejected transaction may have been sent since, from its own page or from elsewhere: then
			// the row has not failed, and another transaction would pay its recipient twice.
			const isOut = row.state === 'failed' && MAY_BE_OUT.has(row.send_state);
			// A transaction that lost its block in a reorganization may have been rejected since: it is
			// not sent again automatically.
			const isLost = row.state === 'broadcast' && row.send_state === 'rejected';
			const problem = isLost ? rejectedAs(row.rejection) : readProblem(row.problem);
			return {
				n: Number(row.n),
				recipient: row.recipient,
				units: row.units,
				state: isOut ? 'broadcast' : isLost ? 'failed' : row.state,
				written: row.state,
				send: row.transaction_id,
				problem: isOut ? null : problem,
				txid: row.txid,
				sendState: row.send_state,
				height: numberOrNull(row.height)
			};
		});
	}

	return {
		moveRow,

		/**
		 * Queues a failed row to be sent again, and resumes its batch transfer. Returns false when another
		 * writer was faster.
		 * @param isFirst whether it is the first of the rows that are queued together: only then an event is
		 * recorded
		 */
		async putBack(
			id: string,
			line: BatchTransferItem,
			actor: string,
			isFirst: boolean
		): Promise<boolean> {
			return db.transaction().execute(async (trx) => {
				// Locks the batch transfer before its rows change: a member may discard it at this moment.
				if (!(await isIn(id, RETRIABLE, trx))) return false;
				if (line.sendState === 'rejected' && !(await replace(trx, line))) return false;
				const waiting = { state: 'waiting', transaction_id: null, problem: null } as const;
				if (!(await moveRow(id, line, waiting, trx))) return false;
				await trx
					.updateTable('batch_transfers')
					.set({ state: 'running', problem: null, confirmed_by: actor, ended_at: null })
					.where('id', '=', id)
					.execute();
				if (isFirst) await audit.append({ actor, action: 'series.retried', target: id }, trx);
				return true;
			});
		},

		async add(batchTransfer: NewBatchTransfer, rows: readonly BatchTransferRow[]): Promise<string> {
			const id = randomUUID();
			const { createdBy, ...facts } = batchTransfer;
			await db.transaction().execute(async (trx) => {
				await trx
					.insertInto('batch_transfers')
					.values({
						id,
						...facts,
						state: 'reviewed',
						created_by: createdBy,
						created_at: clock()
					})
					.execute();
				const items = rows.map(({ recipient, units }, at) => ({
					batch_transfer: id,
					n: at + 1,
					recipient,
					units,
					state: 'waiting' as const
				}));
				for (const part of chunks(items, ROWS_AT_ONCE)) {
					await trx.insertInto('batch_transfer_items').values(part).execute();
				}
				await audit.append(
					{
						actor: createdBy,
						action: 'series.reviewed',
						target: id,
						detail: {
							chain: batchTransfer.chain,
							tokenid: batchTransfer.tokenid,
							recipients: rows.length,
							units: sumOf(rows.map(({ units }) => units))
						}
					},
					trx
				);
			});
			return id;
		},

		async get(id: string): Promise<BatchTransfer | null> {
			const row = await db
				.selectFrom('batch_transfers')
				.selectAll()
				.where('id', '=', id)
				.executeTakeFirst();
			return row ? toBatchTransfer(row) : null;
		},

		/** Returns the latest batch transfers of a token, newest first, except those that were discarded unconfirmed. */
		async ofToken(chain: string, tokenid: string, limit: number): Promise<BatchTransfer[]> {
			const rows = await db
				.selectFrom('batch_transfers')
				.selectAll()
				.where('chain', '=', chain)
				.where('tokenid', '=', tokenid)
				.where(({ or, eb }) =>
					or([eb('state', '!=', 'discarded'), eb('confirmed_at', 'is not', null)])
				)
				.orderBy('created_at', 'desc')
				.limit(limit)
				.execute();
			return rows.map(toBatchTransfer);
		},

		/**
		 * Whether a batch transfer is running. Within a database transaction it stays so until that ends.
		 */
		isRunning: (id: string, within: Executor<WalletTables> = db): Promise<boolean> =>
			isIn(id, ['running'], within),

		async running(): Promise<string[]> {
			const rows = await db
				.selectFrom('batch_transfers')
				.select('id')
				.where('state', '=', 'running')
				.orderBy('confirmed_at')
				.execute();
			return rows.map(({ id }) => id);
		},

		/**
		 * Returns the batch transfers that can still send something: in review, running or stopped, or done
		 * with failed rows that a member can retry.
		 */
		async unfinished(): Promise<BatchTransfer[]> {
			const rows = await db
				.selectFrom('batch_transfers as b')
				.selectAll('b')
				.where(({ or, eb, exists, selectFrom }) =>
					or([
						eb('b.state', 'in', ['reviewed', 'running', 'stopped']),
						exists(
							selectFrom('batch_transfer_items as i')
								.leftJoin('transactions as s', 's.id', 'i.transaction_id')
								.select('i.n')
								.whereRef('i.batch_transfer', '=', 'b.id')
								.where('b.state', '=', 'done')
								.where((of) =>
									of.or([of('i.state', '=', 'failed'), of('s.state', '=', 'rejected')])
								)
						)
					])
				)
				.orderBy('b.created_at')
				.execute();
			return rows.map(toBatchTransfer);
		},

		lines,

		move,

		/**
		 * Marks a running batch transfer as done, unless one of its rows is not over any more: a member may queue
		 * a failed row again at this moment.
		 * @param actor in whose name it ran
		 */
		async end(
			id: string,
			actor: string,
			isOver: (line: BatchTransferItem) => boolean
		): Promise<void> {
			await db.transaction().execute(async (trx) => {
				// Locks the batch transfer before its rows are read, since `putBack` changes both.
				await trx
					.updateTable('batch_transfers')
					.set((set) => ({ state: set.ref('state') }))
					.where('id', '=', id)
					.execute();
				if (!(await lines(id, trx)).every(isOver)) return;
				const done = { state: 'done', problem: null, ended_at: clock() } as const;
				await move(id, ['running'], done, { actor, action: 'series.done' }, trx);
			});
		},

		/**
		 * Stops a batch transfer for an error or a restored backup. The event names the member it is assigned
		 * to, too.
		 */
		async stop(
			{ id, chain, tokenid, state, createdBy, confirmedBy }: BatchTransfer,
			problem: BatchTransferProblem
		): Promise<void> {
			const handed = await db
				.selectFrom('assignments')
				.select('holder')
				.where('kind', '=', 'series')
				.where('item', '=', id)
				.executeTakeFirst();
			await move(
				id,
				[state],
				{ state: 'stopped', problem, ended_at: null },
				{
					actor: confirmedBy ?? createdBy,
					action: 'series.stopped',
					detail: { chain, tokenid, why: problem.code, ...handed }
				}
			);
		}
	};
}

export type BatchTransferStore = ReturnType<typeof createBatchTransferStore>;
