import { randomUUID } from 'node:crypto';
import { isValidAddress } from '#lib/chain/address.ts';
import type { DaemonMethod } from '#lib/rpc/daemon/index.ts';
import { refuseTraps } from '../../chains/daemon/refuseTraps.ts';
import type { DaemonInfo } from '../../chains/daemon/types.ts';
import { still } from '../policy/rules/facts.ts';
import { feeOfCall, movementOfCall, textOf, usageOfCall } from '../policy/measuring/calls.ts';
import { recipientsOfCall } from '../policy/measuring/recipients.ts';
import type { RightsDependencies } from './dependencies.ts';
import type { MeasuredSpend } from './spend.ts';
import { doerOf, measureSpend, refuseFee } from './measureSpend.ts';

/** A spend that no bytes identify: it gets a new random ref unless one is given. */
const once = async (
	deps: RightsDependencies,
	member: string,
	spend: Pick<MeasuredSpend, 'wallet' | 'chain' | 'usages' | 'movements' | 'doubt' | 'recipients'>,
	ref: string = randomUUID()
): Promise<MeasuredSpend> => ({
	...(await doerOf(deps, member)),
	...spend,
	ref,
	bytes: null
});

/**
 * Measures what a call takes that a member or script makes by hand; null for nothing. It is not counted yet.
 * @param params JSON texts
 * @throws {AppError} `limit` as {@link measureSpend}; for a payment to an address also as {@link refuseTraps}
 */
export async function measureCall(
	deps: RightsDependencies,
	member: string,
	daemon: DaemonInfo,
	{ method, params }: { method: DaemonMethod; params: readonly string[] }
): Promise<MeasuredSpend | null> {
	const { gateway, measurer } = deps;
	if (method === 'sendrawtransaction')
		return measureSpend(deps, member, daemon.id, textOf(params[0]));
	const usage = usageOfCall(method, params);
	if (usage === null) return null;
	const fee = feeOfCall(method, params);
	if (fee > 0n) await refuseFee(deps, daemon.chain, fee);
	const recipients = recipientsOfCall(method, params);
	if (method === 'sendtoaddress') {
		// A daemon accepts an address with spaces around it, too.
		const address = textOf(params[0]).trim();
		if (isValidAddress(address)) {
			await refuseTraps(gateway, { chain: daemon.chain, daemon: daemon.id }, [address]);
		}
	}
	const movements = [movementOfCall(method, params, daemon.chain, usage)];
	return once(deps, member, {
		wallet: daemon.id,
		chain: daemon.chain,
		usages: [usage],
		...(await measurer.marked(movements)),
		recipients
	});
}

/** Measures a message that a trading node is to sign with the key of a coin. Nothing is counted yet. */
export const measureSignature = (
	deps: RightsDependencies,
	member: string,
	node: string,
	coin: string
): Promise<MeasuredSpend> =>
	once(deps, member, {
		wallet: node,
		chain: coin,
		usages: [{ kind: 'sign', amount: 0n }],
		movements: [still('sign', coin)],
		doubt: null,
		recipients: []
	});

/**
 * Adds the call itself to what it moves (`spend`; null for a call that moves nothing), since a rule may be
 * about calls. Returns `spend` unchanged where no rule could stop a call.
 * @param ref the id under which an activation is counted: it is judged again after it waited
 */
export async function asCall(
	deps: RightsDependencies,
	member: string,
	place: string,
	kind: 'activation' | 'call',
	spend: MeasuredSpend | null,
	ref?: string
): Promise<MeasuredSpend | null> {
	const { gateway, policies } = deps;
	if (!(await policies.holdsBack())) return spend;
	const chain = spend?.chain ?? gateway.daemon(place)?.chain ?? place;
	const call = still(kind, chain);
	if (spend === null) {
		const moves = { usages: [], movements: [call], doubt: null, recipients: [] };
		return once(deps, member, { wallet: place, chain, ...moves }, ref);
	}
	return { ...spend, movements: [...spend.movements, call] };
}
