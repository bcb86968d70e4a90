/** Reads of a batch whose responses must not be returned any more. */
import { judgedRead } from '../../access/calls/judgeAgain.ts';
import type { CallPolicy } from '../../access/calls/authorizeCall.ts';
import type { CallDemands } from '../../access/calls/demands.ts';
import type { Member } from '../../access/identity/identity.ts';
import type { RpcRefusal } from '../http/refusal.ts';
import type { WhoNow } from '../http/whoNow.ts';
import { keptRefusal } from './refusals.ts';

/**
 * Returns the refusals of reads for which the caller lost the right while the daemon worked.
 * @param first the caller for whom the calls were authorized
 */
export async function lostReads<C extends { demands: CallDemands; idText: string }>(
	policy: Pick<CallPolicy, 'authorizeAgain'>,
	first: Member,
	who: WhoNow,
	calls: readonly C[]
): Promise<ReadonlyMap<C, RpcRefusal>> {
	const lost = new Map<C, RpcRefusal>();
	for (const call of calls) {
		const { demands, idText } = call;
		const judged = judgedRead(policy, first, who, demands);
		const why = judged instanceof Promise ? await judged : judged;
		if (why === null) continue;
		lost.set(call, keptRefusal(why, idText));
	}
	return lost;
}
