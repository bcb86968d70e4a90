import { actorOf } from '../../../platform/audit-trail/entry.ts';
import type { LinkMaker } from '../../identity/linkMaker.ts';
import { setDisabled } from '../accounts.ts';
import { refuseTheLastAdmin } from '../lastAdmin.ts';
import type { MemberDependencies } from './dependencies.ts';
import { passOn } from './handOver.ts';
import { changing } from './lockedAccount.ts';

/**
 * Disables an account: in one transaction its sessions end, its tokens are revoked, and its open work is
 * assigned to the successor.
 * @param successor an account's id; without it the work stays as it is, for `handOver`
 * @throws {AppError} `account.unknown`, `account.last-admin`, `account.break-glass-admin`,
 * `assignment.successor-unfit`
 */
export async function disable(
	deps: MemberDependencies,
	by: LinkMaker,
	accountId: string,
	successor?: string
): Promise<void> {
	await changing(deps, by, accountId, async (trx, before) => {
		if (before.disabled) return;
		if (before.role === 'admin') await refuseTheLastAdmin(trx, deps.localLogin, before);
		if (successor !== undefined) await passOn(deps, trx, by, before.name, successor);
		await setDisabled(trx, accountId, true);
		await deps.audit.append(
			{ actor: actorOf(by), action: 'account.disabled', target: before.name },
			trx
		);
	});
}
