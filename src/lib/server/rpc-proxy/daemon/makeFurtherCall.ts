/** One call of a method that the registry does not know and the configuration permits as a read. */
import type { FurtherAccess } from '#lib/rpc/daemon/furtherMethods.ts';
import { judgedRead } from '../../access/calls/judgeAgain.ts';
import { giveBackUnsent } from '../../access/calls/giveBackUnsent.ts';
import type { CallOrigin, CallPolicy } from '../../access/calls/authorizeCall.ts';
import { furtherDemands } from '../../access/calls/demands.ts';
import type { DaemonInfo, Gateway } from '../../chains/daemon/types.ts';
import type { WhoNow } from '../http/whoNow.ts';
import type { MadeDaemonCall } from './makeCall.ts';

export interface FurtherCallParts {
	gateway: Pick<Gateway, 'proxyFurther'>;
	policy: CallPolicy;
}

interface FurtherCall {
	method: string;
	access: FurtherAccess;
	/** JSON texts, passed on unchanged. */
	params: readonly string[];
}

/** @throws {AppError} `daemon` when there is no response to return */
export async function makeFurtherCall(
	{ gateway, policy }: FurtherCallParts,
	who: WhoNow,
	daemon: DaemonInfo,
	{ method, access, params }: FurtherCall,
	origin: CallOrigin
): Promise<MadeDaemonCall> {
	const identity = await who();
	if (identity === null) return { kind: 'ended' };
	const demands = furtherDemands(daemon, method, access);
	const decision = await policy.authorizeCall(identity, demands, origin);
	if (decision.denial !== null) return { kind: 'denied', denial: decision.denial };
	const started = performance.now();
	const { requestId } = origin;
	const answer = await gateway
		.proxyFurther(daemon.id, method, `[${params.join(',')}]`, { requestId })
		.catch((error: unknown) => giveBackUnsent(decision.giveBack, error));
	const ms = performance.now() - started;
	const lost = await judgedRead(policy, identity, who, demands);
	return lost === null ? { kind: 'answered', answer, ms } : { kind: 'withheld', why: lost, ms };
}
