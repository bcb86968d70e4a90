import { sql } from 'kysely';
import { RateLimiterRes, type IRateLimiterOptions } from 'rate-limiter-flexible';
import RateLimiterStoreAbstract from 'rate-limiter-flexible/lib/RateLimiterStoreAbstract.js';
import type { Executor } from '../database/database.ts';
import type { ThrottleTables } from './tables.ts';

interface ThrottleRow {
	points: bigint;
	expires_at: bigint | null;
}

/**
 * Stores the counters of rate-limiter-flexible in the application's own database, so that replicas share them
 * and the same queries serve both databases.
 */
export class DatabaseRateLimiter extends RateLimiterStoreAbstract<ThrottleRow> {
	readonly #db: Executor<ThrottleTables>;

	constructor(db: Executor<ThrottleTables>, options: IRateLimiterOptions) {
		super(options);
		this.#db = db;
	}

	/** Deletes expired counters. */
	async clearExpired(now: number): Promise<void> {
		await this.#db.deleteFrom('throttle').where('expires_at', '<', BigInt(now)).execute();
	}

	protected override async _upsert(
		key: string,
		points: number,
		milliseconds: number,
		force = false
	): Promise<ThrottleRow> {
		const now = BigInt(Date.now());
		const expires = milliseconds > 0 ? now + BigInt(Math.ceil(milliseconds)) : null;
		const running = sql<boolean>`throttle.expires_at is null or throttle.expires_at > ${now}`;
		return this.#db
			.insertInto('throttle')
			.values({ key, points, expires_at: expires })
			.onConflict((conflict) =>
				conflict.column('key').doUpdateSet(
					force
						? { points: BigInt(points), expires_at: expires }
						: {
								points: sql<bigint>`case when ${running} then throttle.points + excluded.points else excluded.points end`,
								expires_at: sql<bigint>`case when ${running} then throttle.expires_at else excluded.expires_at end`
							}
				)
			)
			.returning(['points', 'expires_at'])
			.executeTakeFirstOrThrow();
	}

	protected override async _get(key: string): Promise<ThrottleRow | null> {
		const row = await this.#db
			.selectFrom('throttle')
			.select(['points', 'expires_at'])
			.where('key', '=', key)
			.where((where) =>
				where.or([where('expires_at', 'is', null), where('expires_at', '>', BigInt(Date.now()))])
			)
			.executeTakeFirst();
		return row ?? null;
	}

	protected override async _delete(key: string): Promise<boolean> {
		const { numDeletedRows } = await this.#db
			.deleteFrom('throttle')
			.where('key', '=', key)
			.executeTakeFirst();
		return numDeletedRows > 0n;
	}

	protected override _getRateLimiterRes(
		_key: string,
		changed: number,
		row: ThrottleRow
	): RateLimiterRes {
		const consumed = Number(row.points);
		return new RateLimiterRes(
			Math.max(this.points - consumed, 0),
			row.expires_at === null ? -1 : Math.max(Number(row.expires_at) - Date.now(), 0),
			consumed,
			consumed === changed
		);
	}
}

/**
 * Starts a pause unless one is running under the key; of concurrent calls only one starts it.
 * @returns null when it started, else the remaining milliseconds of the running one
 */
export async function startPause(
	db: Executor<ThrottleTables>,
	key: string,
	milliseconds: number
): Promise<number | null> {
	const now = Date.now();
	const end = BigInt(now + Math.ceil(milliseconds));
	const started = await db
		.insertInto('throttle')
		.values({ key, points: 1, expires_at: end })
		.onConflict((conflict) =>
			conflict
				.column('key')
				.doUpdateSet({ expires_at: end })
				.where('throttle.expires_at', '<=', BigInt(now))
		)
		.returning('key')
		.executeTakeFirst();
	if (started) return null;
	const running = await db
		.selectFrom('throttle')
		.select('expires_at')
		.where('key', '=', key)
		.executeTakeFirst();
	return Math.max(0, Number(running?.expires_at ?? now) - now);
}
