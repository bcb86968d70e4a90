/**
 * Activations in the database. A worker holds the lease of the activation that it advances, and every write
 * includes the fencing token of that lease: writes of a worker whose lease has expired are refused.
 */
import { sql } from 'kysely';
import { activationEvents, type ActivationEvent } from '#lib/messages/activation/events.ts';
import { readStored, storedMessage } from '#lib/messages/catalogue.ts';
import type { AuditTrail } from '../../platform/audit-trail/trail.ts';
import type { Database, Executor } from '../../platform/database/database.ts';
import { AppError, isAppError } from '../../platform/errors/appError.ts';
import { RowLeases, type Lease } from '../../platform/jobs/rows.ts';
import type { Cipher } from '../../platform/secrets/encrypt.ts';
import type { KdfTables } from '../tables.ts';
import type { ActivationRow } from './activationRow.ts';
import type { OpenTask, Patch } from './step.ts';
import type { ActivationMethod } from '../coins/methods.ts';
import { isOpen, OPEN_STATES, type ActivationState } from './states.ts';
import { writeEvent } from './writeEvent.ts';

/** Values of a new activation. */
interface NewActivation {
	id: string;
	node: string;
	coin: string;
	method: ActivationMethod;
	/** JSON object: native parameters of the call. */
	params: string;
	by: string;
	state: ActivationState;
	/** The activation that this one repeats. */
	repeats?: string | undefined;
}

/** Columns that lists show. */
const LISTED = ['id', 'coin', 'method', 'state', 'begun_by', 'created_at', 'state_since'] as const;
type ListedActivation = Pick<ActivationRow, (typeof LISTED)[number]>;

/** Maximum number of activations that are searched for the newest of each coin. */
const MOST_LOOKED_AT = 2_000;

export interface EventRow {
	seq: number;
	/** Unix milliseconds. */
	time: number;
	message: ActivationEvent;
}

/**
 * Returns the due time to store. It is immediate if an end was requested in the meantime, or if the next try
 * was made due while an old result was being removed from the node.
 */
function dueAt(before: ActivationRow, state: ActivationState, due: number | null, now: bigint) {
	if (due === null) return null;
	if (state !== 'waiting') return BigInt(due);
	const hurried = before.forget_task === null ? sql`` : sql` or forget_task is null`;
	return sql<bigint>`case when cancel_by is not null${hurried}
		then cast(${now} as bigint) else cast(${BigInt(due)} as bigint) end`;
}

const openKey = (node: string, coin: string): string => `${node} ${coin}`;

interface StoreOptions {
	db: Database<KdfTables>;
	audit: AuditTrail;
	/** Encrypts server addresses: the address of a node may contain a key of its provider. */
	cipher: Cipher;
	clock?: (() => number) | undefined;
}

export class ActivationStore {
	readonly leases: RowLeases;
	readonly #db: Database<KdfTables>;
	readonly #audit: AuditTrail;
	readonly #cipher: Cipher;
	readonly #now: () => number;

	constructor({ db, audit, cipher, clock }: StoreOptions) {
		this.#db = db;
		this.#audit = audit;
		this.#cipher = cipher;
		this.#now = clock ?? Date.now;
		this.leases = new RowLeases({ db, table: 'activations', clock });
	}

	get now(): number {
		return this.#now();
	}

	/** Decrypts a row; marks it as unreadable when that fails. */
	#opened(row: ActivationRow): ActivationRow {
		try {
			return {
				...row,
				params: this.#cipher.decrypt(row.params, row.id),
				probes: row.probes === null ? null : this.#cipher.decrypt(row.probes, row.id)
			};
		} catch (error) {
			if (!isAppError(error, 'secret.undecryptable')) throw error;
			return { ...row, params: '{}', probes: null, unreadable: true };
		}
	}

	/**
	 * Stores a new activation, or joins the open one of the same coin.
	 * @returns its id, and whether it was there before
	 */
	async begin(asked: NewActivation): Promise<{ id: string; joined: boolean }> {
		for (;;) {
			const begun = await this.#beginOrJoin(asked);
			if (begun !== null) return begun;
		}
	}

	/**
	 * Returns null when the open activation has ended in the meantime: there is none to join, and its key is
	 * free.
	 */
	async #beginOrJoin(asked: NewActivation): Promise<{ id: string; joined: boolean } | null> {
		const now = BigInt(this.now);
		const { id, node, coin, method, params, by, state, repeats } = asked;
		return this.#db.transaction().execute(async (trx) => {
			const inserted = await trx
				.insertInto('activations')
				.values({
					id,
					node,
					coin,
					method,
					params: this.#cipher.encrypt(params, id),
					open_key: openKey(node, coin),
					state,
					attempt: 1,
					wrong_pins: await this.#wrongPins(trx, node),
					begun_by: by,
					repeats: repeats ?? null,
					due_at: now,
					fencing_token: 0,
					attempt_since: now,
					state_since: now,
					created_at: now,
					updated_at: now
				})
				.onConflict((conflict) => conflict.column('open_key').doNothing())
				.returning('id')
				.executeTakeFirst();
			if (inserted) {
				await writeEvent(trx, id, this.#now, { code: 'begun', params: { actor: by } });
				await this.#audit.append(
					{ actor: by, action: 'activation.begun', target: coin, detail: { node, method, id } },
					trx
				);
				return { id, joined: false };
			}
			const there = await trx
				.selectFrom('activations')
				.select(['id', 'begun_by'])
				.where('open_key', '=', openKey(node, coin))
				.executeTakeFirst();
			if (there === undefined) return null;
			await writeEvent(trx, there.id, this.#now, { code: 'joined', params: { actor: by } });
			return { id: there.id, joined: true };
		});
	}

	/**
	 * Returns the number of PINs in a row that the device of a node refused, whichever coin was activated
	 * with it: the device counts them, too.
	 */
	async #wrongPins(trx: Executor<KdfTables>, node: string): Promise<bigint> {
		const last = await trx
			.selectFrom('activations')
			.select('wrong_pins')
			.where('node', '=', node)
			.where((or) => or.or([or('pins', '>', 0n), or('wrong_pins', '>', 0n)]))
			.orderBy('created_at', 'desc')
			.orderBy('id', 'desc')
			.limit(1)
			.executeTakeFirst();
		return last?.wrong_pins ?? 0n;
	}

	async get(id: string): Promise<ActivationRow | null> {
		const row = await this.#db
			.selectFrom('activations')
			.selectAll()
			.where('id', '=', id)
			.executeTakeFirst();
		return row === undefined ? null : this.#opened(row);
	}

	/**
	 * Returns the newest activation that made a coin active, for each of these coins; a coin without one has
	 * no entry. An activation that found the coin active tells nothing about its settings and is left out, as
	 * is one that cannot be decrypted.
	 */
	async latestActive(node: string, coins: readonly string[]): Promise<Map<string, ActivationRow>> {
		if (coins.length === 0) return new Map();
		const ended = await this.#db
			.selectFrom('activations')
			.select(['id', 'coin'])
			.where('node', '=', node)
			.where('coin', 'in', coins)
			.where('state', '=', 'active')
			.where('failure', 'is', null)
			.orderBy('created_at', 'desc')
			.orderBy('id', 'desc')
			.limit(MOST_LOOKED_AT)
			.execute();
		const newest = new Map<string, string>();
		for (const { id, coin } of ended) if (!newest.has(coin)) newest.set(coin, id);
		if (newest.size === 0) return new Map();
		const rows = await this.#db
			.selectFrom('activations')
			.selectAll()
			.where('id', 'in', [...newest.values()])
			.execute();
		const readable = rows.map((row) => this.#opened(row)).filter(({ unreadable }) => !unreadable);
		return new Map(readable.map((row) => [row.coin, row]));
	}

	/** Returns activations, newest first, without encrypted columns: lists show none of them. */
	async list(
		filter: { node?: string; coin?: string; limit?: number } = {}
	): Promise<ListedActivation[]> {
		let query = this.#db
			.selectFrom('activations')
			.select(LISTED)
			.orderBy('created_at', 'desc')
			.orderBy('id', 'desc')
			.limit(filter.limit ?? 20);
		if (filter.node !== undefined) query = query.where('node', '=', filter.node);
		if (filter.coin !== undefined) query = query.where('coin', '=', filter.coin);
		return query.execute();
	}

	/** Returns the newest activation of each coin of a node, in whatever state. */
	async status(node: string): Promise<Map<string, { id: string; state: ActivationState }>> {
		const rows = await this.#db
			.selectFrom('activations')
			.select(['id', 'coin', 'state'])
			.where('node', '=', node)
			.orderBy('created_at', 'desc')
			.orderBy('id', 'desc')
			.limit(MOST_LOOKED_AT)
			.execute();
		const newest = new Map<string, { id: string; state: ActivationState }>();
		for (const { id, coin, state } of rows) if (!newest.has(coin)) newest.set(coin, { id, state });
		return newest;
	}

	/** Returns the events of an activation, in order. */
	async events(id: string): Promise<EventRow[]> {
		const rows = await this.#db
			.selectFrom('activation_events')
			.select(['seq', 'time', 'message'])
			.where('activation', '=', id)
			.orderBy('seq')
			.execute();
		return rows.map(({ seq, time, message }) => ({
			seq: Number(seq),
			time: Number(time),
			message: readStored(activationEvents.parse, message)
		}));
	}

	/** Writes a change under a lease. @throws {AppError} `lease.lost` */
	async write(lease: Lease, row: ActivationRow, patch: Patch): Promise<void> {
		const now = BigInt(this.now);
		const state = patch.state ?? row.state;
		const moved = state !== row.state;
		const json = (value: unknown): string => JSON.stringify(value);
		await this.#db.transaction().execute(async (trx) => {
			const written = await trx
				.updateTable('activations')
				.set({
					state,
					due_at: dueAt(row, state, patch.due, now),
					updated_at: now,
					...(moved ? { state_since: now } : {}),
					...(isOpen(state) ? {} : { open_key: null, cancel_by: null }),
					...(state === 'action' ? {} : { pin_holder: null, pin_holder_until: null }),
					...(patch.attempt === undefined
						? {}
						: { attempt: patch.attempt, attempt_since: now, pins: 0 }),
					...(patch.taskId === undefined ? {} : { task_id: patch.taskId }),
					...(patch.forgetTask === undefined ? {} : { forget_task: patch.forgetTask }),
					...(patch.step === undefined
						? {}
						: { step: patch.step === null ? null : json(patch.step) }),
					...(patch.probes === undefined
						? {}
						: { probes: this.#cipher.encrypt(json(patch.probes), row.id) }),
					...(patch.result === undefined ? {} : { result: json(patch.result) }),
					...(patch.failure === undefined
						? {}
						: { failure: patch.failure === null ? null : json(patch.failure) }),
					...(patch.reason === undefined
						? {}
						: { reason: patch.reason === null ? null : storedMessage(patch.reason) }),
					...(patch.cancelBy === undefined ? {} : { cancel_by: patch.cancelBy }),
					...(patch.actionSince === undefined ? {} : { action_since: patch.actionSince }),
					...(patch.wrongPins === undefined ? {} : { wrong_pins: patch.wrongPins })
				})
				.where('id', '=', lease.id)
				.where('fencing_token', '=', lease.fencingToken)
				.returning('id')
				.executeTakeFirst();
			if (!written) throw new AppError('lease.lost', { id: lease.id });
			if (patch.event !== undefined) await writeEvent(trx, lease.id, this.#now, patch.event);
			for (const lost of patch.voids ?? []) await this.#void(trx, lost, now);
			if (moved && !isOpen(state)) {
				await this.#audit.append(
					{
						actor: 'engine',
						action: `activation.${state}`,
						target: row.coin,
						detail: { node: row.node, id: row.id }
					},
					trx
				);
			}
		});
	}

	/** Ends an activation whose task was lost in a restart of its node, unless it has advanced since. */
	async #void(trx: Executor<KdfTables>, { id, taskId }: OpenTask, now: bigint): Promise<void> {
		const lost = await trx
			.updateTable('activations')
			.set({
				state: 'void',
				open_key: null,
				state_since: now,
				updated_at: now,
				due_at: null,
				step: null,
				reason: null,
				cancel_by: null,
				pin_holder: null,
				pin_holder_until: null,
				lease_owner: null,
				lease_until: null,
				fencing_token: sql<bigint>`fencing_token + 1`
			})
			.where('id', '=', id)
			.where('state', 'in', ['running', 'action'])
			.where('task_id', '=', BigInt(taskId))
			.returning('id')
			.executeTakeFirst();
		if (lost) await writeEvent(trx, id, this.#now, { code: 'task.lost', params: { task: taskId } });
	}

	/**
	 * Ends the activation that waits for a task whose id the node has just given to another call, of a script
	 * or the console. A node gives no id twice between restarts, so the earlier task was lost in a restart.
	 */
	async loseTask(node: string, taskId: number): Promise<void> {
		const waiting = (await this.openTasks(node)).filter((task) => task.taskId === taskId);
		if (waiting.length === 0) return;
		await this.#db.transaction().execute(async (trx) => {
			for (const lost of waiting) await this.#void(trx, lost, BigInt(this.now));
		});
	}

	/** Makes the next poll of a task due immediately. Returns false when no activation waits for the task. */
	async hint(node: string, task: number): Promise<boolean> {
		const now = BigInt(this.now);
		const brought = await this.#db
			.updateTable('activations')
			.set({ due_at: now })
			.where('node', '=', node)
			.where('task_id', '=', BigInt(task))
			.where('state', 'in', ['running', 'action'])
			.where('due_at', '>', now)
			.returning('id')
			.executeTakeFirst();
		return brought !== undefined;
	}

	/** Returns the tasks of a node that activations wait for. */
	async openTasks(node: string): Promise<OpenTask[]> {
		const rows = await this.#db
			.selectFrom('activations')
			.select(['id', 'task_id'])
			.where('node', '=', node)
			.where('state', 'in', ['running', 'action'])
			.execute();
		return rows.map(({ id, task_id: taskId }) => ({ id, taskId: Number(taskId) }));
	}

	/** Returns the activation that waits for a task of a node; null when none does. */
	async ofTask(
		node: string,
		{ id, method }: { id: number; method: string }
	): Promise<Pick<ActivationRow, 'id' | 'begun_by' | 'pin_holder' | 'pin_holder_until'> | null> {
		const row = await this.#db
			.selectFrom('activations')
			.select(['id', 'begun_by', 'pin_holder', 'pin_holder_until'])
			.where('node', '=', node)
			.where('task_id', '=', BigInt(id))
			.where('method', '=', method as ActivationMethod)
			.where('state', 'in', ['running', 'action'])
			.executeTakeFirst();
		return row ?? null;
	}

	/** Makes an open activation due immediately. */
	async wake(id: string): Promise<void> {
		await this.#db
			.updateTable('activations')
			.set({ due_at: BigInt(this.now) })
			.where('id', '=', id)
			.where('state', 'in', [...OPEN_STATES])
			.execute();
	}
}
