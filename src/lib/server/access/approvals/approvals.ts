/**
 * Approvals that policy rules demand. A request is for exact bytes and for one revision of each rule. The
 * author does not count, each member counts once, and whether an approver still counts is checked in the
 * database transaction that sends the bytes.
 */
import type { Database, Executor } from '../../platform/database/database.ts';
import type { Gateway } from '../../chains/daemon/types.ts';
import type { Audit } from '../audit/audit.ts';
import type { Account } from '../identity/identity.ts';
import type { Measurer } from '../policy/measuring/measurer.ts';
import { lockPolicies } from '../changes/lock.ts';
import type { Policies } from '../policy/rules/policies.ts';
import type { Wallets } from '../policy/wallets/wallets.ts';
import type { AccessTables } from '../tables.ts';
import { createApprovalRequester, type Wanted } from './approvalRequester.ts';
import { createBadge } from './badge.ts';
import { createDecisions } from './decide.ts';
import { listedRequests, standingRequests, approvalRequestOf } from './find.ts';
import { createOpenRequests, hexHash } from './open.ts';
import { outlivedRequests } from './outlived.ts';
import { isMet, sameTerms } from '../policy/rules/quorum.ts';
import { readableBy, type Reader } from './readers.ts';
import {
	LISTED_COLUMNS,
	STANDING_COLUMNS,
	type ApprovalRequest,
	type StandingRequest
} from './request.ts';
import { forgetClosed } from './retention.ts';

/** The bytes that an approval is used for. */
export type Used = Pick<Wanted, 'account' | 'hex' | 'terms'>;

export interface Approvals {
	/**
	 * Requests approvals. Returns the id of the request; an open request for the same bytes and rules is
	 * reused.
	 * @param within the database transaction in which the subject begins to wait
	 * @throws {AppError} `policy.too-many-open`
	 */
	ask(wanted: Wanted, within?: Executor<AccessTables>): Promise<string>;
	/**
	 * Uses up the approvals of these bytes, in the database transaction that precedes their broadcast.
	 * Returns false when the approvals of members who count now are too few, or were given under other terms.
	 */
	use(trx: Executor<AccessTables>, used: Used): Promise<boolean>;
	/**
	 * Reopens the request that was used up for bytes that reached no daemon, with its approvals and its
	 * original expiry. A request that was changed since, or replaced by a new one, stays closed.
	 */
	reopen(trx: Executor<AccessTables>, used: Pick<Used, 'account' | 'hex'>): Promise<void>;
	/** A member as one who reads requests. */
	readerOf(account: Account): Promise<Reader>;
	/** A request; null when none exists that this member may read. */
	get(id: string, account: Account): Promise<ApprovalRequest | null>;
	/**
	 * The open request for a transaction or migration: one that is approved before the newest, the member's own first.
	 * Null when none exists that this member may read.
	 */
	openOf(subject: string, account: Account | null): Promise<StandingRequest | null>;
	/** The open requests for several subjects, by the subjects' ids, as {@link Approvals.openOf}; some have none. */
	openOfEach(
		subjects: readonly string[],
		account: Account | null
	): Promise<ReadonlyMap<string, StandingRequest>>;
	/** The newest request for a transaction or migration, in whatever state; an open one that is approved comes first. */
	lastOf(subject: string, within?: Executor<AccessTables>): Promise<StandingRequest | null>;
	/** Number of requests that wait for this member; 0 while the database does not respond. */
	shownCount(account: string): Promise<number>;
	/** A text that differs after each change of what waits for members. */
	shownStamp(): Promise<string>;
	/** Whether enough members who count now have approved. */
	isMet(id: string): Promise<boolean>;
	/**
	 * Whether the open request of this member for a transaction still lacks approvals and its rules are unchanged:
	 * another attempt by this member would only find the same request. Requests of other members do not count.
	 * @param author name of the member
	 */
	isLacking(subject: string, author: string): Promise<boolean>;
	/**
	 * Approves a request; only by a session. What the bytes do is measured again.
	 * @param hash hash of the bytes that the member saw
	 * @param session hash of the session in which it is done
	 * @throws {AppError} `approval`, `account.session-ended`
	 */
	approve(id: string, by: Account, hash: string, session: string): Promise<void>;
	/**
	 * Rejects a request, with a reason.
	 * @param session as of {@link approve}
	 * @throws {AppError} `approval`, `account.session-ended`
	 */
	reject(id: string, by: Account, reason: string, session: string): Promise<void>;
	/** Voids the open requests of a transaction or migration that is discarded or rebuilt. */
	voidOf(subject: string, by: string, within?: Executor<AccessTables>): Promise<void>;
	/** Voids one request whose author is refused, if it is open; requests of other members stay open. */
	voidOne(id: string, by: string): Promise<void>;
	/**
	 * Closes a request on behalf of its author.
	 * @throws {AppError} `approval`
	 */
	withdraw(id: string, by: Account): Promise<void>;
	/** Expires requests that were not approved in time. @returns whether any request was open */
	expire(): Promise<boolean>;
	/** Closes requests for bytes that no block accepts any more, so that members approve none in vain. */
	expireOutlived(): Promise<void>;
	/** Deletes requests that were closed long ago. @param doubtMs milliseconds that the clock may be ahead */
	forget(doubtMs: number): Promise<void>;
}

interface ApprovalParts {
	db: Database<AccessTables>;
	audit: Audit;
	policies: Pick<Policies, 'list'>;
	wallets: Pick<Wallets, 'choiceOf'>;
	measurer: Pick<Measurer, 'measure'>;
	gateway: Pick<Gateway, 'call'>;
	/** Unix milliseconds. */
	clock?: () => number;
}

/** Whether enough members who count now have approved an open request. */
const isApproved = ({ state, terms, voters, account }: StandingRequest): boolean =>
	state === 'open' && isMet(terms, voters, account);

export function createApprovals({
	db,
	audit,
	policies,
	wallets,
	measurer,
	gateway,
	clock = Date.now
}: ApprovalParts): Approvals {
	const open = createOpenRequests(audit, clock);
	const decisions = createDecisions({ db, audit, open, policies, measurer, clock });

	const standing = db.selectFrom('approval_requests').select(STANDING_COLUMNS);
	const badge = createBadge(db.changeStamp, clock, async () =>
		standingRequests(
			db,
			await standing
				.where('state', '=', 'open')
				.where('expires_at', '>', BigInt(clock()))
				.orderBy('id')
				.execute(),
			clock()
		)
	);

	const openRows = (within: Executor<AccessTables>) =>
		within.selectFrom('approval_requests').select(LISTED_COLUMNS).where('state', '=', 'open');

	/** Without checking the expiry again under the lock: a request that is due stays due. */
	const expireOne = (id: string): Promise<void> =>
		db.transaction().execute(async (trx) => {
			await lockPolicies(trx);
			const rows = await openRows(trx).where('id', '=', id).execute();
			for (const request of await listedRequests(trx, rows, clock()))
				await open.close(trx, request, 'expired', { by: 'policies' });
		});

	/** Voids open requests: that of an id, or all of a subject. */
	async function voidEach(
		trx: Executor<AccessTables>,
		column: 'id' | 'subject',
		value: string,
		by: string
	): Promise<void> {
		// Prevents an approval between the query and the closing.
		await lockPolicies(trx);
		const rows = await openRows(trx).where(column, '=', value).execute();
		for (const request of await listedRequests(trx, rows, clock()))
			await open.close(trx, request, 'voided', { by });
	}

	async function openOfEach(
		subjects: readonly string[],
		account: Account | null
	): Promise<ReadonlyMap<string, StandingRequest>> {
		// PostgreSQL rejects an empty `in ()` list.
		if (account === null || subjects.length === 0) return new Map();
		const rows = await standing
			.where('subject', 'in', subjects)
			.where('state', '=', 'open')
			.where('expires_at', '>', BigInt(clock()))
			.where(readableBy(await readerOf(account)))
			.orderBy('created_at')
			.execute();
		const requests = await standingRequests(db, rows, clock());
		// A later request of another member must not hide one that is approved: its author can send.
		const rank = (request: StandingRequest): number =>
			isApproved(request) ? (request.account === account.id ? 2 : 1) : 0;
		// The last one of a subject overwrites the earlier ones; of equal rank it is the newest.
		const ranked = requests.toSorted((a, b) => rank(a) - rank(b));
		return new Map(ranked.map((request) => [request.subject ?? '', request]));
	}

	async function readerOf({ id, role }: Account): Promise<Reader> {
		return { id, role, wallets: await wallets.choiceOf(id) };
	}

	return {
		ask: createApprovalRequester({ db, audit, open, clock }),

		async use(trx, { account, hex, terms }) {
			// All changes of accounts take this lock, so an approver who was disabled before does not count.
			await audit.lock(trx);
			const found = await open.byBytes(trx, account, hexHash(hex));
			if (found?.isKnown !== true) return false;
			const { request } = found;
			if (request.state !== 'open' || request.hex !== hex) return false;
			if (!sameTerms(request.terms, terms)) return false;
			if (!isMet(terms, request.voters, account)) return false;
			return open.close(trx, request, 'used', { by: request.author });
		},

		reopen: (trx, { account, hex }) => open.reopen(trx, account, hexHash(hex)),

		readerOf,

		async get(id, account) {
			const row = await db
				.selectFrom('approval_requests')
				.selectAll()
				.where('id', '=', id)
				.where(readableBy(await readerOf(account)))
				.executeTakeFirst();
			return approvalRequestOf(db, row, clock());
		},

		openOf: async (subject, account) => (await openOfEach([subject], account)).get(subject) ?? null,

		openOfEach,

		async lastOf(subject, within = db) {
			const newest = within
				.selectFrom('approval_requests')
				.select(STANDING_COLUMNS)
				.where('subject', '=', subject)
				.orderBy('created_at', 'desc');
			// Open requests come first: the created_at of an earlier one may come from a server whose clock is
			// ahead.
			const open = await newest.where('state', '=', 'open').execute();
			const rows = open.length > 0 ? open : await newest.limit(1).execute();
			const requests = await standingRequests(within, rows, clock());
			return requests.find(isApproved) ?? requests[0] ?? null;
		},

		shownCount: badge.count,
		shownStamp: badge.stamp,

		async isMet(id) {
			const rows = await standing.where('id', '=', id).execute();
			const [request] = await standingRequests(db, rows, clock());
			return request !== undefined && isApproved(request);
		},

		async isLacking(subject, author) {
			const rows = await standing
				.where('subject', '=', subject)
				.where('author', '=', author)
				.where('state', '=', 'open')
				.where('expires_at', '>', BigInt(clock()))
				.orderBy('created_at', 'desc')
				.execute();
			const requests = await standingRequests(db, rows, clock());
			const [newest] = requests;
			if (newest === undefined || requests.some(isApproved)) return false;
			return decisions.isCurrent(db, newest);
		},

		approve: decisions.approve,
		reject: decisions.reject,
		withdraw: decisions.withdraw,

		async voidOf(subject, by, within) {
			if (within) await voidEach(within, 'subject', subject, by);
			else await db.transaction().execute((trx) => voidEach(trx, 'subject', subject, by));
		},

		voidOne: (id, by) => db.transaction().execute((trx) => voidEach(trx, 'id', id, by)),

		async expire() {
			const rows = await db
				.selectFrom('approval_requests')
				.select(['id', 'expires_at'])
				.where('state', '=', 'open')
				.execute();
			for (const { id, expires_at } of rows) {
				if (expires_at <= BigInt(clock())) await expireOne(id);
			}
			return rows.length > 0;
		},

		async expireOutlived() {
			for (const id of await outlivedRequests(db, gateway)) await expireOne(id);
		},

		forget: (doubtMs) => forgetClosed(db, clock() - doubtMs)
	};
}
