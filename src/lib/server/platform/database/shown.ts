import type { Awaitable } from '../async/awaitable.ts';
import { databaseErrorKind } from './databaseError.ts';

/** Reads for showing only: `silent` stands there while the database does not answer, which pages say themselves. */
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

/** What pages show. */
interface Shown<T> {
	now(): Promise<T>;
	/** Another text after each change, also after one that is gone again: pages that were made in between show it. */
	stamp(): Promise<string>;
}

/** @param textOf tells what is shown from what was shown before */
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
