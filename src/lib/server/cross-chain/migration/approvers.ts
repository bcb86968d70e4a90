import { nameKeyOf } from '../../access/identity/names.ts';
import { votersOf } from '../../access/policy/rules/voters.ts';
import { mayAccess } from '../../access/policy/permissions.ts';
import type { Executor } from '../../platform/database/database.ts';
import type { CrossChainTables } from '../tables.ts';
import type { MigrationRow } from './migrationRecord.ts';

/**
 * Returns the names of the members who approved the import and may still do so: others have lost the account or the
 * role since.
 */
export async function approversOf(
	within: Executor<CrossChainTables>,
	{ approved_by, approved_too }: Pick<MigrationRow, 'approved_by' | 'approved_too'>
): Promise<string[]> {
	const names = [approved_by, approved_too].filter((name) => name !== null);
	if (names.length === 0) return [];
	const entitled = new Set(
		(await votersOf(within))
			.filter(({ enabled, role }) => enabled && mayAccess(role, 'broadcast', false))
			.map(({ name }) => nameKeyOf(name))
	);
	return names.filter((name) => entitled.has(nameKeyOf(name)));
}
