/** Open work as accounts know it: it is in somebody's hands, and goes over to another when they leave. */
import type { WorkSubject } from '#lib/messages/work.ts';
import type { Executor } from '../../platform/database/database.ts';
import type { AccessTables } from '../tables.ts';

export type WorkKind = 'migration' | 'review' | 'series' | 'draft';

/** One piece of open work. */
export interface WorkItem {
	kind: WorkKind;
	id: string;
	/** What it is. */
	subject: WorkSubject;
	/** Where it is shown. */
	href: string;
	/** The daemon whose wallet it uses; null when none is chosen yet. */
	daemon: string | null;
	/** Name of the account that began it. */
	by: string;
	/** Name of the account in whose hands it is now. */
	holder: string;
}

/** Finds open work and hands it over. */
export interface HandsOver {
	/** All open work, or that which is in the hands of one person. */
	openWork(db: Executor<AccessTables>, holder?: string): Promise<WorkItem[]>;
	/**
	 * Puts everything that is in one person's hands into another's.
	 * @param trx the transaction in which it is audited, too
	 * @param from name of the account
	 * @param successor id of the account
	 * @throws {AppError} `assignment.successor-unfit` when the successor could not finish it
	 */
	handOver(
		trx: Executor<AccessTables>,
		from: string,
		successor: string
	): Promise<{ to: string; items: WorkItem[] }>;
}
