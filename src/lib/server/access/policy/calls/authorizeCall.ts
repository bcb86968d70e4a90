/**
 * The one policy for calls that people and scripts make. The RPC API, the console and the pages ask here, each
 * once per call, and render the decision; none of them judges by itself.
 */
import type { Denial } from '#lib/messages/denials.ts';
import type { CodesOf } from '#lib/messages/errors/index.ts';
import { changesNothing, type Stoppable } from '#lib/rpc/method.ts';
import type { NamedServer } from '#lib/rpc/kdf/demands.ts';
import type { AuditEntry } from '../../../platform/audit-trail/entry.ts';
import { AppError, isAppError } from '../../../platform/errors/appError.ts';
import type { Refusals, RefusedWhy } from '../../audit/refusals.ts';
import type { TokenSpending } from '../../api-tokens/spending.ts';
import { nameKeyOf } from '../../accounts/names.ts';
import { lacksStepUp } from '../confirmation.ts';
import { isTrap } from '../../../chains/daemon/refuseTraps.ts';
import type { Member } from '../identity.ts';
import type { Rights } from '../limits/rights.ts';
import { denialOf, isRefused } from '../limits/rights/refused.ts';
import type { MeasuredSpend } from '../limits/rights/spend.ts';
import { mayAccess } from '../permissions.ts';
import type { CallDemands, TaskUse } from './demands.ts';
import { methodDenial, type CalledMethod } from './permitted.ts';

/** What stands against something; null: it may be done, was counted, and is on record. */
export type Decision = Denial | null;

/** What becomes of a call: it is refused, or it may go out, was counted, and is on record. */
export type CallDecision =
	| { denial: Denial }
	| {
			denial: null;
			/** Takes back what was counted of a call that never left, and puts on record that it did not. */
			giveBack: GiveBack;
	  };

export type GiveBack = () => Promise<void>;

/** Nothing was counted of it. */
const UNCOUNTED: CallDecision = { denial: null, giveBack: () => Promise.resolve() };
const PASSED = Promise.resolve(UNCOUNTED);

export interface PolicyParts {
	/** Why a call of such a method must not leave now; null when it may. */
	refusal: (method: Stoppable) => Promise<AppError<CodesOf<'safety'>> | null>;
	/** Whose wallet it is, and how much of the day is left. */
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
	/** What an API token may take, beside its member. */
	tokenSpending: TokenSpending;
	/** Keeps a call that can change something on record, before it goes out. */
	audit: { append(entry: AuditEntry): Promise<void> };
	/** Keeps on record what somebody may not call. */
	refusals: Pick<Refusals, 'refused'>;
	/** Whether the coins file or an admin's list names this server. */
	listed: (server: NamedServer) => Promise<boolean>;
	/** The work here that waits for a task of a trading node; null where none does. */
	workOf: (node: string, task: TaskUse) => Promise<TaskWork | null>;
}

/** Work of a member that waits for a task of a trading node. */
interface TaskWork {
	id: string;
	/** Who began it. */
	by: string;
	/** Who has the PIN pad now; null when it is free. */
	pad: string | null;
}

/** Where a call comes from, as far as the record tells it. */
export interface CallOrigin {
	requestId: string;
	/** Made by hand in the console. */
	console?: true;
	/** What goes on record instead of the call itself. */
	entry?: AuditEntry;
}

/** Asked by whoever makes calls for people and scripts. */
export interface CallPolicy {
	/** Judges a call; one that may go out was counted and is on record afterwards, one that may not too. */
	authorizeCall(identity: Member, call: CallDemands, origin: CallOrigin): Promise<CallDecision>;
	/**
	 * Judges a call once more that was authorized and has waited since: whether its caller, as they are known by now,
	 * may still make it. Nothing is counted.
	 */
	authorizeAgain(identity: Member, call: CallDemands): Promise<Decision>;
	/**
	 * Judges a method alone, for a call whose parameters are none that it takes: who may not call it hears that,
	 * and nothing about the parameters.
	 */
	authorizeMethod(identity: Member, place: string, method: CalledMethod): Promise<Decision>;
	/**
	 * Judges by the rules an activation that a page begins; one that may begin was counted for their windows, by its `id`.
	 * With a `call`, whose parameters somebody else may have written, by what these ask of a member, too.
	 */
	authorizeActivation(
		identity: Member,
		node: string,
		activation: { id: string; method: string; coin: string; call?: CallDemands }
	): Promise<CallDecision>;
}

/** What a denial is in the record of refusals. */
const WHY: Readonly<Record<Denial['code'], RefusedWhy>> = {
	role: 'role',
	'token-method': 'token',
	'token-place': 'token',
	'token-wallet': 'token',
	'token-limit': 'token',
	parameters: 'role',
	servers: 'role',
	signature: 'signature',
	recipient: 'recipient',
	wallet: 'wallet',
	limit: 'limit',
	factor: 'factor',
	policy: 'policy',
	safety: 'safety'
};

type Tried = Pick<CallDemands, 'method' | 'place' | 'facts'>;

/** Puts a denial on record. */
export async function recordDenial(
	refusals: Pick<Refusals, 'refused'>,
	identity: Member,
	{ method, place, facts }: Tried,
	denial: Denial
): Promise<void> {
	const why = WHY[denial.code];
	await refusals.refused(identity, {
		where: 'call',
		why,
		what: method.name,
		place,
		reason: denial,
		// Who may not call it at all has not shown that these parameters are any.
		...(why === 'role' || why === 'token' ? {} : { facts: facts() })
	});
}

/** What a limit of a member or an API token, a rule of the policies, or its recipient says against a send. */
export function overLimit(error: unknown): Denial {
	if (isAppError(error, 'token-limit')) return { code: 'token-limit', why: error.coded };
	if (isTrap(error)) return { code: 'recipient', why: error.coded };
	if (!isRefused(error)) throw error;
	return denialOf(error);
}

/**
 * Judges what goes out and counts it, for the member and for the API token that it came with.
 * @returns takes that back, of what never left
 * @throws {AppError} `limit`, `policy`, `token-limit`
 */
export async function countSpend(
	{
		rights,
		tokenSpending
	}: {
		rights: Pick<Rights, 'recordSpend' | 'giveBack' | 'withRequest'>;
		tokenSpending: TokenSpending;
	},
	identity: Member,
	measured: MeasuredSpend
): Promise<GiveBack> {
	const spend = { ...measured, token: tokenOf(identity) };
	try {
		const counted = await tokenSpending.recordSpend(identity, spend, (within) =>
			rights.recordSpend(spend, within)
		);
		return () =>
			tokenSpending.giveBack(identity, spend, (within) => rights.giveBack(counted, within));
	} catch (error) {
		if (!isRefused(error)) throw error;
		throw await rights.withRequest(error, spend, { kind: 'bytes', subject: null });
	}
}

/**
 * Whether a token came that is not for the wallet of a call. What uses a wallet that is given to nobody by itself, that
 * of a trading node, is in no list of wallets.
 */
const isOtherWallet = (identity: Member, { wallet }: CallDemands): boolean =>
	identity.via === 'token' &&
	identity.token.wallets !== null &&
	(wallet === null || !identity.token.wallets.includes(wallet));

/** The API token that an identity came with, by the id under which it is counted; null for a session. */
const tokenOf = (identity: Member): string | null =>
	identity.via === 'token' ? identity.token.countedAs : null;

/** Builds the policy. */
export function createCallPolicy(parts: PolicyParts): CallPolicy {
	const { rights, tokenSpending } = parts;

	async function isEachListed(servers: readonly NamedServer[]): Promise<boolean> {
		for (const server of servers) {
			if (!(await parts.listed(server))) return false;
		}
		return true;
	}

	/** What stands against the method, and against what its parameters make of it; null for nothing. */
	function accessDenial(identity: Member, call: CallDemands): Denial | null {
		const { access, method, place } = call;
		const denial = methodDenial(identity, place, method);
		if (denial !== null) return denial;
		if (access !== method.access && !mayAccess(identity.role, access, false)) {
			return { code: 'parameters', needs: access === 'admin' ? 'admin' : 'operator' };
		}
		return null;
	}

	/** What stands against the servers that a call names; null for nothing. */
	async function serversDenial(identity: Member, { servers }: CallDemands): Promise<Denial | null> {
		const free = mayAccess(identity.role, 'admin', false);
		return free || (await isEachListed(servers)) ? null : { code: 'servers' };
	}

	/** Counts what a call takes for which nothing was measured: the call itself. */
	async function countCall(identity: Member, call: MeasuredSpend): Promise<GiveBack> {
		const counted = await rights.recordSpend({ ...call, token: tokenOf(identity) });
		return () => rights.giveBack(counted);
	}

	/** What stands against the wallet that a call uses; null for nothing. */
	async function walletDenial(identity: Member, { wallet }: CallDemands): Promise<Denial | null> {
		const foreign =
			wallet === null ? null : await rights.walletRefusal(identity.account.name, wallet);
		return foreign === null ? null : { code: 'wallet', why: foreign.coded };
	}

	/** What stands against ending or answering a task that a member's work waits for, as on its page; null for nothing. */
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

	/**
	 * Whose wallet it is is asked once more, and the safety controls last before anything is counted: measuring may take
	 * a daemon's time.
	 */
	async function judgeSpend(identity: Member, call: CallDemands): Promise<CallDecision> {
		const person = identity.account.name;
		const stopped = async (): Promise<Denial | null> => {
			const off = await parts.refusal(call);
			return off === null ? null : { code: 'safety', why: off.coded };
		};
		let spend: Awaited<ReturnType<CallDemands['measure']>>;
		let isMeasured: boolean;
		try {
			const kind = call.access === 'activate' ? 'activation' : 'call';
			const measured = await call.measure(rights, person);
			isMeasured = measured !== null;
			spend = await rights.asCall(person, call.place, kind, measured);
		} catch (error) {
			const unmeasured = overLimit(error);
			return { denial: (await stopped()) ?? unmeasured };
		}
		const denial = (await walletDenial(identity, call)) ?? (await stopped());
		if (denial !== null) return { denial };
		try {
			if (!isMeasured) tokenSpending.refuseUnmeasured(identity, call.access);
			if (spend === null) return UNCOUNTED;
			const count = isMeasured ? countSpend(parts, identity, spend) : countCall(identity, spend);
			return { denial: null, giveBack: await count };
		} catch (error) {
			return { denial: overLimit(error) };
		}
	}

	/** What stands against using or reading the wallet of a call, of its token and its member; null for nothing. */
	const useDenial = async (identity: Member, call: CallDemands): Promise<Denial | null> =>
		isOtherWallet(identity, call) ? { code: 'token-wallet' } : walletDenial(identity, call);

	/** What stands against a call, before anything is measured; null when nothing does. */
	async function callDenial(identity: Member, call: CallDemands): Promise<Denial | null> {
		if (changesNothing(call.access)) {
			return call.access === 'wallet-query' ? useDenial(identity, call) : null;
		}
		if (identity.via === 'session' && lacksStepUp(identity.session, Date.now())) {
			return { code: 'factor' };
		}
		if (call.partlySigned !== null) return { code: 'signature', why: call.partlySigned };
		// Calls about no task, which are nearly all, wait for nothing more.
		const denial = await useDenial(identity, call);
		return denial ?? (call.task && taskDenial(identity, call.place, call.task));
	}

	/** The same denial, on record. */
	async function recorded<D extends Denial | null>(
		identity: Member,
		tried: Tried,
		denial: D
	): Promise<D> {
		if (denial !== null) await recordDenial(parts.refusals, identity, tried, denial);
		return denial;
	}

	/** Judges what needs more than a look at the caller's own rights, and puts it on record. */
	async function weigh(
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
				// What is not on record does not go out.
				await giveBack();
				throw error;
			}
			return {
				denial: null,
				async giveBack() {
					await giveBack();
					await parts.audit.append(unsentOf(call, origin));
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
			return denial === null && isPlainRead ? PASSED : weigh(identity, call, origin, denial);
		},
		async authorizeAgain(identity, call) {
			const denial = accessDenial(identity, call) ?? (await callDenial(identity, call));
			return recorded(identity, call, denial);
		},
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
				return { denial: null, giveBack: await countCall(identity, spend) };
			} catch (error) {
				return { denial: await recorded(identity, tried, overLimit(error)) };
			}
		}
	};
}

/** The event of a call. Parameters may hold keys: of them only the facts are kept. */
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

/** The event that follows it where the call never left: it was on record before it was to leave. */
const unsentOf = ({ method, place }: CallDemands, { requestId }: CallOrigin): AuditEntry => ({
	actor: 'engine',
	action: 'rpc.failed',
	target: place,
	detail: { method: method.name, requestId }
});
