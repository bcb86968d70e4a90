import type { Awaitable } from '../async/awaitable.ts';
import { databaseErrorKind } from './databaseError.ts';

/**
 * Wraps a read for display: returns `silent` for null, and while the database fails, which pages report
 * separately.
 */
export const unlessSilent =
	<T>(read: () => Awaitable<T | null>, silent: T) =>
	async (): Promise<T> => {
		try {
			return (await read()) ?? silent;
		} catch (error) {
			if (databaseErrorKind(error) === null) throw error;
			return silent;
		}
	};

/** A displayed value and its version. */
interface Shown<T> {
	now(): Promise<T>;
	/**
	 * A text that is different after each change, even when a value returns: pages rendered in between show the
	 * other one.
	 */
	stamp(): Promise<string>;
}

/** @param textOf returns the displayed text, by which two values are compared */
export function createShown<T>(read: () => Promise<T>, textOf: (value: T) => string): Shown<T> {
	let last: string | null = null;
	let changes = 0;

	async function now(): Promise<T> {
		const value = await read();
		const text = textOf(value);
		if (text !== last) changes += 1;
		last = text;
		return value;
	}

	return {
		now,
		async stamp() {
			await now();
			return String(changes);
		}
	};
}
