import type { CheckMessage } from '#lib/messages/migration/checks.ts';
import { UpstreamError } from '#lib/server/chains/daemon/types.ts';
import type { Check } from '../check.ts';
import type { RequestField } from '../request.ts';

/** Collects what was looked at before a burn. */
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

	/** Says with the last check where the person can do what is missing. */
	remedy(remedy: NonNullable<Check['remedy']>): void {
		const last = this.list.at(-1);
		if (last) last.remedy = remedy;
	}

	get failed(): boolean {
		return this.list.some(({ result }) => result === 'fail');
	}
}

/** A question that cannot be asked now is a failed check, not the end of the page. */
export async function guarded(
	checks: Checks,
	id: string,
	look: () => Promise<void>
): Promise<void> {
	try {
		await look();
	} catch (error) {
		if (!(error instanceof UpstreamError)) throw error;
		checks.add('fail', id, { code: 'call.failed', params: { detail: error.message } });
	}
}
