import type { Executor } from '../../../../platform/database/database.ts';
import type { AccessTables } from '../../../tables.ts';
import type { RightsDependencies } from './dependencies.ts';
import { doerOf } from './measureSpend.ts';
import type { Counted } from './spend.ts';

/**
 * Takes back what `recordSpend` counted of bytes that certainly reached nobody: neither a daemon, nor
 * somebody who could send them. Nothing else may rely on it; what goes out afterwards is judged anew, and the
 * approvals that were used up are there again.
 * It is done in the order of `recordSpend`, so that neither waits for what the other one holds.
 * @param within the transaction in which it is written down that nothing went out
 */
export async function giveBack(
	{ limits, policies, approvals }: RightsDependencies,
	spend: Counted,
	within?: Executor<AccessTables>
): Promise<void> {
	const run = async (trx: Executor<AccessTables>): Promise<void> => {
		const { account, bytes } = spend;
		const isGone = await policies.giveBack(spend, trx);
		// Another send of the same bytes may have used them up, at another server: whoever is last gives them back.
		if (isGone && bytes !== null) await approvals.reopen(trx, { account, hex: bytes.hex });
		await limits.giveBack(spend, trx);
	};
	await (within ? run(within) : policies.transaction(run));
}

/**
 * The same of an activation that ended before its trading node was asked for anything.
 * @param ref what it was counted as when it was begun
 */
export async function giveBackActivation(
	deps: RightsDependencies,
	person: string,
	ref: string
): Promise<void> {
	const { account } = await doerOf(deps, person);
	if (account === null) return;
	await deps.policies.transaction((trx) => deps.policies.giveBack({ account, ref }, trx));
}
