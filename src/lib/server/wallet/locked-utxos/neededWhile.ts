import { sql, type Expression, type SqlBool } from 'kysely';
import type { HolderNeeds } from './locks.ts';

/**
 * The holders of one table need their inputs in every state but these, and in those of `whileLocked` until the time
 * of the lock is over.
 * @param table has `id` and `state`
 * @param final a column that holds when it became certain what spends them; from then on nobody needs them
 * @param isOver of a row, `needing`: a condition in which they are not needed, whatever the state is
 */
export const neededWhile =
	(
		table: string,
		{
			over,
			whileLocked,
			final,
			isOver = sql`1 = 0`
		}: {
			over: readonly string[];
			whileLocked: readonly string[];
			final?: string;
			isOver?: Expression<unknown>;
		}
	): HolderNeeds =>
	(now) =>
	() =>
		sql<SqlBool>`exists (
			select 1 from ${sql.table(table)} as needing
			where needing.id = locked_utxos.holder and ${
				final === undefined ? sql`1 = 1` : sql`needing.${sql.ref(final)} is null`
			} and not (${isOver}) and (
				needing.state not in (${sql.join([...over, ...whileLocked])})
				or (needing.state in (${sql.join(whileLocked)}) and locked_utxos.until > ${BigInt(now)})
			)
		)`;
