import { fail, redirect } from '@sveltejs/kit';
import { isAppError } from '#lib/server/platform/errors/appError.ts';

interface Outcome {
	problem: string;
	reason?: string;
	errors?: { reason?: string };
}

const outcome = (told: Outcome): Outcome => told;

/**
 * Does what a member decided on a page, and shows the page again; what stands against it is told where it was asked.
 * @param reason as it was typed
 */
export async function decided(page: string, act: () => Promise<void>, reason?: string) {
	try {
		await act();
	} catch (cause) {
		// What is decided about can stand against it as well.
		if (!isAppError(cause)) throw cause;
		const typed = reason === undefined ? {} : { reason };
		return cause.field === 'reason'
			? fail(cause.status, outcome({ problem: '', ...typed, errors: { reason: cause.message } }))
			: fail(cause.status, outcome({ problem: cause.message, ...typed }));
	}
	redirect(303, page);
}
