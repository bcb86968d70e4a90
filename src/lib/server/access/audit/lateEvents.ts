/**
 * Events about what a daemon has already done. The caller gets the result even when the database cannot store
 * the event right now: a caller who is told of a failure would repeat the call.
 */
import { setMaxListeners } from 'node:events';
import type { AuditEntry } from '../../platform/audit-trail/entry.ts';
import { sleep } from '../../platform/async/sleep.ts';
import { databaseErrorKind } from '../../platform/database/databaseError.ts';
import { backOff } from '../../platform/async/backOff.ts';
import type { Audit } from './audit.ts';

export interface LateEvents {
	/** Logs an event, now or as soon as the database accepts it. It never fails because of the database. */
	append(entry: AuditEntry): Promise<void>;
	/**
	 * The same for other work in the database, which is repeated until it succeeds.
	 * @param work writes nothing a second time when an earlier attempt may have been committed
	 */
	run(work: () => Promise<void>): Promise<void>;
	/** Tries the remaining events once more, and ends. */
	stop(): Promise<void>;
}

interface LateEventsParts {
	audit: Pick<Audit, 'appender'>;
	onError: (error: unknown) => void;
	/** Returns the pause before the next attempt after a number of consecutive failures, in milliseconds. */
	pause?: (failures: number) => number;
}

/**
 * Builds the queue of late events. Its size is bounded by the calls in flight, since without the database no
 * further call is allowed.
 */
export function createLateEvents({ audit, onError, pause = backOff }: LateEventsParts): LateEvents {
	const going = new Set<Promise<void>>();
	const stopping = new AbortController();
	// Each waiting event listens.
	setMaxListeners(0, stopping.signal);

	async function goOn(work: () => Promise<void>): Promise<void> {
		for (let failures = 1; ; failures += 1) {
			await sleep(pause(failures), stopping.signal);
			const isLast = stopping.signal.aborted;
			try {
				return await work();
			} catch (error) {
				if (isLast || databaseErrorKind(error) === null) return onError(error);
			}
		}
	}

	async function run(work: () => Promise<void>): Promise<void> {
		try {
			await work();
		} catch (error) {
			if (databaseErrorKind(error) === null) throw error;
			onError(error);
			const later = goOn(work).finally(() => going.delete(later));
			going.add(later);
		}
	}

	return {
		run,
		append: (entry) => run(audit.appender(entry)),
		async stop() {
			stopping.abort();
			await Promise.all(going);
		}
	};
}
