/**
 * What stands between a person and a wallet: whether it is theirs to use, and how much of their day is
 * left. The RPC API, the console, sending and migrations ask here, and nowhere else.
 */
import { randomUUID } from 'node:crypto';
import { isValidAddress } from '#lib/chain/address.ts';
import { formatCoins } from '#lib/chain/amount.ts';
import type { Denial } from '#lib/messages/denials.ts';
import type { CodesOf } from '#lib/messages/errors/index.ts';
import type { DaemonMethod } from '#lib/rpc/daemon/index.ts';
import { refuseTraps } from '../../../chains/daemon/refuseTraps.ts';
import type { DaemonInfo, Gateway } from '../../../chains/daemon/types.ts';
import type { Executor } from '../../../platform/database/database.ts';
import { AppError, isAppError } from '../../../platform/errors/appError.ts';
import { nameKeyOf } from '../../accounts/names.ts';
import type { Approvals } from '../../approvals/approvals.ts';
import type { UsedUp } from '../../approvals/open.ts';
import { termOf, type Term } from '../../approvals/quorum.ts';
import { transactionFacts } from '../../audit/callFacts.ts';
import type { Refusals } from '../../audit/refusals.ts';
import type { AccessTables } from '../../tables.ts';
import { mayAccess } from '../permissions.ts';
import type { Role } from '../roles.ts';
import { still, type Movement } from '../rules/facts.ts';
import type { Policies } from '../rules/policies.ts';
import type { EndableKind } from '../wallets/tables.ts';
import { mayUseWallet, type Wallets } from '../wallets/wallets.ts';
import { movementOfCall, textOf, usageOfCall } from './calls.ts';
import type { Usage } from './kinds.ts';
import type { Limits } from './limits.ts';
import { readHex } from './measure.ts';
import type { Measurer } from './measurer.ts';
import { recipientsOfCall } from './recipients.ts';
import { ANY } from './tables.ts';

/** What a transaction takes, and what it is known by. */
export interface MeasuredSpend {
	/** Id of the account that it is counted for; null when there is no such person. */
	account: string | null;
	/** Name and role of that account. */
	person: string;
	role: Role;
	/** Id of the API token that it came with. */
	token: string | null;
	/** The daemon or trading node whose wallet it is. */
	wallet: string;
	chain: string;
	ref: string;
	usages: readonly Usage[];
	/** Addresses that it pays, without the wallet's own; null where they cannot be told. */
	recipients: readonly string[] | null;
	movements: readonly Movement[];
	/** The signed bytes, which others may approve; null where there are none. */
	bytes: { hex: string; payouts: string | null } | null;
}

/** What was counted of a send, so that it can be given back. */
export interface Counted {
	readonly spend: MeasuredSpend & { account: string };
	/** Approvals that were used up for it. */
	readonly approvals: UsedUp | null;
}

type WalletDenied = AppError<CodesOf<'wallet'>>;
type OverLimit = AppError<CodesOf<'limit'>>;
type Refused = AppError<CodesOf<'limit' | 'policy'>>;

/** Who has to approve what was refused: an error of the catalogue holds only what its words need. */
const termsOf = new WeakMap<AppError, readonly Term[]>();

/** A rule asks for approvals that are not there. */
function needsApproval(rule: number, terms: readonly Term[], request = ''): Refused {
	const needed = Math.max(...terms.map((term) => term.needed));
	const error = new AppError('policy.needs-approval', { rule, needed, request });
	termsOf.set(error, terms);
	return error;
}

/** Why something is refused by a limit or a rule. */
export const isRefused = (error: unknown): error is Refused => isAppError(error, 'limit', 'policy');

/** What an approval is asked for. */
export interface ApprovalSubject {
	kind: 'transaction' | 'migration' | 'bytes';
	/** Id of the transaction or migration. */
	subject: string | null;
}

export interface Rights {
	/**
	 * Why this person must not use the wallet of this daemon; null when they may.
	 * @param act what they are about to do with it: a refusal then goes on record
	 */
	walletRefusal(person: string, daemon: string, act?: string): Promise<WalletDenied | null>;
	/**
	 * Whether what this person confirmed may still go out from the wallet of a daemon, by account, role and wallet:
	 * what goes by itself and had to wait passes no route that asks for the role.
	 * @param act what was to be done: a refusal goes on record
	 */
	maySend(person: string, daemon: string, act: string): Promise<boolean>;
	/**
	 * Why this person must not end, stop or take over open work; null when they may. Who has it
	 * in hand always may; everybody else needs the wallet that it uses, as for finishing it.
	 * @param act what they are about to do with it: a refusal then goes on record
	 */
	endRefusal(person: string, work: OpenWork, act?: string): Promise<WalletDenied | null>;
	/** The gateway as this person sees it: of a chain's wallets it picks one that they may use, if there is one. */
	gatewayOf(person: string): Promise<Gateway>;
	/**
	 * Reads what a transaction takes from the wallet of a daemon, for whom it goes out. It asks the daemon for
	 * what it spends and which addresses are its own, so it is no work for a transaction of the database.
	 * @param payouts of a burn: the serialized outputs of its import, hex, which say who gets it
	 * @throws {AppError} `limit` when that cannot be told, or its fee is above what an admin allows
	 */
	measureSpend(
		person: string,
		daemon: string,
		hex: string,
		payouts?: string | null
	): Promise<MeasuredSpend>;
	/**
	 * Judges what goes out by the policies, and counts it for the limits.
	 * @param within the transaction in which it is written down that it does
	 * @throws {AppError} `limit` or `policy`
	 */
	recordSpend(spend: MeasuredSpend, within?: Executor<AccessTables>): Promise<Counted>;
	/**
	 * Takes back what {@link recordSpend} counted of bytes that certainly reached nobody: neither a daemon, nor
	 * somebody who could send them. Nothing else may rely on it; what goes out afterwards is judged anew, and the
	 * approvals that were used up are there again.
	 * @param within the transaction in which it is written down that nothing went out
	 */
	giveBack(counted: Counted, within?: Executor<AccessTables>): Promise<void>;
	/**
	 * The same refusal with the request for the approvals that it asks for, which is made where there is none; or why
	 * none is made.
	 * @param within the transaction in which it is written down that the subject waits for it: without its end there is
	 * no request that nothing waits for
	 */
	withRequest(
		error: Refused,
		spend: MeasuredSpend,
		about: ApprovalSubject,
		within?: Executor<AccessTables>
	): Promise<Refused>;
	/**
	 * What a call does that moves nothing, or that moves what `spend` says: a rule may be about the call itself. Null
	 * where no rule could stop it.
	 */
	asCall(
		person: string,
		place: string,
		kind: 'activation' | 'call',
		spend: MeasuredSpend | null
	): Promise<MeasuredSpend | null>;
	/**
	 * Why what a person asks for in a form would be refused when it goes out; null when it fits.
	 * It only looks: what goes out is counted when it does.
	 * @param act what they are about to do: a refusal then goes on record
	 */
	limitRefusal(
		person: string,
		chain: string,
		usages: readonly Usage[],
		act?: string
	): Promise<OverLimit | null>;
	/** Puts on record that reviewed bytes did not go out, because of a limit or because they cannot be measured. */
	spendRefused(
		person: string,
		daemon: string,
		hex: string,
		act: string,
		no: Refused
	): Promise<void>;
	/** Whether a limit or a rule of the policies holds for what this person sends on a chain: then no bytes are shown that did not go out. */
	isLimited(person: string, chain: string): Promise<boolean>;
	/** What a message takes that a trading node is to sign with the key of a coin. Nothing is counted yet. */
	measureSignature(person: string, node: string, coin: string): Promise<MeasuredSpend>;
	/**
	 * What a call takes that a person or a script makes by hand; null for nothing. It is not counted yet.
	 * @param params JSON texts
	 * @throws {AppError} `limit` as {@link measureSpend}, and as {@link refuseTraps} what pays an address
	 */
	measureCall(
		person: string,
		daemon: DaemonInfo,
		call: { method: DaemonMethod; params: readonly string[] }
	): Promise<MeasuredSpend | null>;
}

/** Open work, as far as it is asked who may end it. */
export interface OpenWork {
	kind: EndableKind;
	id: string;
	/** Name of the account that began it, or has confirmed it since. */
	by: string;
	/** The daemon or trading node whose wallet it uses; null: any wallet of the chain. */
	daemon: string | null;
	chain?: string;
}

/** What a refusal by a limit or a rule is in the record of refusals. */
export const denialOf = (no: Refused): Extract<Denial, { code: 'limit' | 'policy' }> =>
	isAppError(no, 'policy')
		? { code: 'policy', why: no.coded }
		: { code: 'limit', why: (no as OverLimit).coded };

/** Parts of a refused act that its event names. */
const MOST_TOLD = 10;

export function createRights({
	gateway,
	wallets,
	limits,
	policies,
	approvals,
	measurer,
	refusals
}: {
	gateway: Gateway;
	wallets: Wallets;
	limits: Limits;
	/** The rules that judge what goes out. */
	policies: Pick<Policies, 'judge' | 'record' | 'giveBack' | 'holdsBack' | 'transaction'>;
	/** What others approved. */
	approvals: Pick<Approvals, 'ask' | 'use' | 'reopen'>;
	measurer: Measurer;
	refusals: Pick<Refusals, 'refused'>;
}): Rights {
	/** Puts a refusal on record that stopped an act; a page that only asks leaves none. */
	async function told(
		person: string,
		place: string,
		no: WalletDenied | null,
		what: string | undefined
	): Promise<WalletDenied | null> {
		if (no !== null && what !== undefined) {
			const reason = { code: 'wallet', why: no.coded } as const;
			await refusals.refused(person, { where: 'call', why: 'wallet', what, place, reason });
		}
		return no;
	}

	async function endRefusal(
		person: string,
		{ kind, id, by, daemon, chain }: OpenWork,
		act?: string
	): Promise<WalletDenied | null> {
		const holder = (await wallets.holderOf(kind, id)) ?? by;
		if (nameKeyOf(holder) === nameKeyOf(person)) return null;
		const wallet =
			daemon ?? (await gatewayOf(person)).daemonFor(chain ?? '', 'wallet')?.id ?? chain ?? '';
		const no = await wallets.refusal(person, wallet);
		if (no === null) return null;
		const held =
			kind === 'activation'
				? new AppError('wallet.activation-of-another', { holder })
				: new AppError('wallet.work-of-another', {
						holder,
						daemon: wallet,
						why: no.code === 'wallet.account-closed' ? 'account-closed' : 'not-granted'
					});
		return told(person, wallet, held, act);
	}

	async function gatewayOf(person: string): Promise<Gateway> {
		const user = await wallets.userOf(person);
		if (!user) return gateway;
		return {
			...gateway,
			daemonFor(chain, purpose) {
				if (purpose === 'read') return gateway.daemonFor(chain, purpose);
				const mine = gateway
					.daemons()
					.filter(
						(info) =>
							info.chain === chain &&
							info.purposes.includes(purpose) &&
							mayUseWallet(user.role, user.choice, info.id)
					);
				const well = mine.find(({ health }) => ['up', 'unknown'].includes(health.state));
				return well ?? mine[0] ?? gateway.daemonFor(chain, purpose);
			}
		};
	}

	const accountOf = async (person: string): Promise<string | null> =>
		(await wallets.userOf(person))?.id ?? null;

	/** Account and role of a person; a person that there is not has none. */
	async function doerOf(
		person: string
	): Promise<Pick<MeasuredSpend, 'account' | 'person' | 'role' | 'token'>> {
		const user = await wallets.userOf(person);
		return { account: user?.id ?? null, person, role: user?.role ?? 'viewer', token: null };
	}

	async function measure(
		person: string,
		wallet: string,
		hex: string,
		payouts: string | null = null
	): Promise<MeasuredSpend> {
		const read = await measurer.measure(wallet, hex, payouts);
		const { chain, txid, usages, fee, movements, recipients } = read;
		const cap = await limits.feeCap(chain);
		if (fee > cap) {
			throw new AppError('limit.fee-above-cap', {
				chain,
				fee: formatCoins(fee),
				cap: formatCoins(cap)
			});
		}
		const bytes = { hex, payouts };
		const taken = { wallet, chain, ref: txid, usages, recipients, movements, bytes };
		return { ...(await doerOf(person)), ...taken };
	}

	/** Whether who confirmed it may still send: what goes by itself asks no route for the role of its author. */
	async function maySendNow(
		{ account, role, bytes }: MeasuredSpend & { account: string },
		trx: Executor<AccessTables>
	): Promise<boolean> {
		const now = await trx
			.selectFrom('accounts')
			.select(['role', 'disabled_at'])
			.where('id', '=', account)
			.executeTakeFirst();
		// A role that changed since it was measured is not the one that the rules are asked with.
		if (now === undefined || now.disabled_at !== null || now.role !== role) return false;
		return bytes === null || mayAccess(role, 'broadcast', false);
	}

	/** Refuses what the rules do not let out, and uses up the approvals of what they do: those, where there were any. */
	async function refuseByRules(
		spend: MeasuredSpend & { account: string },
		trx: Executor<AccessTables>
	): Promise<UsedUp | null> {
		const verdict = await policies.judge(spend, trx);
		if (verdict === null) return null;
		if (!(await maySendNow(spend, trx))) {
			throw new AppError('limit.role-gone', { person: spend.person });
		}
		let used: UsedUp | null = null;
		switch (verdict.code) {
			case 'deny':
				throw new AppError('policy.denied', { rule: verdict.rule.place });
			case 'unknown':
				throw new AppError('policy.unknown', { rule: verdict.rule.place });
			case 'approve': {
				const { account, bytes } = spend;
				const { place } = verdict.rule;
				if (bytes === null) throw new AppError('policy.not-approvable', { rule: place });
				const terms = verdict.rules.map(termOf);
				used = await approvals.use(trx, { account, hex: bytes.hex, terms });
				if (used === null) throw needsApproval(place, terms);
			}
		}
		await policies.record(spend, trx);
		return used;
	}

	async function recordSpend(
		measured: MeasuredSpend,
		within?: Executor<AccessTables>
	): Promise<Counted> {
		const { account } = measured;
		if (account === null) throw new AppError('limit.account-gone');
		const spend = { ...measured, account };
		const run = async (trx: Executor<AccessTables>): Promise<Counted> => {
			const used = await refuseByRules(spend, trx);
			await limits.recordSpend(spend, trx);
			return { spend, approvals: used };
		};
		return within ? run(within) : policies.transaction(run);
	}

	/** In the order of {@link recordSpend}, so that neither waits for what the other one holds. */
	async function giveBack(
		{ spend, approvals: used }: Counted,
		within?: Executor<AccessTables>
	): Promise<void> {
		const run = async (trx: Executor<AccessTables>): Promise<void> => {
			const isGone = await policies.giveBack(spend, trx);
			if (isGone && used !== null) await approvals.reopen(trx, used);
			await limits.giveBack(spend, trx);
		};
		await (within ? run(within) : policies.transaction(run));
	}

	async function withRequest(
		error: Refused,
		spend: MeasuredSpend,
		{ kind, subject }: ApprovalSubject,
		within?: Executor<AccessTables>
	): Promise<Refused> {
		const { account, person, token, wallet, chain, bytes } = spend;
		const terms = termsOf.get(error);
		if (!isAppError(error, 'policy.needs-approval') || terms === undefined) return error;
		if (bytes === null || account === null) return error;
		const { rule } = error.params;
		// What the bytes do; that somebody calls with them is no part of it.
		const movements = spend.movements.filter(({ kind }) => kind !== 'call');
		const by = { account, author: person, token };
		try {
			const wanted = { ...by, wallet, chain, ...bytes, movements, terms, kind, subject };
			const request = await approvals.ask(wanted, within);
			return needsApproval(rule, terms, request);
		} catch (cause) {
			if (!isRefused(cause)) throw cause;
			return cause;
		}
	}

	/** Something that is known by no bytes, each time anew. */
	const once = async (
		person: string,
		wallet: string,
		chain: string,
		usages: readonly Usage[],
		movement: Movement,
		recipients: MeasuredSpend['recipients']
	): Promise<MeasuredSpend> => ({
		...(await doerOf(person)),
		wallet,
		chain,
		ref: randomUUID(),
		usages,
		recipients,
		movements: [movement],
		bytes: null
	});

	return {
		walletRefusal: async (person, daemon, act) =>
			told(person, daemon, await wallets.refusal(person, daemon), act),

		async maySend(person, daemon, act) {
			const user = await wallets.userOf(person);
			const no = await wallets.refusal(person, daemon);
			if (user === null || (await told(person, daemon, no, act)) !== null) return false;
			return mayAccess(user.role, 'broadcast', false);
		},

		endRefusal,
		gatewayOf,

		measureSpend: measure,
		recordSpend,
		giveBack,
		withRequest,

		async measureCall(person, daemon, { method, params }) {
			if (method === 'sendrawtransaction') return measure(person, daemon.id, textOf(params[0]));
			const usage = usageOfCall(method, params);
			if (usage === null) return null;
			const movement = movementOfCall(method, params, daemon.chain, usage, measurer.installation());
			const recipients = recipientsOfCall(method, params);
			if (method === 'sendtoaddress') {
				// A daemon reads an address that stands between spaces, too.
				const address = textOf(params[0]).trim();
				if (isValidAddress(address)) {
					await refuseTraps(gateway, { chain: daemon.chain, daemon: daemon.id }, [address]);
				}
			}
			return once(person, daemon.id, daemon.chain, [usage], movement, recipients);
		},
		measureSignature: (person, node, coin) =>
			once(person, node, coin, [{ kind: 'sign', amount: 0n }], still('sign', coin), []),

		async asCall(person, place, kind, spend) {
			if (!(await policies.holdsBack())) return spend;
			const chain = spend?.chain ?? gateway.daemon(place)?.chain ?? place;
			const call = still(kind, chain);
			if (spend === null) return once(person, place, chain, [], call, []);
			return { ...spend, movements: [...spend.movements, call] };
		},

		async limitRefusal(person, chain, usages, act) {
			const account = await accountOf(person);
			if (account === null) return new AppError('limit.account-gone');
			const no = await limits.look({ account, chain, usages });
			if (no !== null && act !== undefined) {
				const facts = {
					takes: usages.slice(0, MOST_TOLD).map(({ kind, amount }) => ({
						kind,
						amount: amount === null ? null : formatCoins(amount)
					}))
				};
				const what = { where: 'call', why: 'limit', what: act, place: chain } as const;
				await refusals.refused(person, {
					...what,
					reason: { code: 'limit', why: no.coded },
					facts
				});
			}
			return no;
		},

		async spendRefused(person, daemon, hex, act, no) {
			const tx = readHex(hex);
			const facts = tx === null ? { unreadable: true } : transactionFacts(tx);
			const reason = denialOf(no);
			await refusals.refused(person, {
				...({ where: 'call', what: act, place: daemon } as const),
				why: reason.code,
				reason,
				facts
			});
		},

		async isLimited(person, chain) {
			const account = await accountOf(person);
			if (account === null || (await policies.holdsBack())) return true;
			return (await limits.of(account)).some(
				(limit) => limit.kind !== 'sign' && [chain, ANY].includes(limit.chain)
			);
		}
	};
}
