import type { ColumnType } from 'kysely';
import { bytesToHex } from '#lib/chain/bytes.ts';

/**
 * Every integer column is 64-bit (`bigint` in the DDL of both databases) and is read as a JavaScript bigint:
 * satoshi amounts do not fit a double, and with one rule for all columns none can be missed. A safe integer may
 * be written as a number.
 */
export type Int64 = ColumnType<bigint, bigint | number, bigint | number>;

/** Like {@link Int64}, null when left out. */
export type NullableInt64 = ColumnType<
	bigint | null,
	bigint | number | null | undefined,
	bigint | number | null
>;

/** Like {@link Int64}, 0 when left out. */
export type CountedInt64 = ColumnType<bigint, bigint | number | undefined, bigint | number>;

/** Text that may be absent. */
export type NullableText = ColumnType<string | null, string | null | undefined, string | null>;

/** Converts the value of a {@link NullableInt64} that is a safe integer, such as a time or a height. */
export const numberOrNull = (value: bigint | null): number | null =>
	value === null ? null : Number(value);

/** Returns the bytes of a column as lower-case hex. */
export const hexOrNull = (bytes: Uint8Array | null): string | null =>
	bytes === null ? null : bytesToHex(bytes);
