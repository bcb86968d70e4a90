/**
 * Cursors of lists: the sort values of the row behind which the next page begins. They say nothing that
 * the list does not show, so they are not signed; each value is checked before it comes near a query.
 */

/** A sort value of a row. */
export type CursorValue = string | bigint;

/** Which side of a page a cursor stands on. */
type CursorPlace = 'cursor' | 'before';

/** A cursor that was not made by the list it is given to. */
export class CursorError extends Error {
	override readonly name = 'CursorError';
	readonly code = 'bad-cursor';
	/** The parameter that named the place. */
	readonly place: CursorPlace;

	constructor(place: CursorPlace) {
		super('This place in the list cannot be found. Begin with its first page.');
		this.place = place;
	}
}

const MAX_LENGTH = 600;
const INT64_MAX = 2n ** 63n - 1n;

/** `sort` is the order that the cursor belongs to, such as `-supply`. */
export function writeCursor(sort: string, values: readonly CursorValue[]): string {
	const parts = values.map((value) => (typeof value === 'bigint' ? `i${value}` : `s${value}`));
	return Buffer.from(JSON.stringify([sort, ...parts])).toString('base64url');
}

/**
 * Reads a cursor of this order whose values have these types.
 * @throws {CursorError}
 */
export function readCursor(
	text: string,
	sort: string,
	types: readonly ('text' | 'int')[],
	place: CursorPlace = 'cursor'
): CursorValue[] {
	if (text.length > MAX_LENGTH || !/^[\w-]+$/.test(text)) throw new CursorError(place);
	let parts: unknown;
	try {
		parts = JSON.parse(Buffer.from(text, 'base64url').toString());
	} catch {
		throw new CursorError(place);
	}
	if (!Array.isArray(parts) || parts.length !== types.length + 1 || parts[0] !== sort) {
		throw new CursorError(place);
	}
	return types.map((type, at) => {
		const part: unknown = parts[at + 1];
		if (typeof part !== 'string') throw new CursorError(place);
		if (type === 'text' && part.startsWith('s') && !part.includes('\0')) return part.slice(1);
		if (type === 'int' && /^i-?\d{1,19}$/.test(part)) {
			const value = BigInt(part.slice(1));
			if (value <= INT64_MAX && value >= -INT64_MAX) return value;
		}
		throw new CursorError(place);
	});
}
