/**
 * What goes out waits here, by its destination. It is written in the transaction in which members are told, so that
 * a process that ends in between loses nothing; what was sent and not noted goes out again under the same id.
 */
import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { Executor } from '../../platform/database/database.ts';
import type { Held } from '../../platform/jobs/runner.ts';
import type { AccessTables } from '../tables.ts';

/** Something that waits for its turn. */
export interface Waiting {
	id: string;
	body: string;
	/** Attempts before this one. */
	attempts: number;
	createdAt: number;
}

/** What came of an attempt. */
export type Attempt =
	| { is: 'delivered'; status: number | null }
	/** It is tried again, unless its time is over. `failure`: a code of the errors. */
	| { is: 'again'; status: number | null; failure: string }
	/** It is not tried again. */
	| { is: 'failed'; status: number | null; failure: string };

/** Of one destination, more do not wait: the oldest go. */
export const MOST_WAITING = 1_000;
/** How long something is tried. */
const TRIED_MS = 24 * 60 * 60 * 1000;
const FIRST_PAUSE_MS = 5_000;
/** How long what another server is to do is left alone by one that cannot. */
const LEFT_ALONE_MS = 60_000;
/** The longest that anything waits for its next attempt. */
export const LONGEST_WAIT_MS = 60 * 60 * 1000;

/** How long an attempt that failed is followed by none: each time twice as long, at most an hour. */
export const pauseAfter = (attempts: number): number =>
	Math.min(LONGEST_WAIT_MS, FIRST_PAUSE_MS * 2 ** Math.min(attempts, 20));

/** Makes a job due, and adds it where it is not there yet. */
async function wakeJob(trx: Executor<AccessTables>, id: string, now: number): Promise<void> {
	await sql`insert into notice_jobs (id, due_at) values (${id}, ${BigInt(now)})
		on conflict (id) do update set due_at = case
			when notice_jobs.due_at is null or notice_jobs.due_at > ${BigInt(now)} then ${BigInt(now)}
			else notice_jobs.due_at end`.execute(trx);
}

/** Adds one; what the destination was given already is not added again. */
export async function enqueue(
	trx: Executor<AccessTables>,
	{ destination, source, body }: { destination: string; source: string; body: object },
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

/** What is due of a destination, the oldest first. */
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
 * Writes what came of an attempt, of all that went together at once, with the lease of the destination.
 * @throws {AppError} `lease.lost`
 */
export const noteAttempt = (
	db: Executor<AccessTables>,
	held: Held,
	together: readonly Waiting[],
	attempt: Attempt,
	now: number
): Promise<void> =>
	db.transaction().execute((trx) => noteAttemptWithin(trx, held, together, attempt, now));

/** The same within the transaction in which more is written of it. */
export async function noteAttemptWithin(
	trx: Executor<AccessTables>,
	held: Held,
	together: readonly Waiting[],
	attempt: Attempt,
	now: number
): Promise<void> {
	await held.keep(trx);
	for (const { id, attempts, createdAt } of together) {
		const next = now + pauseAfter(attempts);
		const again = attempt.is === 'again' && next < createdAt + TRIED_MS;
		await trx
			.updateTable('deliveries')
			.set({
				attempts: BigInt(attempts + 1),
				status: attempt.status,
				failure: attempt.is === 'delivered' ? null : attempt.failure,
				state: attempt.is === 'delivered' ? 'delivered' : again ? 'waiting' : 'failed',
				due_at: again ? next : null,
				ended_at: again ? null : now
			})
			.where('id', '=', id)
			// What was given up during the attempt is not tried again.
			.$if(again, (query) => query.where('state', '=', 'waiting'))
			.execute();
	}
}

/**
 * Says when a destination is looked at next: when something of it is due. The job's row is locked first, so that
 * what is added meanwhile is either seen or wakes the job afterwards.
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
 * Leaves a destination that this server has no setting or no code for to one that has: a setting comes to one server
 * after the other, and a release too. Once it would be tried no more, it waits for nobody.
 */
export async function leaveToOthers(
	db: Executor<AccessTables>,
	held: Held,
	now: number
): Promise<void> {
	await db.transaction().execute(async (trx) => {
		await held.keep(trx);
		const waiting = await trx
			.selectFrom('deliveries')
			.select('id')
			.where('destination', '=', held.id)
			.where('due_at', 'is not', null)
			.where('created_at', '>', BigInt(now - TRIED_MS))
			.limit(1)
			.executeTakeFirst();
		const due = waiting === undefined ? null : BigInt(now + LEFT_ALONE_MS);
		await trx.updateTable('notice_jobs').set({ due_at: due }).where('id', '=', held.id).execute();
	});
}

/** Gives up what waits for a destination that takes nothing any more; it stays in the log. */
export async function giveUpWaiting(
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

/** Forgets what waits for a destination that is gone. */
export async function forgetDestination(
	trx: Executor<AccessTables>,
	destination: string
): Promise<void> {
	await trx.deleteFrom('deliveries').where('destination', '=', destination).execute();
	await trx.deleteFrom('notice_jobs').where('id', '=', destination).execute();
}
