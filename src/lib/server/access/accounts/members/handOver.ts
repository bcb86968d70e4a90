import { actorOf } from '../../../platform/audit-trail/entry.ts';
import type { Executor } from '../../../platform/database/database.ts';
import type { LinkMaker } from '../../identity/linkMaker.ts';
import type { AccessTables } from '../../tables.ts';
import type { MemberDependencies } from './dependencies.ts';
import { changing } from './lockedAccount.ts';

/** Assigns the open work of a member to another within a transaction, and records it. Returns the number of items. */
export async function passOn(
	{ audit, work }: MemberDependencies,
	trx: Executor<AccessTables>,
	by: LinkMaker,
	from: string,
	successor: string
): Promise<number> {
	const { to, items } = await work.handOver(trx, from, successor);
	for (const { kind, id } of items) {
		await audit.append(
			{ actor: actorOf(by), action: 'work.handed-over', target: id, detail: { kind, from, to } },
			trx
		);
	}
	return items.length;
}

/**
 * Assigns the open work of one member to another. Returns the number of items.
 * @throws {AppError} `account.unknown`, `assignment.successor-unfit`
 */
export const handOver = (
	deps: MemberDependencies,
	by: LinkMaker,
	accountId: string,
	successor: string
): Promise<number> =>
	changing(deps, by, accountId, (trx, { name }) => passOn(deps, trx, by, name, successor));
