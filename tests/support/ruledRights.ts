/** Rights with real policies and approvals, combined as in the application. */
import { createApprovals, type Approvals } from '#lib/server/access/approvals/approvals.ts';
import type { Wanted } from '#lib/server/access/approvals/approvalRequester.ts';
import { createApprovalList } from '#lib/server/access/approvals/list.ts';
import type { ListedRequest } from '#lib/server/access/approvals/request.ts';
import type { Audit } from '#lib/server/access/audit/audit.ts';
import type { Refusals } from '#lib/server/access/audit/refusals.ts';
import type { Account } from '#lib/server/access/identity/identity.ts';
import { createLimits, type Limits } from '#lib/server/access/policy/limits/limits.ts';
import { createMeasurer } from '#lib/server/access/policy/measuring/measurer.ts';
import { createRights, type Rights } from '#lib/server/access/rights/rights.ts';
import { createPolicies, type Policies } from '#lib/server/access/policy/rules/policies.ts';
import { createWallets, type Wallets } from '#lib/server/access/policy/wallets/wallets.ts';
import type { Gateway } from '#lib/server/chains/daemon/types.ts';
import type { Db } from '#lib/server/database.ts';
import { unrecorded } from './permissive.ts';
import type { RuleBody } from '#lib/server/access/policy/rules/rule.ts';

interface Ruled {
	rights: Rights;
	policies: Policies;
	approvals: Approvals;
}

export function ruledRights({
	db,
	gateway,
	audit,
	clock,
	wallets = createWallets(db, audit),
	limits = createLimits(db, audit, clock),
	refusals = unrecorded
}: {
	db: Db;
	gateway: Gateway;
	audit: Audit;
	/** Unix milliseconds. */
	clock?: () => number;
	wallets?: Wallets;
	limits?: Limits;
	refusals?: Pick<Refusals, 'refused'>;
}): Ruled {
	const measurer = createMeasurer(gateway);
	const policies = createPolicies(db, audit, clock);
	const timed = clock === undefined ? {} : { clock };
	const approvals = createApprovals({ db, audit, policies, wallets, measurer, gateway, ...timed });
	const parts = { gateway, wallets, limits, policies, approvals, measurer, refusals };
	return { rights: createRights(parts), policies, approvals };
}

/** A rule that denies everything to everyone, with the given changes. */
export const ruleOf = (given: Partial<RuleBody>): RuleBody => ({
	who: { is: 'anyone' },
	wallet: null,
	kind: null,
	asset: { is: 'any' },
	over: null,
	window: null,
	recipient: { is: 'anyone' },
	effect: { is: 'deny' },
	...given
});

/** The effect of a rule that needs approvals by this many of these members. */
export const approvedBy = (members: readonly Account[], needed = 1): RuleBody['effect'] => ({
	is: 'approve',
	needed,
	members: members.map(({ id }) => id),
	roles: []
});

/** The approval that a member requests for bytes that pay nothing, by one admin unless other terms are given. */
export const askedBytes = ({ id, name }: Account, given: Partial<Wanted> = {}): Wanted => ({
	account: id,
	author: name,
	token: null,
	wallet: 'ALPHA',
	chain: 'ALPHA',
	hex: '00',
	payouts: null,
	movements: [],
	kind: 'bytes',
	subject: null,
	terms: [{ rule: 'r', revision: 1, place: 1, needed: 1, members: [], roles: ['admin'] }],
	...given
});

/** Removes every rule. */
export async function removeRules(policies: Policies, by: Account | null = null): Promise<void> {
	for (const { id, revision } of await policies.list()) {
		await policies.change(by, { change: 'remove', id, revision });
	}
}

/** The requests for approval on a tab of a member's page, newest first. */
export async function requestsOf(
	{ db, approvals }: { db: Db; approvals: Approvals },
	member: Account,
	show: 'waiting' | 'own',
	now = Date.now()
): Promise<ListedRequest[]> {
	const list = createApprovalList(await approvals.readerOf(member), now);
	return (await list.read(db, { filter: { show }, sort: '-created', limit: 100 })).rows;
}
