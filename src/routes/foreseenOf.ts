import type { Foreseeable } from '#lib/server/access/policy/limits/rights/foreseen.ts';
import type { Refused } from '#lib/server/access/policy/limits/rights/refused.ts';
import { waitAtMost } from '#lib/server/chains/daemon/wait.ts';
import { isAppError } from '#lib/server/platform/errors/appError.ts';

/** How long a review waits for what the policies would say; then it is shown without. */
const FORESEEN_MS = 1_500;

/** What stands against sending reviewed bytes now, as their page shows it. */
export type Foreseen =
	| { is: 'approval'; rule: number; needed: number }
	| { is: 'refusal'; message: string; code: string };

/** What stands against a send, as pages show it. */
export const shownForeseen = (no: Refused): Foreseen =>
	isAppError(no, 'policy.needs-approval')
		? { is: 'approval', rule: no.params.rule, needed: no.params.needed }
		: { is: 'refusal', message: no.message, code: no.code };

/**
 * What stands against sending signed bytes, for the member who looks, as far as policies and limits can tell beforehand;
 * null for nothing, and where it takes too long to tell.
 */
export async function foreseenOf(
	{ account, app }: App.Locals,
	bytes: Foreseeable
): Promise<Foreseen | null> {
	if (account === null) return null;
	const no = await waitAtMost(app.rights.foreseen(account.name, bytes), FORESEEN_MS);
	return no ? shownForeseen(no) : null;
}
