/** What one write does to a migration. */
import type { MigrationEvent } from '#lib/messages/migration/events.ts';
import type { MigrationReason } from '#lib/messages/migration/reasons.ts';
import type { AuditEntry } from '../../platform/audit-trail/entry.ts';
import type { Evidence } from './evidence.ts';
import type { MigrationState } from './states.ts';
import type { StepId } from './steps.ts';

/** What becomes of one step. Evidence is added to what is there. */
export type StepPatch<Id extends StepId = StepId> = {
	[Step in Id]: {
		step: Step;
		/** Chosen by compare-and-set: the write is refused when another hex than `from` stands there. */
		hex?: { from: string | null; to: string };
		txid?: string;
		evidence?: Evidence<Step>;
		/** Sets the times, where they are not set yet. */
		started?: true;
		done?: true;
	};
}[Id];

/** One write: all of it is stored, or nothing. */
export interface Patch {
	state?: MigrationState;
	reason?: MigrationReason | null;
	/** Unix milliseconds; null when nothing is due. */
	due?: number | null;
	scanFrom?: bigint;
	steps?: readonly StepPatch[];
	/** What happened, in a step; further facts for whoever reads the database. */
	event?: { step: StepId; message: MigrationEvent; detail?: Readonly<Record<string, unknown>> };
	audit?: AuditEntry;
}
