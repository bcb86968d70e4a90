import { actorOf } from '../../../platform/audit-trail/entry.ts';
import type { ChangeKind } from '../../changes/change.ts';
import { doesMoreThanLook } from '../../policy/rules/approvers.ts';
import { setDisabled } from '../accounts.ts';
import type { MemberDependencies } from './dependencies.ts';
import { lockedAccount, readAccount } from './lockedAccount.ts';

/** Makes the kind of change that enables an account again. */
export const createEnabling = (
	deps: MemberDependencies
): ChangeKind<'member.enable', { account: string }, void> => ({
	code: 'member.enable',
	async look(trx, { account }) {
		const { name, role, disabled } = await readAccount(trx, account);
		return {
			waits: disabled && (await doesMoreThanLook(trx, { account, role })),
			state: JSON.stringify([role, disabled]),
			facts: { member: name, role }
		};
	},
	async apply(trx, by, { account }) {
		const before = await lockedAccount(deps, trx, account);
		if (!before.disabled) return;
		await setDisabled(trx, account, false);
		await deps.audit.append(
			{ actor: actorOf(by), action: 'account.enabled', target: before.name },
			trx
		);
	}
});
