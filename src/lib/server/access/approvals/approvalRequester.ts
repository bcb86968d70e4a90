/**
 * Requests approvals: once for the same bytes, and within bounds on open requests that approvers can keep up
 * with.
 */
import { randomUUID } from 'node:crypto';
import { LOCKTIME_THRESHOLD } from '#lib/chain/interest.ts';
import { paysInterest } from '#lib/chain/mainChain.ts';
import { readableTransaction } from '#lib/chain/transaction.ts';
import { HOUR_MS, MINUTE_MS } from '#lib/text/units.ts';
import { touch } from '../../platform/audit-trail/recorded.ts';
import type { Database, Executor } from '../../platform/database/database.ts';
import { AppError } from '../../platform/errors/appError.ts';
import type { Audit } from '../audit/audit.ts';
import { recordedMovements, storedMovements, type Movement } from '../policy/rules/facts.ts';
import { lockPolicies } from '../changes/lock.ts';
import type { AccessTables } from '../tables.ts';
import { hexHash, keyOf, type OpenRequests } from './open.ts';
import { isAsked, sameTerms, type Term } from '../policy/rules/quorum.ts';
import type { ApprovalKind } from './tables.ts';
import { votersOf } from '../policy/rules/voters.ts';

/** How long a request is open, in milliseconds. Signed bytes are valid for 200 blocks, about three hours. */
export const APPROVAL_MS = 2 * HOUR_MS;
const KMD_APPROVAL_MS = 50 * MINUTE_MS;
/**
 * How long after its lock time a transaction that claims interest is still safe to send, in milliseconds. KMD
 * accepts it for some 47 minutes (`komodo_validate_interest`: an hour less 777 seconds), and drops one that
 * is not in a block by then.
 */
const GOOD_FROM_LOCKTIME_MS = 44 * MINUTE_MS;

/** Most open requests of one member; fewer of one API token, which no member watches. */
export const MOST_OPEN = 20;
export const MOST_OPEN_OF_TOKEN = 5;
/**
 * Most open requests of all tokens of a member together, so that the member can still request approvals by
 * hand.
 */
const MOST_OPEN_OF_TOKENS = 10;

/** The approval to request. */
export interface Wanted {
	/** Account id of the author. */
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
	/** Id of the transaction or migration; null for none. */
	subject: string | null;
}

/** When a request for these bytes expires, Unix milliseconds. */
function endOf({ chain, hex }: Wanted, now: number): number {
	if (!paysInterest(chain)) return now + APPROVAL_MS;
	const locktime = readableTransaction(hex)?.locktime ?? 0;
	const goodUntil = locktime * 1_000 + GOOD_FROM_LOCKTIME_MS;
	const isBound = locktime >= LOCKTIME_THRESHOLD && goodUntil > now;
	return isBound ? Math.min(goodUntil, now + KMD_APPROVAL_MS) : now + KMD_APPROVAL_MS;
}

interface Parts {
	db: Database<AccessTables>;
	audit: Pick<Audit, 'append'>;
	open: OpenRequests;
	clock: () => number;
}

/**
 * Refuses a request beyond the bounds on open requests.
 * @throws {AppError} `policy.too-many-open`
 */
async function refuseTooMany(
	trx: Executor<AccessTables>,
	{ account, token }: Wanted,
	now: number
): Promise<void> {
	const open = await trx
		.selectFrom('approval_requests')
		.select('token')
		.where('account', '=', account)
		.where('state', '=', 'open')
		.where('expires_at', '>', BigInt(now))
		.execute();
	const ofToken = token === null ? [] : open.filter((row) => row.token === token);
	const ofTokens = token === null ? [] : open.filter((row) => row.token !== null);
	if (ofTokens.length >= MOST_OPEN_OF_TOKENS) {
		throw new AppError('policy.too-many-open', { of: 'tokens', most: MOST_OPEN_OF_TOKENS });
	}
	if (ofToken.length >= MOST_OPEN_OF_TOKEN) {
		throw new AppError('policy.too-many-open', { of: 'token', most: MOST_OPEN_OF_TOKEN });
	}
	if (open.length >= MOST_OPEN) {
		throw new AppError('policy.too-many-open', { of: 'member', most: MOST_OPEN });
	}
}

export function createApprovalRequester({ db, audit, open, clock }: Parts) {
	async function insert(trx: Executor<AccessTables>, wanted: Wanted, hash: string) {
		const id = randomUUID();
		const now = clock();
		const { kind, subject, account, author, token, wallet, chain, hex, payouts } = wanted;
		const { movements, terms } = wanted;
		await trx
			.insertInto('approval_requests')
			.values({
				id,
				kind,
				subject,
				account,
				author,
				token,
				wallet,
				chain,
				hex,
				hash,
				payouts,
				facts: storedMovements(movements),
				terms: JSON.stringify(terms),
				state: 'open',
				open_key: keyOf(account, hash),
				created_at: now,
				expires_at: endOf(wanted, now)
			})
			.execute();
		touch(trx, 'approval_requests', [id]);
		const approvers = (await votersOf(trx)).filter((voter) =>
			terms.some((term) => isAsked(term, voter, account))
		);
		await audit.append(
			{
				actor: author,
				action: 'approval.requested',
				target: id,
				place: chain,
				detail: {
					kind: movements[0]?.kind ?? kind,
					chain,
					amount: recordedMovements(movements),
					approvers: approvers.map(({ name }) => name),
					...(token === null ? {} : { tokenId: token }),
					hash
				}
			},
			trx
		);
		return id;
	}

	/** Returns the id of the new request, or of the open one for the same bytes and terms. */
	return async (wanted: Wanted, within?: Executor<AccessTables>): Promise<string> => {
		const hash = hexHash(wanted.hex);
		const run = async (trx: Executor<AccessTables>): Promise<string> => {
			await lockPolicies(trx);
			const before = await open.byBytes(trx, wanted.account, hash);
			if (before?.isKnown === false) {
				const ending = { by: 'policies', why: 'unrecorded' } as const;
				await open.close(trx, before.request, 'voided', ending);
			} else if (before) {
				const { request } = before;
				if (request.state === 'open' && sameTerms(request.terms, wanted.terms)) return request.id;
				const isOld = request.state === 'expired';
				await open.close(trx, request, isOld ? 'expired' : 'voided', { by: 'policies' });
			}
			await refuseTooMany(trx, wanted, clock());
			return insert(trx, wanted, hash);
		};
		return within ? run(within) : db.transaction().execute(run);
	};
}
