/**
 * Stores migrations in the database. A worker that moves a migration holds its lease, and every write checks the
 * lease's fencing token, so that writes after the end of the lease are refused.
 */
import type { Insertable, Updateable } from 'kysely';
import { readStored } from '#lib/messages/catalogue.ts';
import { events } from '#lib/messages/migration/events.ts';
import { reasons } from '#lib/messages/migration/reasons.ts';
import type { Audit } from '../../access/audit/audit.ts';
import type { Database, Executor } from '../../platform/database/database.ts';
import { AppError, isAppError } from '../../platform/errors/appError.ts';
import { RowLeases, type Lease } from '../../platform/jobs/rows.ts';
import type { Locks, Utxo } from '../../wallet/locked-utxos/locks.ts';
import { REVIEW_MS } from '../../wallet/transactions/store.ts';
import type { CrossChainTables } from '../tables.ts';
import { approversOf } from './approvers.ts';
import type { Patch } from './patch.ts';
import type { EventRow, MigrationRecord, MigrationRow } from './migrationRecord.ts';
import { readRecord, rowOf } from './readRecord.ts';
import { isOver, POLICIES, type MigrationState } from './states.ts';
import { PATHS, STEP_IDS } from './steps.ts';
import type { MigrationsTable } from './tables.ts';
import { storedReason, writeChange } from './writeChange.ts';

/** A migration to be stored. */
type NewMigration = Omit<
	Insertable<MigrationsTable>,
	'created_at' | 'updated_at' | 'state_since' | 'fencing_token' | 'reason'
> &
	Pick<MigrationRow, 'reason'>;

export interface ListFilter {
	state?: MigrationState;
	limit?: number;
	/** Only older than this moment, for the next page. */
	before?: { createdAt: bigint; id: string };
}

interface StoreOptions {
	db: Database<CrossChainTables>;
	locks: Locks;
	audit: Audit;
	clock?: (() => number) | undefined;
	/** Called after each committed write: `n` counts from 1. */
	onStored?: ((n: number) => void) | undefined;
}

export class MigrationStore {
	readonly leases: RowLeases;
	readonly #db: Database<CrossChainTables>;
	readonly #locks: Locks;
	readonly #audit: Audit;
	readonly #now: () => number;
	readonly #onStored: (n: number) => void;
	#stored = 0;

	constructor(options: StoreOptions) {
		this.#db = options.db;
		this.#locks = options.locks;
		this.#audit = options.audit;
		this.#now = options.clock ?? Date.now;
		this.leases = new RowLeases({ db: this.#db, table: 'migrations', clock: options.clock });
		this.#onStored = options.onStored ?? (() => undefined);
	}

	get now(): number {
		return this.#now();
	}

	#wrote(): void {
		this.#stored += 1;
		this.#onStored(this.#stored);
	}

	/**
	 * Stores a new migration with its first change, and locks the outputs that its burn spends.
	 * @returns the id of the migration with this burn: the new one, or an existing one
	 * @throws {AppError} `utxos.locked` when another draft has locked one of the outputs; nothing is stored then
	 */
	async insert(row: NewMigration, patch: Patch, spends: readonly Utxo[] = []): Promise<string> {
		const now = BigInt(this.now);
		const known = await this.#db.transaction().execute(async (trx) => {
			const made = await trx
				.insertInto('migrations')
				.values({
					...row,
					reason: storedReason(row.reason),
					fencing_token: 0n,
					state_since: now,
					created_at: now,
					updated_at: now
				})
				.onConflict((conflict) => conflict.column('burn_txid').doNothing())
				.returning('id')
				.executeTakeFirst();
			if (!made) {
				const { id } = await trx
					.selectFrom('migrations')
					.select('id')
					.where('burn_txid', '=', row.burn_txid ?? '')
					.executeTakeFirstOrThrow();
				return id;
			}
			await this.lock(trx, row, spends);
			await writeChange(this.#audit, trx, row.id, patch, now);
			return null;
		});
		if (known !== null) return known;
		this.#wrote();
		return row.id;
	}

	/**
	 * Locks the outputs that a burn spends, within the transaction that stores it.
	 * @throws {AppError} `utxos.locked`
	 */
	async lock(
		trx: Executor<CrossChainTables>,
		{ id, source }: Pick<MigrationRow, 'id' | 'source'>,
		utxos: readonly Utxo[]
	): Promise<void> {
		await this.#locks.lock(trx, {
			dialect: this.#db.dialect,
			chain: source,
			holder: { kind: 'migration', id },
			utxos,
			until: this.now + REVIEW_MS,
			now: this.now
		});
	}

	async load(id: string): Promise<MigrationRecord | null> {
		const row = await this.#db
			.selectFrom('migrations')
			.selectAll()
			.where('id', '=', id)
			.executeTakeFirst();
		if (!row) return null;
		const begun = await this.#db
			.selectFrom('migration_steps')
			.selectAll()
			.where('migration', '=', id)
			.execute();
		return readRecord(row, begun, await approversOf(this.#db, row));
	}

	/** In order. */
	async events(id: string): Promise<EventRow[]> {
		const rows = await this.#db
			.selectFrom('migration_events')
			.selectAll()
			.where('migration', '=', id)
			.orderBy('seq')
			.execute();
		return rows.map((row) => ({
			seq: Number(row.seq),
			time: Number(row.time),
			step: row.step,
			message: readStored(events.parse, row.message),
			times: Number(row.times),
			lastTime: Number(row.last_time ?? row.time)
		}));
	}

	/** Newest first. */
	async list({ state, limit = 50, before }: ListFilter = {}): Promise<MigrationRow[]> {
		let query = this.#db
			.selectFrom('migrations')
			.selectAll()
			.orderBy('created_at', 'desc')
			.orderBy('id', 'desc')
			.limit(limit);
		if (state !== undefined) query = query.where('state', '=', state);
		if (before !== undefined) {
			query = query.where((or) =>
				or.or([
					or('created_at', '<', before.createdAt),
					or.and([or('created_at', '=', before.createdAt), or('id', '<', before.id)])
				])
			);
		}
		return (await query.execute()).map(rowOf);
	}

	/**
	 * Returns the ids of stopped migrations that could continue, in the order in which they stopped. Burns that are
	 * over are left out: users were told to start again, so their bytes are only sent again on an individual
	 * decision.
	 */
	async stopped(): Promise<string[]> {
		const rows = await this.#db
			.selectFrom('migrations')
			.select(['id', 'state', 'reason'])
			.where('state', '=', 'stuck')
			.orderBy('state_since')
			.orderBy('id')
			.execute();
		return rows.flatMap(({ id, state, reason }) =>
			isOver({ state, reason: reason === null ? null : readStored(reasons.parse, reason) })
				? []
				: [id]
		);
	}

	async byBurn(burnTxid: string): Promise<string | null> {
		const row = await this.#db
			.selectFrom('migrations')
			.select('id')
			.where('burn_txid', '=', burnTxid)
			.executeTakeFirst();
		return row?.id ?? null;
	}

	/** Returns confirmed burns that are not in a block yet, whose inputs must not be used again. */
	async burnsOnTheirWay(sourceDaemon: string): Promise<{ id: string; hex: string }[]> {
		const rows = await this.#db
			.selectFrom('migrations')
			.innerJoin('migration_steps', 'migration_steps.migration', 'migrations.id')
			.select(['migrations.id', 'migration_steps.hex'])
			.where('migrations.source_daemon', '=', sourceDaemon)
			.where('migrations.state', 'in', ['burn-unknown', 'burn-pending'])
			.where('migration_steps.step', '=', 'burn')
			.execute();
		return rows.flatMap(({ id, hex }) => (hex === null ? [] : [{ id, hex }]));
	}

	/**
	 * Returns the locked outputs of a chain, as `txid:vout`.
	 * @param except the migration whose own outputs do not count
	 */
	lockedUtxos(chain: string, except: string | null): Promise<Set<string>> {
		return this.#locks.locked(this.#db, chain, this.now, except);
	}

	/** Records that no block of the destination before this one contains the import of a burn. */
	async scanned(id: string, from: bigint): Promise<void> {
		await this.#db
			.updateTable('migrations')
			.set({ import_scan_from: from })
			.where('id', '=', id)
			.where('import_scan_from', '<', from)
			.execute();
	}

	/** Makes a moving migration due now. */
	async makeDue(id: string): Promise<void> {
		await this.#db
			.updateTable('migrations')
			.set({ due_at: BigInt(this.now) })
			.where('id', '=', id)
			.where('due_at', 'is not', null)
			.execute();
	}

	/**
	 * Stores a change under a lease.
	 * @throws {AppError} `lease` when another worker has the lease or chose other bytes; nothing is stored then
	 */
	async write(lease: Lease, patch: Patch): Promise<void> {
		const now = BigInt(this.now);
		await this.#db.transaction().execute(async (trx) => {
			const held = await trx
				.updateTable('migrations')
				.set({ updated_at: now })
				.where('id', '=', lease.id)
				.where('fencing_token', '=', lease.fencingToken)
				.returning('id')
				.executeTakeFirst();
			if (!held) throw new AppError('lease.lost', { id: lease.id });
			await writeChange(this.#audit, trx, lease.id, patch, now);
		});
		this.#wrote();
	}

	/**
	 * Stores a change by a person. Requires that this release knows everything about the migration, and that its
	 * state and bytes are still those that the person saw. Takes the lease away from a running worker, so that it
	 * cannot write afterwards.
	 * @param only the approvers of the import, who must be unchanged
	 * @param also runs in the same database transaction; may throw to prevent the change, or add to it
	 * @returns false when the migration has changed meanwhile
	 */
	async act(
		id: string,
		seen: readonly MigrationState[],
		patch: Patch,
		more: Updateable<MigrationsTable> = {},
		only?: Pick<MigrationRow, 'approved_by' | 'approved_too'>,
		also?: (trx: Executor<CrossChainTables>) => Promise<void> | Promise<Patch | undefined>
	): Promise<boolean> {
		const now = BigInt(this.now);
		const acted = this.#db.transaction().execute(async (trx) => {
			const row = await trx
				.updateTable('migrations')
				.set((set) => ({
					updated_at: now,
					fencing_token: set('fencing_token', '+', 1n),
					lease_owner: null,
					lease_until: null
				}))
				.where('id', '=', id)
				.where('state', 'in', [...seen])
				// A migration of another release is left to its servers, whose rules this one does not know.
				.where('path', 'in', PATHS)
				.where('policy', 'in', POLICIES)
				.where(({ exists, not, selectFrom }) =>
					not(
						exists(
							selectFrom('migration_steps')
								.select('step')
								.whereRef('migration', '=', 'migrations.id')
								.where('step', 'not in', STEP_IDS)
						)
					)
				)
				.$if(only !== undefined, (query) =>
					query
						.where('approved_by', 'is not distinct from', only?.approved_by ?? null)
						.where('approved_too', 'is not distinct from', only?.approved_too ?? null)
				)
				.returning('id')
				.executeTakeFirst();
			if (!row) return false;
			const added = await also?.(trx);
			// After the locks, so that a burn with locked outputs fails on those and not on its unique txid.
			if (Object.keys(more).length > 0) {
				await trx.updateTable('migrations').set(more).where('id', '=', id).execute();
			}
			await writeChange(this.#audit, trx, id, { ...patch, ...added }, now);
			return true;
		});
		const done = await acted.catch((error: unknown) => {
			if (isAppError(error, 'lease.bytes-chosen')) return false;
			throw error;
		});
		if (done) this.#wrote();
		return done;
	}
}
