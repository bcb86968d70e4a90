/**
 * Locked UTXOs: outputs of wallets that drafts (reviewed transactions and migrations) spend. They are locked
 * in the database transaction that stores the draft, so that two concurrent drafts cannot both have an
 * output: the second is refused.
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

/** A locked output, and the draft that it is locked for. */
export interface HeldUtxo extends Utxo {
	holder: Holder;
	/** Expiry of the lock, unless the draft is confirmed by a member. Unix milliseconds. */
	until: number;
}

/** Returns the path of the page of a draft. */
export const pageOfHolder = ({ kind, id }: Holder): string =>
	kind === 'send' ? `/transactions/${id}` : `/migrations/${id}`;

/** A row of `locked_utxos` within a query. */
export type LockRow = ExpressionBuilder<LockedUtxosTables, 'locked_utxos'>;

/**
 * Builds the SQL condition that is true while the holder of a row still needs its lock: drafts that were
 * discarded or have expired, and finished transactions, lock nothing. The condition of each kind of holder is
 * defined with the holder's table.
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

/** Reads and writes locks of UTXOs. */
export interface Locks {
	/**
	 * Locks outputs for a draft, all or none, within the database transaction that stores it. Releases those
	 * that the draft had before.
	 * @throws {AppError} `utxos.locked`; the caller then has to roll the transaction back
	 */
	lock(trx: Executor<LockedUtxosTables>, locking: Locking): Promise<void>;
	/** Releases the outputs of a draft. */
	unlock(db: Executor<LockedUtxosTables>, holder: string): Promise<void>;
	/** Returns the locked outputs of a chain, each with the draft that it is locked for. */
	heldBy(db: Executor<LockedUtxosTables>, chain: string, now: number): Promise<HeldUtxo[]>;
	/**
	 * Returns the locked outputs of a chain, as `txid:vout`.
	 * @param except id of a holder whose outputs are left out
	 */
	locked(
		db: Executor<LockedUtxosTables>,
		chain: string,
		now: number,
		except?: string | null
	): Promise<Set<string>>;
}

/** @param needs the condition under which a lock is valid, for each kind of holder */
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
			// One writer at a time: two that insert the same outputs in different orders would deadlock.
			if (dialect === 'postgres')
				await sql`select pg_advisory_xact_lock(${ADVISORY_LOCKS.lockedUtxos})`.execute(trx);
			await trx.deleteFrom('locked_utxos').where('chain', '=', chain).where(isDead(now)).execute();
			await unlock(trx, holder.id);
			for (const { txid, vout } of utxos) {
				const insert = trx
					.insertInto('locked_utxos')
					.values({ chain, txid, vout, kind: holder.kind, holder: holder.id, until })
					.onConflict((conflict) => conflict.columns(['chain', 'txid', 'vout']).doNothing())
					.returning('holder');
				for (;;) {
					const locked = await insert.executeTakeFirst();
					if (locked) break;
					const other = await trx
						.selectFrom('locked_utxos')
						.select(['kind', 'holder'])
						.where('chain', '=', chain)
						.where('txid', '=', txid)
						.where('vout', '=', BigInt(vout))
						.executeTakeFirst();
					// Without a row its holder released it in between: it is free now.
					if (other)
						throw new AppError('utxos.locked', { holder: { kind: other.kind, id: other.holder } });
				}
			}
		},

		heldBy,

		async locked(db, chain, now, except = null) {
			const held = await heldBy(db, chain, now);
			return new Set(held.filter(({ holder }) => holder.id !== except).map(nameOfUtxo));
		}
	};
}
