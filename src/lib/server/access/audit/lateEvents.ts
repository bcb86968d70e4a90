/**
 * Events of what a daemon has done already. Whoever asked for it is told so, also where the database does not take the
 * event at this moment: a caller who hears of a failure would do it again.
 */
import type { AuditEntry } from '../../platform/audit-trail/entry.ts';
import { databaseErrorKind } from '../../platform/database/databaseError.ts';
import { backOff } from '../../platform/jobs/backOff.ts';

interface LateEvents {
	/** Puts it on record, now or as soon as the database takes it. It never fails because of the database. */
	append(entry: AuditEntry): Promise<void>;
	/** Tries once more what is left, and ends. */
	stop(): Promise<void>;
}

interface LateEventsParts {
	audit: { append(entry: AuditEntry): Promise<void> };
	onError: (error: unknown) => void;
	/** Milliseconds before the next attempt, after so many failures in a row. */
	pause?: (failures: number) => number;
}

/** There are no more of them than calls on their way: without the database none is let pass. */
export function createLateEvents({ audit, onError, pause = backOff }: LateEventsParts): LateEvents {
	const going = new Set<Promise<void>>();
	const wakes = new Set<() => void>();
	let stopped = false;

	function waited(ms: number): Promise<void> {
		return new Promise((done) => {
			const wake = (): void => {
				clearTimeout(timer);
				wakes.delete(wake);
				done();
			};
			const timer = setTimeout(wake, ms).unref();
			wakes.add(wake);
			if (stopped) wake();
		});
	}

	async function goOn(entry: AuditEntry): Promise<void> {
		for (let failures = 1; ; failures += 1) {
			await waited(pause(failures));
			const isLast = stopped;
			try {
				return await audit.append(entry);
			} catch (error) {
				if (isLast || databaseErrorKind(error) === null) return onError(error);
			}
		}
	}

	return {
		async append(entry) {
			try {
				await audit.append(entry);
			} catch (error) {
				if (databaseErrorKind(error) === null) throw error;
				onError(error);
				const work = goOn(entry).finally(() => going.delete(work));
				going.add(work);
			}
		},
		async stop() {
			stopped = true;
			for (const wake of wakes) wake();
			await Promise.all(going);
		}
	};
}
