import type { Awaitable } from '../async/awaitable.ts';

/**
 * Returns a number that differs whenever anything in the database may have changed. Null when the database
 * cannot tell cheaply; then nothing may be cached.
 */
export type ChangeStamp = () => number | null;

/** A cache of rows that is valid until anything in the database changes. */
export interface RowCache<T> {
	/** Returns the cached value, or the result of `find`. A null result is not cached. */
	get(key: string, find: () => Promise<T | null>): Awaitable<T | null>;
}

const MOST = 1_000;

/**
 * Caches rows until this or another process writes to the database: a changed role or a revoked token takes
 * effect with the next request, yet a row that every request needs is read once.
 */
export function createRowCache<T>(stamp: ChangeStamp): RowCache<T> {
	const values = new Map<string, T>();
	let stampOfValues: number | null = null;

	async function found(now: number, key: string, find: () => Promise<T | null>): Promise<T | null> {
		const value = await find();
		if (value !== null && now === stampOfValues && values.size < MOST) values.set(key, value);
		return value;
	}

	return {
		get(key, find) {
			// Read before the query: a change while it runs yields another stamp, so the result is not used for
			// long.
			const now = stamp();
			if (now === null) return find();
			if (now !== stampOfValues) {
				values.clear();
				stampOfValues = now;
			}
			return values.get(key) ?? found(now, key, find);
		}
	};
}
