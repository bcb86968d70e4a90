/**
 * Cursors of lists: the sort values of the row after which the next page begins. They contain nothing that the list
 * does not show, so they are not signed; each value is validated before it is used in a query.
 */
import { jsonOrNull } from '#lib/text/jsonOrNull.ts';
import { AppError } from '../../platform/errors/appError.ts';

/** A sort value of a row. */
export type CursorValue = string | bigint;

/** The parameter that contains the cursor: the page begins after it (`cursor`) or ends before it (`before`). */
type CursorPlace = 'cursor' | 'before';

const strangeCursor = (field: CursorPlace): AppError =>
	new AppError('api.cursor-unknown', {}, { field });

const MAX_LENGTH = 600;
const INT64_MAX = 2n ** 63n - 1n;

/** Encodes a cursor. `sort` is the order that it belongs to, such as `-supply`. */
export function writeCursor(sort: string, values: readonly CursorValue[]): string {
	const parts = values.map((value) => (typeof value === 'bigint' ? `i${value}` : `s${value}`));
	return Buffer.from(JSON.stringify([sort, ...parts])).toString('base64url');
}

/** Decodes a cursor of this order, whose values must have these types. @throws {AppError} `api.cursor-unknown` */
export function readCursor(
	text: string,
	sort: string,
	types: readonly ('text' | 'int')[],
	place: CursorPlace = 'cursor'
): CursorValue[] {
	if (text.length > MAX_LENGTH || !/^[\w-]+$/.test(text)) throw strangeCursor(place);
	const parts = jsonOrNull(Buffer.from(text, 'base64url').toString());
	if (!Array.isArray(parts) || parts.length !== types.length + 1 || parts[0] !== sort) {
		throw strangeCursor(place);
	}
	return types.map((type, at) => {
		const part: unknown = parts[at + 1];
		if (typeof part !== 'string') throw strangeCursor(place);
		if (type === 'text' && part.startsWith('s') && !part.includes('\0')) return part.slice(1);
		if (type === 'int' && /^i-?\d{1,19}$/.test(part)) {
			const value = BigInt(part.slice(1));
			if (value <= INT64_MAX && value >= -INT64_MAX) return value;
		}
		throw strangeCursor(place);
	});
}
