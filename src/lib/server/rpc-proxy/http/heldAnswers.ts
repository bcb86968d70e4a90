/** Limits the memory of long responses that slow clients have not read yet. */
import type { ServerResponse } from 'node:http';

/** Shorter responses are not counted. */
const LONG = 1024 * 1024;
/** Limit per member. A client that reads as fast as daemons respond has only a few of the longest in progress. */
export const MOST_HELD = 256 * LONG;

interface HeldAnswers {
	/**
	 * Counts a response until it is sent, or the client disconnects.
	 * @param account id of the caller's account
	 * @returns false when the caller is over the limit: then it is not counted
	 */
	hold(account: string, bytes: number, response: ServerResponse): boolean;
}

/** @param most limit per account, bytes */
export function createHeldAnswers(most: number): HeldAnswers {
	const held = new Map<string, number>();
	return {
		hold(account, bytes, response) {
			// A closed connection needs no memory and emits no further `close`.
			if (bytes < LONG || response.destroyed) return true;
			const before = held.get(account) ?? 0;
			// A single response longer than the limit is allowed.
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
