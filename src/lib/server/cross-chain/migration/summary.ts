/** Statistics about migrations, for monitoring. */
import type { Executor } from '../../platform/database/database.ts';
import type { CrossChainTables } from '../tables.ts';
import { STATES, type MigrationState } from './states.ts';

/** Milliseconds. A migration that is due for longer is handled by no server. */
const OVERDUE_MS = 60_000;

export interface MigrationSummary {
	/** Count for each state, and the age of its oldest migration in milliseconds; 0 for none. */
	states: ReadonlyMap<MigrationState, { count: number; oldestMs: number }>;
	/** Stopped migrations, which need a person. */
	stopped: number;
	/** Migrations due for more than a minute without being handled. */
	overdue: number;
}

/** Counts the stopped migrations. Reads no rows, since every page shows only the number. */
export async function stoppedMigrations(db: Executor<CrossChainTables>): Promise<number> {
	const { count } = await db
		.selectFrom('migrations')
		.select((select) => select.fn.countAll<bigint>().as('count'))
		.where('state', '=', 'stuck')
		.executeTakeFirstOrThrow();
	return Number(count);
}

/**
 * Computes all statistics in one query.
 * @param now Unix milliseconds
 */
export async function migrationSummary(
	db: Executor<CrossChainTables>,
	now: number
): Promise<MigrationSummary> {
	const due = BigInt(now - OVERDUE_MS);
	const rows = await db
		.selectFrom('migrations')
		.select((select) => [
			'state',
			select.fn.countAll<bigint>().as('count'),
			select.fn.min('state_since').as('since'),
			select.fn.count<bigint>(select.case().when('due_at', '<', due).then(1).end()).as('overdue')
		])
		.groupBy('state')
		.execute();
	const overdue = rows.reduce((sum, row) => sum + Number(row.overdue), 0);
	const found = new Map(rows.map((row) => [row.state, row]));
	const states = new Map(
		STATES.map((state) => {
			const row = found.get(state);
			const oldestMs = row ? Math.max(0, now - Number(row.since)) : 0;
			return [state, { count: Number(row?.count ?? 0), oldestMs }] as const;
		})
	);
	return { states, stopped: states.get('stuck')?.count ?? 0, overdue };
}
