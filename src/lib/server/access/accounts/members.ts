/** What admins do with members' accounts. At least one admin always remains. */
import { readRows, touch } from '../../platform/audit-trail/recorded.ts';
import type { Database, Executor } from '../../platform/database/database.ts';
import { AppError } from '../../platform/errors/appError.ts';
import { sha256Hex } from '../../platform/secrets/digest.ts';
import type { Audit } from '../audit/audit.ts';
import { isAtMost, mayAccess } from '../policy/permissions.ts';
import { doesMoreThanLook, isFreedBy } from '../policy/rules/approvers.ts';
import { isRole, type Role } from '../identity/roles.ts';
import type { ChangeOutcome, ChangeKind } from '../changes/change.ts';
import { createGate } from '../changes/gate.ts';
import type { AccessTables } from '../tables.ts';
import { addAccount, listAccounts, setDisabled, setRole, type AccountFacts } from './accounts.ts';
import { refuseFormerAdmin } from '../identity/formerAdmin.ts';
import { refuseTheLastAdmin } from './lastAdmin.ts';
import type { Account } from '../identity/identity.ts';
import type { LinkMaker } from '../identity/linkMaker.ts';
import type { LocalLogin } from './localLogin.ts';
import { endPendingLogins } from './pendingLogins.ts';
import { endOfSession, type SessionRule } from './sessions/sessionRule.ts';
import type { HandsOver, WorkItem } from './work.ts';
import { actorOf } from '../../platform/audit-trail/entry.ts';

/** A member as an admin sees them. */
export interface Member extends AccountFacts {
	/** When one of the open sessions was last used, Unix milliseconds; null when none is open. */
	lastSeenAt: number | null;
	/** Numbers of open sessions, and of API tokens that are not revoked. */
	sessions: number;
	tokens: number;
}

export interface Members {
	/** All members, ordered by name. */
	list(): Promise<Member[]>;
	/**
	 * Adds an account with a password.
	 * @throws {AppError} `account.name-invalid`, `account.name-taken`, `account.name-confusable`,
	 * `account.role-unknown`, or the fault of the password
	 */
	add(by: LinkMaker, person: { name: string; role: Role; password: string }): Promise<Account>;
	/**
	 * Changes a member's role, or proposes it where the new role has more rights.
	 * @throws {AppError} `account.role-unknown`, `account.unknown`, `account.last-admin`,
	 * `account.break-glass-admin`
	 */
	setRole(by: LinkMaker, accountId: string, role: Role): Promise<ChangeOutcome>;
	/**
	 * Disables an account: in one transaction its sessions end, its tokens are revoked, and its open work is
	 * assigned to the successor.
	 * @param successor an account's id; without it the work stays as it is, for {@link handOver}
	 * @throws {AppError} `account.unknown`, `account.last-admin`, `account.break-glass-admin`,
	 * `assignment.successor-unfit`
	 */
	disable(by: LinkMaker, accountId: string, successor?: string): Promise<void>;
	/** The open work that a member holds. */
	openWork(name: string): Promise<WorkItem[]>;
	/**
	 * Assigns the open work of one member to another. Returns the number of items.
	 * @throws {AppError} `account.unknown`, `assignment.successor-unfit`
	 */
	handOver(by: LinkMaker, accountId: string, successor: string): Promise<number>;
	/**
	 * Enables a member's account again, or proposes it.
	 * @throws {AppError} `account.unknown`
	 */
	enable(by: LinkMaker, accountId: string): Promise<ChangeOutcome>;
	/** Hash of an account's current state, which differs after each change; null for no such account. */
	stateOf(accountId: string): Promise<string | null>;
	/**
	 * Accepts the current state of an account that was changed outside of Komodeck, or proposes it.
	 * @param seen {@link stateOf} what the page showed; left out: do not compare
	 * @throws {AppError} `account.unknown`, `account.changed-since`
	 */
	confirm(by: LinkMaker, accountId: string, seen?: string): Promise<ChangeOutcome>;
	/**
	 * Ends all sessions of an account.
	 * @throws {AppError} `account.unknown`
	 */
	endSessions(by: LinkMaker, accountId: string): Promise<void>;
	/** The kind of change that sets a role. */
	readonly roleChange: ChangeKind<'member.role', RoleParams, void>;
	/** The changes of accounts that can wait for approval. */
	readonly changes: readonly ChangeKind[];
}

interface RoleParams {
	account: string;
	role: Role;
}

interface ConfirmParams {
	account: string;
	/** {@link Members.stateOf} the account as the page showed it. */
	seen?: string;
}

export function createMembers(
	db: Database<AccessTables>,
	audit: Audit,
	localLogin: LocalLogin,
	work: HandsOver,
	sessionRule: () => Promise<SessionRule>
): Members {
	/** Reads an account before a change. */
	async function readAccount(trx: Executor<AccessTables>, id: string) {
		const row = await trx
			.selectFrom('accounts')
			.select(['name', 'role', 'disabled_at'])
			.where('id', '=', id)
			.executeTakeFirst();
		if (!row) throw new AppError('account.unknown');
		const { name, role, disabled_at } = row;
		return { id, name, role, disabled: disabled_at !== null };
	}

	type AccountStatus = Awaited<ReturnType<typeof readAccount>>;

	/** Takes the audit lock first, so that two admins cannot remove each other at once. */
	async function lockedAccount(trx: Executor<AccessTables>, id: string): Promise<AccountStatus> {
		await audit.lock(trx);
		return readAccount(trx, id);
	}

	const changing = <T>(
		by: LinkMaker,
		accountId: string,
		change: (trx: Executor<AccessTables>, before: AccountStatus) => Promise<T>
	): Promise<T> =>
		db.transaction().execute(async (trx) => {
			const before = await lockedAccount(trx, accountId);
			await refuseFormerAdmin(trx, by);
			return change(trx, before);
		});

	async function passOn(
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

	const gate = createGate(db, audit);

	const roleChange: Members['roleChange'] = {
		code: 'member.role',
		async look(trx, { account, role }) {
			if (!isRole(role)) throw new AppError('account.role-unknown');
			const { name, role: before, disabled } = await readAccount(trx, account);
			// With a lower role that may send, other rules hold the member back, possibly none.
			const isFreed =
				role !== before &&
				mayAccess(role, 'broadcast', false) &&
				(await isFreedBy(trx, { before, after: role }));
			return {
				waits: isFreed || !isAtMost(role, before),
				state: JSON.stringify([before, disabled]),
				facts: { member: name, before, after: role }
			};
		},
		async apply(trx, by, { account, role }) {
			const before = await lockedAccount(trx, account);
			if (before.role === role) return;
			if (before.role === 'admin' && !before.disabled) {
				await refuseTheLastAdmin(trx, localLogin, before);
			}
			await setRole(trx, account, role);
			await audit.append(
				{
					actor: actorOf(by),
					action: 'account.role-changed',
					target: before.name,
					detail: { from: before.role, to: role }
				},
				trx
			);
		}
	};

	const enabling: ChangeKind<'member.enable', { account: string }, void> = {
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
			const before = await lockedAccount(trx, account);
			if (!before.disabled) return;
			await setDisabled(trx, account, false);
			await audit.append(
				{ actor: actorOf(by), action: 'account.enabled', target: before.name },
				trx
			);
		}
	};

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

	const confirming: ChangeKind<'member.confirm', ConfirmParams, void> = {
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
			const { name, role, disabled } = await lockedAccount(trx, account);
			await refuseIfChangedSince(trx, params);
			touch(trx, 'accounts', [account]);
			await audit.append(
				{
					actor: actorOf(by),
					action: 'account.confirmed',
					target: name,
					detail: { role, disabled }
				},
				trx
			);
		}
	};

	return {
		roleChange,
		changes: [roleChange, enabling, confirming],

		async list() {
			const now = Date.now();
			const rule = await sessionRule();
			const accounts = await listAccounts(db);
			const sessions = await db
				.selectFrom('sessions')
				.select(['account_id', 'created_at', 'last_seen_at', 'expires_at', 'ends_at'])
				.execute();
			const open = sessions.filter((row) => endOfSession(row, rule, now) > now);
			const tokens = await db
				.selectFrom('api_tokens')
				.select((select) => ['account_id', select.fn.countAll<bigint>().as('open')])
				.where('revoked_at', 'is', null)
				.groupBy('account_id')
				.execute();
			const sessionsOf = Map.groupBy(open, (row) => row.account_id);
			const tokensOf = new Map(tokens.map((row) => [row.account_id, Number(row.open)]));
			return accounts.map((account) => {
				const own = sessionsOf.get(account.id) ?? [];
				return {
					...account,
					lastSeenAt:
						own.length === 0 ? null : Math.max(...own.map((row) => Number(row.last_seen_at))),
					sessions: own.length,
					tokens: tokensOf.get(account.id) ?? 0
				};
			});
		},

		async add(by, person) {
			return db.transaction().execute(async (trx) => {
				const account = await addAccount(trx, person);
				const { name: target, role } = account;
				await audit.append(
					{ actor: actorOf(by), action: 'account.added', target, detail: { role } },
					trx
				);
				await refuseFormerAdmin(trx, by);
				return account;
			});
		},

		setRole: (by, account, role) => gate.applyOrPropose(by, roleChange, { account, role }),

		async disable(by, accountId, successor) {
			await changing(by, accountId, async (trx, before) => {
				if (before.disabled) return;
				if (before.role === 'admin') await refuseTheLastAdmin(trx, localLogin, before);
				if (successor !== undefined) await passOn(trx, by, before.name, successor);
				await setDisabled(trx, accountId, true);
				await audit.append(
					{ actor: actorOf(by), action: 'account.disabled', target: before.name },
					trx
				);
			});
		},

		openWork: (name) => work.openWork(db, name),

		async handOver(by, accountId, successor) {
			return changing(by, accountId, (trx, { name }) => passOn(trx, by, name, successor));
		},

		enable: (by, account) => gate.applyOrPropose(by, enabling, { account }),

		async stateOf(account) {
			const facts = await factsOf(db, account);
			return facts === 'null' ? null : sha256Hex(facts);
		},

		confirm: (by, account, seen) =>
			gate.applyOrPropose(by, confirming, seen === undefined ? { account } : { account, seen }),

		async endSessions(by, accountId) {
			await changing(by, accountId, async (trx, { name }) => {
				await endPendingLogins(trx, accountId);
				await trx.deleteFrom('sessions').where('account_id', '=', accountId).execute();
				await audit.append({ actor: actorOf(by), action: 'sessions.ended', target: name }, trx);
			});
		}
	};
}
