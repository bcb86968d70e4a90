/** Long answers that were not taken yet: each lies in memory for as long as its caller likes to read. */
import type { ServerResponse } from 'node:http';

/** Shorter ones are not counted. */
const LONG = 1024 * 1024;
/** Of one member. Whoever reads as fast as daemons answer has a few of the longest under way. */
export const MOST_HELD = 256 * LONG;

interface HeldAnswers {
	/**
	 * Counts an answer until it was taken, or its caller has gone.
	 * @param account id of the caller's account
	 * @returns false when the caller holds too much already: then it is not counted
	 */
	hold(account: string, bytes: number, response: ServerResponse): boolean;
}

/** @param most bytes of one account */
export function createHeldAnswers(most: number): HeldAnswers {
	const held = new Map<string, number>();
	return {
		hold(account, bytes, response) {
			// Whoever has gone takes nothing, and will not go once more.
			if (bytes < LONG || response.destroyed) return true;
			const before = held.get(account) ?? 0;
			// One that is longer than all together may be alone.
			if (before > 0 && before + bytes > most) return false;
			held.set(account, before + bytes);
			response.once('close', () => {
				const left = (held.get(account) ?? 0) - bytes;
				if (left > 0) held.set(account, left);
				else held.delete(account);
			});
			return true;
		}
	};
}
