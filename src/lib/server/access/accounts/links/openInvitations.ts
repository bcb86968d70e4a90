import { touch } from '../../../platform/audit-trail/recorded.ts';
import { refuseFormerAdmin } from '../../identity/formerAdmin.ts';
import type { Role } from '../../identity/roles.ts';
import type { WalletChoice } from '../../policy/wallets/choice.ts';
import type { LinkMaker } from '../../identity/linkMaker.ts';
import type { LinkDependencies } from './dependencies.ts';
import { walletsOf } from './storedLink.ts';
import { allWorking } from './workingLink.ts';
import { COMMAND_LINE, actorOf } from '../../../platform/audit-trail/entry.ts';

/** An unused invitation, as an admin sees it. */
interface OpenInvitation {
	id: string;
	role: Role;
	/** The name that it is for; null: the invited person chooses one. */
	name: string | null;
	/** The wallets that the account will be granted. */
	wallets: WalletChoice;
	createdBy: string;
	/** Unix milliseconds. */
	createdAt: number;
	expiresAt: number;
	/** Whether it can be opened now: not while it lacks an approval, or its author is no admin any more. */
	works: boolean;
}

/** Returns the invitations that were not used or revoked and have not expired, newest first. */
export async function openInvitations(deps: LinkDependencies): Promise<OpenInvitation[]> {
	const { db } = deps;
	const rows = await db
		.selectFrom('account_links')
		.leftJoin('accounts as maker', 'maker.id', 'account_links.made_by')
		.select([
			'account_links.id',
			'account_links.role',
			'account_links.name',
			'account_links.wallets',
			'account_links.created_at',
			'account_links.expires_at',
			'maker.name as maker_name'
		])
		.where('account_links.kind', '=', 'invitation')
		.where('account_links.used_at', 'is', null)
		.where('account_links.revoked_at', 'is', null)
		.where('account_links.expires_at', '>', BigInt(Date.now()))
		.orderBy('account_links.created_at', 'desc')
		.orderBy('account_links.id')
		.execute();
	const works = await allWorking(deps, 'invitation');
	const open: OpenInvitation[] = [];
	for (const { id, role, name, wallets, maker_name, created_at, expires_at } of rows) {
		if (role === null) continue;
		open.push({
			id,
			role,
			name,
			wallets: walletsOf(wallets),
			createdBy: maker_name ?? COMMAND_LINE,
			createdAt: Number(created_at),
			expiresAt: Number(expires_at),
			works: works.has(id)
		});
	}
	return open;
}

/**
 * Revokes an invitation; false when it does not exist, was used or is revoked already.
 * @throws {AppError} `account.not-admin`
 */
export async function revoke(
	{ db, audit }: LinkDependencies,
	by: LinkMaker,
	id: string
): Promise<boolean> {
	return db.transaction().execute(async (trx) => {
		await audit.lock(trx);
		await refuseFormerAdmin(trx, by);
		const { numUpdatedRows } = await trx
			.updateTable('account_links')
			.set({ revoked_at: Date.now() })
			.where('id', '=', id)
			.where('kind', '=', 'invitation')
			.where('used_at', 'is', null)
			.where('revoked_at', 'is', null)
			.executeTakeFirst();
		if (numUpdatedRows === 0n) return false;
		touch(trx, 'account_links', [id], ['revoked_at']);
		await audit.append({ actor: actorOf(by), action: 'invitation.taken-back', target: id }, trx);
		return true;
	});
}
