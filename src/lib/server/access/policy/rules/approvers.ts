/**
 * Whom the rules ask to approve. Whoever can log in as one of them can approve under that name, so that a viewer who is
 * asked is more than a viewer where an admin must not act as two.
 */
import type { Executor } from '../../../platform/database/database.ts';
import type { AccessTables } from '../../tables.ts';
import { givesPower } from '../permissions.ts';
import type { Role } from '../roles.ts';
import { readBody } from './rule.ts';

/** An account, or one that an invitation will make. */
interface Somebody {
	/** Its id; null: there is none yet. */
	account: string | null;
	role: Role;
}

/** Says of somebody whether a rule asks for their approval. */
export async function readApprovers(
	within: Executor<AccessTables>
): Promise<(somebody: Somebody) => boolean> {
	const rows = await within.selectFrom('policy_rules').select('body').execute();
	const effects = rows.map(({ body }) => readBody(body).effect);
	return ({ account, role }) =>
		effects.some(
			(effect) =>
				effect.is === 'approve' &&
				(effect.roles.includes(role) || (account !== null && effect.members.includes(account)))
		);
}

/** Whether logging in as somebody lets do more than look: by their role, or because they are asked to approve. */
export async function doesMoreThanLook(
	within: Executor<AccessTables>,
	somebody: Somebody
): Promise<boolean> {
	return givesPower(somebody.role) || (await readApprovers(within))(somebody);
}
