/**
 * Members ask for a right that their role lacks; admins grant or dismiss it. A member asks once for a right within a
 * day, so that nobody can fill the list.
 */
import { randomUUID } from 'node:crypto';
import type { Database, Executor } from '../../platform/database/database.ts';
import { createKept } from '../../platform/database/kept.ts';
import { createShown, unlessSilent } from '../../platform/database/shown.ts';
import type { LinkMaker } from '../accounts/linkMaker.ts';
import type { People } from '../accounts/members.ts';
import type { Audit } from '../audit/audit.ts';
import type { Account } from '../policy/identity.ts';
import { ACCESS, isAtMost, mayAccess } from '../policy/permissions.ts';
import { ROLES, type Role } from '../policy/roles.ts';
import { AppError } from '../../platform/errors/appError.ts';
import type { ChangeOutcome, ChangeKind } from '../proposals/change.ts';
import { createGate } from '../proposals/gate.ts';
import type { AccessTables } from '../tables.ts';
import { isRequestedRight, type RequestedRight } from './rights.ts';

/** An open request, as admins see it. */
export interface AccessRequest {
	id: string;
	member: Account;
	right: RequestedRight;
	/** Where it was asked. */
	path: string;
	/** Unix milliseconds. */
	askedAt: number;
	/** The role that a grant gives. */
	role: Role;
}

/** A request of one's own. */
export interface OwnRequest {
	right: RequestedRight;
	askedAt: number;
	outcome: 'granted' | 'dismissed' | null;
}

export interface AccessRequests {
	/** False: this member has asked for this right today. */
	ask(member: Account, right: RequestedRight, path: string): Promise<boolean>;
	/** What waits for an admin, the oldest first: of members who can log in and still lack the right. */
	open(): Promise<AccessRequest[]>;
	/** How many wait; none while the database does not answer. */
	shownCount(): Promise<number>;
	/** Another text after each change of it. */
	shownStamp(): Promise<string>;
	/** The newest of a member. */
	of(accountId: string): Promise<OwnRequest[]>;
	/**
	 * Gives the member the role that the request names, or proposes it; false when nobody waits for it any more.
	 * @param role what the page says that it gives
	 * @throws {AppError} `account`: it gives another role by now, or the role cannot be changed
	 */
	grant(by: LinkMaker, id: string, role: string): Promise<ChangeOutcome<boolean>>;
	/** False when nobody waits for it any more. */
	dismiss(by: LinkMaker, id: string): Promise<boolean>;
	/** What of it can wait for approval. */
	readonly changes: readonly ChangeKind[];
}

const DAY_MS = 24 * 60 * 60 * 1000;
const MOST_PATH = 200;
const MOST_OPEN = 100;
const MOST_OWN = 20;

/** The first role, in their order, that has this right and everything that the member may do now. */
const roleWith = (right: RequestedRight, now: Role): Role =>
	ROLES.find((role) => mayAccess(role, right, false) && isAtMost(now, role)) ?? 'admin';

/** The rights that each role lacks that lacks any. */
const LACKING = ROLES.map((role) => {
	const rights = ACCESS.filter(isRequestedRight);
	return [role, rights.filter((right) => !mayAccess(role, right, false))] as const;
}).filter(([, rights]) => rights.length > 0);

interface Parts {
	db: Database<AccessTables>;
	audit: Audit;
	people: Pick<People, 'roleChange'>;
	/** Unix milliseconds. */
	clock?: () => number;
}

export function createAccessRequests({
	db,
	audit,
	people,
	clock = Date.now
}: Parts): AccessRequests {
	const counted = createKept<number>(db.changeStamp);
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
			// What its member has by now, or asked for before, keeps no other request out of the list.
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

	/** Ends a request, once, with those for the same right that its member made on later days. */
	async function decide(
		trx: Executor<AccessTables>,
		by: LinkMaker,
		request: AccessRequest,
		outcome: 'granted' | 'dismissed'
	): Promise<boolean> {
		const { member, right, path } = request;
		const { numUpdatedRows } = await trx
			.updateTable('access_requests')
			.set({ outcome, decided_by: by?.name ?? 'command line', decided_at: clock() })
			.where('account_id', '=', member.id)
			.where('requested_right', '=', right)
			.where('outcome', 'is', null)
			.executeTakeFirst();
		if (numUpdatedRows === 0n) return false;
		await audit.append(
			{
				actor: by?.name ?? 'command line',
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

	/** The member may have got another role since a page said what a grant gives. @throws {AppError} `account.role-moved` */
	function refuseOther({ member: { name }, role }: AccessRequest, said: string): void {
		if (role !== said) throw new AppError('account.role-moved', { name, role });
	}

	const gate = createGate(db, audit);
	/** The role and the end of the request, both or neither. */
	const granting: ChangeKind<'access.grant', { request: string; role: string }, boolean> = {
		code: 'access.grant',
		async look(trx, { request: id, role: said }) {
			const request = await find(id, trx);
			if (request === undefined) throw new AppError('change.moot');
			refuseOther(request, said);
			const { member, role } = request;
			const looked = await people.roleChange.look(trx, { account: member.id, role });
			return { waits: looked.waits, state: looked.state, facts: looked.facts };
		},
		async apply(trx, by, { request: id, role: said }) {
			const request = await find(id, trx);
			if (request === undefined) return false;
			refuseOther(request, said);
			await people.roleChange.apply(trx, by, { account: request.member.id, role: request.role });
			return decide(trx, by, request, 'granted');
		}
	};

	return {
		changes: [granting],
		open: () => open(),

		async ask(member, right, path) {
			const now = clock();
			return db.transaction().execute(async (trx) => {
				const { numInsertedOrUpdatedRows } = await trx
					.insertInto('access_requests')
					.values({
						id: randomUUID(),
						account_id: member.id,
						requested_right: right,
						path: path.slice(0, MOST_PATH),
						asked_at: now,
						day: Math.floor(now / DAY_MS)
					})
					.onConflict((conflict) =>
						conflict.columns(['account_id', 'requested_right', 'day']).doNothing()
					)
					.executeTakeFirst();
				if (numInsertedOrUpdatedRows === 0n) return false;
				await audit.append(
					{
						actor: member.name,
						action: 'access.requested',
						target: member.name,
						detail: { right, path: path.slice(0, MOST_PATH) }
					},
					trx
				);
				return true;
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
				return decide(trx, by, request, 'dismissed');
			});
		}
	};
}
