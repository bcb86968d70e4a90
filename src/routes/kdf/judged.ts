import type { RequestEvent } from '@sveltejs/kit';
import { kdfDemands } from '#lib/server/access/calls/demands.ts';
import { judgedBeforeSend } from '#lib/server/access/calls/judgeAgain.ts';
import type { Member } from '#lib/server/access/identity/identity.ts';
import type { JudgeCall } from '#lib/server/kdf/calls/kdfPort.ts';
import { callerNow } from '../console/callerNow.ts';

/**
 * Returns what authorizes a member's calls again right before they are sent: a call may wait for its place at the node
 * until the session has ended or the role has changed.
 */
export function judgedFor(event: RequestEvent, member: Member): JudgeCall {
	const who = callerNow(event, member);
	const { policy } = event.locals.app;
	return (node, method, params) => judgedBeforeSend(policy, who, kdfDemands(node, method, params));
}
