/**
 * Repairs stored times after the wall clock went back. Due times, leases, pauses and locked UTXOs are points of
 * that clock: after a correction by an hour they would all lie an hour ahead, and all work would sleep that
 * long. Each kind of time is only ever set up to a known limit ahead, so anything beyond was written under a
 * wrong clock.
 */
import { sql, type QueryExecutorProvider } from 'kysely';
import { MINUTE_MS } from '#lib/text/units.ts';

/** A column with times that something waits for. */
export interface Bound {
	table: string;
	column: string;
	/** The furthest that a time is set ahead, in milliseconds. */
	longest: number;
	/** The time only triggers a check and does not end anything: it may be moved to now. */
	soon?: true;
	/** The times are written by the clock that all servers share. */
	shared?: true;
	/** Restricts to rows whose key matches this LIKE pattern. */
	keyLike?: string;
}

/** Smallest step back that counts: below it nothing waits noticeably longer. */
const NOTICED_MS = 1_000;
const LOOK_EVERY_MS = 1_000;
/** Interval at which each of several servers limits what another one may have written under a wrong clock. */
const BOUND_EVERY_MS = 10 * MINUTE_MS;

interface ClockGuardParts {
	db: QueryExecutorProvider;
	/** Every stored time that something waits for, except those at which a granted right expires. */
	bounds: readonly Bound[];
	/** Repairs times that need more than a plain update; receives the later of both clocks. */
	also?: (now: number) => Promise<void>;
	/** The wall clock, Unix milliseconds. */
	clock?: () => number;
	/** A clock that all servers share, Unix milliseconds. */
	sharedClock?: (() => Promise<number>) | undefined;
	/** A monotonic clock, milliseconds. */
	steady?: () => number;
	onError?: (error: unknown) => void;
}

interface ClockGuard {
	/** Moves times that lie too far ahead to their limit; called once before workers start. */
	repair(): Promise<void>;
	/** Checks whether the wall clock went back since the last check; if so, due work is checked now. */
	look(): Promise<boolean>;
	/** Checks every second until stopped. */
	watch(): void;
	stop(): void;
}

export function createClockGuard(parts: ClockGuardParts): ClockGuard {
	const { db, bounds, also, sharedClock, onError } = parts;
	const { clock = Date.now, steady = () => performance.now() } = parts;
	/** Wall clock minus monotonic clock at the last check. */
	let apart = clock() - steady();
	/** When times were last limited, by the monotonic clock. */
	let boundAt = steady();
	let timer: NodeJS.Timeout | undefined;

	/**
	 * A server whose own clock is behind must not end what others wait for or work on, so only times that may be
	 * moved to now are limited by its own clock.
	 * @param all moves all due times to now, however little they are ahead
	 */
	async function bringNear(all: boolean): Promise<void> {
		const own = clock();
		const common = (await sharedClock?.()) ?? own;
		const later = Math.max(own, common);
		for (const { table, column, longest, soon = false, shared = false, keyLike } of bounds) {
			const now = soon ? own : shared ? common : later;
			const least = BigInt(now + (all && soon ? 0 : longest));
			const to = BigInt(now + (soon ? 0 : longest));
			const only = keyLike === undefined ? sql`` : sql` and key like ${keyLike}`;
			await sql`update ${sql.table(table)} set ${sql.ref(column)} = ${to}
				where ${sql.ref(column)} > ${least}${only}`.execute(db);
		}
		await also?.(later);
	}

	async function look(): Promise<boolean> {
		const before = apart;
		const now = clock() - steady();
		if (before - now < NOTICED_MS) {
			// After a step forward everything is due earlier, which only causes an additional check.
			apart = Math.max(apart, now);
			// On SQLite there is no other server: the next start limits the times.
			if (sharedClock !== undefined && steady() - boundAt >= BOUND_EVERY_MS) {
				boundAt = steady();
				await bringNear(false);
			}
			return false;
		}
		await bringNear(true);
		// Updated only after the repair: if the database is unavailable now, the next check repairs.
		apart = now;
		return true;
	}

	return {
		repair: () => bringNear(false),
		look,
		watch() {
			let isLooking = false;
			timer = setInterval(() => {
				// One check at a time, also while the database is slow.
				if (isLooking) return;
				isLooking = true;
				void look()
					.catch((error: unknown) => onError?.(error))
					.finally(() => (isLooking = false));
			}, LOOK_EVERY_MS);
			timer.unref();
		},
		stop: () => clearInterval(timer)
	};
}
