/** Reads and writes the rows of built and sent transactions. */
import { randomUUID } from 'node:crypto';
import type { Selectable } from 'kysely';
import { readStored, storedMessage } from '#lib/messages/catalogue.ts';
import { rejections, type Rejection } from '#lib/messages/transactions/rejections.ts';
import type { Warning } from '#lib/messages/transactions/warnings.ts';
import { MINUTE_MS } from '#lib/text/units.ts';
import { numberOrNull } from '../../platform/database/columns.ts';
import type { Database, Executor } from '../../platform/database/database.ts';
import type { HeldUtxo, Locks } from '../locked-utxos/locks.ts';
import type { WalletTables } from '../tables.ts';
import type { Review } from './verifyTransaction.ts';
import type { SendRequest } from './request.ts';
import { OPEN_STATES, type SendKind, type TransactionsTable, type SendState } from './tables.ts';

/** A transaction that was built here, with its state. */
export interface Send {
	id: string;
	kind: SendKind;
	chain: string;
	daemon: string;
	pubkey: string;
	txid: string;
	hex: string;
	state: SendState;
	rejection: Rejection | null;
	request: SendRequest;
	review: Review;
	warnings: Warning[];
	createdBy: string;
	/** Unix milliseconds. */
	createdAt: number;
	expiresAt: number;
	broadcastAt: number | null;
	settledAt: number | null;
	height: number | null;
	/** When it was first on the network. */
	takenAt: number | null;
	/** When its block became final, or it became certain that the rejected transaction can never confirm. */
	finalAt: number | null;
	/** If rejected: height of the tip since which another transaction spends one of its inputs. */
	spentSince: number | null;
	/**
	 * Id of the transaction that has to confirm before this one is sent; null unless it is the second of a pair.
	 */
	follows: string | null;
}

/** How long a review is valid, and its UTXOs stay locked for it. */
export const REVIEW_MS = 10 * MINUTE_MS;

/** A bigint is stored as `{"$bigint":"…"}`, so that no amount becomes a double. */
const write = (value: unknown): string =>
	JSON.stringify(value, (_name, inner: unknown) =>
		typeof inner === 'bigint' ? { $bigint: inner.toString() } : inner
	);
const read = <T>(text: string): T =>
	JSON.parse(text, (_name, inner: unknown) =>
		typeof inner === 'object' && inner !== null && '$bigint' in inner
			? BigInt(String(inner.$bigint))
			: inner
	) as T;

/** Parses the column `request`. */
export const readRequest = (text: string): SendRequest => read<SendRequest>(text);

/** `LIKE` pattern of a stored rejection by replacement: rejections are stored with their code first. */
const REPLACED = '{"code":"batch.replaced"%';

interface Reviewed {
	review: Review;
	warnings: Warning[];
}

/** Converts a row of the table. */
export function toSend(row: Selectable<TransactionsTable>): Send {
	const { review, warnings } = read<Reviewed>(row.review);
	return {
		id: row.id,
		kind: row.kind,
		chain: row.chain,
		daemon: row.daemon,
		pubkey: row.pubkey,
		txid: row.txid,
		hex: row.hex,
		state: row.state,
		rejection: row.rejection === null ? null : readStored(rejections.parse, row.rejection),
		request: readRequest(row.request),
		review,
		warnings,
		createdBy: row.created_by,
		createdAt: Number(row.created_at),
		expiresAt: Number(row.expires_at),
		broadcastAt: numberOrNull(row.broadcast_at),
		settledAt: numberOrNull(row.settled_at),
		height: numberOrNull(row.height),
		takenAt: numberOrNull(row.taken_at),
		finalAt: numberOrNull(row.final_at),
		spentSince: numberOrNull(row.spent_since),
		follows: row.follows
	};
}

export type NewSend = Pick<
	Send,
	| 'kind'
	| 'chain'
	| 'daemon'
	| 'pubkey'
	| 'txid'
	| 'hex'
	| 'request'
	| 'review'
	| 'warnings'
	| 'createdBy'
> & {
	/** The id of the row, if the caller has stored one before; else a new one is generated. */
	wantedId?: string | undefined;
};

/** A change of state, with the columns that change with it; absent fields stay as they are. */
export interface Patch {
	state: SendState;
	rejection?: Rejection | null;
	broadcastAt?: number;
	settledAt?: number;
	height?: number | null;
	/** Only written while it is null. */
	takenAt?: number;
	finalAt?: number | null;
	spentSince?: number | null;
}

/** Selects rows of one daemon that a round has not checked yet. */
interface Due {
	daemon: string;
	round: bigint;
	/** Whether to include rows that only another block can change: confirmed or rejected, and not final. */
	settled: boolean;
}

/**
 * Creates the store of reviewed and sent transactions. Times are Unix milliseconds, amounts satoshi or base units of a
 * token. Writes that depend on a state return whether the row still had it.
 * @param locks keeps the inputs of a review from other reviews
 */
export function createStore(db: Database<WalletTables>, locks: Locks) {
	/**
	 * Locks the inputs of a transaction, within the database transaction that stores it.
	 * @throws {AppError} `utxos.locked`
	 */
	const lock = (
		trx: Executor<WalletTables>,
		{ id, chain, review, expiresAt }: Pick<Send, 'id' | 'chain' | 'review' | 'expiresAt'>,
		now: number
	): Promise<void> =>
		locks.lock(trx, {
			dialect: db.dialect,
			chain,
			holder: { kind: 'send', id },
			utxos: review.inputs,
			until: expiresAt,
			now
		});

	return {
		lock,

		/**
		 * Stores a reviewed transaction and locks its inputs; with a second one, which is sent when the first
		 * is confirmed.
		 * @param also further writes, in the same database transaction
		 * @returns the id of the first
		 * @throws {AppError} `utxos.locked` when another draft has locked one of the inputs
		 */
		async add(
			first: NewSend,
			now: number,
			second?: NewSend,
			also?: (trx: Executor<WalletTables>) => Promise<void>
		): Promise<string> {
			const until = now + REVIEW_MS;
			const insert = async (
				trx: Executor<WalletTables>,
				send: NewSend,
				follows: string | null
			): Promise<string> => {
				const id = send.wantedId ?? randomUUID();
				await trx
					.insertInto('transactions')
					.values({
						id,
						kind: send.kind,
						chain: send.chain,
						daemon: send.daemon,
						pubkey: send.pubkey,
						txid: send.txid,
						hex: send.hex,
						state: 'reviewed',
						request: write(send.request),
						review: write({ review: send.review, warnings: send.warnings }),
						created_by: send.createdBy,
						created_at: now,
						expires_at: until,
						follows
					})
					.execute();
				await lock(trx, { ...send, id, expiresAt: until }, now);
				return id;
			};
			return db.transaction().execute(async (trx) => {
				const id = await insert(trx, first, null);
				if (second) await insert(trx, second, id);
				await also?.(trx);
				return id;
			});
		},

		async get(id: string): Promise<Send | null> {
			const row = await db
				.selectFrom('transactions')
				.selectAll()
				.where('id', '=', id)
				.executeTakeFirst();
			return row ? toSend(row) : null;
		},

		/** Returns the transaction that is sent once this one is confirmed. */
		async followerOf(
			id: string,
			within: Pick<Database<WalletTables>, 'selectFrom'> = db
		): Promise<Send | null> {
			const row = await within
				.selectFrom('transactions')
				.selectAll()
				.where('follows', '=', id)
				.executeTakeFirst();
			return row ? toSend(row) : null;
		},

		/** Returns second transactions of pairs that may be sent now, because the first is confirmed. */
		async dueFollowers(): Promise<Send[]> {
			const rows = await db
				.selectFrom('transactions as next')
				.innerJoin('transactions as before', 'before.id', 'next.follows')
				.selectAll('next')
				.where('before.state', '=', 'confirmed')
				.where('next.state', 'in', ['reviewed', 'unknown'])
				.orderBy('next.created_at')
				.orderBy('next.id')
				.execute();
			return rows.map(toSend);
		},

		/** Returns the transactions that match a filter, newest first. */
		async list(
			filter: {
				chain?: string;
				states?: readonly SendState[];
				kind?: SendKind;
				limit?: number;
			} = {}
		): Promise<Send[]> {
			// An empty list is no valid SQL in PostgreSQL.
			if (filter.states?.length === 0) return [];
			let query = db
				.selectFrom('transactions')
				.selectAll()
				.orderBy('created_at', 'desc')
				.orderBy('id')
				.limit(filter.limit ?? 100);
			if (filter.chain !== undefined) query = query.where('chain', '=', filter.chain);
			if (filter.kind !== undefined) query = query.where('kind', '=', filter.kind);
			if (filter.states !== undefined) query = query.where('state', 'in', filter.states);
			return (await query.execute()).map(toSend);
		},

		/**
		 * Changes a row that is in one of the states `from`. Returns false when another writer was faster:
		 * that is what makes a transaction go out once, however often a button is pressed.
		 * @param sending the `broadcast_at` that the row must still have; any when absent
		 */
		async move(
			id: string,
			from: readonly SendState[],
			to: Patch,
			within: Pick<Database<WalletTables>, 'updateTable'> = db,
			sending?: number
		): Promise<boolean> {
			const { numUpdatedRows } = await within
				.updateTable('transactions')
				.set(({ fn, ref, val }) => ({
					state: to.state,
					...(to.rejection === undefined
						? {}
						: { rejection: to.rejection === null ? null : storedMessage(to.rejection) }),
					...(to.broadcastAt === undefined ? {} : { broadcast_at: to.broadcastAt }),
					...(to.settledAt === undefined ? {} : { settled_at: to.settledAt }),
					...(to.height === undefined ? {} : { height: to.height }),
					...(to.takenAt === undefined
						? {}
						: { taken_at: fn.coalesce(ref('taken_at'), val(BigInt(to.takenAt))) }),
					...(to.finalAt === undefined ? {} : { final_at: to.finalAt }),
					...(to.spentSince === undefined ? {} : { spent_since: to.spentSince })
				}))
				.where('id', '=', id)
				.where('state', 'in', from)
				// A condition of the write itself, since the transaction may be replaced at this moment.
				.$if(to.state === 'broadcasting', (q) =>
					q.where(({ or, eb }) =>
						or([eb('rejection', 'is', null), eb('rejection', 'not like', REPLACED)])
					)
				)
				.$if(sending !== undefined, (q) => q.where('broadcast_at', '=', BigInt(sending ?? 0)))
				.executeTakeFirst();
			return numUpdatedRows > 0n;
		},

		/**
		 * Sets transactions to `unknown` that have been `broadcasting` for longer than `ms` milliseconds:
		 * their server stopped before it stored the outcome.
		 */
		async leaveBehind(now: number, ms: number): Promise<void> {
			await db
				.updateTable('transactions')
				.set({ state: 'unknown' })
				.where('state', '=', 'broadcasting')
				.where(({ or, eb }) =>
					// When the clock was set back since, a stored time may lie in the future.
					or([
						eb('broadcast_at', '<=', BigInt(now - ms)),
						eb('broadcast_at', '>=', BigInt(now + ms))
					])
				)
				.execute();
		},

		/** Returns the daemons that built transactions which are not final. */
		async daemonsToAsk(): Promise<string[]> {
			const rows = await db
				.selectFrom('transactions')
				.select('daemon')
				.distinct()
				.where(({ or, and, eb }) =>
					or([
						eb('state', 'in', OPEN_STATES),
						and([eb('state', 'in', ['confirmed', 'rejected']), eb('final_at', 'is', null)])
					])
				)
				.execute();
			return rows.map(({ daemon }) => daemon);
		},

		/** Returns the number of a new round over the rows of a daemon. */
		async nextRound(daemon: string): Promise<bigint> {
			const row = await db
				.selectFrom('transactions')
				.select('checked_round')
				.where('daemon', '=', daemon)
				.orderBy('checked_round', 'desc')
				.limit(1)
				.executeTakeFirst();
			return (row?.checked_round ?? 0n) + 1n;
		},

		/** Returns the next rows of a round, those whose last check is the longest ago first. */
		async dueForRound({ daemon, round, settled }: Due, limit: number): Promise<Send[]> {
			const rows = await db
				.selectFrom('transactions')
				.selectAll()
				.where('daemon', '=', daemon)
				.where('checked_round', '<', round)
				.where((where) => {
					const open = where('state', 'in', OPEN_STATES);
					if (!settled) return open;
					return where.or([
						open,
						where.and([
							where('state', 'in', ['confirmed', 'rejected']),
							where('final_at', 'is', null)
						])
					]);
				})
				.orderBy('checked_round')
				.orderBy('id')
				.limit(limit)
				.execute();
			return rows.map(toSend);
		},

		/** Records that a round has checked a row, so that it comes after all others next time. */
		async checked(id: string, round: bigint): Promise<void> {
			await db
				.updateTable('transactions')
				.set({ checked_round: round })
				.where('id', '=', id)
				.execute();
		},

		/** Returns the locked outputs of a chain, as `txid:vout`. */
		lockedUtxos: (chain: string, now: number): Promise<Set<string>> => locks.locked(db, chain, now),

		/** Returns the locked outputs of a chain, each with the draft that it is locked for. */
		heldUtxos: (chain: string, now: number): Promise<HeldUtxo[]> => locks.heldBy(db, chain, now),

		/** Releases the inputs of a transaction that is final, rejected or discarded. */
		async release(id: string, within: Executor<WalletTables> = db): Promise<void> {
			await locks.unlock(within, id);
		}
	};
}

export type Store = ReturnType<typeof createStore>;
