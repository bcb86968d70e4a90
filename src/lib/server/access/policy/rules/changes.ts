/** Changes of the policy rules: what each would change, and how it is applied. */
import { randomUUID } from 'node:crypto';
import type { ChangeFacts } from '#lib/messages/changes.ts';
import type { RecordedRule } from '#lib/messages/policies/sentence.ts';
import { touch } from '../../../platform/audit-trail/recorded.ts';
import type { Executor } from '../../../platform/database/database.ts';
import { AppError } from '../../../platform/errors/appError.ts';
import { revokeOpenLinks } from './openLinks.ts';
import type { Account } from '../../identity/identity.ts';
import type { Audit } from '../../audit/audit.ts';
import type { ChangeKind, Looked } from '../../changes/change.ts';
import { neededApprovals } from '../../changes/gate.ts';
import type { AccessTables } from '../../tables.ts';
import { recordedRules } from './names.ts';
import { readBody, writeBody, type Rule, type RuleBody } from './rule.ts';
import { actorOf } from '../../../platform/audit-trail/entry.ts';

/** A change of the policy rules. */
export type RuleChange =
	| { change: 'add'; body: RuleBody }
	/** @param revision the revision that the page showed */
	| { change: 'set'; id: string; revision: number; body: RuleBody }
	| { change: 'remove'; id: string; revision: number }
	/**
	 * @param past id of the rule that the page showed as the neighbour to swap with; left out: do not compare
	 */
	| { change: 'move'; id: string; up: boolean; past?: string };

/** The changes as proposals store them: the rule as in `policy_rules.body`. */
interface Stored {
	add: { body: string };
	set: { id: string; revision: number; body: string };
	remove: { id: string; revision: number };
	move: { id: string; up: boolean; past?: string };
}

type Kinds = {
	readonly [Change in keyof Stored]: ChangeKind<`rule.${Change}`, Stored[Change], void>;
};

interface Parts {
	audit: Pick<Audit, 'append'>;
	/** Returns the rules in their order. */
	read(trx: Executor<AccessTables>): Promise<Rule[]>;
	/** @throws {AppError} `policy.quorum-unreachable` */
	refuseUnreachable(trx: Executor<AccessTables>, rule: Rule): Promise<void>;
}

/** What the audit log records of a change. */
interface Recorded {
	id: string;
	change: RuleChange['change'];
	rule: RecordedRule;
	was?: RecordedRule;
}

export function createRuleChanges({ audit, read, refuseUnreachable }: Parts): Kinds {
	/** The rules and their order decide together, so the state covers all of them. */
	const stateOf = (rules: readonly Rule[]): string =>
		rules.map(({ id, revision }) => `${id} ${revision}`).join();

	async function record(
		trx: Executor<AccessTables>,
		by: Account | null,
		{ id, change, rule, was }: Recorded
	): Promise<void> {
		await audit.append(
			{
				actor: actorOf(by),
				action: 'policy.changed',
				target: id,
				detail: {
					change,
					rule: { code: 'rule', params: rule },
					...(was === undefined ? {} : { was: { code: 'rule', params: was } })
				}
			},
			trx
		);
	}

	/**
	 * Finds a rule.
	 * @throws {AppError} `policy.gone`: it does not exist, or has another revision than the page showed
	 */
	function found(rules: readonly Rule[], id: string, revision?: number): Rule {
		const rule = rules.find((one) => one.id === id);
		if (rule === undefined || (revision !== undefined && rule.revision !== revision)) {
			throw new AppError('policy.gone');
		}
		return rule;
	}

	const looked = <Code extends `rule.${keyof Stored}`>(
		rules: readonly Rule[],
		facts: ChangeFacts[Code],
		waits = true
	): Looked<Code> => ({ waits, state: stateOf(rules), facts });

	async function swap(trx: Executor<AccessTables>, one: string, other: string): Promise<void> {
		const rows = await trx
			.selectFrom('policy_rules')
			.select(['id', 'position'])
			.where('id', 'in', [one, other])
			.execute();
		for (const { id } of rows) {
			const position = rows.find((row) => row.id !== id)?.position;
			if (position === undefined) return;
			await trx.updateTable('policy_rules').set({ position }).where('id', '=', id).execute();
			touch(trx, 'policy_rules', [id]);
		}
	}

	/**
	 * Returns the rule that a moved one changes places with; undefined at the end of the list.
	 * @throws {AppError} `policy.gone`: it is not the rule that the page showed, because the order has
	 * changed since
	 */
	function neighbour(
		rules: readonly Rule[],
		{ place }: Rule,
		{ up, past }: Stored['move']
	): Rule | undefined {
		const other = rules[up ? place - 2 : place];
		if (past !== undefined && other?.id !== past) throw new AppError('policy.gone');
		return other;
	}

	/**
	 * Revokes open links for viewers that one admin made alone, before a rule asked those viewers to approve.
	 */
	async function revokeStock(trx: Executor<AccessTables>, by: Account | null): Promise<void> {
		if ((await neededApprovals(trx)) === 0) return;
		await revokeOpenLinks(trx, audit, actorOf(by), 'as-viewers');
	}

	return {
		add: {
			code: 'rule.add',
			async look(trx, { body }) {
				const rules = await read(trx);
				const place = rules.length + 1;
				const rule = readBody(body);
				await refuseUnreachable(trx, { ...rule, id: '', revision: 1, place });
				return looked(rules, { rule: (await recordedRules(trx))(rule), place });
			},
			async apply(trx, by, { body }) {
				const id = randomUUID();
				const rules = await read(trx);
				const rule = readBody(body);
				await refuseUnreachable(trx, { ...rule, id, revision: 1, place: rules.length + 1 });
				const last = await trx
					.selectFrom('policy_rules')
					.select((select) => select.fn.max('position').as('position'))
					.executeTakeFirst();
				const position = BigInt(last?.position ?? 0n) + 1n;
				await trx.insertInto('policy_rules').values({ id, position, revision: 1n, body }).execute();
				touch(trx, 'policy_rules', [id]);
				await record(trx, by, { id, change: 'add', rule: (await recordedRules(trx))(rule) });
				await revokeStock(trx, by);
			}
		},

		set: {
			code: 'rule.set',
			async look(trx, { id, revision, body }) {
				const rules = await read(trx);
				const rule = found(rules, id, revision);
				const wanted = readBody(body);
				await refuseUnreachable(trx, { ...rule, ...wanted });
				const recorded = await recordedRules(trx);
				const { place } = rule;
				return looked(rules, { place, before: recorded(rule), after: recorded(wanted) });
			},
			async apply(trx, by, { id, revision, body }) {
				const rule = found(await read(trx), id, revision);
				const wanted = readBody(body);
				await refuseUnreachable(trx, { ...rule, ...wanted });
				await trx
					.updateTable('policy_rules')
					.set({ body, revision: BigInt(rule.revision + 1) })
					.where('id', '=', id)
					.execute();
				touch(trx, 'policy_rules', [id]);
				const recorded = await recordedRules(trx);
				const was = recorded(rule);
				await record(trx, by, { id, change: 'set', rule: recorded(wanted), was });
				await revokeStock(trx, by);
			}
		},

		remove: {
			code: 'rule.remove',
			async look(trx, { id, revision }) {
				const rules = await read(trx);
				const rule = found(rules, id, revision);
				return looked(rules, { place: rule.place, rule: (await recordedRules(trx))(rule) });
			},
			async apply(trx, by, { id, revision }) {
				const rule = found(await read(trx), id, revision);
				await trx.deleteFrom('policy_rules').where('id', '=', id).execute();
				touch(trx, 'policy_rules', [id]);
				const was = (await recordedRules(trx))(rule);
				await record(trx, by, { id, change: 'remove', rule: was, was });
			}
		},

		move: {
			code: 'rule.move',
			async look(trx, moved) {
				const rules = await read(trx);
				const rule = found(rules, moved.id);
				const other = neighbour(rules, rule, moved);
				const facts = {
					rule: (await recordedRules(trx))(rule),
					from: rule.place,
					to: other?.place ?? rule.place
				};
				return looked(rules, facts, other !== undefined);
			},
			async apply(trx, by, moved) {
				const { id } = moved;
				const rules = await read(trx);
				const rule = found(rules, id);
				const other = neighbour(rules, rule, moved);
				if (other !== undefined) await swap(trx, id, other.id);
				await record(trx, by, { id, change: 'move', rule: (await recordedRules(trx))(rule) });
			}
		}
	};
}

/** Submits a change of the rules in the form in which it is stored. */
export function withStored<Result>(
	kinds: Kinds,
	change: RuleChange,
	submit: <Change extends keyof Stored>(
		kind: Kinds[Change],
		params: Stored[Change]
	) => Promise<Result>
): Promise<Result> {
	switch (change.change) {
		case 'add':
			return submit<'add'>(kinds.add, { body: writeBody(change.body) });
		case 'set': {
			const { id, revision, body } = change;
			return submit<'set'>(kinds.set, { id, revision, body: writeBody(body) });
		}
		case 'remove': {
			const { id, revision } = change;
			return submit<'remove'>(kinds.remove, { id, revision });
		}
		case 'move': {
			const { change: _, ...moved } = change;
			return submit<'move'>(kinds.move, moved);
		}
	}
}
