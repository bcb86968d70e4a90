/** What admins do with members' accounts. At least one admin always remains. Most functions are in files of their own. */
import { bindTo } from '../../platform/bind.ts';
import type { ChangeKind, ChangeOutcome } from '../changes/change.ts';
import { createGate } from '../changes/gate.ts';
import type { LinkMaker } from '../identity/linkMaker.ts';
import type { Role } from '../identity/roles.ts';
import { add } from './members/add.ts';
import { createConfirming, stateOf } from './members/confirm.ts';
import type { MemberDependencies } from './members/dependencies.ts';
import { disable } from './members/disable.ts';
import { createEnabling } from './members/enable.ts';
import { endSessions } from './members/endSessions.ts';
import { handOver } from './members/handOver.ts';
import { list } from './members/list.ts';
import { createRoleChange } from './members/role.ts';
import type { WorkItem } from './work.ts';

export function createMembers(deps: MemberDependencies) {
	const { db, audit, work } = deps;
	const gate = createGate(db, audit);
	const bound = bindTo(deps);
	const [roleChange, enabling, confirming] = [
		createRoleChange(deps),
		createEnabling(deps),
		createConfirming(deps)
	];
	const changes: readonly ChangeKind[] = [roleChange, enabling, confirming];
	return {
		list: bound(list),
		add: bound(add),
		/**
		 * Changes a member's role, or proposes it where the new role has more rights.
		 * @throws {AppError} `account.role-unknown`, `account.unknown`, `account.last-admin`,
		 * `account.break-glass-admin`
		 */
		setRole: (by: LinkMaker, account: string, role: Role): Promise<ChangeOutcome> =>
			gate.applyOrPropose(by, roleChange, { account, role }),
		disable: bound(disable),
		/** The open work that a member holds. */
		openWork: (name: string): Promise<WorkItem[]> => work.openWork(db, name),
		handOver: bound(handOver),
		/**
		 * Enables a member's account again, or proposes it.
		 * @throws {AppError} `account.unknown`
		 */
		enable: (by: LinkMaker, account: string): Promise<ChangeOutcome> =>
			gate.applyOrPropose(by, enabling, { account }),
		stateOf: bound(stateOf),
		/**
		 * Accepts the current state of an account that was changed outside of Komodeck, or proposes it.
		 * @param seen `stateOf` what the page showed; left out: do not compare
		 * @throws {AppError} `account.unknown`, `account.changed-since`
		 */
		confirm: (by: LinkMaker, account: string, seen?: string): Promise<ChangeOutcome> =>
			gate.applyOrPropose(by, confirming, seen === undefined ? { account } : { account, seen }),
		endSessions: bound(endSessions),
		/** The kind of change that sets a role. */
		roleChange,
		/** The changes of accounts that can wait for approval. */
		changes
	};
}

export type Members = ReturnType<typeof createMembers>;
