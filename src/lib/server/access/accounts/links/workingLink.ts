/** Links that work now. */
import { factsOfRow, touch } from '../../../platform/audit-trail/recorded.ts';
import type { Executor } from '../../../platform/database/database.ts';
import { AppError } from '../../../platform/errors/appError.ts';
import { readPowers } from '../../policy/rules/approvers.ts';
import { neededApprovals } from '../../changes/gate.ts';
import type { AccessTables } from '../../tables.ts';
import type { LinkDependencies } from './dependencies.ts';
import type { LinkKind } from './storedLink.ts';

/** A link by the token in its address, or by its id in the database. */
export type Which = { token: string } | { id: string };

/** The error of a link that cannot be used, whatever the reason. */
export const unusable = (): AppError => new AppError('account.link-unusable');

/**
 * Query for links that may be used now: their makers may still create such links, and their accounts may still
 * sign in.
 */
const usable = (within: Executor<AccessTables>, kind: LinkKind) => {
	const links = within
		.selectFrom('account_links')
		.leftJoin('accounts as maker', 'maker.id', 'account_links.made_by')
		.leftJoin('accounts as person', 'person.id', 'account_links.account_id')
		.selectAll('account_links')
		.select([
			'person.name as person_name',
			'person.role as person_role',
			'maker.name as maker_name'
		])
		.where('account_links.kind', '=', kind)
		.where('account_links.revoked_at', 'is', null)
		.where('account_links.expires_at', '>', BigInt(Date.now()))
		.where((where) =>
			where.or([
				where('account_links.made_by', 'is', null),
				where.and([where('maker.role', '=', 'admin'), where('maker.disabled_at', 'is', null)])
			])
		)
		.where((where) =>
			where.or([
				where('account_links.account_id', 'is', null),
				where('person.disabled_at', 'is', null)
			])
		);
	return links.where('account_links.used_at', 'is', null);
};

type Link = NonNullable<Awaited<ReturnType<ReturnType<typeof usable>['executeTakeFirst']>>>;

/**
 * Reads what tells whether one admin alone created a link that needs approval as things are now. It may have needed
 * none when it was created: an earlier release let more links pass, a restored backup holds links from before changes
 * needed approval, and the role of a member may have risen since.
 */
async function readLacking(within: Executor<AccessTables>): Promise<(link: Link) => boolean> {
	if ((await neededApprovals(within)) === 0) return () => false;
	const doesMore = await readPowers(within);
	const approved = await within
		.selectFrom('change_proposals')
		.select('params')
		.where('code', 'in', ['member.invite', 'member.password'])
		.where('state', '=', 'done')
		.execute();
	return ({ id, made_by, account_id: account, wallets, ...link }) => {
		if (made_by === null) return false;
		const role = link.role ?? link.person_role ?? 'viewer';
		if (wallets === null && !doesMore({ account, role })) return false;
		// The params of both kinds of links hold the id, and quotes in other params are escaped.
		return !approved.some(({ params }) => params.includes(`"id":"${id}"`));
	};
}

/** Reads a link, and tells whether its row matches the audit log. */
const vouched = (
	{ audit }: LinkDependencies,
	within: Executor<AccessTables>,
	read: () => Promise<Link | undefined>
) =>
	audit.recorded.vouch(
		read,
		({ person_name: _, person_role: __, maker_name: ___, ...row }) => [
			{ table: 'account_links', key: [row.id], facts: factsOfRow('account_links', row) }
		],
		within
	);

/** Finds a link that works now, whose row matches the audit log and that lacks no approval. */
export async function working(
	deps: LinkDependencies,
	within: Executor<AccessTables>,
	kind: LinkKind,
	which: Which
): Promise<Link | undefined> {
	const link = usable(within, kind).where((where) =>
		'id' in which
			? where('account_links.id', '=', which.id)
			: where('account_links.token_hash', 'in', deps.bearer.hashes('link', which.token))
	);
	const found = await vouched(deps, within, () => link.executeTakeFirst());
	if (!found?.vouched || (await readLacking(within))(found.row)) return undefined;
	return found.row;
}

/** Returns the ids of all links of a kind that work now. */
export async function allWorking(
	deps: LinkDependencies,
	kind: LinkKind
): Promise<ReadonlySet<string>> {
	const { db } = deps;
	const lacks = await readLacking(db);
	const ids = new Set<string>();
	for (const link of await usable(db, kind).execute()) {
		const found = await vouched(deps, db, () => Promise.resolve(link));
		if (found?.vouched && !lacks(link)) ids.add(link.id);
	}
	return ids;
}

/**
 * Marks a link as used; of two concurrent uses one succeeds.
 * @throws {AppError}
 */
export async function useUp(trx: Executor<AccessTables>, id: string): Promise<void> {
	const { numUpdatedRows } = await trx
		.updateTable('account_links')
		.set({ used_at: Date.now() })
		.where('id', '=', id)
		.where('used_at', 'is', null)
		.where('revoked_at', 'is', null)
		.executeTakeFirst();
	if (numUpdatedRows !== 1n) throw unusable();
	touch(trx, 'account_links', [id], ['used_at']);
}
