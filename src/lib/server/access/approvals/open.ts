/** Open requests: verified against the audit log when they are read, and closed once. */
import type { ApprovalVoid } from '#lib/messages/approvalVoid.ts';
import { agree, factsOfRow, idOf, touch } from '../../platform/audit-trail/recorded.ts';
import type { Executor } from '../../platform/database/database.ts';
import { AppError } from '../../platform/errors/appError.ts';
import { sha256Hex } from '../../platform/secrets/digest.ts';
import type { Audit } from '../audit/audit.ts';
import type { RecordedPart } from '../audit/recordedState.ts';
import { readMovements, recordedMovements } from '../policy/rules/facts.ts';
import { lockPolicies } from '../changes/lock.ts';
import type { AccessTables } from '../tables.ts';
import { votesOf, approvalRequestOf } from './find.ts';
import type { ApprovalRequest, ListedRequest, RequestRow, VoteRow } from './request.ts';
import type { ApprovalState } from './tables.ts';

/** Returns the hash under which a request is stored: the SHA-256 of the hex text of its bytes. */
export const hexHash = (hex: string): string => sha256Hex(hex);
/** Value of the unique column `open_key`: one open request per account and bytes. */
export const keyOf = (account: string, hash: string): string => `${account} ${hash}`;

interface Recorded {
	row: RequestRow;
	votes: readonly VoteRow[];
}

/** The parts that the audit log must hold of an open request and of its approvals. */
const recordedParts = ({ row, votes }: Recorded): RecordedPart[] => [
	{ table: 'approval_requests', key: [row.id], facts: factsOfRow('approval_requests', { ...row }) },
	...votes.map((vote) => ({
		table: 'approval_votes' as const,
		key: [vote.request, vote.account],
		facts: factsOfRow('approval_votes', { ...vote })
	}))
];

interface Ending {
	/** Name of the account, or `policies`, that closes it. */
	by: string;
	/** In the words of the member who closes it. */
	reason?: string;
	/** Why the policies close it. */
	why?: ApprovalVoid;
}

interface Vouched {
	request: ApprovalRequest;
	/** Whether the audit log holds the request and each of its approvals exactly as stored. */
	isKnown: boolean;
}

export interface OpenRequests {
	/** The open request of an account for these bytes, by their hash; null for none. */
	byBytes(trx: Executor<AccessTables>, account: string, hash: string): Promise<Vouched | null>;
	/**
	 * Locks the policies and returns the open request.
	 * @throws {AppError} `approval`
	 */
	take(trx: Executor<AccessTables>, id: string): Promise<ApprovalRequest>;
	/** Closes an open request and logs it; false when it was no longer open. */
	close(
		trx: Executor<AccessTables>,
		request: ListedRequest,
		state: Exclude<ApprovalState, 'open'>,
		ending: Ending
	): Promise<boolean>;
	/**
	 * Reopens the request that was used up for bytes that reached no daemon, with its approvals and its
	 * original expiry. A request that was changed since, or replaced by a new one, stays closed.
	 */
	reopen(trx: Executor<AccessTables>, account: string, hash: string): Promise<void>;
}

export function createOpenRequests(
	audit: Pick<Audit, 'append' | 'lock' | 'recorded'>,
	clock: () => number
): OpenRequests {
	const rowOf = (
		trx: Executor<AccessTables>,
		column: 'id' | 'open_key',
		value: string
	): Promise<RequestRow | undefined> =>
		trx.selectFrom('approval_requests').selectAll().where(column, '=', value).executeTakeFirst();

	async function vouched(
		trx: Executor<AccessTables>,
		column: 'id' | 'open_key',
		value: string
	): Promise<Vouched | null> {
		const found = await audit.recorded.vouch(
			async () => {
				const row = await rowOf(trx, column, value);
				return row && { row, votes: await votesOf(trx, [row.id]) };
			},
			recordedParts,
			trx
		);
		if (found === null) return null;
		const { row } = found.row;
		const request = await approvalRequestOf(trx, row, clock());
		const isKnown = found.vouched && hexHash(row.hex) === row.hash;
		return request && { request, isKnown };
	}

	/**
	 * Whether the audit log records that a request was used up, and whether the reopened request and its
	 * approvals would match what the log recorded of them while the request was open.
	 */
	async function isKnownAsUsed(trx: Executor<AccessTables>, opened: Recorded): Promise<boolean> {
		const { rows, last } = await audit.recorded.said(opened.row.id, trx);
		const parts = recordedParts(opened);
		return (
			last === 'approval.used' &&
			parts.length === rows.size &&
			parts.every(({ table, key, facts }) => agree(rows.get(idOf(table, key)), facts))
		);
	}

	return {
		byBytes: (trx, account, hash) => vouched(trx, 'open_key', keyOf(account, hash)),

		async take(trx, id) {
			await lockPolicies(trx);
			// All changes of accounts take this lock, so only members who can still log in count.
			await audit.lock(trx);
			const found = await vouched(trx, 'id', id);
			if (found === null) throw new AppError('approval.unknown');
			const { request, isKnown } = found;
			if (request.state !== 'open') throw new AppError('approval.closed', { state: request.state });
			if (!isKnown) throw new AppError('approval.unrecorded');
			return request;
		},

		async close(trx, request, state, { by, reason, why }) {
			const { id: target, chain: place, author, movements } = request;
			const { numUpdatedRows } = await trx
				.updateTable('approval_requests')
				.set({
					state,
					open_key: null,
					closed_at: clock(),
					closed_by: by,
					reason: reason ?? why ?? null
				})
				.where('id', '=', target)
				.where('state', '=', 'open')
				.executeTakeFirst();
			if (numUpdatedRows === 0n) return false;
			touch(trx, 'approval_requests', [target]);
			for (const { account } of request.votes) touch(trx, 'approval_votes', [target, account]);
			await audit.append(
				{
					actor: by,
					action: `approval.${state}`,
					target,
					place,
					detail: {
						author,
						amount: recordedMovements(movements),
						...(reason === undefined ? {} : { reason }),
						...(why === undefined ? {} : { reason: { code: 'approval-void', params: { why } } })
					}
				},
				trx
			);
			return true;
		},

		async reopen(trx, account, hash) {
			const open_key = keyOf(account, hash);
			if ((await rowOf(trx, 'open_key', open_key)) !== undefined) return;
			const row = await trx
				.selectFrom('approval_requests')
				.selectAll()
				.where('account', '=', account)
				.where('hash', '=', hash)
				.where('state', '=', 'used')
				.orderBy('closed_at', 'desc')
				.limit(1)
				.executeTakeFirst();
			if (row === undefined) return;
			const { id } = row;
			const opened = {
				...({ state: 'open', open_key, closed_at: null } as const),
				closed_by: null,
				reason: null
			};
			const votes = await votesOf(trx, [id]);
			if (!(await isKnownAsUsed(trx, { row: { ...row, ...opened }, votes }))) return;
			await trx.updateTable('approval_requests').set(opened).where('id', '=', id).execute();
			touch(trx, 'approval_requests', [id]);
			for (const { account } of votes) touch(trx, 'approval_votes', [id, account]);
			const amount = recordedMovements(readMovements(row.facts));
			const detail = { author: row.author, amount };
			await audit.append(
				{ actor: 'policies', action: 'approval.reopened', target: id, place: row.chain, detail },
				trx
			);
		}
	};
}
