/** Reads of a batch whose responses must not be returned any more. */
import { rpcApi } from '#lib/messages/rpcApi.ts';
import type { DaemonMethod } from '#lib/rpc/daemon/index.ts';
import { judgedRead } from '../../access/calls/afterWait.ts';
import type { CallPolicy } from '../../access/calls/authorizeCall.ts';
import { daemonDemands } from '../../access/calls/demands.ts';
import type { Member } from '../../access/identity/identity.ts';
import type { DaemonInfo } from '../../chains/daemon/types.ts';
import type { RpcRefusal } from '../http/refusal.ts';
import type { WhoNow } from '../http/whoNow.ts';
import { heldRefusal, nobodys } from './refusals.ts';
import type { RpcCall } from './requestBody.ts';

/**
 * Returns the refusals of reads for which the caller lost the right while the daemon worked.
 * @param first the caller for whom the calls were authorized
 */
export async function lostReads<C extends RpcCall & { method: DaemonMethod }>(
	policy: Pick<CallPolicy, 'authorizeAgain'>,
	first: Member,
	who: WhoNow,
	daemon: DaemonInfo,
	calls: readonly C[]
): Promise<ReadonlyMap<C, RpcRefusal>> {
	const lost = new Map<C, RpcRefusal>();
	for (const call of calls) {
		const { method, params, idText } = call;
		const judged = judgedRead(policy, first, who, daemonDemands(daemon, method, params));
		const why = judged instanceof Promise ? await judged : judged;
		if (why === null) continue;
		const no =
			why.kind === 'ended' ? nobodys(idText, rpcApi.late) : heldRefusal(why.denial, idText);
		lost.set(call, no);
	}
	return lost;
}
