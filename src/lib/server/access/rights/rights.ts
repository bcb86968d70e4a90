/**
 * The rights of a member over wallets: whether they may use one, and how much of their spending limits is left.
 * The RPC API, the console, sending and migrations all ask here. Each use case is in its own file.
 */
import { bindTo } from '../../platform/bind.ts';
import type { RightsDependencies } from './dependencies.ts';
import { foreseen, foreseenTransfers } from './foreseen.ts';
import { gatewayOf } from './gatewayOf.ts';
import { giveBack, giveBackActivation } from './giveBack.ts';
import { isLimited, limitRefusal, spendRefused } from './limitRefusal.ts';
import { asCall, measureCall, measureSignature } from './measureCall.ts';
import { measureSpend } from './measureSpend.ts';
import { recordSpend } from './recordSpend.ts';
import { activationRefusal, endRefusal, sendRefusal, walletRefusal } from './walletRefusal.ts';
import { withRequest } from './withRequest.ts';

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
