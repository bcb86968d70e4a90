import type { Executor } from '../../platform/database/database.ts';
import type { CrossChainTables } from '../tables.ts';
import { ARRIVED, type MigrationState } from './states.ts';
import { stepsOf } from './steps.ts';

/** A migration that is neither final nor given up, and how far it is. */
interface MigrationUnderWay {
	id: string;
	source: string;
	destination: string;
	/** Satoshi, or base units of the token. */
	amount: bigint;
	/** Name of the token, empty where none is known; null for coins. */
	token: string | null;
	state: MigrationState;
	/** Steps behind it, of how many. */
	done: number;
	steps: number;
	/** Unix milliseconds. */
	since: number;
}

/** The migrations under way that changed last, the newest change first. */
export async function migrationsUnderWay(
	db: Executor<CrossChainTables>,
	size: number
): Promise<MigrationUnderWay[]> {
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
