/**
 * Policies that let everything pass, for tests of what lies behind them. They are named at each place, so that
 * a test says that it asks nothing about rights.
 */
import { createHash } from 'node:crypto';
import type { Refusals } from '#lib/server/access/audit/refusals.ts';
import type { Rights } from '#lib/server/access/policy/limits/rights.ts';
import type { Gateway } from '#lib/server/chains/daemon/types.ts';
import type { ConsoleNodes } from '#lib/server/rpc-proxy/console/console.ts';
import type { OnceCall } from '#lib/server/rpc-proxy/http/onceCalls.ts';
import type { NodeDoor } from '#lib/server/rpc-proxy/kdf/nodeDoor.ts';

/** Everybody may use every wallet and end all work, and nothing is counted. */
export const permissiveRights = (gateway: Gateway): Rights => ({
	walletRefusal: () => Promise.resolve(null),
	endRefusal: () => Promise.resolve(null),
	gatewayOf: () => Promise.resolve(gateway),
	measureSpend: (person, daemon, hex) =>
		Promise.resolve({
			account: person,
			chain: daemon,
			ref: createHash('sha256').update(hex).digest('hex'),
			usages: []
		}),
	recordSpend: () => Promise.resolve(),
	answerRefusal: () => Promise.resolve(null),
	limitRefusal: () => Promise.resolve(null),
	spendRefused: () => Promise.resolve(),
	isLimited: () => Promise.resolve(false),
	signRefusal: () => Promise.resolve(null),
	callRefusal: () => Promise.resolve(null)
});

/** Nothing is frozen and nothing is read only. */
export const neverSwitchedOff = (): Promise<null> => Promise.resolve(null);

/** Refusals leave no record. */
export const unrecorded: Pick<Refusals, 'refused' | 'stranger'> = {
	refused: () => Promise.resolve(),
	stranger: () => undefined
};

/** An installation without trading nodes. */
export const noNodeDoor: NodeDoor = {
	has: () => false,
	changes: () => false,
	answer: () => Promise.resolve(null)
};

/** Every request is carried out, whatever its key is. */
export const nothingOnce: OnceCall = async (_request, work) => ({
	kind: 'answer',
	answer: await work({ mayBeDone: false })
});

/** The same for a console. */
export const noNodes: ConsoleNodes = { door: noNodeDoor, isSecret: () => false };

/** All policies of a door or a console that let everything pass. */
export const permissivePolicy = (gateway: Gateway) => ({
	rights: permissiveRights(gateway),
	refusal: neverSwitchedOff,
	refusals: unrecorded,
	onceCall: nothingOnce
});
