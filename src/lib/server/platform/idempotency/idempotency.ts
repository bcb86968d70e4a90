/**
 * One request, one effect: a form that is sent twice, and a call that is repeated with its `Idempotency-Key`, are
 * carried out once, and every one of them is answered what the first was.
 */
import { createHash, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { createClockDoubt } from '../audit-trail/clockDoubt.ts';
import type { Database } from '../database/database.ts';
import { postgresNow } from '../database/databaseClock.ts';
import { databaseErrorKind } from '../database/databaseError.ts';
import { backOff } from '../jobs/backOff.ts';
import type { Answer } from './answer.ts';
import { answerOf, keptOf, type KeptAnswer } from './keptAnswer.ts';
import type { IdempotencyTables } from './tables.ts';

/** A request that names itself. */
export interface Keyed {
	/** Who asks: the same key of somebody else is another one. */
	actor: string;
	/** What for: method and path. */
	route: string;
	key: string;
	/** Digest of what was asked for. */
	fingerprint: string;
}

/** - `reused`: the key came with another request before; - `running`: the first one is still being carried out. */
export type Once = { kind: 'answer'; answer: Answer } | { kind: 'reused' } | { kind: 'running' };

interface OnceOptions {
	/** What is kept of the answer for those who come later; without it what {@link keptOf} says. */
	keep?: (answer: Answer) => KeptAnswer | null;
	/**
	 * The work is never begun again when nobody knows how it ended, because its process ended first: the key stays
	 * `running` then.
	 */
	atMostOnce?: boolean;
}

/** A key that is being carried out, and by which of those who did. */
interface Claim {
	id: string;
	by: string;
}

/** As long as somebody may send the same form or call again. */
const KEPT_MS = 24 * 3_600_000;
/** Work that nobody said a word of for so long was left behind by a process that ended. */
const LEFT_BEHIND_MS = 2 * 60_000;
/** How often a process says that it is still at it. */
const AT_IT_MS = 20_000;
/** How long the second one waits for the first. */
const TIMEOUT_MS = 30_000;
const LOOK_MS = 50;
/** How often it is tried again to keep an answer that the database did not take: for more than an hour. */
const MOST_SAVES = 150;

/** What keys look like: no less than what is hard to hit by chance, no more than what a header should have. */
const KEY = /^[\x21-\x7e]{8,128}$/;
export const isKey = (text: string): boolean => KEY.test(text);

const digest = (...parts: readonly string[]): string =>
	createHash('sha256').update(JSON.stringify(parts)).digest('hex');

/** A digest of what a form holds, in its order; files by what is in them. */
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

export const fingerprintOfText = (text: string): string => digest(text);

interface IdempotencyParts {
	db: Database<IdempotencyTables>;
	/** Unix milliseconds; without it the clock that all servers of the database share. */
	clock?: () => number;
	/** A clock that nobody sets, milliseconds. */
	steady?: () => number;
	/** How often a process says that it is still at it, in milliseconds. */
	atItMs?: number;
}

export function createIdempotency({ db, clock, steady, atItMs = AT_IT_MS }: IdempotencyParts) {
	/** The clock of the database as it was read last, in Unix milliseconds. */
	let atDatabase = 0;
	const isOfDatabase = clock === undefined && db.dialect === 'postgres';
	/** A key that a wrong clock makes older is not forgotten by it: its call would be made once more. */
	const doubt = createClockDoubt(isOfDatabase ? () => atDatabase : clock, steady);
	/**
	 * Servers that share PostgreSQL have clocks of their own, and one that is ahead would take for left behind what
	 * another has just begun: there it is the clock of the database.
	 */
	const now = () =>
		isOfDatabase ? postgresNow : sql<bigint>`cast(${BigInt((clock ?? Date.now)())} as bigint)`;
	const ago = (ms: number) => sql<bigint>`${now()} - ${sql.lit(ms)}`;

	/** Work of this process: who comes second gets its answer, whatever that is. */
	const running = new Map<string, Promise<Answer>>();
	/**
	 * What was done and the database has not taken yet. The row of its key says nothing of it, and looks left behind once
	 * the database was away for long: without this the same would be done again.
	 */
	const unsaved = new Map<string, { fingerprint: string; kept: KeptAnswer }>();
	/**
	 * The row of a key while it is of this claim: who was away for long, or says again what was taken already, changes
	 * nothing of what another one does under the same key since.
	 */
	const claimed = ({ id, by }: Claim) => sql<boolean>`key = ${id} and claim = ${by}`;

	const idOf = ({ actor, route, key }: Keyed): string => digest(actor, route, key);

	/** By how much the clock that ages are counted by may be ahead, in milliseconds. */
	async function ahead(): Promise<number> {
		if (isOfDatabase) {
			const { rows } = await sql<{ at: bigint }>`select ${now()} as at`.execute(db);
			atDatabase = Number(rows[0]?.at ?? atDatabase);
		}
		return Math.ceil(await doubt(db));
	}

	/** Claims a key; null when it is claimed already. */
	async function claim(
		id: string,
		fingerprint: string,
		atMostOnce: boolean
	): Promise<Claim | null> {
		const kept = KEPT_MS + (await ahead());
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
			// A database that went behind its commit has it: nothing was begun under it, and it would never end.
			void save(mine, null).catch(() => undefined);
			throw error;
		}
	}

	async function carryOut(
		mine: Claim,
		fingerprint: string,
		work: () => Promise<Answer>,
		keep: (answer: Answer) => KeptAnswer | null
	): Promise<Answer> {
		const sayAtIt = (): void => {
			db.updateTable('idempotency_keys')
				.set({ started_at: now() })
				.where(claimed(mine))
				.where('answer', 'is', null)
				.execute()
				// Said again a moment later.
				.catch(() => undefined);
		};
		const timer = setInterval(sayAtIt, atItMs).unref();
		let kept: KeptAnswer | null = null;
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

	async function saveNow(mine: Claim, kept: KeptAnswer | null): Promise<void> {
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

	/** Who waits for the answer hears it, also where the database takes it only later. */
	async function save(mine: Claim, kept: KeptAnswer | null, failures = 0): Promise<void> {
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

	/** Carries a request out unless one with its key was, and tells what that one was answered. */
	return async function once(
		request: Keyed,
		work: () => Promise<Answer>,
		{ keep = keptOf, atMostOnce = false }: OnceOptions = {}
	): Promise<Once> {
		const id = idOf(request);
		const until = performance.now() + TIMEOUT_MS;
		for (;;) {
			const done = unsaved.get(id);
			if (done !== undefined && !running.has(id)) {
				if (done.fingerprint !== request.fingerprint) return { kind: 'reused' };
				return { kind: 'answer', answer: answerOf(done.kept) };
			}
			// What this process is at is not left behind, whatever its clock was set to meanwhile.
			const mine = running.has(id) ? null : await claim(id, request.fingerprint, atMostOnce);
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
			// The first one did nothing, so this one may.
			if (row === undefined) continue;
			if (row.fingerprint !== request.fingerprint) return { kind: 'reused' };
			if (row.answer !== null) {
				return { kind: 'answer', answer: answerOf(JSON.parse(row.answer) as KeptAnswer) };
			}
			const job = running.get(id);
			if (job) return { kind: 'answer', answer: await job };
			if (performance.now() >= until || Boolean(row.isLeftBehind)) return { kind: 'running' };
			await sleep(LOOK_MS);
		}
	};
}

export type Idempotency = ReturnType<typeof createIdempotency>;
