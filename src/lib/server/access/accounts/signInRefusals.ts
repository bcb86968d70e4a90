/**
 * Records refused logins. The delays of a name bound those for an account, but an attacker never runs out of
 * names without one, and would fill the audit log with them.
 */
import type { Executor } from '../../platform/database/database.ts';
import { networkOf } from '../../platform/net/networkOf.ts';
import { DatabaseRateLimiter } from '../../platform/rate-limits/throttle.ts';
import type { Audit } from '../audit/audit.ts';
import type { AccessTables } from '../tables.ts';
import { THROTTLE_WINDOW } from '../credentials/loginThrottle.ts';

/** Up to this many refused logins of one network within an hour, each one is recorded. */
export const MOST_RECORDED = 100;

interface RefusedSignIn {
	/** Name of the account; null: the login named none that exists. */
	account: string | null;
	address: string;
	reason: string;
	/** The way of logging in, where it is not one of this installation. */
	how?: string;
}

export type RecordRefusal = (refused: RefusedSignIn) => Promise<void>;

/** Whether the refused login with this number is recorded: beyond the first ones, each doubling is. */
const isRecorded = (number: number): boolean =>
	number <= MOST_RECORDED || Number.isInteger(Math.log2(number / MOST_RECORDED));

export function createSignInRefusals(
	db: Executor<AccessTables>,
	audit: Pick<Audit, 'append' | 'lock'>
): RecordRefusal {
	const networks = new DatabaseRateLimiter(db, {
		keyPrefix: 'login-refused',
		points: Number.MAX_SAFE_INTEGER,
		duration: THROTTLE_WINDOW
	});
	return async ({ account, ...detail }) => {
		const { consumedPoints: attempts } = await networks.penalty(networkOf(detail.address));
		if (account === null && !isRecorded(attempts)) {
			// As much work as recording, so that the time does not tell whether there is an account.
			await db.transaction().execute((trx) => audit.lock(trx));
			return;
		}
		await audit.append({
			actor: account ?? 'visitor',
			action: 'sign-in.refused',
			detail: { ...detail, ...(attempts > MOST_RECORDED ? { attempts } : {}) }
		});
	};
}
