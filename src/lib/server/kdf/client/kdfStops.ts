/**
 * Nodes that refused our password. A trading node bans an address after ten wrong passwords until it is
 * restarted, so the first refusal is stored in the database: it survives a restart, and other servers see it.
 */
import type { Database } from '../../platform/database/database.ts';
import type { KdfTables } from '../tables.ts';
import type { KdfStop } from './kdfTypes.ts';

export interface KdfStops {
	get(node: string): Promise<KdfStop | null>;
	/** Stores a refusal. Returns false when there is one already, which is kept. */
	stop(node: string, stop: KdfStop): Promise<boolean>;
	/** Removes a refusal. Returns true when there was one. */
	resume(node: string): Promise<boolean>;
}

const REASONS: readonly KdfStop['reason'][] = ['wrong', 'missing', 'banned'];

export function createKdfStops(db: Database<KdfTables>): KdfStops {
	return {
		async get(node) {
			const row = await db
				.selectFrom('kdf_stops')
				.selectAll()
				.where('node', '=', node)
				.executeTakeFirst();
			if (row === undefined) return null;
			return {
				reason: REASONS.find((one) => one === row.reason) ?? 'wrong',
				attemptsLeft: row.attempts_left === null ? null : Number(row.attempts_left),
				since: Number(row.since)
			};
		},
		async stop(node, { reason, attemptsLeft, since }) {
			const kept = await db
				.insertInto('kdf_stops')
				.values({
					node,
					reason,
					attempts_left: attemptsLeft === null ? null : BigInt(attemptsLeft),
					since: BigInt(since)
				})
				.onConflict((conflict) => conflict.column('node').doNothing())
				.executeTakeFirst();
			return (kept.numInsertedOrUpdatedRows ?? 0n) > 0n;
		},
		async resume(node) {
			const gone = await db.deleteFrom('kdf_stops').where('node', '=', node).executeTakeFirst();
			return gone.numDeletedRows > 0n;
		}
	};
}
