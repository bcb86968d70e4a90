/**
 * Approvals of what a rule of the policies asks for. A request is for exact bytes and for one revision of each rule;
 * the author does not count, each member counts once, and who counts is asked again in the transaction in which the
 * bytes go out.
 */
import type { Database, Executor } from '../../platform/database/database.ts';
import type { Gateway } from '../../chains/daemon/types.ts';
import type { Audit } from '../audit/audit.ts';
import type { Account } from '../policy/identity.ts';
import type { Measurer } from '../policy/limits/measurer.ts';
import { lockPolicies } from '../policy/rules/lock.ts';
import type { Policies } from '../policy/rules/policies.ts';
import type { Wallets } from '../policy/wallets/wallets.ts';
import type { AccessTables } from '../tables.ts';
import { createAsk, type Wanted } from './ask.ts';
import { createBadge } from './badge.ts';
import { createDecisions } from './decide.ts';
import { listedRequests, standingRequests, wholeRequest } from './find.ts';
import { createOpenRequests, hashOf } from './open.ts';
import { outlivedRequests } from './outlived.ts';
import { isMet, sameTerms } from './quorum.ts';
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
	 * Asks for approvals; the id of the request, which is that of an open one for the same.
	 * @param within the transaction in which what is asked for begins to wait
	 * @throws {AppError} `policy.too-many-open`
	 */
	ask(wanted: Wanted, within?: Executor<AccessTables>): Promise<string>;
	/**
	 * Uses up the approvals of these bytes, within the transaction in which they go out; false when they are not
	 * enough, of members who count now and under these terms.
	 */
	use(trx: Executor<AccessTables>, used: Used): Promise<boolean>;
	/**
	 * Opens the request again that was used up for bytes which reached nobody, with its approvals and until its time is
	 * over. One that was changed since, or asked for anew, stays closed.
	 */
	reopen(trx: Executor<AccessTables>, used: Pick<Used, 'account' | 'hex'>): Promise<void>;
	/** A member as one who reads requests. */
	readerOf(account: Account): Promise<Reader>;
	/** A request; null when there is none that this member may read. */
	get(id: string, account: Account): Promise<ApprovalRequest | null>;
	/** The open request for a transaction or migration; null when there is none that this member may read. */
	openOf(subject: string, account: Account | null): Promise<StandingRequest | null>;
	/** The same of several at once, by their ids; those without one are missing. */
	openOfEach(
		subjects: readonly string[],
		account: Account | null
	): Promise<ReadonlyMap<string, StandingRequest>>;
	/** The newest request for a transaction or migration, whatever became of it. */
	lastOf(subject: string): Promise<StandingRequest | null>;
	/** How many wait for this member; none while the database does not answer. */
	shownCount(account: string): Promise<number>;
	/** Another text after each change of what waits for members. */
	shownStamp(): Promise<string>;
	/** Whether enough members who count now have approved. */
	isMet(id: string): Promise<boolean>;
	/**
	 * Whether an open request for a transaction, by rules that are still the same, lacks approvals: it would be asked
	 * for once more, and nothing else.
	 */
	isLacking(subject: string): Promise<boolean>;
	/**
	 * Approves, by a session only. What the bytes do is read again.
	 * @param hash of the bytes that the member saw
	 * @throws {AppError} `approval`
	 */
	approve(id: string, by: Account, hash: string): Promise<void>;
	/** Rejects, with a reason. @throws {AppError} `approval` */
	reject(id: string, by: Account, reason: string): Promise<void>;
	/** Ends the open requests of a transaction or migration that is discarded or built anew. */
	voidOf(subject: string, by: string, within?: Executor<AccessTables>): Promise<void>;
	/** The author ends a request. @throws {AppError} `approval` */
	withdraw(id: string, by: Account): Promise<void>;
	/** Ends what was not approved in time. @returns whether any was open */
	expire(): Promise<boolean>;
	/** Ends requests for bytes that no block accepts any more, so that nobody approves those. */
	expireOutlived(): Promise<void>;
	/** Deletes what was closed long ago. */
	forget(): Promise<void>;
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

	const openOf = (subject: string) =>
		standing
			.where('subject', '=', subject)
			.where('state', '=', 'open')
			.where('expires_at', '>', BigInt(clock()))
			.orderBy('created_at', 'desc')
			.limit(1);

	const openRows = (within: Executor<AccessTables>) =>
		within.selectFrom('approval_requests').select(LISTED_COLUMNS).where('state', '=', 'open');

	/** Nothing becomes due in time again. */
	const expireOne = (id: string): Promise<void> =>
		db.transaction().execute(async (trx) => {
			await lockPolicies(trx);
			const rows = await openRows(trx).where('id', '=', id).execute();
			for (const request of await listedRequests(trx, rows, clock()))
				await open.close(trx, request, 'expired', { by: 'policies' });
		});

	async function openOfEach(
		subjects: readonly string[],
		account: Account | null
	): Promise<ReadonlyMap<string, StandingRequest>> {
		// An empty list is no valid SQL in PostgreSQL.
		if (account === null || subjects.length === 0) return new Map();
		const rows = await standing
			.where('subject', 'in', subjects)
			.where('state', '=', 'open')
			.where('expires_at', '>', BigInt(clock()))
			.where(readableBy(await readerOf(account)))
			.orderBy('created_at')
			.execute();
		const requests = await standingRequests(db, rows, clock());
		// Of several the newest.
		return new Map(requests.map((request) => [request.subject ?? '', request]));
	}

	async function readerOf({ id, role }: Account): Promise<Reader> {
		return { id, role, wallets: await wallets.choiceOf(id) };
	}

	return {
		ask: createAsk({ db, audit, open, clock }),

		async use(trx, { account, hex, terms }) {
			// Accounts change under this one alone: an approver who was disabled before counts no more.
			await audit.lock(trx);
			const found = await open.byBytes(trx, account, hashOf(hex));
			if (found?.isKnown !== true) return false;
			const { request } = found;
			if (request.state !== 'open' || request.hex !== hex) return false;
			if (!sameTerms(request.terms, terms)) return false;
			if (!isMet(terms, request.voters, account)) return false;
			return open.close(trx, request, 'used', { by: request.author });
		},

		reopen: (trx, { account, hex }) => open.reopen(trx, account, hashOf(hex)),

		readerOf,

		async get(id, account) {
			const row = await db
				.selectFrom('approval_requests')
				.selectAll()
				.where('id', '=', id)
				.where(readableBy(await readerOf(account)))
				.executeTakeFirst();
			return wholeRequest(db, row, clock());
		},

		openOf: async (subject, account) => (await openOfEach([subject], account)).get(subject) ?? null,

		openOfEach,

		async lastOf(subject) {
			// The open one first: an earlier one may be of a server whose clock is ahead.
			const rows = await standing
				.where('subject', '=', subject)
				.orderBy((eb) => eb('state', '=', 'open'), 'desc')
				.orderBy('created_at', 'desc')
				.limit(1)
				.execute();
			return (await standingRequests(db, rows, clock()))[0] ?? null;
		},

		shownCount: badge.count,
		shownStamp: badge.stamp,

		async isMet(id) {
			const rows = await standing.where('id', '=', id).execute();
			const [request] = await standingRequests(db, rows, clock());
			return request?.state === 'open' && isMet(request.terms, request.voters, request.account);
		},

		async isLacking(subject) {
			const rows = await openOf(subject).execute();
			const [request] = await standingRequests(db, rows, clock());
			if (request === undefined) return false;
			if (isMet(request.terms, request.voters, request.account)) return false;
			return decisions.isCurrent(db, request);
		},

		approve: decisions.approve,
		reject: decisions.reject,
		withdraw: decisions.withdraw,

		async voidOf(subject, by, within) {
			const run = async (trx: Executor<AccessTables>): Promise<void> => {
				// No approval comes between the look and the end.
				await lockPolicies(trx);
				const rows = await trx
					.selectFrom('approval_requests')
					.select(LISTED_COLUMNS)
					.where('subject', '=', subject)
					.where('state', '=', 'open')
					.execute();
				for (const request of await listedRequests(trx, rows, clock()))
					await open.close(trx, request, 'voided', { by });
			};
			if (within) await run(within);
			else await db.transaction().execute(run);
		},

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

		forget: () => forgetClosed(db, clock())
	};
}
