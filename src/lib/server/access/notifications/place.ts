/** Positions of readers: stored so that a restart repeats nothing, and advanced by one server at a time. */
import type { Executor } from '../../platform/database/database.ts';
import type { AccessTables } from '../tables.ts';

/**
 * Sets the position at which a reader begins, unless it has one. Its job has no due time, since the runner
 * must not run it.
 */
export async function beginAt(
	db: Executor<AccessTables>,
	id: string,
	position: number
): Promise<void> {
	await db
		.insertInto('notice_jobs')
		.values({ id, position, due_at: null })
		.onConflict((conflict) => conflict.column('id').doUpdateSet({ due_at: null }))
		.execute();
}

/** Returns a reader's position: the number of an audit event, or Unix milliseconds. */
export async function placeOf(db: Executor<AccessTables>, id: string): Promise<bigint> {
	const { position } = await db
		.selectFrom('notice_jobs')
		.select('position')
		.where('id', '=', id)
		.executeTakeFirstOrThrow();
	return position;
}

/**
 * Advances a position.
 * @returns false when another server has advanced it meanwhile, and has created the notices
 */
export async function moveOn(
	trx: Executor<AccessTables>,
	id: string,
	from: bigint,
	to: bigint
): Promise<boolean> {
	const { numUpdatedRows } = await trx
		.updateTable('notice_jobs')
		.set({ position: to })
		.where('id', '=', id)
		.where('position', '=', from)
		.executeTakeFirst();
	return numUpdatedRows === 1n;
}
