/** Reads form fields by a schema: a missing field, or a file in place of text, counts as absent. */
import { bareText } from '#lib/chain/bareText.ts';
import { z } from 'zod';

/** A text exactly as typed. */
export const text = z.string().default('');
/** A text without the blanks and invisible characters around it, which copying often adds. */
export const trimmed = z.string().transform(bareText).default('');
/** A text of several lines: browsers submit CRLF, which is converted back to LF. */
export const lines = text.transform((typed) => typed.replaceAll('\r\n', '\n'));

/** The state that the form's page displayed; undefined for requests that do not state it, such as a script's. */
export const shown = z.string().optional();

/** Reads the fields of a parsed form. */
export function readFields<S extends z.ZodRawShape>(
	form: FormData,
	shape: S
): z.output<z.ZodObject<S>> {
	const typed = Object.keys(shape).map((name) => {
		const value = form.get(name);
		return [name, typeof value === 'string' ? value : undefined];
	});
	return z.object(shape).parse(Object.fromEntries(typed));
}

/** Reads the fields of a request's form. */
export const readForm = async <S extends z.ZodRawShape>(
	request: Request,
	shape: S
): Promise<z.output<z.ZodObject<S>>> => readFields(await request.formData(), shape);
