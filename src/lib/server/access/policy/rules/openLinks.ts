import { touch } from '../../../platform/audit-trail/recorded.ts';
import type { Executor } from '../../../platform/database/database.ts';
import type { Audit } from '../../audit/audit.ts';
import { givesPower } from '../permissions.ts';
import { readApprovers } from './approvers.ts';
import type { AccessTables } from '../../tables.ts';

/**
 * Revokes unused links for accounts that can do more than read, and invitations with wallets. One admin alone
 * created them, and could use such an account to act as two members.
 * @param made `alone`: all links were created without approval; `as-viewers`: only those for viewers without
 * wallets were, the others were approved
 */
export async function revokeOpenLinks(
	trx: Executor<AccessTables>,
	audit: Pick<Audit, 'append'>,
	actor: string,
	made: 'alone' | 'as-viewers'
): Promise<void> {
	const isAsked = await readApprovers(trx);
	const links = await trx
		.selectFrom('account_links')
		.leftJoin('accounts', 'accounts.id', 'account_links.account_id')
		.select(['account_links.id', 'account_links.role', 'account_links.account_id'])
		.select(['account_links.wallets', 'accounts.role as member_role'])
		.where('account_links.used_at', 'is', null)
		.where('account_links.revoked_at', 'is', null)
		.execute();
	for (const { id, account_id: account, ...link } of links) {
		const role = link.role ?? link.member_role ?? 'viewer';
		const waits = givesPower(role) || link.wallets !== null;
		const isStocked = waits ? made === 'alone' : isAsked({ account, role });
		if (!isStocked) continue;
		await trx
			.updateTable('account_links')
			.set({ revoked_at: Date.now() })
			.where('id', '=', id)
			.execute();
		touch(trx, 'account_links', [id], ['revoked_at']);
		await audit.append({ actor, action: 'invitation.taken-back', target: id }, trx);
	}
}
