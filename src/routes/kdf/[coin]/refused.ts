import { fail } from '@sveltejs/kit';
import type { FormErrors, Typed } from '#lib/server/kdf/forms/fields.ts';

/** Returns the form with the typed values and their errors. */
export const refused = (
	status: number,
	typed: Typed | null,
	errors: FormErrors,
	problem: string | null,
	said?: string
) => fail(status, { typed, errors, problem, said });
