import { fail } from '@sveltejs/kit';
import type { FormErrors, Typed } from '#lib/server/kdf/activation/form/fields.ts';

/** The form again with what was typed, and what is wrong with it. */
export const refused = (
	status: number,
	typed: Typed | null,
	errors: FormErrors,
	problem: string | null,
	said?: string
) => fail(status, { typed, errors, problem, said });
