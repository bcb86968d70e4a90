import { fail, redirect } from '@sveltejs/kit';
import { isAppError } from '#lib/server/platform/errors/appError.ts';
import { outcomeOf } from '../outcomeOf.ts';

interface Outcome {
	problem: string;
	reason?: string;
	errors?: { reason?: string };
}

const outcome = outcomeOf<Outcome>();

/**
 * Executes a member's decision and reloads the page; errors are reported at the form.
 * @param reason as typed
 */
export async function decided(page: string, act: () => Promise<void>, reason?: string) {
	try {
		await act();
	} catch (cause) {
		// Applying the approved change can fail with an error of its own.
		if (!isAppError(cause)) throw cause;
		const typed = reason === undefined ? {} : { reason };
		return cause.field === 'reason'
			? fail(cause.status, outcome({ problem: '', ...typed, errors: { reason: cause.message } }))
			: fail(cause.status, outcome({ problem: cause.message, ...typed }));
	}
	redirect(303, page);
}
