/**
 * Members request a right that their role lacks; admins grant or dismiss the request. A member can request a
 * right once per day, so that the list cannot be filled up.
 */
import { randomUUID } from 'node:crypto';
import { DAY_MS } from '#lib/text/units.ts';
import type { Database, Executor } from '../../platform/database/database.ts';
import { createRowCache } from '../../platform/database/rowCache.ts';
import { createShown, unlessSilent } from '../../platform/database/shown.ts';
import { refuseFormerAdmin } from '../identity/formerAdmin.ts';
import type { LinkMaker } from '../identity/linkMaker.ts';
import type { Members } from '../accounts/members.ts';
import type { Audit } from '../audit/audit.ts';
import type { Account } from '../identity/identity.ts';
import { ACCESS, isAtMost, mayAccess } from '../policy/permissions.ts';
import { ROLES, type Role } from '../identity/roles.ts';
import { AppError } from '../../platform/errors/appError.ts';
import type { ChangeOutcome, ChangeKind } from '../changes/change.ts';
import { createGate } from '../changes/gate.ts';
import type { AccessTables } from '../tables.ts';
import { isRequestedRight, type RequestedRight } from './rights.ts';
import { actorOf } from '../../platform/audit-trail/entry.ts';

/** An open request, as admins see it. */
export interface AccessRequest {
	id: string;
	member: Account;
	right: RequestedRight;
	/** Path of the page from which it was requested. */
	path: string;
	/** Unix milliseconds. */
	askedAt: number;
	/** The role that the member gets if it is granted. */
	role: Role;
}

/** A member's own request. */
export interface OwnRequest {
	right: RequestedRight;
	askedAt: number;
	outcome: 'granted' | 'dismissed' | null;
}

/**
 * - `requested`: the request is open from now on
 * - others: the member has requested the right today, and that request is still open or was decided
 */
type AccessRequestOutcome = 'requested' | 'open' | 'granted' | 'dismissed';

export interface AccessRequests {
	/** Requests a right; a member who has already requested it today learns what became of that request. */
	ask(member: Account, right: RequestedRight, path: string): Promise<AccessRequestOutcome>;
	/** Returns the open requests, oldest first, of members who can log in and still lack the right. */
	open(): Promise<AccessRequest[]>;
	/** Number of open requests; 0 while the database does not respond. */
	shownCount(): Promise<number>;
	/** A text that differs after each change of that number. */
	shownStamp(): Promise<string>;
	/** Returns the latest requests of a member. */
	of(accountId: string): Promise<OwnRequest[]>;
	/**
	 * Changes the member's role as the request asks, or proposes it; false when the request is no longer
	 * open.
	 * @param role the role that the page showed
	 * @throws {AppError} `account`: a grant would give another role by now, or the role cannot be changed
	 */
	grant(by: LinkMaker, id: string, role: string): Promise<ChangeOutcome<boolean>>;
	/** Dismisses a request; false when it is no longer open. @throws {AppError} `account.not-admin` */
	dismiss(by: LinkMaker, id: string): Promise<boolean>;
	/** The changes of requests that can wait for approval. */
	readonly changes: readonly ChangeKind[];
}

const MOST_PATH = 200;
const MOST_OPEN = 100;
const MOST_OWN = 20;

/** The first role, in their order, that has this right and all that the member may do now. */
const roleWith = (right: RequestedRight, now: Role): Role =>
	ROLES.find((role) => mayAccess(role, right, false) && isAtMost(now, role)) ?? 'admin';

/** The rights that each role lacks, for the roles that lack any. */
const LACKING = ROLES.map((role) => {
	const rights = ACCESS.filter(isRequestedRight);
	return [role, rights.filter((right) => !mayAccess(role, right, false))] as const;
}).filter(([, rights]) => rights.length > 0);

interface Parts {
	db: Database<AccessTables>;
	audit: Audit;
	members: Pick<Members, 'roleChange'>;
	/** Unix milliseconds. */
	clock?: () => number;
}

export function createAccessRequests({
	db,
	audit,
	members,
	clock = Date.now
}: Parts): AccessRequests {
	const counted = createRowCache<number>(db.changeStamp);
	const count = unlessSilent(() => counted.get('open', async () => (await open()).length), 0);
	const { now: shownCount, stamp: shownStamp } = createShown(count, String);

	async function open(within: Executor<AccessTables> = db): Promise<AccessRequest[]> {
		const rows = await within
			.selectFrom('access_requests as r')
			.innerJoin('accounts as a', 'a.id', 'r.account_id')
			.select(['r.id', 'r.requested_right', 'r.path', 'r.asked_at'])
			.select(['a.id as account', 'a.name', 'a.role'])
			.where('r.outcome', 'is', null)
			.where('a.disabled_at', 'is', null)
			// Requests that are moot, or repeat an earlier one, must not use up the limit below.
			.where(({ eb, or, and }) =>
				or(
					LACKING.map(([role, rights]) =>
						and([eb('a.role', '=', role), eb('r.requested_right', 'in', rights)])
					)
				)
			)
			.where(({ not, exists, selectFrom }) =>
				not(
					exists(
						selectFrom('access_requests as before')
							.select('before.id')
							.whereRef('before.account_id', '=', 'r.account_id')
							.whereRef('before.requested_right', '=', 'r.requested_right')
							.whereRef('before.day', '<', 'r.day')
							.where('before.outcome', 'is', null)
					)
				)
			)
			.orderBy('r.asked_at')
			.limit(MOST_OPEN)
			.execute();
		return rows.map(({ id, account, name, role, requested_right: right, path, asked_at: at }) => ({
			id,
			member: { id: account, name, role },
			right,
			path,
			askedAt: Number(at),
			role: roleWith(right, role)
		}));
	}

	/** Closes a request, once, together with later ones of the member for the same right. */
	async function decide(
		trx: Executor<AccessTables>,
		by: LinkMaker,
		request: AccessRequest,
		outcome: 'granted' | 'dismissed'
	): Promise<boolean> {
		const { member, right, path } = request;
		const { numUpdatedRows } = await trx
			.updateTable('access_requests')
			.set({ outcome, decided_by: actorOf(by), decided_at: clock() })
			.where('account_id', '=', member.id)
			.where('requested_right', '=', right)
			.where('outcome', 'is', null)
			.executeTakeFirst();
		if (numUpdatedRows === 0n) return false;
		await audit.append(
			{
				actor: actorOf(by),
				action: `access.${outcome}`,
				target: member.name,
				detail: { right, path, ...(outcome === 'granted' ? { role: request.role } : {}) }
			},
			trx
		);
		return true;
	}

	const find = async (
		id: string,
		within?: Executor<AccessTables>
	): Promise<AccessRequest | undefined> =>
		(await open(within)).find((request) => request.id === id);

	/**
	 * Refuses when a grant would now give another role than the page showed, because the member's role has
	 * changed.
	 * @throws {AppError} `account.role-moved`
	 */
	function refuseOther({ member: { name }, role }: AccessRequest, said: string): void {
		if (role !== said) throw new AppError('account.role-moved', { name, role });
	}

	const gate = createGate(db, audit);
	/** Changes the role and closes the request in one transaction. */
	const granting: ChangeKind<'access.grant', { request: string; role: string }, boolean> = {
		code: 'access.grant',
		async look(trx, { request: id, role: said }) {
			const request = await find(id, trx);
			if (request === undefined) throw new AppError('change.moot');
			refuseOther(request, said);
			const { member, role } = request;
			const looked = await members.roleChange.look(trx, { account: member.id, role });
			return { waits: looked.waits, state: looked.state, facts: looked.facts };
		},
		async apply(trx, by, { request: id, role: said }) {
			const request = await find(id, trx);
			if (request === undefined) return false;
			refuseOther(request, said);
			await members.roleChange.apply(trx, by, { account: request.member.id, role: request.role });
			return decide(trx, by, request, 'granted');
		}
	};

	return {
		changes: [granting],
		open: () => open(),

		async ask(member, right, path) {
			const now = clock();
			const day = BigInt(Math.floor(now / DAY_MS));
			return db.transaction().execute(async (trx) => {
				const { numInsertedOrUpdatedRows } = await trx
					.insertInto('access_requests')
					.values({
						id: randomUUID(),
						account_id: member.id,
						requested_right: right,
						path: path.slice(0, MOST_PATH),
						asked_at: now,
						day
					})
					.onConflict((conflict) =>
						conflict.columns(['account_id', 'requested_right', 'day']).doNothing()
					)
					.executeTakeFirst();
				if (numInsertedOrUpdatedRows === 0n) {
					const before = await trx
						.selectFrom('access_requests')
						.select('outcome')
						.where('account_id', '=', member.id)
						.where('requested_right', '=', right)
						.where('day', '=', day)
						.executeTakeFirst();
					return before?.outcome ?? 'open';
				}
				await audit.append(
					{
						actor: member.name,
						action: 'access.requested',
						target: member.name,
						detail: { right, path: path.slice(0, MOST_PATH) }
					},
					trx
				);
				return 'requested';
			});
		},

		shownCount,
		shownStamp,

		async of(accountId) {
			const rows = await db
				.selectFrom('access_requests')
				.select(['requested_right', 'asked_at', 'outcome'])
				.where('account_id', '=', accountId)
				.orderBy('day', 'desc')
				.limit(MOST_OWN)
				.execute();
			return rows.map(({ requested_right: right, asked_at: at, outcome }) => ({
				right,
				askedAt: Number(at),
				outcome
			}));
		},

		async grant(by, id, role) {
			if ((await find(id)) === undefined) return { proposal: null, done: false };
			return gate.applyOrPropose(by, granting, { request: id, role });
		},

		async dismiss(by, id) {
			const request = await find(id);
			if (!request) return false;
			return db.transaction().execute(async (trx) => {
				await audit.lock(trx);
				await refuseFormerAdmin(trx, by);
				return decide(trx, by, request, 'dismissed');
			});
		}
	};
}
