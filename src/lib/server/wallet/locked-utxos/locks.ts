/**
 * Outputs of wallets that drafts were built from. They are locked in the transaction that stores the draft, so
 * that two drafts of the same moment cannot both have an output: whichever is stored second is refused.
 */
import { sql, type Expression, type ExpressionBuilder, type SqlBool } from 'kysely';
import { nameOfUtxo } from '#lib/chain/nameOfUtxo.ts';
import { ADVISORY_LOCKS } from '../../platform/database/advisoryLocks.ts';
import type { Executor } from '../../platform/database/database.ts';
import type { DatabaseDialect } from '../../platform/database/dialect.ts';
import { AppError } from '../../platform/errors/appError.ts';
import type { LockKind, LockedUtxosTables } from './tables.ts';

export interface Utxo {
	txid: string;
	vout: number;
}

/** The draft that an output is locked for. */
export interface Holder {
	kind: LockKind;
	id: string;
}

/** A locked output with the draft that has it. */
export interface HeldUtxo extends Utxo {
	holder: Holder;
	/** Until when a draft that nobody confirms keeps it. Unix milliseconds. */
	until: number;
}

/** The page of a draft that locks outputs. */
export const pageOfHolder = ({ kind, id }: Holder): string =>
	kind === 'send' ? `/transactions/${id}` : `/migrations/${id}`;

/** A row of locks within a query. */
export type LockRow = ExpressionBuilder<LockedUtxosTables, 'locked_utxos'>;

/**
 * Whether the holder of a row still needs it, as a condition of the query that reads the row: drafts that were
 * given up or left alone, and transactions that are over, lock nothing. Each kind of holder says it beside its own
 * table.
 * @param now Unix milliseconds
 */
export type HolderNeeds = (now: number) => (row: LockRow) => Expression<SqlBool>;

export interface Locking {
	dialect: DatabaseDialect;
	chain: string;
	holder: Holder;
	utxos: readonly Utxo[];
	/** Unix milliseconds. */
	until: number;
	now: number;
}

/** The locks of wallets' outputs. */
export interface Locks {
	/**
	 * Locks outputs for a draft, all or none, within the transaction that stores it. What the draft had before is
	 * let go.
	 * @throws {AppError} `utxos.locked`; then the transaction has to end without effect
	 */
	lock(trx: Executor<LockedUtxosTables>, locking: Locking): Promise<void>;
	/** Lets the outputs of a draft go. */
	unlock(db: Executor<LockedUtxosTables>, holder: string): Promise<void>;
	/** Outputs of a chain that are locked, each with the draft that has it. */
	heldBy(db: Executor<LockedUtxosTables>, chain: string, now: number): Promise<HeldUtxo[]>;
	/**
	 * Outputs of a chain that are locked, as `txid:vout`.
	 * @param except the holder whose own outputs do not count
	 */
	locked(
		db: Executor<LockedUtxosTables>,
		chain: string,
		now: number,
		except?: string | null
	): Promise<Set<string>>;
}

/** @param needs what keeps a row alive, for every kind of holder */
export function createLocks(needs: Readonly<Record<LockKind, HolderNeeds>>): Locks {
	const isDead =
		(now: number) =>
		(row: LockRow): Expression<SqlBool> =>
			row.or(
				Object.entries(needs).map(([kind, needed]) =>
					row.and([row('locked_utxos.kind', '=', kind as LockKind), row.not(needed(now)(row))])
				)
			);

	const unlock: Locks['unlock'] = async (db, holder) => {
		await db.deleteFrom('locked_utxos').where('holder', '=', holder).execute();
	};

	const heldBy: Locks['heldBy'] = async (db, chain, now) => {
		const rows = await db
			.selectFrom('locked_utxos')
			.select(['txid', 'vout', 'kind', 'holder', 'until'])
			.where('chain', '=', chain)
			.where((row) => row.not(isDead(now)(row)))
			.execute();
		return rows.map(({ txid, vout, kind, holder, until }) => ({
			txid,
			vout: Number(vout),
			holder: { kind, id: holder },
			until: Number(until)
		}));
	};

	return {
		unlock,

		async lock(trx, { dialect, chain, holder, utxos, until, now }) {
			// One writer at a time: two that want the same outputs in another order would wait for each other.
			if (dialect === 'postgres')
				await sql`select pg_advisory_xact_lock(${ADVISORY_LOCKS.lockedUtxos})`.execute(trx);
			await trx.deleteFrom('locked_utxos').where('chain', '=', chain).where(isDead(now)).execute();
			await unlock(trx, holder.id);
			for (const { txid, vout } of utxos) {
				const locked = await trx
					.insertInto('locked_utxos')
					.values({ chain, txid, vout, kind: holder.kind, holder: holder.id, until })
					.onConflict((conflict) => conflict.columns(['chain', 'txid', 'vout']).doNothing())
					.returning('holder')
					.executeTakeFirst();
				if (locked) continue;
				const other = await trx
					.selectFrom('locked_utxos')
					.select(['kind', 'holder'])
					.where('chain', '=', chain)
					.where('txid', '=', txid)
					.where('vout', '=', BigInt(vout))
					.executeTakeFirstOrThrow();
				throw new AppError('utxos.locked', { holder: { kind: other.kind, id: other.holder } });
			}
		},

		heldBy,

		async locked(db, chain, now, except = null) {
			const held = await heldBy(db, chain, now);
			return new Set(held.filter(({ holder }) => holder.id !== except).map(nameOfUtxo));
		}
	};
}
