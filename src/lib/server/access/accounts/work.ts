/**
 * Open work, as far as accounts are concerned: a member holds it, and it is assigned to another when they
 * leave.
 */
import type { WorkSubject } from '#lib/messages/work.ts';
import type { Executor } from '../../platform/database/database.ts';
import type { AccessTables } from '../tables.ts';

export type WorkKind = 'migration' | 'review' | 'series' | 'draft';

/** One item of open work. */
export interface WorkItem {
	kind: WorkKind;
	id: string;
	/** Its subject, from which the words on pages are made. */
	subject: WorkSubject;
	/** Address of its page. */
	href: string;
	/** The daemon whose wallet it uses; null when none is chosen yet. */
	daemon: string | null;
	/** Name of the account that began it. */
	by: string;
	/** Name of the account that holds it now. */
	holder: string;
}

/** Finds and assigns open work. */
export interface HandsOver {
	/** All open work, or that of one holder. */
	openWork(db: Executor<AccessTables>, holder?: string): Promise<WorkItem[]>;
	/**
	 * Assigns all open work of one member to another.
	 * @param trx the transaction that also logs it
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
