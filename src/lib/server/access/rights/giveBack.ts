import type { Executor } from '../../platform/database/database.ts';
import type { AccessTables } from '../tables.ts';
import type { RightsDependencies } from './dependencies.ts';
import { doerOf } from './measureSpend.ts';
import type { Counted } from './spend.ts';

/** What was given back by a transaction that may have been committed. */
const givenBack = new WeakSet<Counted>();

/**
 * Reverts what `recordSpend` counted of bytes that certainly reached neither a daemon nor anyone who could
 * send them. Nothing else may rely on that counting: a later send is judged anew, and the approvals that were
 * used up are open again. Locks are taken in the order of `recordSpend`, so that the two cannot deadlock.
 * Reverts once: after a commit whose response was lost, a second attempt would take the count of another send.
 * @param within the database transaction that also records that nothing was sent
 */
export async function giveBack(
	{ limits, policies, approvals }: RightsDependencies,
	spend: Counted,
	within?: Executor<AccessTables>
): Promise<void> {
	if (givenBack.has(spend)) return;
	const run = async (trx: Executor<AccessTables>): Promise<void> => {
		const { account, bytes } = spend;
		const isGone = await policies.giveBack(spend, trx);
		// Another send of the same bytes, perhaps on another server, may rely on the same approvals: the last
		// send that is given back reopens the request.
		if (isGone && bytes !== null) await approvals.reopen(trx, { account, hex: bytes.hex });
		await limits.giveBack(spend, trx);
		givenBack.add(spend);
	};
	await (within ? run(within) : policies.transaction(run));
}

/**
 * Does the same for an activation that ended before its trading node was asked for anything.
 * @param ref the id under which it was counted when it began
 */
export async function giveBackActivation(
	deps: RightsDependencies,
	member: string,
	ref: string
): Promise<void> {
	const { account } = await doerOf(deps, member);
	if (account === null) return;
	await deps.policies.transaction((trx) => deps.policies.giveBack({ account, ref }, trx));
}
