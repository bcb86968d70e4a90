import { actorOf } from '../../../platform/audit-trail/entry.ts';
import { AppError } from '../../../platform/errors/appError.ts';
import type { ChangeKind } from '../../changes/change.ts';
import { isRole, type Role } from '../../identity/roles.ts';
import { isAtMost, mayAccess } from '../../policy/permissions.ts';
import { isFreedBy } from '../../policy/rules/approvers.ts';
import { setRole } from '../accounts.ts';
import { refuseTheLastAdmin } from '../lastAdmin.ts';
import type { MemberDependencies } from './dependencies.ts';
import { lockedAccount, readAccount } from './lockedAccount.ts';

interface RoleParams {
	account: string;
	role: Role;
}

/** Makes the kind of change that sets a role; it waits where the new role has more rights. */
export const createRoleChange = (
	deps: MemberDependencies
): ChangeKind<'member.role', RoleParams, void> => ({
	code: 'member.role',
	async look(trx, { account, role }) {
		if (!isRole(role)) throw new AppError('account.role-unknown');
		const { name, role: before, disabled } = await readAccount(trx, account);
		// With a lower role that may send, other rules hold the member back, possibly none.
		const isFreed =
			role !== before &&
			mayAccess(role, 'broadcast', false) &&
			(await isFreedBy(trx, { before, after: role }));
		return {
			waits: isFreed || !isAtMost(role, before),
			state: JSON.stringify([before, disabled]),
			facts: { member: name, before, after: role }
		};
	},
	async apply(trx, by, { account, role }) {
		const before = await lockedAccount(deps, trx, account);
		if (before.role === role) return;
		if (before.role === 'admin' && !before.disabled) {
			await refuseTheLastAdmin(trx, deps.localLogin, before);
		}
		await setRole(trx, account, role);
		await deps.audit.append(
			{
				actor: actorOf(by),
				action: 'account.role-changed',
				target: before.name,
				detail: { from: before.role, to: role }
			},
			trx
		);
	}
});
