/**
 * Outputs of wallets that drafts were built from. They are locked in the transaction that stores the draft, so
 * that two drafts of the same moment cannot both have an output: whichever is stored second is refused.
 */
import { sql, type ExpressionBuilder, type Kysely } from 'kysely';
import type { DatabaseDialect } from '../../platform/database/dialect.ts';
import type { Schema } from '../../schema.ts';
import { ARRIVED, BEFORE_BURN } from '../../cross-chain/migration/states.ts';
import type { LockKind } from './tables.ts';

export interface Utxo {
	txid: string;
	vout: number;
}

/** The draft that an output is locked for. */
export interface Holder {
	kind: LockKind;
	id: string;
}

/** Another draft has one of the outputs. */
export class UtxoLocked extends Error {
	override readonly name = 'UtxoLocked';
	readonly code = 'utxo-locked';
	readonly holder: Holder;

	constructor(holder: Holder) {
		super(
			'Another transaction that was reviewed a moment ago spends the same coins. Send or discard that one first, or wait some minutes; then build this one again.'
		);
		this.holder = holder;
	}

	/** The page of what stands in the way. */
	get at(): string {
		return this.holder.kind === 'send'
			? `/sends/${this.holder.id}`
			: `/migrations/${this.holder.id}`;
	}
}

/** Any number of its own: writers of locks of all replicas take turns by it. */
const ADVISORY_LOCK = 4_919_770_002n;

export const nameOfUtxo = ({ txid, vout }: { txid: string; vout: number | bigint }): string =>
	`${txid}:${vout}`;

/** Drafts that were given up or left alone, and transactions that are over, lock nothing. */
const isDead =
	(now: number) =>
	({ and, or, exists, not, selectFrom, eb }: ExpressionBuilder<Schema, 'locked_utxos'>) => {
		const waits = eb('locked_utxos.until', '>', BigInt(now));
		const send = selectFrom('sends')
			.select('sends.id')
			.whereRef('sends.id', '=', 'locked_utxos.holder')
			.where((row) =>
				row.or([
					row('sends.state', 'not in', ['built', 'refused', 'expired']),
					row.and([row('sends.state', '=', 'built'), waits])
				])
			);
		const migration = selectFrom('migrations')
			.select('migrations.id')
			.whereRef('migrations.id', '=', 'locked_utxos.holder')
			.where((row) =>
				row.or([
					row('migrations.state', 'not in', [...BEFORE_BURN, ...ARRIVED, 'abandoned']),
					row.and([row('migrations.state', 'in', [...BEFORE_BURN]), waits])
				])
			);
		return or([
			and([eb('locked_utxos.kind', '=', 'send'), not(exists(send))]),
			and([eb('locked_utxos.kind', '=', 'migration'), not(exists(migration))])
		]);
	};

export interface Locking {
	dialect: DatabaseDialect;
	chain: string;
	holder: Holder;
	utxos: readonly Utxo[];
	/** Unix milliseconds. */
	until: number;
	now: number;
}

/**
 * Locks outputs for a draft, all or none, within the transaction that stores it. What the draft had before is
 * let go.
 * @throws {UtxoLocked} then the transaction has to end without effect
 */
export async function lockUtxos(trx: Kysely<Schema>, locking: Locking): Promise<void> {
	const { dialect, chain, holder, utxos, until, now } = locking;
	// One writer at a time: two that want the same outputs in another order would wait for each other.
	if (dialect === 'postgres')
		await sql`select pg_advisory_xact_lock(${ADVISORY_LOCK})`.execute(trx);
	await trx.deleteFrom('locked_utxos').where('chain', '=', chain).where(isDead(now)).execute();
	await unlockUtxos(trx, holder.id);
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
		throw new UtxoLocked({ kind: other.kind, id: other.holder });
	}
}

/** Lets the outputs of a draft go. */
export async function unlockUtxos(db: Kysely<Schema>, holder: string): Promise<void> {
	await db.deleteFrom('locked_utxos').where('holder', '=', holder).execute();
}

/**
 * Outputs of a chain that are locked, as `txid:vout`.
 * @param except the holder whose own outputs do not count
 */
export async function lockedUtxos(
	db: Kysely<Schema>,
	chain: string,
	now: number,
	except: string | null = null
): Promise<Set<string>> {
	const rows = await db
		.selectFrom('locked_utxos')
		.select(['txid', 'vout'])
		.where('chain', '=', chain)
		.where('holder', '!=', except ?? '')
		.where((eb) => eb.not(isDead(now)(eb)))
		.execute();
	return new Set(rows.map(nameOfUtxo));
}
