/**
 * Approvals of what a rule of the policies asks for. A request is for exact bytes and for one revision of each rule;
 * the author does not count, each member counts once, and who counts is asked again in the transaction in which the
 * bytes go out.
 */
import { createHash, randomUUID } from 'node:crypto';
import type { Selectable } from 'kysely';
import { movementWords } from '#lib/messages/policies/movements.ts';
import { factsOfRow, touch } from '../../platform/audit-trail/recorded.ts';
import type { Database, Executor } from '../../platform/database/database.ts';
import { databaseErrorKind } from '../../platform/database/databaseError.ts';
import { createKept } from '../../platform/database/kept.ts';
import { AppError, isAppError } from '../../platform/errors/appError.ts';
import type { Audit } from '../audit/audit.ts';
import type { RecordedPart } from '../audit/recordedState.ts';
import type { Account } from '../policy/identity.ts';
import type { Measurer } from '../policy/limits/measurer.ts';
import { readMovements, storedMovements, type Movement } from '../policy/rules/facts.ts';
import type { Policies } from '../policy/rules/policies.ts';
import type { AccessTables } from '../tables.ts';
import { readRequest, type ApprovalRequest } from './request.ts';
import { isAsked, isMet, sameTerms, type Term } from './quorum.ts';
import type {
	ApprovalKind,
	ApprovalRequestsTable,
	ApprovalState,
	ApprovalVotesTable
} from './tables.ts';
import { votersOf } from './voters.ts';

/** How long a request is open: signed bytes are good for 200 blocks, about three hours. */
export const APPROVAL_MS = 2 * 3_600_000;
/** On KMD a transaction that claims interest has to go out within an hour. */
const KMD_APPROVAL_MS = 50 * 60_000;

/** What is to be approved. */
export interface Wanted {
	/** Account of the author. */
	account: string;
	author: string;
	token: string | null;
	wallet: string;
	chain: string;
	hex: string;
	payouts: string | null;
	movements: readonly Movement[];
	terms: readonly Term[];
	kind: ApprovalKind;
	/** Id of the transaction or migration. */
	subject: string | null;
}

/** The bytes that an approval is used for. */
export type Used = Pick<Wanted, 'account' | 'hex' | 'terms'>;

/** Approvals that were used up, as long as whoever did it may give them back. */
export interface UsedUp {
	/** Id of the request. */
	request: string;
	/** What the log said of the request and its approvals: of what is closed it says nothing. */
	recorded: string;
}

export interface Approvals {
	/** Asks for approvals; the id of the request, which is that of an open one for the same. */
	ask(wanted: Wanted): Promise<string>;
	/**
	 * Uses up the approvals of these bytes, within the transaction in which they go out; null when they are not
	 * enough, of members who count now and under these terms.
	 */
	use(trx: Executor<AccessTables>, used: Used): Promise<UsedUp | null>;
	/**
	 * Opens a request again whose bytes reached nobody, with its approvals and until its time is over. One that was
	 * changed since, or asked for anew, stays closed.
	 */
	reopen(trx: Executor<AccessTables>, used: UsedUp): Promise<void>;
	get(id: string): Promise<ApprovalRequest | null>;
	/** The open request for a transaction or migration. */
	openOf(subject: string): Promise<ApprovalRequest | null>;
	/** The newest request for a transaction or migration, whatever became of it. */
	lastOf(subject: string): Promise<ApprovalRequest | null>;
	list(filter: 'waiting' | 'own' | 'past', account: string): Promise<ApprovalRequest[]>;
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
	/** Ends the open requests of a transaction or migration that is given up or built anew. */
	voidOf(subject: string, by: string, within?: Executor<AccessTables>): Promise<void>;
	/** The author ends a request. @throws {AppError} `approval` */
	withdraw(id: string, by: Account): Promise<void>;
	/** Ends what nobody approved in time. */
	expire(): Promise<void>;
}

const MOST_REASON = 500;
const MOST_LISTED = 200;

export const hashOf = (hex: string): string => createHash('sha256').update(hex).digest('hex');
const keyOf = (account: string, hash: string): string => `${account} ${hash}`;

/** Facts without which wallets are ours, which the bytes do not say and a daemon that starts does not know yet. */
const withoutOwn = (facts: string): string => facts.replaceAll(/"own":(?:true|false)/g, '"own":0');

interface ApprovalParts {
	db: Database<AccessTables>;
	audit: Audit;
	policies: Pick<Policies, 'lock' | 'list'>;
	measurer: Pick<Measurer, 'measure'>;
	/** Unix milliseconds. */
	clock?: () => number;
}

type Row = Selectable<ApprovalRequestsTable>;
type Vote = Selectable<ApprovalVotesTable>;

interface Recorded {
	row: Row;
	votes: readonly Vote[];
}

/** What the log must say of an open request and of its approvals. */
const recordedParts = ({ row, votes }: Recorded): RecordedPart[] => [
	{ table: 'approval_requests', key: [row.id], facts: factsOfRow('approval_requests', { ...row }) },
	...votes.map((vote) => ({
		table: 'approval_votes' as const,
		key: [vote.request, vote.account],
		facts: factsOfRow('approval_votes', { ...vote })
	}))
];

const recordedText = (recorded: Recorded): string => JSON.stringify(recordedParts(recorded));

export function createApprovals({
	db,
	audit,
	policies,
	measurer,
	clock = Date.now
}: ApprovalParts): Approvals {
	const votesOf = (within: Executor<AccessTables>, ids: readonly string[]): Promise<Vote[]> =>
		within
			.selectFrom('approval_votes')
			.selectAll()
			.where('request', 'in', ids)
			.orderBy('at')
			.orderBy('account')
			.execute();

	async function withVotes(
		within: Executor<AccessTables>,
		rows: readonly Row[]
	): Promise<ApprovalRequest[]> {
		if (rows.length === 0) return [];
		const votes = await votesOf(
			within,
			rows.map(({ id }) => id)
		);
		const voters = await votersOf(within);
		const now = clock();
		return rows.map((row) => readRequest(row, votes, voters, now));
	}

	const rowOf = (within: Executor<AccessTables>, id: string): Promise<Row | undefined> =>
		within.selectFrom('approval_requests').selectAll().where('id', '=', id).executeTakeFirst();

	async function find(within: Executor<AccessTables>, id: string): Promise<ApprovalRequest | null> {
		const row = await rowOf(within, id);
		return (await withVotes(within, row ? [row] : []))[0] ?? null;
	}

	/** An open request, with whether the log knows it and each of its approvals as they stand. */
	async function vouched(
		trx: Executor<AccessTables>,
		read: () => Promise<Row | undefined>
	): Promise<{ request: ApprovalRequest; isKnown: boolean; recorded: string } | null> {
		const found = await audit.recorded.vouch(
			async () => {
				const row = await read();
				return row && { row, votes: await votesOf(trx, [row.id]) };
			},
			recordedParts,
			trx
		);
		if (found === null) return null;
		const { row, votes } = found.row;
		const request = readRequest(row, votes, await votersOf(trx), clock());
		const isKnown = found.vouched && hashOf(row.hex) === row.hash;
		return { request, isKnown, recorded: recordedText(found.row) };
	}

	const byKey = (trx: Executor<AccessTables>, account: string, hash: string) =>
		trx
			.selectFrom('approval_requests')
			.selectAll()
			.where('open_key', '=', keyOf(account, hash))
			.executeTakeFirst();

	/** Ends an open request; false when it was not open any more. */
	async function close(
		trx: Executor<AccessTables>,
		request: ApprovalRequest,
		state: Exclude<ApprovalState, 'open'>,
		{ by, reason = null }: { by: string; reason?: string | null }
	): Promise<boolean> {
		const { numUpdatedRows } = await trx
			.updateTable('approval_requests')
			.set({ state, open_key: null, closed_at: clock(), closed_by: by, reason })
			.where('id', '=', request.id)
			.where('state', '=', 'open')
			.executeTakeFirst();
		if (numUpdatedRows === 0n) return false;
		const { id: target, chain: place, author, summary } = request;
		touch(trx, 'approval_requests', [target]);
		for (const { account } of request.votes) touch(trx, 'approval_votes', [target, account]);
		await audit.append(
			{
				actor: by,
				action: `approval.${state}`,
				target,
				place,
				detail: { author, amount: summary, ...(reason === null ? {} : { reason }) }
			},
			trx
		);
		return true;
	}

	/** The open request, in a transaction that nobody judges beside. @throws {AppError} `approval` */
	async function opened(trx: Executor<AccessTables>, id: string): Promise<ApprovalRequest> {
		await policies.lock(trx);
		const found = await vouched(trx, () => rowOf(trx, id));
		if (found === null) throw new AppError('approval.unknown');
		const { request, isKnown } = found;
		if (request.state !== 'open') throw new AppError('approval.closed', { state: request.state });
		if (!isKnown) throw new AppError('approval.unrecorded');
		return request;
	}

	/** @throws {AppError} `approval.own`, `approval.not-eligible` */
	async function refuseOthers(
		trx: Executor<AccessTables>,
		request: ApprovalRequest,
		account: string
	): Promise<void> {
		if (account === request.account) throw new AppError('approval.own');
		const [voter] = await votersOf(trx, [account]);
		const asked = request.terms.some(
			(term) => voter !== undefined && isAsked(term, voter, request.account)
		);
		if (!asked) throw new AppError('approval.not-eligible');
	}

	/** Whether the rules are still those that the request is for. */
	async function isCurrent(
		trx: Executor<AccessTables>,
		{ terms }: ApprovalRequest
	): Promise<boolean> {
		const rules = await policies.list(trx);
		return terms.every(({ rule, revision }) =>
			rules.some((one) => one.id === rule && one.revision === revision)
		);
	}

	/** What the bytes do now, read anew. @throws {AppError} `approval.unchecked` */
	async function factsNow({ wallet, hex, payouts }: ApprovalRequest): Promise<string> {
		try {
			return withoutOwn(storedMovements((await measurer.measure(wallet, hex, payouts)).movements));
		} catch (cause) {
			if (!isAppError(cause, 'limit')) throw cause;
			throw new AppError('approval.unchecked', { why: cause.message }, { cause });
		}
	}

	async function voided(id: string, reason: string): Promise<void> {
		await db.transaction().execute(async (trx) => {
			await policies.lock(trx);
			const request = await find(trx, id);
			if (request) await close(trx, request, 'voided', { by: 'policies', reason });
		});
	}

	async function openOf(subject: string): Promise<ApprovalRequest | null> {
		const rows = await db
			.selectFrom('approval_requests')
			.selectAll()
			.where('subject', '=', subject)
			.where('state', '=', 'open')
			.orderBy('created_at', 'desc')
			.execute();
		return (await withVotes(db, rows)).find(({ state }) => state === 'open') ?? null;
	}

	const kept = createKept<ApprovalRequest[]>(db.changeStamp);

	/** What is open, for showing on every page: nothing while the database does not answer. */
	async function shownOpen(): Promise<ApprovalRequest[]> {
		const read = async (): Promise<ApprovalRequest[]> => {
			const rows = await db
				.selectFrom('approval_requests')
				.selectAll()
				.where('state', '=', 'open')
				.orderBy('id')
				.execute();
			return withVotes(db, rows);
		};
		try {
			const open = (await kept.get('open', read)) ?? [];
			return open.filter(({ state, expiresAt }) => state === 'open' && expiresAt > clock());
		} catch (error) {
			if (databaseErrorKind(error) === null) throw error;
			return [];
		}
	}

	return {
		async ask(wanted) {
			const now = clock();
			const hash = hashOf(wanted.hex);
			const key = keyOf(wanted.account, hash);
			return db.transaction().execute(async (trx) => {
				await policies.lock(trx);
				const before = await vouched(trx, () => byKey(trx, wanted.account, hash));
				if (before?.isKnown === false) {
					const reason = 'the audit log does not know it as it stands';
					await close(trx, before.request, 'voided', { by: 'policies', reason });
				} else if (before) {
					const { request: open } = before;
					if (open.state === 'open' && sameTerms(open.terms, wanted.terms)) return open.id;
					const isOld = open.state === 'expired';
					await close(trx, open, isOld ? 'expired' : 'voided', { by: 'policies' });
				}
				const id = randomUUID();
				const most = wanted.chain === 'KMD' ? KMD_APPROVAL_MS : APPROVAL_MS;
				const facts = storedMovements(wanted.movements);
				await trx
					.insertInto('approval_requests')
					.values({
						id,
						kind: wanted.kind,
						subject: wanted.subject,
						account: wanted.account,
						author: wanted.author,
						token: wanted.token,
						wallet: wanted.wallet,
						chain: wanted.chain,
						hex: wanted.hex,
						hash,
						payouts: wanted.payouts,
						facts,
						terms: JSON.stringify(wanted.terms),
						state: 'open',
						open_key: key,
						created_at: now,
						expires_at: now + most
					})
					.execute();
				touch(trx, 'approval_requests', [id]);
				const voters = await votersOf(trx);
				const approvers = voters.filter((voter) =>
					wanted.terms.some((term) => isAsked(term, voter, wanted.account))
				);
				await audit.append(
					{
						actor: wanted.author,
						action: 'approval.requested',
						target: id,
						place: wanted.chain,
						detail: {
							kind: wanted.movements[0]?.kind ?? wanted.kind,
							chain: wanted.chain,
							amount: movementWords(wanted.movements),
							approvers: approvers.map(({ name }) => name),
							...(wanted.token === null ? {} : { tokenId: wanted.token }),
							hash
						}
					},
					trx
				);
				return id;
			});
		},

		async use(trx, { account, hex, terms }) {
			const found = await vouched(trx, () => byKey(trx, account, hashOf(hex)));
			if (found?.isKnown !== true) return null;
			const { request, recorded } = found;
			if (request.state !== 'open' || request.hex !== hex) return null;
			if (!sameTerms(request.terms, terms)) return null;
			if (!isMet(terms, request.voters, account)) return null;
			const isUsed = await close(trx, request, 'used', { by: request.author });
			return isUsed ? { request: request.id, recorded } : null;
		},

		async reopen(trx, { request: id, recorded }) {
			const row = await rowOf(trx, id);
			if (row?.state !== 'used') return;
			if ((await byKey(trx, row.account, row.hash)) !== undefined) return;
			const opened = {
				state: 'open',
				open_key: keyOf(row.account, row.hash),
				closed_at: null,
				closed_by: null,
				reason: null
			} as const;
			const votes = await votesOf(trx, [id]);
			if (recordedText({ row: { ...row, ...opened }, votes }) !== recorded) return;
			await trx.updateTable('approval_requests').set(opened).where('id', '=', id).execute();
			touch(trx, 'approval_requests', [id]);
			for (const { account } of votes) touch(trx, 'approval_votes', [id, account]);
			const detail = { author: row.author, amount: movementWords(readMovements(row.facts)) };
			await audit.append(
				{ actor: 'policies', action: 'approval.reopened', target: id, place: row.chain, detail },
				trx
			);
		},

		get: (id) => find(db, id),

		openOf,

		async lastOf(subject) {
			const row = await db
				.selectFrom('approval_requests')
				.selectAll()
				.where('subject', '=', subject)
				.orderBy('created_at', 'desc')
				.limit(1)
				.executeTakeFirst();
			return (await withVotes(db, row ? [row] : []))[0] ?? null;
		},

		async list(filter, account) {
			let query = db
				.selectFrom('approval_requests')
				.selectAll()
				.orderBy('created_at', 'desc')
				.orderBy('id')
				.limit(MOST_LISTED);
			if (filter === 'waiting') query = query.where('state', '=', 'open');
			if (filter === 'own') query = query.where('account', '=', account);
			const requests = await withVotes(db, await query.execute());
			if (filter === 'own') return requests;
			if (filter === 'past') return requests.filter(({ state }) => state !== 'open');
			return requests.filter(({ state, waitsFor }) => state === 'open' && waitsFor.has(account));
		},

		async shownCount(account) {
			return (await shownOpen()).filter(({ waitsFor }) => waitsFor.has(account)).length;
		},

		async shownStamp() {
			return (await shownOpen()).map(({ id, votes }) => `${id} ${votes.length}`).join();
		},

		async isMet(id) {
			const request = await find(db, id);
			return request?.state === 'open' && isMet(request.terms, request.voters, request.account);
		},

		async isLacking(subject) {
			const request = await openOf(subject);
			if (request === null || isMet(request.terms, request.voters, request.account)) return false;
			return isCurrent(db, request);
		},

		async approve(id, by, hash) {
			const seen = await find(db, id);
			if (seen === null) throw new AppError('approval.unknown');
			if (seen.state !== 'open') throw new AppError('approval.closed', { state: seen.state });
			// Who is not asked learns nothing of the bytes, and costs no daemon a call.
			await refuseOthers(db, seen, by.id);
			if (hash !== seen.hash || hashOf(seen.hex) !== seen.hash) {
				throw new AppError('approval.changed-bytes');
			}
			if ((await factsNow(seen)) !== withoutOwn(seen.facts)) {
				await voided(id, 'the bytes do something else now');
				throw new AppError('approval.changed-bytes');
			}
			const isVoid = await db.transaction().execute(async (trx) => {
				const request = await opened(trx, id);
				if (request.hash !== hash) throw new AppError('approval.changed-bytes');
				await refuseOthers(trx, request, by.id);
				if (!(await isCurrent(trx, request))) {
					return close(trx, request, 'voided', { by: 'policies', reason: 'the rule was changed' });
				}
				const vote = { request: id, account: by.id, name: by.name, at: clock() };
				const { numInsertedOrUpdatedRows } = await trx
					.insertInto('approval_votes')
					.values(vote)
					.onConflict((conflict) => conflict.columns(['request', 'account']).doNothing())
					.executeTakeFirst();
				if (numInsertedOrUpdatedRows === 0n) throw new AppError('approval.twice');
				touch(trx, 'approval_votes', [id, vote.account]);
				const { chain: place, author, summary } = request;
				await audit.append(
					{
						actor: by.name,
						action: 'approval.approved',
						target: id,
						place,
						detail: { author, amount: summary, hash }
					},
					trx
				);
				return false;
			});
			if (isVoid) throw new AppError('approval.closed', { state: 'voided' });
		},

		async reject(id, by, reason) {
			const words = reason.trim().slice(0, MOST_REASON);
			if (words === '') throw new AppError('approval.no-reason');
			await db.transaction().execute(async (trx) => {
				const request = await opened(trx, id);
				await refuseOthers(trx, request, by.id);
				await close(trx, request, 'rejected', { by: by.name, reason: words });
			});
		},

		async withdraw(id, by) {
			await db.transaction().execute(async (trx) => {
				const request = await opened(trx, id);
				if (request.account !== by.id) throw new AppError('approval.not-eligible');
				await close(trx, request, 'voided', { by: by.name });
			});
		},

		async voidOf(subject, by, within) {
			const run = async (trx: Executor<AccessTables>): Promise<void> => {
				const rows = await trx
					.selectFrom('approval_requests')
					.selectAll()
					.where('subject', '=', subject)
					.where('state', '=', 'open')
					.execute();
				for (const request of await withVotes(trx, rows))
					await close(trx, request, 'voided', { by });
			};
			if (within) await run(within);
			else await db.transaction().execute(run);
		},

		async expire() {
			const rows = await db
				.selectFrom('approval_requests')
				.selectAll()
				.where('state', '=', 'open')
				.where('expires_at', '<=', BigInt(clock()))
				.execute();
			for (const request of await withVotes(db, rows)) {
				await db.transaction().execute(async (trx) => {
					await close(trx, request, 'expired', { by: 'policies' });
				});
			}
		}
	};
}
