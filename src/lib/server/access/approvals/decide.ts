/** Decisions of members about open requests: each member decides once, and never about an own request. */
import type { ApprovalVoid } from '#lib/messages/approvalVoid.ts';
import { touch } from '../../platform/audit-trail/recorded.ts';
import type { Database, Executor } from '../../platform/database/database.ts';
import { AppError, isAppError } from '../../platform/errors/appError.ts';
import type { Audit } from '../audit/audit.ts';
import { refuseEnded } from '../credentials/openSession.ts';
import type { Account } from '../identity/identity.ts';
import type { Measurer } from '../policy/measuring/measurer.ts';
import { recordedMovements, storedMovements } from '../policy/rules/facts.ts';
import { lockPolicies } from '../changes/lock.ts';
import type { Policies } from '../policy/rules/policies.ts';
import type { AccessTables } from '../tables.ts';
import { approvalRequestOf } from './find.ts';
import { hexHash, type OpenRequests } from './open.ts';
import { isAsked } from '../policy/rules/quorum.ts';
import type { ApprovalRequest, StandingRequest } from './request.ts';
import { votersOf } from '../policy/rules/voters.ts';

/** Most characters of a reason. */
export const MOST_REASON = 500;

/**
 * Facts without the `own` flags, which the bytes do not determine and which are not known while a daemon is
 * starting.
 */
const withoutOwn = (facts: string): string => facts.replaceAll(/"own":(?:true|false)/g, '"own":0');

/**
 * Refuses members who may not decide about the request.
 * @throws {AppError} `approval.own`, `approval.not-eligible`
 */
async function refuseOthers(
	trx: Executor<AccessTables>,
	request: StandingRequest,
	account: string
): Promise<void> {
	if (account === request.account) throw new AppError('approval.own');
	const [voter] = await votersOf(trx, [account]);
	const asked = request.terms.some(
		(term) => voter !== undefined && isAsked(term, voter, request.account)
	);
	if (!asked) throw new AppError('approval.not-eligible');
}

interface Parts {
	db: Database<AccessTables>;
	audit: Pick<Audit, 'append'>;
	open: OpenRequests;
	policies: Pick<Policies, 'list'>;
	measurer: Pick<Measurer, 'measure'>;
	clock: () => number;
}

export function createDecisions({ db, audit, open, policies, measurer, clock }: Parts) {
	const find = async (trx: Executor<AccessTables>, id: string): Promise<ApprovalRequest | null> =>
		approvalRequestOf(
			trx,
			await trx.selectFrom('approval_requests').selectAll().where('id', '=', id).executeTakeFirst(),
			clock()
		);

	/** Whether the rules that demand the request still exist, in the same revision. */
	async function isCurrent(
		trx: Executor<AccessTables>,
		{ terms }: StandingRequest
	): Promise<boolean> {
		const rules = await policies.list(trx);
		return terms.every(({ rule, revision }) =>
			rules.some((one) => one.id === rule && one.revision === revision)
		);
	}

	/**
	 * Measures again what the bytes do.
	 * @throws {AppError} `approval.unchecked`
	 */
	async function factsNow({ wallet, hex, payouts }: ApprovalRequest): Promise<string> {
		try {
			return withoutOwn(storedMovements((await measurer.measure(wallet, hex, payouts)).movements));
		} catch (cause) {
			if (!isAppError(cause, 'limit')) throw cause;
			throw new AppError('approval.unchecked', { why: cause.message }, { cause });
		}
	}

	async function endAsVoid(id: string, why: ApprovalVoid): Promise<void> {
		await db.transaction().execute(async (trx) => {
			await lockPolicies(trx);
			const request = await find(trx, id);
			if (request) await open.close(trx, request, 'voided', { by: 'policies', why });
		});
	}

	/**
	 * Stores and logs the approval of a member; each member counts once.
	 * @throws {AppError} `approval.twice`
	 */
	async function vote(
		trx: Executor<AccessTables>,
		{ id, chain: place, author, movements, hash }: ApprovalRequest,
		by: Account
	): Promise<void> {
		const given = { request: id, account: by.id, name: by.name, at: clock() };
		const { numInsertedOrUpdatedRows } = await trx
			.insertInto('approval_votes')
			.values(given)
			.onConflict((conflict) => conflict.columns(['request', 'account']).doNothing())
			.executeTakeFirst();
		if (numInsertedOrUpdatedRows === 0n) throw new AppError('approval.twice');
		touch(trx, 'approval_votes', [id, given.account]);
		await audit.append(
			{
				actor: by.name,
				action: 'approval.approved',
				target: id,
				place,
				detail: { author, amount: recordedMovements(movements), hash }
			},
			trx
		);
	}

	return {
		isCurrent,

		async approve(id: string, by: Account, hash: string, session: string): Promise<void> {
			const seen = await find(db, id);
			if (seen === null) throw new AppError('approval.unknown');
			if (seen.state !== 'open') throw new AppError('approval.closed', { state: seen.state });
			// Before the measuring: a member who is not asked must learn nothing of the bytes and cause no
			// daemon call.
			await refuseOthers(db, seen, by.id);
			if (hash !== seen.hash || hexHash(seen.hex) !== seen.hash) {
				throw new AppError('approval.changed-bytes');
			}
			if ((await factsNow(seen)) !== withoutOwn(seen.facts)) {
				await endAsVoid(id, 'facts-changed');
				throw new AppError('approval.changed-bytes');
			}
			const isVoid = await db.transaction().execute(async (trx) => {
				const request = await open.take(trx, id);
				// The measuring takes seconds, in which the session may have been ended.
				await refuseEnded(trx, { accountId: by.id, idHash: session });
				if (request.hash !== hash) throw new AppError('approval.changed-bytes');
				await refuseOthers(trx, request, by.id);
				if (!(await isCurrent(trx, request))) {
					return open.close(trx, request, 'voided', { by: 'policies', why: 'rule-changed' });
				}
				await vote(trx, request, by);
				return false;
			});
			if (isVoid) throw new AppError('approval.closed', { state: 'voided' });
		},

		async reject(id: string, by: Account, reason: string, session: string): Promise<void> {
			const words = reason.trim().slice(0, MOST_REASON);
			if (words === '') throw new AppError('approval.no-reason');
			await db.transaction().execute(async (trx) => {
				const request = await open.take(trx, id);
				await refuseEnded(trx, { accountId: by.id, idHash: session });
				await refuseOthers(trx, request, by.id);
				await open.close(trx, request, 'rejected', { by: by.name, reason: words });
			});
		},

		async withdraw(id: string, by: Account): Promise<void> {
			await db.transaction().execute(async (trx) => {
				const request = await open.take(trx, id);
				if (request.account !== by.id) throw new AppError('approval.not-eligible');
				await open.close(trx, request, 'voided', { by: by.name });
			});
		}
	};
}
