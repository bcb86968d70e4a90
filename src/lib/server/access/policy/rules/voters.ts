import type { Executor } from '../../../platform/database/database.ts';
import type { AccessTables } from '../../tables.ts';
import type { Voter } from './quorum.ts';

/** Returns all members, or those with the given ids, with their current role and state. */
export async function votersOf(
	db: Executor<AccessTables>,
	ids?: readonly string[]
): Promise<Voter[]> {
	if (ids?.length === 0) return [];
	let query = db.selectFrom('accounts').select(['id', 'name', 'role', 'disabled_at', 'to_confirm']);
	if (ids !== undefined) query = query.where('id', 'in', ids);
	const rows = await query.orderBy('name').execute();
	return rows.map(({ id, name, role, disabled_at, to_confirm }) => ({
		account: id,
		name,
		role,
		enabled: disabled_at === null && to_confirm === null
	}));
}

/** Returns the number of admins who can approve. */
export async function enabledAdmins(db: Executor<AccessTables>): Promise<number> {
	return (await votersOf(db)).filter(({ role, enabled }) => enabled && role === 'admin').length;
}
