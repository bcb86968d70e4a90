import { networkOf } from '../net/networkOf.ts';
import type { Asking } from './throttleRequests.ts';

/** Limits of files that are downloaded at the same time. */
interface OpenFileLimits {
	/** Of one member with all their API tokens, or of visitors behind one address. */
	caller: number;
	/** Of all visitors: they do not use up the places of members. */
	visitors: number;
	/** Of all callers together. */
	all: number;
}

export const OPEN_FILE_LIMITS: OpenFileLimits = { caller: 8, visitors: 48, all: 96 };

/** Counts the files that are being downloaded: each holds memory, and is read from the database for as long. */
export interface OpenFiles {
	/**
	 * Takes a place for a file.
	 * @returns the function that gives the place back, however often it is called; null when there is none
	 */
	open(asking: Asking): (() => void) | null;
}

export function createOpenFiles(limits: OpenFileLimits): OpenFiles {
	/** Open files by caller; only callers with at least one. */
	const open = new Map<string, number>();
	let visitors = 0;
	let all = 0;
	return {
		open({ account, address }) {
			const isVisitor = account === null;
			const caller = isVisitor ? `address ${networkOf(address)}` : `account ${account}`;
			const own = open.get(caller) ?? 0;
			if (own >= limits.caller || all >= limits.all) return null;
			if (isVisitor && visitors >= limits.visitors) return null;
			open.set(caller, own + 1);
			all += 1;
			if (isVisitor) visitors += 1;
			let isOpen = true;
			return () => {
				if (!isOpen) return;
				isOpen = false;
				const left = (open.get(caller) ?? 1) - 1;
				if (left > 0) open.set(caller, left);
				else open.delete(caller);
				all -= 1;
				if (isVisitor) visitors -= 1;
			};
		}
	};
}
