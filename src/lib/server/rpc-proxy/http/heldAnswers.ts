/** Limits the memory of responses that grow piece by piece, and of those that slow clients have not read yet. */
import type { ServerResponse } from 'node:http';
import { SMALL } from './reply.ts';

/** Bytes per member. A client that reads as fast as daemons respond has only a few of the longest in progress. */
export const MOST_HELD = 256 * 1024 * 1024;

/** A response that grows by the answers of single calls, and counts for its member meanwhile. */
export interface Growing {
	/** Tells whether the caller is at the limit, so that no further call may be made. */
	isFull(): boolean;
	/**
	 * Counts the answer of a call.
	 * @param isRefusable false when the call may have had an effect: then it is counted beyond the limit
	 * @returns false when it would exceed the caller's limit: then it is not counted, and must be dropped
	 */
	add(bytes: number, isRefusable: boolean): boolean;
	/** Ends the counting. */
	end(): void;
}

interface HeldAnswers {
	/** Tells whether the caller is at the limit, so that no further request may be executed. */
	isFull(account: string): boolean;
	/** Begins to count a response that grows; `end` is called before it is held as a whole. */
	grow(account: string): Growing;
	/**
	 * Counts a response until it is sent, or the client disconnects.
	 * @param account id of the caller's account
	 * @param isRefusable false when the request may have had an effect: then the response is counted beyond the limit
	 * @returns false when it would exceed the caller's limit: then it is not counted
	 */
	hold(account: string, bytes: number, response: ServerResponse, isRefusable: boolean): boolean;
}

/** Whether a small response is written with nothing in front of it, not even that of a pipelined request. */
const isAtOnce = ({ socket }: ServerResponse): boolean => socket?.writableLength === 0;

/** @param most limit per account, bytes */
export function createHeldAnswers(most: number): HeldAnswers {
	const held = new Map<string, number>();
	const isFull = (account: string): boolean => (held.get(account) ?? 0) >= most;
	function release(account: string, bytes: number): void {
		const left = (held.get(account) ?? 0) - bytes;
		if (left > 0) held.set(account, left);
		else held.delete(account);
	}
	/** Counts bytes; a single response longer than the limit is allowed. @returns false when they are refused */
	function take(account: string, bytes: number, isRefusable: boolean): boolean {
		const before = held.get(account) ?? 0;
		if (isRefusable && bytes > SMALL && before > 0 && before + bytes > most) return false;
		held.set(account, before + bytes);
		return true;
	}
	return {
		isFull,
		grow(account) {
			let own = 0;
			return {
				isFull: () => isFull(account),
				add(bytes, isRefusable) {
					if (!take(account, bytes, isRefusable)) return false;
					own += bytes;
					return true;
				},
				end() {
					release(account, own);
					own = 0;
				}
			};
		},
		hold(account, bytes, response, isRefusable) {
			const { socket } = response.req;
			// A closed connection needs no memory and emits no further `close`.
			if (socket.destroyed || (bytes <= SMALL && isAtOnce(response))) return true;
			if (!take(account, bytes, isRefusable)) return false;
			let isHeld = true;
			const end = (): void => {
				if (!isHeld) return;
				isHeld = false;
				socket.off('close', end);
				release(account, bytes);
			};
			response.once('close', end);
			// Node.js 22 does not close responses that still wait for an earlier one of their connection.
			socket.setMaxListeners(0).once('close', end);
			return true;
		}
	};
}
