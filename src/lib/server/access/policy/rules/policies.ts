/**
 * The policy rules of the installation, stored in the database in their order, and what was sent under them.
 */
import { HOUR_MS } from '#lib/text/units.ts';
import { createClockDoubt } from '../../../platform/audit-trail/clockDoubt.ts';
import type { Database, Executor } from '../../../platform/database/database.ts';
import { createRowCache } from '../../../platform/database/rowCache.ts';
import { AppError } from '../../../platform/errors/appError.ts';
import type { LinkMaker } from '../../identity/linkMaker.ts';
import { isAsked, termOf, type Voter } from './quorum.ts';
import { votersOf } from './voters.ts';
import type { Audit } from '../../audit/audit.ts';
import type { ChangeOutcome, ChangeKind } from '../../changes/change.ts';
import { createGate } from '../../changes/gate.ts';
import type { AccessTables } from '../../tables.ts';
import { createRuleChanges, withStored, type RuleChange } from './changes.ts';
import { decide, holdsBack, type Verdict } from './decide.ts';
import type { Facts, PastUse, Recipient } from './facts.ts';
import { lockPolicies } from '../../changes/lock.ts';
import { LONGEST_WINDOW_MS, readBody, type Rule } from './rule.ts';

/** A spend, call or activation that the rules judge. */
export interface Judged extends Facts {
	/** Identity of what is sent: the same ref counts once. */
	ref: string;
}

/** A rule that needs more approvals than there are members to give them. */
export interface Unreachable {
	id: string;
	place: number;
	/** Number of approvals that it needs. */
	needed: number;
	/** Number of members who could approve. */
	eligible: number;
}

export interface Policies {
	/** Returns the rules in their order. */
	list(within?: Executor<AccessTables>): Promise<Rule[]>;
	/** Whether some rule can hold something back. */
	holdsBack(): Promise<boolean>;
	/**
	 * Rules that need more approvals than members could give now: what they hold back can no longer be sent.
	 */
	unreachable(): Promise<Unreachable[]>;
	/**
	 * Judges a send by the rules, inside the database transaction that sends it. Judgements run one after the
	 * other. Null: the same ref was recorded before; it is not judged again, and this send relies on that
	 * record.
	 */
	judge(judged: Judged, trx: Executor<AccessTables>): Promise<Verdict | null>;
	/** Records a send for the windows of rules, inside the same database transaction. */
	record(judged: Judged, trx: Executor<AccessTables>): Promise<void>;
	/**
	 * Reverts one judgement of a send that reached no daemon. True: no other send relies on the record, so it
	 * was deleted, counts in no window, and a later send is judged anew.
	 */
	giveBack(judged: Pick<Judged, 'account' | 'ref'>, trx: Executor<AccessTables>): Promise<boolean>;
	/** Whether a send was judged and recorded for this member: it is not judged again. */
	isRecorded(judged: Pick<Judged, 'account' | 'ref'>): Promise<boolean>;
	/**
	 * Returns what the rules would say now, as if what has this `ref` had not been sent yet. Nothing is
	 * counted.
	 */
	look(judged: Facts): Promise<Verdict>;
	/**
	 * Returns what the rules would say of several sends one after the other. Each assumes that the earlier
	 * ones were sent, if the rules allow them or let others approve them.
	 */
	lookInOrder(inOrder: readonly Judged[]): Promise<Verdict[]>;
	/** Runs a judgement in a database transaction of its own, for what is recorded nowhere else. */
	transaction<T>(run: (trx: Executor<AccessTables>) => Promise<T>): Promise<T>;
	/**
	 * Changes the rules and logs it, or proposes the change where it needs approval.
	 * @throws {AppError} `policy.gone`, `policy.quorum-unreachable`
	 */
	change(by: LinkMaker, change: RuleChange): Promise<ChangeOutcome>;
	/** The changes of rules that can wait for approval. */
	readonly changes: readonly ChangeKind[];
}

/** Converts a recipient to its columns: an address, empty for `nobody`, `?` for `unknown`. */
const storedRecipient = (recipient: Recipient): { recipient: string; own: number } =>
	recipient.is === 'address'
		? { recipient: recipient.address, own: recipient.own ? 1 : 0 }
		: { recipient: recipient.is === 'unknown' ? '?' : '', own: 0 };

function recipientFrom(text: string, own: bigint): Recipient {
	if (text === '') return { is: 'nobody' };
	return text === '?' ? { is: 'unknown' } : { is: 'address', address: text, own: own === 1n };
}

/** Stored for an unknown amount. No other amount is negative. */
const NOT_TOLD = -1n;

/** What counts of something from now on. */
const usesOf = ({ account, role, token, wallet, ref, movements }: Judged, at: number): PastUse[] =>
	movements.flatMap(({ kind, chain, tokenid, parts, rest }) => {
		const use = { account, role, token, wallet, ref, kind, chain, tokenid, at };
		const fee = { ...use, recipient: { is: 'nobody' } as const, amount: rest };
		return [
			...parts.map(({ recipient, amount }) => ({ ...use, recipient, amount })),
			...(rest > 0n ? [fee] : [])
		];
	});

export function createPolicies(
	db: Database<AccessTables>,
	audit: Audit,
	clock: () => number = Date.now,
	doubt = createClockDoubt(clock)
): Policies {
	const kept = createRowCache<Rule[]>(db.changeStamp);

	async function read(within: Executor<AccessTables>): Promise<Rule[]> {
		const rows = await within
			.selectFrom('policy_rules')
			.selectAll()
			.orderBy('position')
			.orderBy('id')
			.execute();
		return rows.map(({ id, revision, body }, at) => ({
			...readBody(body),
			id,
			revision: Number(revision),
			place: at + 1
		}));
	}

	const known = async (): Promise<Rule[]> => (await kept.get('rules', () => read(db))) ?? [];

	/** What was sent within the longest window of the rules. */
	async function past(
		within: Executor<AccessTables>,
		rules: readonly Rule[],
		now: number
	): Promise<PastUse[]> {
		const hours = Math.max(0, ...rules.map(({ window }) => window?.hours ?? 0));
		if (hours === 0) return [];
		const rows = await within
			.selectFrom('policy_uses')
			.selectAll()
			.where('at', '>', BigInt(now - hours * HOUR_MS))
			.execute();
		return rows.map(({ at, tokenid, recipient, own, role, amount, ...use }) => ({
			...use,
			amount: amount === NOT_TOLD ? null : amount,
			// Written here, from the role of an account.
			role: role as PastUse['role'],
			tokenid: tokenid === '' ? null : tokenid,
			recipient: recipientFrom(recipient, own),
			at: Number(at)
		}));
	}

	/** Null where enough members could approve what the rule holds back, or where it needs no approval. */
	function unreachable(rule: Rule, voters: readonly Voter[]): Unreachable | null {
		const { id, place, effect } = rule;
		if (effect.is !== 'approve') return null;
		const term = termOf({ ...rule, effect });
		const author = rule.who.is === 'member' ? rule.who.account : null;
		const eligible = voters.filter((voter) => isAsked(term, voter, author)).length;
		const { needed } = effect;
		return eligible < needed ? { id, place, needed, eligible } : null;
	}

	/**
	 * Refuses a rule that needs more approvals than members could give.
	 * @throws {AppError} `policy.quorum-unreachable`
	 */
	async function refuseUnreachable(trx: Executor<AccessTables>, rule: Rule): Promise<void> {
		const lacks = unreachable(rule, await votersOf(trx));
		if (lacks === null) return;
		const { needed, eligible } = lacks;
		throw new AppError('policy.quorum-unreachable', { needed, eligible });
	}

	const changes = createRuleChanges({ audit, read, refuseUnreachable });
	const gate = createGate(db, audit);

	return {
		list: (within) => (within === undefined ? known() : read(within)),
		holdsBack: async () => holdsBack(await known()),
		async unreachable() {
			const rules = await known();
			if (!rules.some(({ effect }) => effect.is === 'approve')) return [];
			const voters = await votersOf(db);
			return rules.flatMap((rule) => unreachable(rule, voters) ?? []);
		},
		transaction: (run) => db.transaction().execute(run),

		async judge(judged, trx) {
			await lockPolicies(trx);
			const { numUpdatedRows } = await trx
				.updateTable('policy_uses')
				.set((set) => ({ claims: set('claims', '+', 1n) }))
				.where('account', '=', judged.account)
				.where('ref', '=', judged.ref)
				.executeTakeFirst();
			if (numUpdatedRows > 0n) return null;
			const now = clock();
			const rules = await read(trx);
			return decide(rules, judged, await past(trx, rules, now), now);
		},

		async record(judged, trx) {
			const now = clock();
			const forgotten = Math.floor(now - LONGEST_WINDOW_MS - (await doubt(trx)));
			await trx.deleteFrom('policy_uses').where('at', '<=', BigInt(forgotten)).execute();
			for (const [part, { tokenid, recipient, amount, ...use }] of usesOf(judged, now).entries()) {
				await trx
					.insertInto('policy_uses')
					.values({
						...use,
						part,
						tokenid: tokenid ?? '',
						amount: amount ?? NOT_TOLD,
						...storedRecipient(recipient),
						claims: 1
					})
					.execute();
			}
		},

		async giveBack({ account, ref }, trx) {
			await lockPolicies(trx);
			await trx
				.updateTable('policy_uses')
				.set((set) => ({ claims: set('claims', '-', 1n) }))
				.where('account', '=', account)
				.where('ref', '=', ref)
				.execute();
			const { numDeletedRows } = await trx
				.deleteFrom('policy_uses')
				.where('account', '=', account)
				.where('ref', '=', ref)
				.where('claims', '<=', 0n)
				.executeTakeFirst();
			return numDeletedRows > 0n;
		},

		async isRecorded({ account, ref }) {
			const row = await db
				.selectFrom('policy_uses')
				.select('ref')
				.where('account', '=', account)
				.where('ref', '=', ref)
				.limit(1)
				.executeTakeFirst();
			return row !== undefined;
		},

		async look(judged) {
			const now = clock();
			const rules = await known();
			return decide(rules, judged, await past(db, rules, now), now);
		},

		async lookInOrder(inOrder) {
			const now = clock();
			const rules = await known();
			const before = await past(db, rules, now);
			return inOrder.map((judged) => {
				const verdict = decide(rules, judged, before, now);
				if (verdict.code !== 'deny' && verdict.code !== 'unknown')
					before.push(...usesOf(judged, now));
				return verdict;
			});
		},

		changes: Object.values(changes),

		change: (by, change) =>
			withStored(changes, change, (kind, params) => gate.applyOrPropose(by, kind, params))
	};
}
