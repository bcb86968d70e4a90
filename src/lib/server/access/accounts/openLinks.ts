import { touch } from '../../platform/audit-trail/recorded.ts';
import type { Executor } from '../../platform/database/database.ts';
import type { Audit } from '../audit/audit.ts';
import { givesPower } from '../policy/permissions.ts';
import type { AccessTables } from '../tables.ts';

/**
 * Revokes the links that nobody has used yet and that let somebody in as more than a viewer: they were made by one
 * admin alone, and would let that one act as two.
 */
export async function revokeOpenLinks(
	trx: Executor<AccessTables>,
	audit: Pick<Audit, 'append'>,
	actor: string
): Promise<void> {
	const links = await trx
		.selectFrom('account_links')
		.leftJoin('accounts', 'accounts.id', 'account_links.account_id')
		.select(['account_links.id', 'account_links.role', 'accounts.role as member_role'])
		.where('account_links.used_at', 'is', null)
		.where('account_links.revoked_at', 'is', null)
		.execute();
	for (const { id, role, member_role } of links) {
		if (!givesPower(role ?? member_role ?? 'viewer')) continue;
		await trx
			.updateTable('account_links')
			.set({ revoked_at: Date.now() })
			.where('id', '=', id)
			.execute();
		touch(trx, 'account_links', [id], ['revoked_at']);
		await audit.append({ actor, action: 'invitation.taken-back', target: id }, trx);
	}
}
