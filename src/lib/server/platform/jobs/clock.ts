/**
 * What becomes of stored moments when the wall clock goes back. Due times, leases, pauses and locked UTXOs are
 * moments of that clock: an hour back, they would all lie an hour ahead, and everything would sleep that long. None
 * of them is ever set further ahead than its kind takes, so what lies further was written by another clock.
 */
import { sql, type QueryExecutorProvider } from 'kysely';

/** A column of moments that something waits for. */
export interface Bound {
	table: string;
	column: string;
	/** How far ahead a moment is ever set, in milliseconds. */
	longest: number;
	/** What only looks again and does not end: it may happen at once. */
	soon?: true;
	/** What counts against a member or holds back guesses: no server takes it away because its own clock is behind. */
	counts?: true;
	/** Only rows whose key is like this. */
	keyLike?: string;
}

/** How far the wall clock may fall behind before that counts: below it nothing waits noticeably longer. */
const NOTICED_MS = 1_000;
const LOOK_EVERY_MS = 1_000;

interface ClockGuardParts {
	db: QueryExecutorProvider;
	/** Every stored moment that something waits for, but for those that end what somebody was given. */
	bounds: readonly Bound[];
	/** Brings near what must not be changed as plainly as those; hears the later one of both clocks. */
	also?: (now: number) => Promise<void>;
	/** The wall clock, Unix milliseconds. */
	clock?: () => number;
	/** One that all servers share, Unix milliseconds. */
	sharedClock?: (() => Promise<number>) | undefined;
	/** A clock that nobody sets, milliseconds. */
	steady?: () => number;
	onError?: (error: unknown) => void;
}

interface ClockGuard {
	/** Brings near what lies too far ahead; once before workers start. */
	repair(): Promise<void>;
	/** Whether the wall clock went back since the last look; then what waits is looked at now. */
	look(): Promise<boolean>;
	/** Looks every second until stopped. */
	watch(): void;
	stop(): void;
}

export function createClockGuard(parts: ClockGuardParts): ClockGuard {
	const { db, bounds, also, sharedClock, onError } = parts;
	const { clock = Date.now, steady = () => performance.now() } = parts;
	/** The wall clock minus the steady one, when it was last looked at. */
	let apart = clock() - steady();
	let timer: NodeJS.Timeout | undefined;

	/** @param all due times are brought near however little they are ahead */
	async function bringNear(all: boolean): Promise<void> {
		const own = clock();
		const later = Math.max(own, (await sharedClock?.()) ?? own);
		for (const { table, column, longest, soon = false, counts = false, keyLike } of bounds) {
			const now = counts ? later : own;
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
			// Forwards everything is due earlier, which only makes one more look.
			apart = Math.max(apart, now);
			return false;
		}
		await bringNear(true);
		// Only what was repaired is forgotten: a database that is away now is repaired at the next look.
		apart = now;
		return true;
	}

	return {
		repair: () => bringNear(false),
		look,
		watch() {
			let isLooking = false;
			timer = setInterval(() => {
				// A database that is slow or away is asked once for the same.
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
