/** Accounts that were changed outside of Komodeck, which an admin accepts as they are. */
import { actorOf } from '../../../platform/audit-trail/entry.ts';
import { readRows, touch } from '../../../platform/audit-trail/recorded.ts';
import type { Executor } from '../../../platform/database/database.ts';
import { AppError } from '../../../platform/errors/appError.ts';
import { sha256Hex } from '../../../platform/secrets/digest.ts';
import type { ChangeKind } from '../../changes/change.ts';
import { doesMoreThanLook } from '../../policy/rules/approvers.ts';
import type { AccessTables } from '../../tables.ts';
import type { MemberDependencies } from './dependencies.ts';
import { lockedAccount, readAccount } from './lockedAccount.ts';

interface ConfirmParams {
	account: string;
	/** {@link stateOf} the account as the page showed it. */
	seen?: string;
}

const factsOf = async (within: Executor<AccessTables>, id: string): Promise<string> => {
	const [row] = await readRows(within, 'accounts', [id]);
	return JSON.stringify(row?.facts ?? null);
};

/** Refuses when the account was changed in the database while the admin was looking at it. */
async function refuseIfChangedSince(
	trx: Executor<AccessTables>,
	{ account, seen }: ConfirmParams
): Promise<void> {
	if (seen === undefined || sha256Hex(await factsOf(trx, account)) === seen) return;
	throw new AppError('account.changed-since');
}

/** Returns the hash of an account's current state, which differs after each change; null for no such account. */
export async function stateOf({ db }: MemberDependencies, account: string): Promise<string | null> {
	const facts = await factsOf(db, account);
	return facts === 'null' ? null : sha256Hex(facts);
}

/** Makes the kind of change that accepts the current state of an account. */
export const createConfirming = (
	deps: MemberDependencies
): ChangeKind<'member.confirm', ConfirmParams, void> => ({
	code: 'member.confirm',
	async look(trx, params) {
		const { account } = params;
		const { name, role, disabled } = await readAccount(trx, account);
		await refuseIfChangedSince(trx, params);
		return {
			waits: await doesMoreThanLook(trx, { account, role }),
			state: await factsOf(trx, account),
			facts: { member: name, role, disabled }
		};
	},
	async apply(trx, by, params) {
		const { account } = params;
		const { name, role, disabled } = await lockedAccount(deps, trx, account);
		await refuseIfChangedSince(trx, params);
		touch(trx, 'accounts', [account]);
		await deps.audit.append(
			{
				actor: actorOf(by),
				action: 'account.confirmed',
				target: name,
				detail: { role, disabled }
			},
			trx
		);
	}
});
