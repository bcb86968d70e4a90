import { MIMEType } from 'node:util';

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
