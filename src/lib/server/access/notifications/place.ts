/** How far something was read: kept so that a restart repeats nothing, and moved on by one server at a time. */
import type { Executor } from '../../platform/database/database.ts';
import type { AccessTables } from '../tables.ts';

/** Begins to read from here, unless it was read before. Nothing waits for a place: it has no due time. */
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

/** How far it was read: a number of an audit event, or Unix milliseconds. */
export async function placeOf(db: Executor<AccessTables>, id: string): Promise<bigint> {
	const { position } = await db
		.selectFrom('notice_jobs')
		.select('position')
		.where('id', '=', id)
		.executeTakeFirstOrThrow();
	return position;
}

/** @returns false when another server has moved it on meanwhile, and told what there was to tell */
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
