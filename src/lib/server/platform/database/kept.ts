import type { Awaitable } from '../async/awaitable.ts';

/**
 * Says whether anything in the database may have changed: two equal stamps mean that nothing did in between.
 * Null where the database cannot tell cheaply; then nothing may be kept.
 */
export type ChangeStamp = () => number | null;

/** Found rows that are good until anything in the database changes. */
interface Kept<T> {
	/** The value under the key, found by `find` unless it is still known. What is not found is not kept. */
	get(key: string, find: () => Promise<T | null>): Awaitable<T | null>;
}

const MOST = 1_000;

/**
 * Keeps what was read for as long as nobody has written, here or in another process: a change of role or a
 * revoked token counts with the next request, yet a row that every request needs is read once.
 */
export function createKept<T>(stamp: ChangeStamp): Kept<T> {
	const values = new Map<string, T>();
	let stampOfValues: number | null = null;

	async function found(now: number, key: string, find: () => Promise<T | null>): Promise<T | null> {
		const value = await find();
		if (value !== null && now === stampOfValues && values.size < MOST) values.set(key, value);
		return value;
	}

	return {
		get(key, find) {
			// Taken before the look: what changes while it runs makes the stamp another one.
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
