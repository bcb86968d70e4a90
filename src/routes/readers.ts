import { error } from '@sveltejs/kit';
import { mayAccess } from '#lib/server/access/policy/permissions.ts';
import { readableIds, type Reader } from '#lib/server/wallet/transactions/readers.ts';
import { requireMember } from './requireMember.ts';

/** Returns the open work of this member, without links to pages that their role may not open. */
export async function ownWork({ app, identity }: App.Locals) {
	const { name, role } = requireMember({ identity }).account;
	const mayBuild = mayAccess(role, 'build', false);
	return (await app.auth.members.openWork(name)).map(({ kind, id, subject, href, by }) => ({
		kind,
		id,
		subject,
		by,
		href: mayBuild || kind === 'migration' ? href : null
	}));
}

/** Returns the member as a reader of what the team built with its wallets. */
export async function readerOf({ app, identity }: App.Locals): Promise<Reader> {
	const { id, name, role } = requireMember({ identity }).account;
	return { name, role, wallets: await app.wallets.choiceOf(id) };
}

/** Whether this member is or was asked to approve a transaction. */
async function isAsked({ app, account }: App.Locals, id: string): Promise<boolean> {
	const last = account && (await app.approvals.lastOf(id));
	return last !== null && (await app.approvals.get(last.id, account!)) !== null;
}

/** Returns the items that this member may read. */
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

/** Whether this member may read an item. */
export async function mayRead(
	locals: App.Locals,
	kind: 'review' | 'series',
	id: string
): Promise<boolean> {
	const own = await readableIds(locals.app.db, await readerOf(locals), kind, [id]);
	return own.has(id) || (kind === 'review' && (await isAsked(locals, id)));
}

/**
 * Responds to an item that this member may not read as if it did not exist.
 * @param message message of the error
 * @throws SvelteKit's 404
 */
export async function refuseUnreadable(
	locals: App.Locals,
	kind: 'review' | 'series',
	id: string,
	message: string
): Promise<void> {
	if (!(await mayRead(locals, kind, id))) error(404, { message });
}
