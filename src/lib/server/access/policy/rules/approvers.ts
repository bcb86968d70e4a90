/**
 * Whom the rules ask to approve. Anyone who can log in to such an account can approve in its name. So where
 * no admin may act as two members, even a viewer who is asked to approve counts as more than a viewer.
 */
import type { Executor } from '../../../platform/database/database.ts';
import type { AccessTables } from '../../tables.ts';
import { givesPower } from '../permissions.ts';
import type { Role } from '../../identity/roles.ts';
import { readBody } from './rule.ts';

/** An account, or one that an invitation will create. */
interface RoleHolder {
	/** The account's id; null: it does not exist yet. */
	account: string | null;
	role: Role;
}

/** Returns a function that tells whether any rule asks an account for approval. */
export async function readApprovers(
	within: Executor<AccessTables>
): Promise<(holder: RoleHolder) => boolean> {
	const rows = await within.selectFrom('policy_rules').select('body').execute();
	const effects = rows.map(({ body }) => readBody(body).effect);
	return ({ account, role }) =>
		effects.some(
			(effect) =>
				effect.is === 'approve' &&
				(effect.roles.includes(role) || (account !== null && effect.members.includes(account)))
		);
}

/**
 * Returns a function that tells whether an account can do more than read: by its role, or because a rule asks it to
 * approve.
 */
export async function readPowers(
	within: Executor<AccessTables>
): Promise<(holder: RoleHolder) => boolean> {
	const isAsked = await readApprovers(within);
	return (holder) => givesPower(holder.role) || isAsked(holder);
}

/** Whether an account can do more than read. */
export const doesMoreThanLook = async (
	within: Executor<AccessTables>,
	holder: RoleHolder
): Promise<boolean> => (await readPowers(within))(holder);

/**
 * Whether another role frees a member of a rule: one that denies or asks approvals of the role before, or one that
 * allows the role after, so that no later rule decides.
 */
export async function isFreedBy(
	within: Executor<AccessTables>,
	{ before, after }: { before: Role; after: Role }
): Promise<boolean> {
	const rows = await within.selectFrom('policy_rules').select('body').execute();
	return rows
		.map(({ body }) => readBody(body))
		.some(
			({ who, effect }) =>
				who.is === 'role' && who.role === (effect.is === 'allow' ? after : before)
		);
}
