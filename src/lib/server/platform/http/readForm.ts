/** What a form holds, read by a schema: a field that is missing, or a file where text belongs, counts as empty. */
import { z } from 'zod';

/** A text as it was typed. */
export const text = z.string().default('');
/** A text without the blanks that come along when it is copied. */
export const trimmed = z.string().trim().default('');
/** A text of several lines: a browser ends them with CRLF, and what was typed has LF. */
export const lines = text.transform((typed) => typed.replaceAll('\r\n', '\n'));

/** What the page of a form showed; undefined where it does not say that, as a script's, which is taken at its word. */
export const shown = z.string().optional();

/** The fields of a form that was read already. */
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

/** The fields of the form that a request brings. */
export const readForm = async <S extends z.ZodRawShape>(
	request: Request,
	shape: S
): Promise<z.output<z.ZodObject<S>>> => readFields(await request.formData(), shape);
