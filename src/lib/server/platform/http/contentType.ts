import { MIMEType } from 'node:util';

export const LINES_TYPE = 'application/x-www-form-urlencoded';
export const PARTS_TYPE = 'multipart/form-data';

export const isForm = (type: MIMEType | null): boolean =>
	type?.essence === LINES_TYPE || type?.essence === PARTS_TYPE;

/**
 * Parses Content-Type once for all readers. A header with several types, or with a type inside a parameter, is
 * understood differently by different parsers: the form must be parsed by the type under which it was counted.
 * @returns null where the header is missing or invalid
 */
export function contentTypeOf(headers: Headers): MIMEType | null {
	try {
		return new MIMEType(headers.get('content-type') ?? '');
	} catch {
		return null;
	}
}
