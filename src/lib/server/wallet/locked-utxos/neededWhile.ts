import { sql, type Expression, type SqlBool } from 'kysely';
import type { HolderNeeds } from './locks.ts';

/**
 * Builds the condition for holders in one table: a lock is valid in every state except `over`, and in the
 * states of `whileLocked` only until the lock expires.
 * @param table has `id` and `state`
 * @param final column with the time at which the spending of the outputs became final; once it is set, the
 * locks end
 * @param isOver condition on the row (alias `needing`) under which the locks end in any state
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
