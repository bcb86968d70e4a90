/** The form in which a member enters a new password, and the name of a new account. */
import { fail } from '@sveltejs/kit';
import type { AppError } from '#lib/server/platform/errors/appError.ts';
import { text } from '#lib/server/platform/http/readForm.ts';

interface FieldErrors {
	name?: string;
	password?: string;
	repeat?: string;
}

export const NEW_ACCOUNT = { token: text, name: text, password: text, repeat: text };

/** Shows the form again, with the name as typed. */
export const refused = (name: string, errors: FieldErrors, notice: string | null = null) =>
	fail(400, { name, errors, notice });

/** Shows the form again, with an error at its field, or above the form when it concerns neither. */
export function refusedBy({ field, message }: Pick<AppError, 'field' | 'message'>, name: string) {
	if (field === 'name' || field === 'password') return refused(name, { [field]: message });
	return refused(name, {}, message);
}
