import { error } from '@sveltejs/kit';
import { isReadable, type Reader } from '#lib/server/wallet/transactions/readers.ts';
import { requireMember } from './requireMember.ts';

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
	const may = await Promise.all(rows.map(({ id }) => isReadable(locals.app.db, reader, kind, id)));
	return rows.filter((_, at) => may[at]);
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
	const may = await isReadable(locals.app.db, await readerOf(locals), kind, id);
	if (!may && !(kind === 'review' && (await isAsked(locals, id)))) error(404, { message });
}
