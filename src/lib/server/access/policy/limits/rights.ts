/**
 * The rights of a member over wallets: whether they may use one, and how much of their spending limits is left.
 * The RPC API, the console, sending and migrations all ask here. Each use case is in its own file.
 */
import { bindTo } from '../../../platform/bind.ts';
import type { RightsDependencies } from './rights/dependencies.ts';
import { foreseen, foreseenTransfers } from './rights/foreseen.ts';
import { gatewayOf } from './rights/gatewayOf.ts';
import { giveBack, giveBackActivation } from './rights/giveBack.ts';
import { isLimited, limitRefusal, spendRefused } from './rights/limitRefusal.ts';
import { asCall, measureCall, measureSignature } from './rights/measureCall.ts';
import { measureSpend } from './rights/measureSpend.ts';
import { recordSpend } from './rights/recordSpend.ts';
import {
	activationRefusal,
	endRefusal,
	sendRefusal,
	walletRefusal
} from './rights/walletRefusal.ts';
import { withRequest } from './rights/withRequest.ts';

export function createRights(deps: RightsDependencies) {
	const bound = bindTo(deps);
	return {
		walletRefusal: bound(walletRefusal),
		sendRefusal: bound(sendRefusal),
		activationRefusal: bound(activationRefusal),
		endRefusal: bound(endRefusal),
		gatewayOf: bound(gatewayOf),
		measureSpend: bound(measureSpend),
		foreseen: bound(foreseen),
		foreseenTransfers: bound(foreseenTransfers),
		recordSpend: bound(recordSpend),
		giveBack: bound(giveBack),
		giveBackActivation: bound(giveBackActivation),
		withRequest: bound(withRequest),
		asCall: bound(asCall),
		limitRefusal: bound(limitRefusal),
		spendRefused: bound(spendRefused),
		isLimited: bound(isLimited),
		measureSignature: bound(measureSignature),
		measureCall: bound(measureCall)
	};
}

export type Rights = ReturnType<typeof createRights>;
