/** The rules of the installation in the database, in their order, and what went out under them. */
import { createClockDoubt } from '../../../platform/audit-trail/clockDoubt.ts';
import type { Database, Executor } from '../../../platform/database/database.ts';
import { createKept } from '../../../platform/database/kept.ts';
import { AppError } from '../../../platform/errors/appError.ts';
import type { LinkMaker } from '../../accounts/linkMaker.ts';
import { isAsked, termOf, type Voter } from '../../approvals/quorum.ts';
import { votersOf } from '../../approvals/voters.ts';
import type { Audit } from '../../audit/audit.ts';
import type { ChangeOutcome, ChangeKind } from '../../proposals/change.ts';
import { createGate } from '../../proposals/gate.ts';
import type { AccessTables } from '../../tables.ts';
import { createRuleChanges, withStored, type RuleChange } from './changes.ts';
import { decide, holdsBack, type Verdict } from './decide.ts';
import type { Facts, PastUse, Recipient } from './facts.ts';
import { lockPolicies } from './lock.ts';
import { LONGEST_WINDOW_MS, readBody, type Rule } from './rule.ts';

/** Something that is to go out, as rules weigh it. */
export interface Judged extends Facts {
	/** What it is known by: the same thing counts once. */
	ref: string;
}

/** A rule whose approvals cannot come together. */
export interface Unreachable {
	id: string;
	place: number;
	/** Approvals that it asks for. */
	needed: number;
	/** Members who could give one. */
	eligible: number;
}

export interface Policies {
	/** In their order. */
	list(within?: Executor<AccessTables>): Promise<Rule[]>;
	/** Whether there is a rule that keeps something back. */
	holdsBack(): Promise<boolean>;
	/** Rules that ask for more approvals than members could give now: what they hold back goes out no more. */
	unreachable(): Promise<Unreachable[]>;
	/**
	 * What the rules say of what goes out now, within the transaction in which it does. What they judge is judged
	 * one after the other. Null: it went out before or is on its way, is judged no second time, and relies on what
	 * is written down of it.
	 */
	judge(judged: Judged, trx: Executor<AccessTables>): Promise<Verdict | null>;
	/** Writes down that it goes out, within the same transaction. */
	record(judged: Judged, trx: Executor<AccessTables>): Promise<void>;
	/**
	 * Takes back that it went out, once for each judgement after which it reached nobody. True: nothing else relies on
	 * it any more, so that it counts for no window and is judged anew.
	 */
	giveBack(judged: Pick<Judged, 'account' | 'ref'>, trx: Executor<AccessTables>): Promise<boolean>;
	/** What the rules would say now, as if what has this `ref` had not gone out yet. Nothing is counted. */
	look(judged: Facts): Promise<Verdict>;
	/**
	 * What the rules would say of what goes out one after the other: for those behind it, whatever the rules would let out
	 * has gone out, and whatever others could approve.
	 */
	lookInOrder(inOrder: readonly Judged[]): Promise<Verdict[]>;
	/** Judges what is written down nowhere else. */
	transaction<T>(run: (trx: Executor<AccessTables>) => Promise<T>): Promise<T>;
	/**
	 * Changes the rules, on record, or proposes it.
	 * @throws {AppError} `policy.gone`, `policy.quorum-unreachable`
	 */
	change(by: LinkMaker, change: RuleChange): Promise<ChangeOutcome>;
	/** What of it can wait for approval. */
	readonly changes: readonly ChangeKind[];
}

const HOUR_MS = 3_600_000;

/** What is stored of a recipient, and back. */
const storedRecipient = (recipient: Recipient): { recipient: string; own: number } =>
	recipient.is === 'address'
		? { recipient: recipient.address, own: recipient.own ? 1 : 0 }
		: { recipient: recipient.is === 'unknown' ? '?' : '', own: 0 };

function recipientFrom(text: string, own: bigint): Recipient {
	if (text === '') return { is: 'nobody' };
	return text === '?' ? { is: 'unknown' } : { is: 'address', address: text, own: own === 1n };
}

/** An amount that could not be told. No other one is negative. */
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
	clock: () => number = Date.now
): Policies {
	const kept = createKept<Rule[]>(db.changeStamp);
	const doubt = createClockDoubt(clock);

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

	/** What went out within the longest window that a rule has. */
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

	/** Null where enough members could approve what the rule holds back, or where it asks nobody. */
	function unreachable(rule: Rule, voters: readonly Voter[]): Unreachable | null {
		const { id, place, effect } = rule;
		if (effect.is !== 'approve') return null;
		const term = termOf({ ...rule, effect });
		const author = rule.who.is === 'member' ? rule.who.account : null;
		const eligible = voters.filter((voter) => isAsked(term, voter, author)).length;
		const { needed } = effect;
		return eligible < needed ? { id, place, needed, eligible } : null;
	}

	/** @throws {AppError} `policy.quorum-unreachable` */
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
