import { sql, type SqlBool } from 'kysely';
import type { HolderNeeds } from './locks.ts';

/**
 * The holders of one table need their inputs in every state but these, and in those of `whileLocked` until the time
 * of the lock is over.
 * @param table has `id` and `state`
 * @param final a column that holds when it became certain what spends them; from then on nobody needs them
 */
export const neededWhile =
	(
		table: string,
		{
			over,
			whileLocked,
			final
		}: { over: readonly string[]; whileLocked: readonly string[]; final?: string }
	): HolderNeeds =>
	(now) =>
	() =>
		sql<SqlBool>`exists (
			select 1 from ${sql.table(table)} as needing
			where needing.id = locked_utxos.holder and ${
				final === undefined ? sql`1 = 1` : sql`needing.${sql.ref(final)} is null`
			} and (
				needing.state not in (${sql.join([...over, ...whileLocked])})
				or (needing.state in (${sql.join(whileLocked)}) and locked_utxos.until > ${BigInt(now)})
			)
		)`;
