/** Creating links for a new password. */
import { DAY_MS } from '#lib/text/units.ts';
import { touch } from '../../../platform/audit-trail/recorded.ts';
import type { Executor } from '../../../platform/database/database.ts';
import { AppError } from '../../../platform/errors/appError.ts';
import type { Audit } from '../../audit/audit.ts';
import { doesMoreThanLook } from '../../policy/rules/approvers.ts';
import type { ChangeKind } from '../../changes/change.ts';
import type { Gate } from '../../changes/gate.ts';
import type { AccessTables } from '../../tables.ts';
import type { Bearer } from '../../credentials/bearer.ts';
import type { LinkMaker } from '../../identity/linkMaker.ts';
import { insertLink, newLink, type StoredLink } from './storedLink.ts';
import { actorOf } from '../../../platform/audit-trail/entry.ts';

/**
 * How long a reset link works, in milliseconds. Shorter than an invitation, because it opens an existing
 * account.
 */
export const RESET_LIFETIME = DAY_MS;

async function toReset(trx: Executor<AccessTables>, id: string) {
	const account = await trx
		.selectFrom('accounts')
		.select(['name', 'role', 'disabled_at'])
		.where('id', '=', id)
		.executeTakeFirst();
	if (!account) throw new AppError('account.unknown');
	const { name, role } = account;
	if (account.disabled_at !== null) throw new AppError('account.disabled', { name });
	return { name, role };
}

/**
 * Returns the kind of change that creates a link for a new password. It can wait for approval, since an admin
 * who resets a password can log in as that member and could then approve under two names.
 */
export const createResetting = (
	audit: Pick<Audit, 'append'>
): ChangeKind<'member.password', StoredLink & { account: string }, void> => ({
	code: 'member.password',
	async look(trx, { account }) {
		const { name, role } = await toReset(trx, account);
		const waits = await doesMoreThanLook(trx, { account, role });
		return { waits, state: role, facts: { member: name, role } };
	},
	async apply(trx, by, { id, hash, account }) {
		const { name } = await toReset(trx, account);
		const earlier = await trx
			.updateTable('account_links')
			.set({ revoked_at: Date.now() })
			.where('account_id', '=', account)
			.where('used_at', 'is', null)
			.where('revoked_at', 'is', null)
			.returning('id')
			.execute();
		for (const link of earlier) touch(trx, 'account_links', [link.id], ['revoked_at']);
		await insertLink(
			trx,
			{ id, hash },
			{
				kind: 'reset',
				by,
				lifetime: RESET_LIFETIME,
				role: null,
				name: null,
				wallets: null,
				accountId: account
			}
		);
		await audit.append({ actor: actorOf(by), action: 'password.reset-made', target: name }, trx);
	}
});

/**
 * Creates a link that sets a new password; earlier links of the account stop working. A link that waits in a
 * proposal works once that is approved.
 * @throws {AppError} `account.unknown`, `account.disabled`
 */
export async function reset(
	{
		gate,
		bearer,
		resetting
	}: { gate: Gate; bearer: Bearer; resetting: ReturnType<typeof createResetting> },
	by: LinkMaker,
	account: string
): Promise<{ token: string; proposal: string | null }> {
	const link = newLink(bearer);
	const { proposal } = await gate.applyOrPropose(by, resetting, { ...link.stored, account });
	return { token: link.token, proposal };
}
