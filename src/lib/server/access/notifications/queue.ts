/**
 * Queue of deliveries, by destination. An entry is written in the database transaction that notifies the
 * members, so a crash in between loses nothing; a delivery that was sent but not recorded is sent again under
 * the same id.
 */
import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { CodedError } from '#lib/messages/errors/index.ts';
import { DAY_MS, HOUR_MS } from '#lib/text/units.ts';
import type { ClockDoubt } from '../../platform/audit-trail/clockDoubt.ts';
import type { Executor } from '../../platform/database/database.ts';
import type { AppError } from '../../platform/errors/appError.ts';
import type { Held } from '../../platform/jobs/runner.ts';
import type { AccessTables } from '../tables.ts';

/** A delivery that is due. */
export interface Waiting {
	id: string;
	body: string;
	/** Number of earlier attempts. */
	attempts: number;
	createdAt: number;
}

/** Outcome of an attempt. */
export type Attempt =
	| { is: 'delivered'; status: number | null }
	/** To be retried, unless its time is over. */
	| { is: 'again'; status: number | null; failure: CodedError }
	/** Not to be retried. */
	| { is: 'failed'; status: number | null; failure: CodedError };

/** The outcome of an attempt that is to be retried after an error. */
export const againFor = (error: AppError, status: number | null): Attempt => ({
	is: 'again',
	status,
	failure: error.coded
});

/** By what the age of a delivery is counted. */
export interface Times {
	/** Unix milliseconds. */
	clock: () => number;
	/** What the clock may be ahead: a delivery that is given up for its age is not sent later. */
	doubt: ClockDoubt;
}

/** Returns the time from which ages count, in Unix milliseconds. */
export const agedAt = async ({ clock, doubt }: Times, within: Executor<AccessTables>) =>
	clock() - Math.ceil(await doubt(within));

/** Most waiting deliveries of one destination; beyond that the oldest are deleted. */
export const MOST_WAITING = 1_000;
/** How long a delivery is retried after its creation, in milliseconds. */
const TRIED_MS = DAY_MS;
const FIRST_PAUSE_MS = 5_000;
/** How long a server without the needed settings leaves a destination to others, in milliseconds. */
const LEFT_ALONE_MS = 60_000;
/** The longest pause before the next attempt, in milliseconds. */
export const LONGEST_WAIT_MS = HOUR_MS;

/** Returns the pause after a failed attempt, in milliseconds: doubled each time, at most an hour. */
export const pauseAfter = (attempts: number): number =>
	Math.min(LONGEST_WAIT_MS, FIRST_PAUSE_MS * 2 ** Math.min(attempts, 20));

/** Makes a job due, and creates it where it does not exist. */
async function wakeJob(trx: Executor<AccessTables>, id: string, now: number): Promise<void> {
	await sql`insert into notice_jobs (id, due_at) values (${id}, ${BigInt(now)})
		on conflict (id) do update set due_at = case
			when notice_jobs.due_at is null or notice_jobs.due_at > ${BigInt(now)} then ${BigInt(now)}
			else notice_jobs.due_at end`.execute(trx);
}

/** A delivery to be added. */
export interface Delivery {
	destination: string;
	source: string;
	body: object;
}

/** Adds a delivery, unless the destination already has one of the same source. */
export async function enqueue(
	trx: Executor<AccessTables>,
	{ destination, source, body }: Delivery,
	now: number,
	delayMs = 0
): Promise<string> {
	const id = randomUUID();
	await trx
		.insertInto('deliveries')
		.values({
			id,
			destination,
			source,
			body: JSON.stringify(body),
			state: 'waiting',
			created_at: now,
			due_at: now + delayMs
		})
		.onConflict((conflict) => conflict.columns(['destination', 'source']).doNothing())
		.execute();
	await wakeJob(trx, destination, now + delayMs);
	return id;
}

/** Returns the due deliveries of a destination, oldest first. */
export async function takeWaiting(
	db: Executor<AccessTables>,
	destination: string,
	now: number,
	limit: number
): Promise<Waiting[]> {
	const rows = await db
		.selectFrom('deliveries')
		.select(['id', 'body', 'attempts', 'created_at'])
		.where('destination', '=', destination)
		.where('due_at', '<=', BigInt(now))
		.orderBy('created_at')
		.orderBy('id')
		.limit(limit)
		.execute();
	return rows.map(({ id, body, attempts, created_at: at }) => ({
		id,
		body,
		attempts: Number(attempts),
		createdAt: Number(at)
	}));
}

/**
 * Stores the result of an attempt for all deliveries that it included, under the lease of the destination.
 * @throws {AppError} `lease.lost`
 */
export const noteAttempt = (
	db: Executor<AccessTables>,
	held: Held,
	together: readonly Waiting[],
	attempt: Attempt,
	times: Times
): Promise<void> =>
	db.transaction().execute((trx) => noteAttemptWithin(trx, held, together, attempt, times));

/** Does the same within an existing database transaction. @throws {AppError} `lease.lost` */
export async function noteAttemptWithin(
	trx: Executor<AccessTables>,
	held: Held,
	together: readonly Waiting[],
	attempt: Attempt,
	times: Times
): Promise<void> {
	await held.keep(trx);
	const now = times.clock();
	const aged = await agedAt(times, trx);
	for (const { id, attempts, createdAt } of together) {
		const pause = pauseAfter(attempts);
		const again = attempt.is === 'again' && aged + pause < createdAt + TRIED_MS;
		await trx
			.updateTable('deliveries')
			.set({
				attempts: BigInt(attempts + 1),
				status: attempt.status,
				failure: attempt.is === 'delivered' ? null : JSON.stringify(attempt.failure),
				state: attempt.is === 'delivered' ? 'delivered' : again ? 'waiting' : 'failed',
				due_at: again ? now + pause : null,
				ended_at: again ? null : now
			})
			.where('id', '=', id)
			// A delivery that was ended during the attempt is not retried.
			.$if(again, (query) => query.where('state', '=', 'waiting'))
			.execute();
	}
}

/**
 * Sets when a destination's job runs next: when its next delivery is due. The job's row is locked first, so
 * that a delivery that is added meanwhile is either seen here or wakes the job afterwards.
 * @param notBefore Unix milliseconds
 */
export async function restUntilDue(
	db: Executor<AccessTables>,
	held: Held,
	notBefore: number
): Promise<void> {
	await db.transaction().execute(async (trx) => {
		await held.keep(trx);
		const { next } = await trx
			.selectFrom('deliveries')
			.select((select) => select.fn.min('due_at').as('next'))
			.where('destination', '=', held.id)
			.where('due_at', 'is not', null)
			.executeTakeFirstOrThrow();
		const due = next as bigint | null;
		const at = due === null || due > BigInt(notBefore) ? due : BigInt(notBefore);
		await trx.updateTable('notice_jobs').set({ due_at: at }).where('id', '=', held.id).execute();
	});
}

/**
 * Leaves a destination for which this server lacks the settings or the code to a server that has them, since
 * settings and releases reach one server after the other. When its deliveries are too old to be retried, the
 * job ends.
 */
export async function leaveToOthers(
	db: Executor<AccessTables>,
	held: Held,
	times: Times
): Promise<void> {
	await db.transaction().execute(async (trx) => {
		await held.keep(trx);
		const aged = await agedAt(times, trx);
		const waiting = await trx
			.selectFrom('deliveries')
			.select('id')
			.where('destination', '=', held.id)
			.where('due_at', 'is not', null)
			.where('created_at', '>', BigInt(aged - TRIED_MS))
			.limit(1)
			.executeTakeFirst();
		const due = waiting === undefined ? null : BigInt(times.clock() + LEFT_ALONE_MS);
		await trx.updateTable('notice_jobs').set({ due_at: due }).where('id', '=', held.id).execute();
	});
}

/** Marks the waiting deliveries of a destination that no longer takes any as failed; they stay in the log. */
export async function failWaiting(
	trx: Executor<AccessTables>,
	destination: string,
	now: number
): Promise<void> {
	await trx
		.updateTable('deliveries')
		.set({ state: 'failed', due_at: null, ended_at: now })
		.where('destination', '=', destination)
		.where('state', '=', 'waiting')
		.execute();
}

/** Deletes the deliveries and the job of a destination that no longer exists. */
export async function forgetDestination(
	trx: Executor<AccessTables>,
	destination: string
): Promise<void> {
	// Locks the job before its deliveries, like noteAttemptWithin, to avoid a deadlock.
	await trx.deleteFrom('notice_jobs').where('id', '=', destination).execute();
	await trx.deleteFrom('deliveries').where('destination', '=', destination).execute();
}
