import type { CheckMessage } from '#lib/messages/migration/checks.ts';
import type { Check } from '../check.ts';
import type { RequestField } from '../request.ts';
import { isAppError } from '../../../platform/errors/appError.ts';

/** Collects the checks before a burn. */
export class Checks {
	readonly list: Check[] = [];

	readonly add = (
		result: Check['result'],
		id: string,
		message: CheckMessage,
		field?: RequestField
	): void => {
		this.list.push(field === undefined ? { id, result, message } : { id, result, message, field });
	};

	/** Adds to the last check a link where the user can solve the problem. */
	remedy(remedy: NonNullable<Check['remedy']>): void {
		const last = this.list.at(-1);
		if (last) last.remedy = remedy;
	}

	get failed(): boolean {
		return this.list.some(({ result }) => result === 'fail');
	}
}

/** Runs a check; a failed call becomes a failed check instead of an error of the page. */
export async function guarded(
	checks: Checks,
	id: string,
	look: () => Promise<void>
): Promise<void> {
	try {
		await look();
	} catch (error) {
		if (!isAppError(error, 'daemon')) throw error;
		checks.add('fail', id, { code: 'call.failed', params: { error: error.coded } });
	}
}
