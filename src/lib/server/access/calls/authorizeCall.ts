/**
 * The one policy for calls that members and scripts make. The RPC API, the console and the pages consult it
 * once per call and render its decision; none of them decides on its own.
 */
import type { Denial } from '#lib/messages/denials.ts';
import type { CodesOf } from '#lib/messages/errors/index.ts';
import { changesNothing, type Stoppable } from '#lib/rpc/method.ts';
import type { NamedServer } from '#lib/rpc/kdf/demands.ts';
import type { AuditEntry } from '../../platform/audit-trail/entry.ts';
import { AppError } from '../../platform/errors/appError.ts';
import type { LateEvents } from '../audit/lateEvents.ts';
import type { Refusals } from '../audit/refusals.ts';
import type { TokenSpending } from '../api-tokens/spending.ts';
import { nameKeyOf } from '../identity/names.ts';
import { lacksStepUp } from '../policy/confirmation.ts';
import type { Member } from '../identity/identity.ts';
import type { Rights } from '../rights/rights.ts';
import type { MeasuredSpend } from '../rights/spend.ts';
import { mayAccess } from '../policy/permissions.ts';
import { countSpend, overLimit, tokenOf, type GiveBack } from './countSpend.ts';
import type { CallDemands, TaskUse } from './demands.ts';
import { methodDenial, type CalledMethod } from './permitted.ts';
import { recordDenial, type Tried } from './recordDenial.ts';

/** Why something is denied; null when it is allowed. */
export type Decision = Denial | null;

/** Outcome for a call: it is denied, or it may be sent, was counted, and is in the audit log. */
export type CallDecision =
	| { denial: Denial }
	| {
			denial: null;
			/** Reverts the counting of a call that was never sent, and logs that it was not sent. */
			giveBack: GiveBack;
	  };

/** For calls of which nothing was counted. */
const UNCOUNTED: CallDecision = { denial: null, giveBack: () => Promise.resolve() };
const PASSED = Promise.resolve(UNCOUNTED);

export interface PolicyParts {
	/** Why a call of such a method must not be sent now (safety controls); null when it may. */
	refusal: (method: Stoppable) => Promise<AppError<CodesOf<'safety'>> | null>;
	/** Checks who may use a wallet, and how much of the spending limits is left. */
	rights: Pick<
		Rights,
		| 'walletRefusal'
		| 'endRefusal'
		| 'measureCall'
		| 'measureSignature'
		| 'asCall'
		| 'recordSpend'
		| 'giveBack'
		| 'withRequest'
	>;
	/** The limits of API tokens, which apply on top of their member's. */
	tokenSpending: TokenSpending;
	/** Logs a call that can change something before it is sent. */
	audit: { append(entry: AuditEntry): Promise<void> };
	/** Reverts the counting of unsent calls and logs that, as soon as the database accepts it. */
	late: Pick<LateEvents, 'append' | 'run'>;
	/** Logs denied calls. */
	refusals: Pick<Refusals, 'refused'>;
	/** Whether the coins file or an admin's list names this server. */
	listed: (server: NamedServer) => Promise<boolean>;
	/** The open work of a member that waits for a task of a trading node; null when none does. */
	workOf: (node: string, task: TaskUse) => Promise<TaskWork | null>;
}

/** Work of a member that waits for a task of a trading node. */
interface TaskWork {
	id: string;
	/** Name of the member who began it. */
	by: string;
	/** Name of the member who holds the PIN pad now; null when it is free. */
	pad: string | null;
}

/** Where a call comes from, as far as the audit log records it. */
export interface CallOrigin {
	requestId: string;
	/** Made by hand in the console. */
	console?: true;
	/** Event to log in place of the call's own. */
	entry?: AuditEntry;
}

/** What the RPC API, the console and the pages ask before each call. */
export interface CallPolicy {
	/**
	 * Decides about a call. An allowed call was counted and logged when this resolves; a denial was logged
	 * too.
	 */
	authorizeCall(identity: Member, call: CallDemands, origin: CallOrigin): Promise<CallDecision>;
	/**
	 * Decides again about a call that was authorized and has waited since, with the caller's current
	 * identity. Nothing is counted.
	 */
	authorizeAgain: (identity: Member, call: CallDemands) => Promise<Decision>;
	/**
	 * As {@link authorizeAgain}, and by the safety controls too, for the moment before the response of an executed
	 * call is released. Nothing is logged.
	 */
	releaseDenial: (identity: Member, call: CallDemands) => Promise<Decision>;
	/**
	 * Decides by the method alone, for a call whose parameters are invalid: a caller who may not call the
	 * method learns that and nothing about the parameters.
	 */
	authorizeMethod(identity: Member, place: string, method: CalledMethod): Promise<Decision>;
	/**
	 * Decides by the policy rules about an activation that a page begins. An allowed one was counted under
	 * its `id` for the rules' windows. A `call`, whose parameters another member may have written, is also
	 * checked for what its parameters demand of a member.
	 */
	authorizeActivation(
		identity: Member,
		node: string,
		activation: { id: string; method: string; coin: string; call?: CallDemands }
	): Promise<CallDecision>;
}

/**
 * Whether the request came with an API token that is not for the wallet of the call. A call with `wallet`
 * null (a trading node) is outside every token's list of wallets.
 */
const isOtherWallet = (identity: Member, { wallet }: CallDemands): boolean =>
	identity.via === 'token' &&
	identity.token.wallets !== null &&
	(wallet === null || !identity.token.wallets.includes(wallet));

/** Builds the policy. */
export function createCallPolicy(parts: PolicyParts): CallPolicy {
	const { rights, tokenSpending } = parts;

	async function isEachListed(servers: readonly NamedServer[]): Promise<boolean> {
		for (const server of servers) {
			if (!(await parts.listed(server))) return false;
		}
		return true;
	}

	/**
	 * Why the role or the API token may not call the method, or not with these parameters; null when they
	 * may.
	 */
	function accessDenial(identity: Member, call: CallDemands): Denial | null {
		const { access, method, place, wallet } = call;
		const denial = methodDenial(identity, place, method);
		if (denial !== null) return denial;
		if (access !== method.access && !mayAccess(identity.role, access, false)) {
			// Only calls to a daemon use a wallet that is granted.
			const admin = wallet === null ? 'admin' : 'daemon-admin';
			return { code: 'parameters', needs: access === 'admin' ? admin : 'operator' };
		}
		return null;
	}

	/** Why the servers that a call names are not allowed; null when they are. */
	async function serversDenial(identity: Member, { servers }: CallDemands): Promise<Denial | null> {
		const free = mayAccess(identity.role, 'admin', false);
		return free || (await isEachListed(servers)) ? null : { code: 'servers' };
	}

	/** Counts a call for which nothing was measured: only the call itself. */
	async function countCall(identity: Member, call: MeasuredSpend): Promise<GiveBack> {
		const counted = await rights.recordSpend({ ...call, token: tokenOf(identity) });
		return () => rights.giveBack(counted);
	}

	/** Why the member may not use the wallet of a call; null when they may. */
	async function walletDenial(identity: Member, { wallet }: CallDemands): Promise<Denial | null> {
		const foreign =
			wallet === null ? null : await rights.walletRefusal(identity.account.name, wallet);
		return foreign === null ? null : { code: 'wallet', why: foreign.coded };
	}

	/**
	 * Why the member may not end or answer a task that another member's work waits for; null when they may.
	 * The page of the task applies the same rule.
	 */
	async function taskDenial(
		identity: Member,
		place: string,
		task: TaskUse
	): Promise<Denial | null> {
		const work = await parts.workOf(place, task);
		if (work === null) return null;
		const person = identity.account.name;
		const { id, by, pad } = work;
		const no =
			task.use === 'end'
				? await rights.endRefusal(person, { kind: 'activation', id, by, daemon: place })
				: pad !== null && nameKeyOf(pad) !== nameKeyOf(person)
					? new AppError('wallet.pad-of-another', { holder: pad })
					: null;
		return no && { code: 'wallet', why: no.coded };
	}

	async function safetyDenial(call: CallDemands): Promise<Denial | null> {
		const off = await parts.refusal(call);
		return off === null ? null : { code: 'safety', why: off.coded };
	}

	const stopped = async (identity: Member, call: CallDemands): Promise<Denial | null> =>
		(await walletDenial(identity, call)) ?? (await safetyDenial(call));

	/**
	 * Judges and counts what a call spends. Measuring may wait for a daemon, so the wallet and then the
	 * safety controls are checked again afterwards, right before anything is counted.
	 */
	async function judgeSpend(identity: Member, call: CallDemands): Promise<CallDecision> {
		const person = identity.account.name;
		let spend: Awaited<ReturnType<CallDemands['measure']>>;
		let isMeasured: boolean;
		try {
			const kind = call.access === 'activate' ? 'activation' : 'call';
			const measured = await call.measure(rights, person);
			isMeasured = measured !== null;
			spend = await rights.asCall(person, call.place, kind, measured);
		} catch (error) {
			const unmeasured = overLimit(error);
			return { denial: (await safetyDenial(call)) ?? unmeasured };
		}
		const denial = await stopped(identity, call);
		if (denial !== null) return { denial };
		// The role that was read with the measurement, by which the rules judge it.
		const demoted = spend && accessDenial({ ...identity, role: spend.role }, call);
		if (demoted !== null) return { denial: demoted };
		try {
			if (!isMeasured) tokenSpending.refuseUnmeasured(identity, call.access);
			if (spend === null) return UNCOUNTED;
			const count = isMeasured ? countSpend(parts, identity, spend) : countCall(identity, spend);
			return { denial: null, giveBack: await count };
		} catch (error) {
			return { denial: overLimit(error) };
		}
	}

	/** Why neither the token nor its member may use or read the wallet of a call; null when they may. */
	const useDenial = async (identity: Member, call: CallDemands): Promise<Denial | null> =>
		isOtherWallet(identity, call) ? { code: 'token-wallet' } : walletDenial(identity, call);

	/** Why a call is denied before anything is measured; null when it is not. */
	async function callDenial(identity: Member, call: CallDemands): Promise<Denial | null> {
		if (changesNothing(call.access)) {
			return call.access === 'wallet-query' ? useDenial(identity, call) : null;
		}
		if (identity.via === 'session' && lacksStepUp(identity.session, Date.now())) {
			return { code: 'factor' };
		}
		if (call.partlySigned !== null) return { code: 'signature', why: call.partlySigned };
		// Nearly all calls concern no task: they wait for no further check.
		const denial = await useDenial(identity, call);
		return denial ?? (call.task && taskDenial(identity, call.place, call.task));
	}

	/** Why a call that was authorized before is denied now; null when it is not. */
	const denialNow = async (identity: Member, call: CallDemands): Promise<Denial | null> =>
		accessDenial(identity, call) ?? callDenial(identity, call);

	/** Logs the denial, if any, and returns it. */
	async function recorded<D extends Denial | null>(
		identity: Member,
		tried: Tried,
		denial: D
	): Promise<D> {
		if (denial !== null) await recordDenial(parts.refusals, identity, tried, denial);
		return denial;
	}

	/** Decides about calls that need more than the caller's role and token, and logs the outcome. */
	async function decide(
		identity: Member,
		call: CallDemands,
		origin: CallOrigin,
		refused: Denial | null
	): Promise<CallDecision> {
		const changes = !changesNothing(call.access);
		const denial =
			refused ?? (await serversDenial(identity, call)) ?? (await callDenial(identity, call));
		const judged: CallDecision =
			denial === null ? (changes ? await judgeSpend(identity, call) : UNCOUNTED) : { denial };
		if (judged.denial === null && (changes || call.onRecord)) {
			const { giveBack } = judged;
			try {
				await parts.audit.append(origin.entry ?? entryOf(identity, call, origin));
			} catch (error) {
				// A call that could not be logged must not be sent.
				await parts.late.run(giveBack);
				throw error;
			}
			return {
				denial: null,
				async giveBack() {
					await parts.late.run(giveBack);
					await parts.late.append(unsentOf(call, origin));
				}
			};
		}
		await recorded(identity, call, judged.denial);
		return judged;
	}

	return {
		authorizeCall(identity, call, origin) {
			const denial = accessDenial(identity, call);
			const isPlainRead =
				changesNothing(call.access) &&
				call.access !== 'wallet-query' &&
				call.onRecord !== true &&
				call.servers.length === 0;
			return denial === null && isPlainRead ? PASSED : decide(identity, call, origin, denial);
		},
		async authorizeAgain(identity, call) {
			return recorded(identity, call, await denialNow(identity, call));
		},
		releaseDenial: async (identity, call) =>
			(await denialNow(identity, call)) ?? (await safetyDenial(call)),
		async authorizeMethod(identity, place, method) {
			const tried = { method, place, facts: () => ({}) };
			return recorded(identity, tried, methodDenial(identity, place, method));
		},
		async authorizeActivation(identity, node, { id, method: name, coin, call }) {
			const method = { name, access: 'activate' } as const;
			const tried = { method, place: node, facts: () => ({ coin }) };
			const refused =
				call && (accessDenial(identity, call) ?? (await serversDenial(identity, call)));
			if (refused) return { denial: await recorded(identity, tried, refused) };
			try {
				const spend = await rights.asCall(identity.account.name, node, 'activation', null, id);
				if (spend === null) return UNCOUNTED;
				const giveBack = await countCall(identity, spend);
				return { denial: null, giveBack: () => parts.late.run(giveBack) };
			} catch (error) {
				return { denial: await recorded(identity, tried, overLimit(error)) };
			}
		}
	};
}

/** The audit event of a call. Parameters may hold keys, so only selected facts of them are logged. */
const entryOf = (
	identity: Member,
	{ method, place, access, facts }: CallDemands,
	{ requestId, console }: CallOrigin
): AuditEntry => ({
	actor: identity.account.name,
	action: `rpc.${method.name}`,
	target: place,
	detail: {
		...facts(),
		access,
		via: identity.via,
		...(identity.via === 'token' ? { tokenId: identity.token.id } : {}),
		requestId,
		...(console ? { console } : {})
	}
});

/** The event that follows when the call was never sent: the call's own event was logged before sending. */
const unsentOf = ({ method, place }: CallDemands, { requestId }: CallOrigin): AuditEntry => ({
	actor: 'engine',
	action: 'rpc.failed',
	target: place,
	detail: { method: method.name, requestId }
});
