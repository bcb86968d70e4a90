/** A single change to a migration. */
import type { MigrationEvent } from '#lib/messages/migration/events.ts';
import type { MigrationReason } from '#lib/messages/migration/reasons.ts';
import type { AuditEntry } from '../../platform/audit-trail/entry.ts';
import type { Evidence } from './evidence.ts';
import type { MigrationState } from './states.ts';
import type { StepId } from './steps.ts';

/** Change to one step. Evidence is merged into the stored evidence. */
export type StepPatch<Id extends StepId = StepId> = {
	[Step in Id]: {
		step: Step;
		/** Written by compare-and-set: the write is refused when the stored hex is neither `from` nor `to`. */
		hex?: { from: string | null; to: string };
		txid?: string;
		evidence?: Evidence<Step>;
		/** Sets the times, unless they are set already. */
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
	/** Event of a step; `detail` has further facts for diagnosis in the database. */
	event?: { step: StepId; message: MigrationEvent; detail?: Readonly<Record<string, unknown>> };
	audit?: AuditEntry;
}
