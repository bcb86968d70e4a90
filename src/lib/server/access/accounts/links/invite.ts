/** Creating invitations. */
import { DAY_MS } from '#lib/text/units.ts';
import { AppError } from '../../../platform/errors/appError.ts';
import type { Audit } from '../../audit/audit.ts';
import { doesMoreThanLook } from '../../policy/rules/approvers.ts';
import { isRole, type Role } from '../../identity/roles.ts';
import { choiceFrom, chosen, type WalletChoice } from '../../policy/wallets/choice.ts';
import type { ChangeKind } from '../../changes/change.ts';
import type { Gate } from '../../changes/gate.ts';
import { nameTaken } from '../accounts.ts';
import type { Bearer } from '../../credentials/bearer.ts';
import type { LinkMaker } from '../../identity/linkMaker.ts';
import { checkName } from '../../identity/names.ts';
import { insertLink, newLink, type StoredLink } from './storedLink.ts';
import { actorOf } from '../../../platform/audit-trail/entry.ts';

/** How long an invitation works, in milliseconds. */
export const INVITATION_LIFETIME = 7 * DAY_MS;

interface InvitationParams extends StoredLink {
	role: Role;
	name: string | null;
	/** Row values of `wallet_grants.daemon`. */
	wallets: string[];
}

/** Returns the kind of change that creates an invitation, which can wait for approval. */
export const createInviting = (
	audit: Pick<Audit, 'append'>
): ChangeKind<'member.invite', InvitationParams, void> => ({
	code: 'member.invite',
	async look(trx, { role, name, wallets }) {
		const taken = name === null ? null : await nameTaken(trx, name);
		if (taken !== null) throw taken;
		const facts = { name, role, wallets: choiceFrom(wallets) };
		// A wallet waits for a viewer too: the role may rise later, and shows no wallets then.
		const waits = wallets.length > 0 || (await doesMoreThanLook(trx, { account: null, role }));
		return { waits, state: '', facts };
	},
	async apply(trx, by, { id, hash, role, name, wallets }) {
		const taken = name === null ? null : await nameTaken(trx, name);
		if (taken !== null) throw taken;
		await insertLink(
			trx,
			{ id, hash },
			{
				kind: 'invitation',
				by,
				lifetime: INVITATION_LIFETIME,
				role,
				name,
				wallets,
				accountId: null
			}
		);
		await audit.append(
			{
				actor: actorOf(by),
				action: 'invitation.made',
				target: id,
				detail: { role, name, wallets: { code: 'wallets', params: choiceFrom(wallets) } }
			},
			trx
		);
	}
});

/**
 * Creates an invitation. Its token is returned and stored nowhere. Without `wallets` it grants none. An
 * invitation that waits in a proposal works once that is approved.
 * @throws {AppError} `account.role-unknown`, `account.name-invalid`, `account.name-taken`
 */
export async function invite(
	{
		gate,
		bearer,
		inviting
	}: { gate: Gate; bearer: Bearer; inviting: ReturnType<typeof createInviting> },
	by: LinkMaker,
	{
		role,
		name: typed,
		wallets = { every: false, daemons: [] }
	}: { role: Role; name?: string; wallets?: WalletChoice }
): Promise<{ id: string; token: string; proposal: string | null }> {
	if (!isRole(role)) throw new AppError('account.role-unknown');
	const name = typed?.trim() ? checkName(typed) : null;
	const link = newLink(bearer);
	const params = { ...link.stored, role, name, wallets: chosen(wallets) };
	const { proposal } = await gate.applyOrPropose(by, inviting, params);
	return { id: link.stored.id, token: link.token, proposal };
}
