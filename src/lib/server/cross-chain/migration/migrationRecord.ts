/** A migration as it was read from the database. */
import type { Selectable } from 'kysely';
import type { MigrationEvent } from '#lib/messages/migration/events.ts';
import type { MigrationReason } from '#lib/messages/migration/reasons.ts';
import type { Evidence } from './evidence.ts';
import type { StepId } from './steps.ts';
import type { MigrationsTable } from './tables.ts';

export type MigrationRow = Omit<Selectable<MigrationsTable>, 'reason'> & {
	/** Why it waits or stands still. */
	reason: MigrationReason | null;
};

/** A step that was begun, with the facts that it found. */
export type StepRow<Id extends StepId = StepId> = {
	[Step in Id]: {
		step: Step;
		hex: string | null;
		txid: string | null;
		evidence: Evidence<Step>;
		startedAt: number | null;
		doneAt: number | null;
	};
}[Id];

/** The steps that were begun, by their ids. */
export interface Steps extends ReadonlyMap<StepId, StepRow> {
	get<Id extends StepId>(id: Id): StepRow<Id> | undefined;
}

export const stepsFrom = (rows: readonly StepRow[]): Steps =>
	new Map<StepId, StepRow>(rows.map((row) => [row.step, row])) as unknown as Steps;

/** A migration with the steps that were begun. */
export interface MigrationRecord {
	row: MigrationRow;
	steps: Steps;
	/** A step whose evidence does not fit: nothing may be decided by what is left. Absent where all fits. */
	damaged?: StepId;
	/** Its state, route, policy or a step is not of this release: a server of another one goes on with it. */
	ofAnotherRelease?: true;
}

export interface EventRow {
	seq: number;
	time: number;
	step: StepId;
	message: MigrationEvent;
	/** How often it happened, and when it did so last. */
	times: number;
	lastTime: number;
}
