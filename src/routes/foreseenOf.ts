import type { Foreseeable } from '#lib/server/access/rights/foreseen.ts';
import type { Refused } from '#lib/server/access/rights/refused.ts';
import { waitAtMost } from '#lib/server/chains/upstream/wait.ts';
import { isAppError } from '#lib/server/platform/errors/appError.ts';

/** How long a review waits for the policies' decision before it is shown without it. Milliseconds. */
const FORESEEN_MS = 1_500;

/** What prevents sending a reviewed transaction now, for its page. */
export type Foreseen =
	| { is: 'approval'; rule: number; needed: number }
	| { is: 'refusal'; message: string; code: string };

/** Converts an error that prevents a send for the page. */
export const shownForeseen = (no: Refused): Foreseen =>
	isAppError(no, 'policy.needs-approval')
		? { is: 'approval', rule: no.params.rule, needed: no.params.needed }
		: { is: 'refusal', message: no.message, code: no.code };

/**
 * Returns what prevents the reader from sending a signed transaction, as far as policies and limits can
 * tell in advance; null for nothing, and when it takes too long.
 */
export async function foreseenOf(
	{ account, app }: App.Locals,
	bytes: Foreseeable
): Promise<Foreseen | null> {
	if (account === null) return null;
	const no = await waitAtMost(app.rights.foreseen(account.name, bytes), FORESEEN_MS);
	return no ? shownForeseen(no) : null;
}
