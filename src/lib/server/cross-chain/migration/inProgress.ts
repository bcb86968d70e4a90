import type { Executor } from '../../platform/database/database.ts';
import type { CrossChainTables } from '../tables.ts';
import { ARRIVED, type MigrationState } from './states.ts';
import { stepsOf } from './steps.ts';

/** A migration that is neither completed nor discarded, and its progress. */
interface MigrationInProgress {
	id: string;
	source: string;
	destination: string;
	/** Satoshi, or base units of the token. */
	amount: bigint;
	/** Name of the token, empty when unknown; null for coins. */
	token: string | null;
	state: MigrationState;
	/** Completed steps, and their total number. */
	done: number;
	steps: number;
	/** Unix milliseconds when it entered its state. */
	since: number;
}

/** Returns the migrations in progress, most recently changed first. */
export async function migrationsInProgress(
	db: Executor<CrossChainTables>,
	size: number
): Promise<MigrationInProgress[]> {
	const rows = await db
		.selectFrom('migrations')
		.select([
			...(['id', 'path', 'source', 'destination', 'amount'] as const),
			...(['tokenid', 'token_name', 'state', 'state_since'] as const)
		])
		.select((select) =>
			select
				.selectFrom('migration_steps')
				.select((count) => count.fn.countAll<bigint>().as('done'))
				.whereRef('migration', '=', 'migrations.id')
				.where('done_at', 'is not', null)
				.as('done')
		)
		.where('state', 'not in', [...ARRIVED, 'discarded', 'preflight-failed'])
		.orderBy('updated_at', 'desc')
		.limit(size)
		.execute();
	return rows.map((row) => ({
		id: row.id,
		source: row.source,
		destination: row.destination,
		amount: row.amount,
		token: row.tokenid === null ? null : (row.token_name ?? ''),
		state: row.state,
		done: Number(row.done ?? 0n),
		steps: stepsOf(row.path).length,
		since: Number(row.state_since)
	}));
}
