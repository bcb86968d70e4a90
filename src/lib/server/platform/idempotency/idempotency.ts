/**
 * Idempotent requests: a form that is submitted twice, or a call that is repeated with its `Idempotency-Key`,
 * is executed once, and every repetition gets the response of the first.
 */
import { createHash, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { DAY_MS, MINUTE_MS } from '#lib/text/units.ts';
import { createClockDoubt, type ClockDoubt } from '../audit-trail/clockDoubt.ts';
import type { Database } from '../database/database.ts';
import { databaseClock, queryNow } from '../database/databaseClock.ts';
import { databaseErrorKind } from '../database/databaseError.ts';
import { backOff } from '../async/backOff.ts';
import { sha256Hex } from '../secrets/digest.ts';
import type { Answer } from './answer.ts';
import { answerOf, storedResponseOf, type StoredResponse } from './storedResponse.ts';
import type { IdempotencyTables } from './tables.ts';

/** A request with an idempotency key. */
export interface Keyed {
	/** Who makes the request: equal keys of different actors are different keys. */
	actor: string;
	/** The operation: method and path. */
	route: string;
	key: string;
	/** Digest of the request's content. */
	fingerprint: string;
}

/**
 * - `reused`: the key was used before for another request; - `running`: the first request is still being
 * executed.
 */
export type Once = { kind: 'answer'; answer: Answer } | { kind: 'reused' } | { kind: 'running' };

export interface OnceOptions {
	/** Selects the part of the response to store for repetitions; {@link storedResponseOf} by default. */
	keep?: (answer: Answer) => StoredResponse | null;
	/**
	 * Never executes the work again when its result is unknown because the process died: the key then stays
	 * `running`.
	 */
	atMostOnce?: boolean;
}

/** A claimed key: `by` identifies the execution that claimed it. */
interface Claim {
	id: string;
	by: string;
}

/** How long keys are stored: as long as a form or call may be repeated. */
const RETENTION_MS = DAY_MS;
/** Execution without a heartbeat for this long was abandoned by a process that died. */
const LEFT_BEHIND_MS = 2 * MINUTE_MS;
/** Interval of heartbeats. */
const AT_IT_MS = 20_000;
/** How long a repetition waits for the first execution. */
const TIMEOUT_MS = 30_000;
const LOOK_MS = 50;
/** Retries for storing a response that the database did not accept: they last more than an hour. */
const MOST_SAVES = 150;

/** Valid keys: long enough not to collide by chance, short enough for a header. */
const KEY = /^[\x21-\x7e]{8,128}$/;
export const isKey = (text: string): boolean => KEY.test(text);

const digest = (...parts: readonly string[]): string => sha256Hex(JSON.stringify(parts));

/** Returns a digest of a form's fields in order; files count by their content. */
export async function fingerprintOf(form: FormData): Promise<string> {
	const parts: string[] = [];
	for (const [name, value] of form) {
		parts.push(name);
		if (typeof value === 'string') parts.push(value);
		else {
			const bytes = Buffer.from(await value.arrayBuffer());
			parts.push(value.name, createHash('sha256').update(bytes).digest('hex'));
		}
	}
	return digest(...parts);
}

/** Returns a digest of a request's text. */
export const fingerprintOfText = (text: string): string => digest(text);

interface IdempotencyParts {
	db: Database<IdempotencyTables>;
	/** Unix milliseconds; by default the clock of PostgreSQL, or of this machine with SQLite. */
	clock?: () => number;
	/** A monotonic clock, milliseconds. */
	steady?: () => number;
	/** What the clock may be ahead: keys that expire early for that could let a call be executed twice. */
	doubt?: ClockDoubt;
	/** Interval of heartbeats, in milliseconds. */
	atItMs?: number;
}

export function createIdempotency(parts: IdempotencyParts) {
	const { db, clock, steady, atItMs = AT_IT_MS } = parts;
	const doubt = parts.doubt ?? createClockDoubt(clock ?? databaseClock(db), steady);
	/**
	 * Current time. Servers that share PostgreSQL use its clock: a server whose own clock is ahead would
	 * consider an execution abandoned that another has just begun.
	 */
	const now = queryNow(db, clock);
	const ago = (ms: number) => sql<bigint>`${now()} - ${sql.lit(ms)}`;

	/** Executions of this process: repetitions get their full response, whatever it is. */
	const running = new Map<string, Promise<Answer>>();
	/**
	 * Responses that the database has not accepted yet. After a long outage the row of such a key looks
	 * abandoned: without this map the work would be executed again.
	 */
	const unsaved = new Map<string, { fingerprint: string; kept: StoredResponse }>();
	/**
	 * Selects the row of a key only while this claim holds it, so that a delayed execution cannot overwrite
	 * what another one has done under the same key since.
	 */
	const claimed = ({ id, by }: Claim) => sql<boolean>`key = ${id} and claim = ${by}`;

	const idOf = ({ actor, route, key }: Keyed): string => digest(actor, route, key);

	/** Claims a key; returns null when it is already claimed. */
	async function claim(
		id: string,
		fingerprint: string,
		atMostOnce: boolean
	): Promise<Claim | null> {
		const kept = RETENTION_MS + Math.ceil(await doubt(db));
		await db
			.deleteFrom('idempotency_keys')
			.where(({ and, or, eb }) => {
				const isOld = eb('started_at', '<=', ago(kept));
				if (atMostOnce) return isOld;
				const isLeftBehind = eb('started_at', '<=', ago(LEFT_BEHIND_MS));
				return or([isOld, and([eb('key', '=', id), eb('answer', 'is', null), isLeftBehind])]);
			})
			.execute();
		const mine = { id, by: randomUUID() };
		try {
			const row = await db
				.insertInto('idempotency_keys')
				.values({ key: id, fingerprint, answer: null, started_at: now(), claim: mine.by })
				.onConflict((conflict) => conflict.column('key').doNothing())
				.returning('key')
				.executeTakeFirst();
			return row === undefined ? null : mine;
		} catch (error) {
			// The insert may have been committed although the connection failed: nothing was executed for it,
			// so remove it, or the key would stay `running`.
			void save(mine, null).catch(() => undefined);
			throw error;
		}
	}

	async function carryOut(
		mine: Claim,
		fingerprint: string,
		work: () => Promise<Answer>,
		keep: (answer: Answer) => StoredResponse | null
	): Promise<Answer> {
		const sayAtIt = (): void => {
			db.updateTable('idempotency_keys')
				.set({ started_at: now() })
				.where(claimed(mine))
				.where('answer', 'is', null)
				.execute()
				// The next heartbeat follows soon.
				.catch(() => undefined);
		};
		const timer = setInterval(sayAtIt, atItMs).unref();
		let kept: StoredResponse | null = null;
		try {
			const answer = await work();
			kept = keep(answer);
			return answer;
		} finally {
			clearInterval(timer);
			if (kept !== null) unsaved.set(mine.id, { fingerprint, kept });
			await save(mine, kept);
		}
	}

	async function saveNow(mine: Claim, kept: StoredResponse | null): Promise<void> {
		if (kept === null) {
			await db.deleteFrom('idempotency_keys').where(claimed(mine)).execute();
			return;
		}
		await db
			.updateTable('idempotency_keys')
			.set({ answer: JSON.stringify(kept) })
			.where(claimed(mine))
			.execute();
	}

	/**
	 * Stores the response. When the database is unavailable, retries in the background, so that the caller gets
	 * the response at once.
	 */
	async function save(mine: Claim, kept: StoredResponse | null, failures = 0): Promise<void> {
		const forget = (): void => {
			if (unsaved.get(mine.id)?.kept === kept) unsaved.delete(mine.id);
		};
		try {
			await saveNow(mine, kept);
			forget();
		} catch (error) {
			const isOver = databaseErrorKind(error) === null || failures === MOST_SAVES;
			if (isOver) forget();
			if (databaseErrorKind(error) === null) throw error;
			if (isOver) return;
			const again = (): Promise<void> => save(mine, kept, failures + 1);
			void sleep(backOff(failures + 1), undefined, { ref: false })
				.then(again)
				.catch(() => undefined);
		}
	}

	/** Executes a request unless its key was used before; then returns the response of that execution. */
	return async function once(
		request: Keyed,
		work: () => Promise<Answer>,
		{ keep = storedResponseOf, atMostOnce = false }: OnceOptions = {}
	): Promise<Once> {
		const id = idOf(request);
		const until = performance.now() + TIMEOUT_MS;
		for (;;) {
			const done = unsaved.get(id);
			if (done !== undefined && !running.has(id)) {
				if (done.fingerprint !== request.fingerprint) return { kind: 'reused' };
				return { kind: 'answer', answer: answerOf(done.kept) };
			}
			// An execution of this process is never abandoned, whatever the clock says.
			const here = running.get(id);
			const mine = here ? null : await claim(id, request.fingerprint, atMostOnce);
			if (mine !== null) {
				const job = carryOut(mine, request.fingerprint, work, keep);
				running.set(id, job);
				try {
					return { kind: 'answer', answer: await job };
				} finally {
					running.delete(id);
				}
			}
			const row = await db
				.selectFrom('idempotency_keys')
				.select(['fingerprint', 'answer'])
				.select(({ eb }) => eb('started_at', '<=', ago(LEFT_BEHIND_MS)).as('isLeftBehind'))
				.where('key', '=', id)
				.executeTakeFirst();
			// The first execution left nothing, so this one may proceed.
			if (row === undefined) continue;
			if (row.fingerprint !== request.fingerprint) return { kind: 'reused' };
			if (row.answer !== null) {
				return { kind: 'answer', answer: answerOf(JSON.parse(row.answer) as StoredResponse) };
			}
			// It may have ended since the row was read.
			const job = here ?? running.get(id);
			if (job) return { kind: 'answer', answer: await job };
			if (performance.now() >= until || Boolean(row.isLeftBehind)) return { kind: 'running' };
			await sleep(LOOK_MS);
		}
	};
}

export type Idempotency = ReturnType<typeof createIdempotency>;
