/**
 * Format of a backup: lines of JSON. The first line is a header, the last one carries an HMAC over all lines
 * before it, so that a backup that was changed, truncated or made under another key is refused.
 */
import { createHmac, type Hmac } from 'node:crypto';
import { z } from 'zod';
import { AppError } from '../errors/appError.ts';

export const FORMAT = 1;

/** The first line. */
export const Head = z.object({
	komodeck: z.literal('backup'),
	format: z.number(),
	/** ISO 8601, UTC. */
	madeAt: z.string(),
	/** Schema steps that the database had, in order. */
	schema: z.array(z.string())
});
/** Precedes the rows of a table. */
export const TableLine = z.object({ table: z.string(), columns: z.array(z.string()) });
/** One row: a cell for each column. */
export const RowLine = z.array(z.string().nullable());
/** The last line. */
export const Tail = z.object({ rows: z.number(), mac: z.string() });

export type Head = z.infer<typeof Head>;
export type TableLine = z.infer<typeof TableLine>;

/** Encodes a database value as text with a type prefix: 64-bit integers keep every digit. */
export function cellOf(value: unknown): string | null {
	if (value === null || value === undefined) return null;
	if (typeof value === 'bigint') return `i${value}`;
	if (typeof value === 'string') return `s${value}`;
	if (value instanceof Uint8Array) return `b${Buffer.from(value).toString('base64')}`;
	if (typeof value === 'number') return `f${value}`;
	if (typeof value === 'boolean') return `t${value}`;
	throw new TypeError(`a backup holds no ${typeof value}`);
}

/** Decodes what {@link cellOf} encoded. @throws {AppError} `backup.damaged` */
export function valueOf(cell: string | null): string | bigint | number | boolean | Buffer | null {
	if (cell === null) return null;
	const text = cell.slice(1);
	switch (cell[0]) {
		case 's':
			return text;
		case 'i':
			return BigInt(text);
		case 'b':
			return Buffer.from(text, 'base64');
		case 'f':
			return Number(text);
		case 't':
			return text === 'true';
		default:
			throw new AppError('backup.damaged', { what: 'value' });
	}
}

/** Creates the HMAC for the lines of a backup. */
export const lineMac = (key: Uint8Array): Hmac => createHmac('sha256', key);
