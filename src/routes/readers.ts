import { error } from '@sveltejs/kit';
import { mayAccess } from '#lib/server/access/policy/permissions.ts';
import { readableIds, type Reader } from '#lib/server/wallet/transactions/readers.ts';
import { requireMember } from './requireMember.ts';

/** The open work in the hands of this member; without its address where their role does not let them to its page. */
export async function ownWork({ app, identity }: App.Locals) {
	const { name, role } = requireMember({ identity }).account;
	const mayBuild = mayAccess(role, 'build', false);
	return (await app.auth.people.openWork(name)).map(({ kind, id, subject, href, by }) => ({
		kind,
		id,
		subject,
		by,
		href: mayBuild || kind === 'migration' ? href : null
	}));
}

/** Who reads what the team built with its wallets. */
export async function readerOf({ app, identity }: App.Locals): Promise<Reader> {
	const { id, name, role } = requireMember({ identity }).account;
	return { name, role, wallets: await app.wallets.choiceOf(id) };
}

/** Whether this member is asked to approve a transaction, or was. */
async function isAsked({ app, account }: App.Locals, id: string): Promise<boolean> {
	const last = account && (await app.approvals.lastOf(id));
	return last !== null && (await app.approvals.get(last.id, account!)) !== null;
}

/** Of some work what this member may read. */
export async function onlyReadable<Row extends { id: string }>(
	locals: App.Locals,
	kind: 'review' | 'series',
	rows: readonly Row[]
): Promise<Row[]> {
	const reader = await readerOf(locals);
	const ids = rows.map(({ id }) => id);
	const may = await readableIds(locals.app.db, reader, kind, ids);
	return rows.filter(({ id }) => may.has(id));
}

/** Whether a piece of work is there for this member. */
export async function mayRead(
	locals: App.Locals,
	kind: 'review' | 'series',
	id: string
): Promise<boolean> {
	const own = await readableIds(locals.app.db, await readerOf(locals), kind, [id]);
	return own.has(id) || (kind === 'review' && (await isAsked(locals, id)));
}

/**
 * What this member may not read looks like what there is not.
 * @param message what is said then
 * @throws a 404 of SvelteKit
 */
export async function refuseUnreadable(
	locals: App.Locals,
	kind: 'review' | 'series',
	id: string,
	message: string
): Promise<void> {
	if (!(await mayRead(locals, kind, id))) error(404, { message });
}
