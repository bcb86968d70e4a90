import type { ColumnType } from 'kysely';

/**
 * Every whole number in the database is a 64-bit column (`bigint` in the DDL of both databases) and is
 * read as a JavaScript bigint: satoshi do not fit a double, and one rule for all columns leaves no
 * column to forget. A number may be written where it is a safe integer.
 */
export type Int64 = ColumnType<bigint, bigint | number, bigint | number>;

/** Like {@link Int64}, empty when left out. */
export type NullableInt64 = ColumnType<
	bigint | null,
	bigint | number | null | undefined,
	bigint | number | null
>;

/** Like {@link Int64}, 0 when left out. */
export type CountedInt64 = ColumnType<bigint, bigint | number | undefined, bigint | number>;

/** Text that may be absent. */
export type NullableText = ColumnType<string | null, string | null | undefined, string | null>;
