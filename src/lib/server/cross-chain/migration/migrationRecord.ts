/** A migration as read from the database. */
import type { Selectable } from 'kysely';
import type { MigrationEvent } from '#lib/messages/migration/events.ts';
import type { MigrationReason } from '#lib/messages/migration/reasons.ts';
import type { Evidence } from './evidence.ts';
import type { StepId } from './steps.ts';
import type { MigrationsTable } from './tables.ts';

export type MigrationRow = Omit<Selectable<MigrationsTable>, 'reason'> & {
	/** Why it waits or has stopped. */
	reason: MigrationReason | null;
};

/** A stored step, with the facts that it has found. */
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

/** The stored steps, by id. */
export interface Steps extends ReadonlyMap<StepId, StepRow> {
	get<Id extends StepId>(id: Id): StepRow<Id> | undefined;
}

/** Returns stored steps by their id. */
export const stepsFrom = (rows: readonly StepRow[]): Steps =>
	new Map<StepId, StepRow>(rows.map((row) => [row.step, row])) as unknown as Steps;

/** A migration with its stored steps. */
export interface MigrationRecord {
	row: MigrationRow;
	steps: Steps;
	/** Names of the members whose approval of the import counts now. */
	approvers: readonly string[];
	/** A step with invalid evidence, which rules out any decision; absent when all evidence is valid. */
	damaged?: StepId;
	/** Its state, path, policy or a step belongs to another release, whose servers continue it. */
	ofAnotherRelease?: true;
}

export interface EventRow {
	seq: number;
	time: number;
	step: StepId;
	message: MigrationEvent;
	/** Number of occurrences, and the time of the last. */
	times: number;
	lastTime: number;
}
