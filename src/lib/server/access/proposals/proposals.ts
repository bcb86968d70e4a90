/**
 * Changes that wait for the approval of other admins. A proposal is for one change of one state. The author
 * does not count, each admin counts once, who counts is checked with each approval, and the last approval
 * applies the change in the same database transaction.
 */
import type { Selectable } from 'kysely';
import type { ChangeCode } from '#lib/messages/changes.ts';
import { factsOfRow, touch } from '../../platform/audit-trail/recorded.ts';
import type { Database, Executor } from '../../platform/database/database.ts';
import { AppError, isAppError } from '../../platform/errors/appError.ts';
import { createBadge } from '../approvals/badge.ts';
import { MOST_REASON } from '../approvals/decide.ts';
import { isAsked } from '../policy/rules/quorum.ts';
import { stateAt } from '../approvals/standing.ts';
import { enabledAdmins, votersOf } from '../policy/rules/voters.ts';
import type { Audit } from '../audit/audit.ts';
import type { RecordedPart } from '../audit/recordedState.ts';
import { refuseEnded } from '../credentials/openSession.ts';
import type { Account } from '../identity/identity.ts';
import { lockPolicies } from '../changes/lock.ts';
import type { AccessTables } from '../tables.ts';
import type { ChangeKind } from '../changes/change.ts';
import { changeOf, closeProposal } from '../changes/close.ts';
import { isBasedOn, neededApprovals } from '../changes/gate.ts';
import { readProposal, standingOfProposal, termOf, type Proposal } from './proposal.ts';
import { forgetProposals } from './retention.ts';
import type { ChangeProposalsTable, ChangeVotesTable } from '../changes/tables.ts';

/** Whether enough admins exist to approve changes. */
export interface Quorum {
	/** Number of approvals that a change needs, without its author; 0: none. */
	needed: number;
	/** Number of admins who can log in. */
	admins: number;
}

export interface Proposals {
	get(id: string): Promise<Proposal | null>;
	/** Newest first; at most {@link MOST_PAST} closed ones. */
	list(which: 'open' | 'past'): Promise<Proposal[]>;
	quorum(): Promise<Quorum>;
	/** Number of proposals that wait for this member; 0 while the database does not respond. */
	shownCount(account: string): Promise<number>;
	/** A text that differs after each change of what waits. */
	shownStamp(): Promise<string>;
	/**
	 * Approves a proposal; only by a session. The last approval applies the change.
	 * @param session hash of the session in which it is done
	 * @throws {AppError} `change`, `account.session-ended`, or why it cannot be applied
	 */
	approve(id: string, by: Account, session: string): Promise<void>;
	/**
	 * Rejects a proposal, with a reason.
	 * @param session as of {@link approve}
	 * @throws {AppError} `change`, `account.session-ended`
	 */
	reject(id: string, by: Account, reason: string, session: string): Promise<void>;
	/**
	 * Closes a proposal on behalf of its author.
	 * @throws {AppError} `change`
	 */
	withdraw(id: string, by: Account): Promise<void>;
	/**
	 * Closes proposals that expired or whose underlying state has changed.
	 * @returns whether any proposal was open
	 */
	sweep(): Promise<boolean>;
	/** Deletes proposals that were closed long ago. @param doubtMs milliseconds that the clock may be ahead */
	forget(doubtMs: number): Promise<void>;
}

/** Most closed proposals in a list. */
export const MOST_PAST = 50;

interface Parts {
	db: Database<AccessTables>;
	audit: Audit;
	/** Every kind of change that can wait for approval. */
	kinds: readonly ChangeKind[];
	/** Unix milliseconds. */
	clock?: () => number;
}

type Row = Selectable<ChangeProposalsTable>;
type Vote = Selectable<ChangeVotesTable>;

/** The parts that the audit log must hold of a proposal and of its approvals. */
const recordedParts = ({ row, votes }: { row: Row; votes: readonly Vote[] }): RecordedPart[] => [
	{ table: 'change_proposals', key: [row.id], facts: factsOfRow('change_proposals', { ...row }) },
	...votes.map((vote) => ({
		table: 'change_votes' as const,
		key: [vote.proposal, vote.account],
		facts: factsOfRow('change_votes', { ...vote })
	}))
];

export function createProposals({ db, audit, kinds, clock = Date.now }: Parts): Proposals {
	const byCode = new Map<ChangeCode, ChangeKind>(kinds.map((kind) => [kind.code, kind]));

	function kindOf({ code }: Pick<Row, 'code'>): ChangeKind {
		const kind = byCode.get(code);
		// Proposed by another version of Komodeck.
		if (kind === undefined) throw new AppError('change.unknown');
		return kind;
	}

	async function votesOf(within: Executor<AccessTables>, ids: readonly string[]): Promise<Vote[]> {
		if (ids.length === 0) return [];
		return within
			.selectFrom('change_votes')
			.selectAll()
			.where('proposal', 'in', ids)
			.orderBy('at')
			.execute();
	}

	async function shown(within: Executor<AccessTables>, rows: readonly Row[]): Promise<Proposal[]> {
		if (rows.length === 0) return [];
		const votes = await votesOf(
			within,
			rows.map(({ id }) => id)
		);
		const members = await votersOf(within);
		const now = clock();
		return rows.map((row) => readProposal(row, votes, members, now));
	}

	const rowOf = (within: Executor<AccessTables>, id: string): Promise<Row | undefined> =>
		within.selectFrom('change_proposals').selectAll().where('id', '=', id).executeTakeFirst();

	const openRows = (within: Executor<AccessTables>): Promise<Row[]> =>
		within
			.selectFrom('change_proposals')
			.selectAll()
			.where('state', '=', 'open')
			.orderBy('created_at', 'desc')
			.orderBy('id')
			.execute();

	/**
	 * Locks policies and audit log and returns an open proposal. Refuses one that the audit log does not hold
	 * exactly as stored.
	 * @throws {AppError} `change`
	 */
	async function opened(trx: Executor<AccessTables>, id: string): Promise<Row> {
		await lockPolicies(trx);
		// As in the gate: nothing may change between the preview and the change.
		await audit.lock(trx);
		const found = await audit.recorded.vouch(
			async () => {
				const row = await rowOf(trx, id);
				return row && { row, votes: await votesOf(trx, [id]) };
			},
			recordedParts,
			trx
		);
		if (found === null) throw new AppError('change.unknown');
		if (!found.vouched) throw new AppError('change.unrecorded');
		const { row } = found.row;
		const state = stateAt(row, clock());
		if (state !== 'open') throw new AppError('change.closed', { state });
		return row;
	}

	/**
	 * Refuses members who may not decide about the proposal.
	 * @throws {AppError} `change.own`, `change.not-eligible`
	 */
	async function refuseOthers(
		trx: Executor<AccessTables>,
		{ account, needed }: Row,
		by: Account
	): Promise<void> {
		if (by.id === account) throw new AppError('change.own');
		const [voter] = await votersOf(trx, [by.id]);
		const asked = voter !== undefined && isAsked(termOf(Number(needed)), voter, account);
		if (!asked) throw new AppError('change.not-eligible');
	}

	/**
	 * Whether the state is still the one that the proposal was made for, and its author is still an admin.
	 */
	async function isCurrent(within: Executor<AccessTables>, row: Row): Promise<boolean> {
		const [author] = await votersOf(within, [row.account]);
		if (author?.enabled !== true || author.role !== 'admin') return false;
		try {
			const looked = await kindOf(row).look(within, JSON.parse(row.params));
			return isBasedOn(row.base, await neededApprovals(within), looked);
		} catch (error) {
			// A change that can no longer be applied counts as outdated.
			if (!isAppError(error)) throw error;
			return false;
		}
	}

	const badge = createBadge(db.changeStamp, clock, async () => {
		const rows = await db
			.selectFrom('change_proposals')
			.select(['id', 'account', 'needed', 'expires_at'])
			.where('state', '=', 'open')
			.where('expires_at', '>', BigInt(clock()))
			.orderBy('id')
			.execute();
		const ids = rows.map(({ id }) => id);
		const votes = await votesOf(db, ids);
		const members = ids.length === 0 ? [] : await votersOf(db);
		return rows.map((row) => ({
			id: row.id,
			...standingOfProposal(row, votes, members),
			expiresAt: Number(row.expires_at)
		}));
	});

	return {
		async get(id) {
			const row = await rowOf(db, id);
			return (await shown(db, row ? [row] : []))[0] ?? null;
		},

		async list(which) {
			const now = BigInt(clock());
			let rows = db
				.selectFrom('change_proposals')
				.selectAll()
				.orderBy('created_at', 'desc')
				.orderBy('id');
			rows =
				which === 'open'
					? rows.where('state', '=', 'open').where('expires_at', '>', now)
					: rows
							.where(({ eb, or }) => or([eb('state', '!=', 'open'), eb('expires_at', '<=', now)]))
							.limit(MOST_PAST);
			return shown(db, await rows.execute());
		},

		async quorum() {
			const admins = await enabledAdmins(db);
			return { needed: await neededApprovals(db), admins };
		},

		shownCount: badge.count,
		shownStamp: badge.stamp,

		async approve(id, by, session) {
			const closed = await db.transaction().execute(async (trx) => {
				const row = await opened(trx, id);
				await refuseEnded(trx, { accountId: by.id, idHash: session });
				await refuseOthers(trx, row, by);
				const at = clock();
				if (!(await isCurrent(trx, row))) {
					await closeProposal(trx, audit, row, { state: 'voided', by: 'engine', at });
					return 'voided';
				}
				const { numInsertedOrUpdatedRows } = await trx
					.insertInto('change_votes')
					.values({ proposal: id, account: by.id, name: by.name, at })
					.onConflict((conflict) => conflict.columns(['proposal', 'account']).doNothing())
					.executeTakeFirst();
				if (numInsertedOrUpdatedRows === 0n) throw new AppError('change.twice');
				touch(trx, 'change_votes', [id, by.id]);
				const [proposal] = await shown(trx, [row]);
				if (proposal === undefined) throw new AppError('change.unknown');
				const { author, missing } = proposal;
				await audit.append(
					{
						actor: by.name,
						action: 'change.approved',
						target: id,
						detail: { change: changeOf(row), author, missing }
					},
					trx
				);
				if (missing > 0) return null;
				const authorNow: Account = { id: row.account, name: author, role: 'admin' };
				await kindOf(row).apply(trx, authorNow, JSON.parse(row.params));
				await closeProposal(trx, audit, row, { state: 'done', by: by.name, at });
				return null;
			});
			if (closed !== null) throw new AppError('change.closed', { state: closed });
		},

		async reject(id, by, reason, session) {
			const words = reason.trim().slice(0, MOST_REASON);
			if (words === '') throw new AppError('change.no-reason');
			await db.transaction().execute(async (trx) => {
				const row = await opened(trx, id);
				await refuseEnded(trx, { accountId: by.id, idHash: session });
				await refuseOthers(trx, row, by);
				const at = clock();
				await closeProposal(trx, audit, row, { state: 'rejected', by: by.name, at, reason: words });
			});
		},

		async withdraw(id, by) {
			await db.transaction().execute(async (trx) => {
				const row = await opened(trx, id);
				if (row.account !== by.id) throw new AppError('change.not-eligible');
				await closeProposal(trx, audit, row, { state: 'withdrawn', by: by.name, at: clock() });
			});
		},

		async sweep() {
			const isOver = (row: Row): boolean => Number(row.expires_at) <= clock();
			const rows = await openRows(db);
			for (const row of rows) {
				// Asked without the lock first: most rounds end nothing.
				if (!isOver(row) && (await isCurrent(db, row))) continue;
				await db.transaction().execute(async (trx) => {
					await lockPolicies(trx);
					const now = await rowOf(trx, row.id);
					if (now?.state !== 'open') return;
					const over = isOver(now);
					if (!over && (await isCurrent(trx, now))) return;
					const state = over ? 'expired' : 'voided';
					await closeProposal(trx, audit, now, { state, by: 'engine', at: clock() });
				});
			}
			return rows.length > 0;
		},

		forget: (doubtMs) => forgetProposals(db, audit, clock() - doubtMs)
	};
}
