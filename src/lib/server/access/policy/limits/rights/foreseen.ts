import { isAppError } from '../../../../platform/errors/appError.ts';
import type { RightsDependencies } from './dependencies.ts';
import { isLimited } from './limitRefusal.ts';
import { measureSpend } from './measureSpend.ts';
import { refusalOf } from './recordSpend.ts';
import { isRefused, type Refused } from './refused.ts';

/** Signed bytes that may be sent. */
export interface Foreseeable {
	chain: string;
	daemon: string;
	hex: string;
	/** Of a burn: the serialized outputs of its import, hex. */
	payouts?: string | null;
}

/**
 * What the rules, and then the limits, would say if this person sent these bytes now; null where they let them out, and
 * where it cannot be told now. Nothing is counted, asked for or put on record: what goes out is judged when it does.
 */
export async function foreseen(
	deps: RightsDependencies,
	person: string,
	{ chain, daemon, hex, payouts }: Foreseeable
): Promise<Refused | null> {
	// To measure takes questions to the daemon.
	if (!(await isLimited(deps, person, chain))) return null;
	try {
		const { account, ...spend } = await measureSpend(deps, person, daemon, hex, payouts);
		if (account === null) return null;
		const no = refusalOf(await deps.policies.look({ ...spend, account }));
		return no ?? (await deps.limits.look({ ...spend, account }));
	} catch (error) {
		if (!isRefused(error)) throw error;
		return isAppError(error, 'limit.daemon-failed') ? null : error;
	}
}
