import { MIMEType } from 'node:util';

export const LINES_TYPE = 'application/x-www-form-urlencoded';
export const PARTS_TYPE = 'multipart/form-data';

export const isForm = (type: MIMEType | null): boolean =>
	type?.essence === LINES_TYPE || type?.essence === PARTS_TYPE;

/**
 * The type of a body, read in one way. Of a field that names several types, or puts one into the text of a
 * parameter, each reader takes another: whoever parses a form is to read the one by which it was counted.
 * @returns null where there is none, or none that can be read
 */
export function contentTypeOf(headers: Headers): MIMEType | null {
	try {
		return new MIMEType(headers.get('content-type') ?? '');
	} catch {
		return null;
	}
}
