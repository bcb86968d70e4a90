/** Converts rows of the database to a migration. */
import type { Selectable } from 'kysely';
import { readStored } from '#lib/messages/catalogue.ts';
import { reasons } from '#lib/messages/migration/reasons.ts';
import { readEvidence } from './evidence.ts';
import {
	stepsFrom,
	type MigrationRecord,
	type MigrationRow,
	type StepRow
} from './migrationRecord.ts';
import { POLICIES, STATES } from './states.ts';
import { PATHS, STEP_IDS } from './steps.ts';
import type { MigrationStepsTable, MigrationsTable } from './tables.ts';

/** Reads a row; a stored reason that this release cannot read is kept as unreadable. */
export const rowOf = (row: Selectable<MigrationsTable>): MigrationRow => ({
	...row,
	reason: row.reason === null ? null : readStored(reasons.parse, row.reason)
});

/** Invalid evidence is replaced by an empty object; `readRecord` reports the step as damaged. */
const stepOf = (row: Selectable<MigrationStepsTable>): StepRow =>
	({
		step: row.step,
		hex: row.hex,
		txid: row.txid,
		evidence: readEvidence(row.step, row.evidence) ?? {},
		startedAt: row.started_at === null ? null : Number(row.started_at),
		doneAt: row.done_at === null ? null : Number(row.done_at)
	}) as StepRow;

/** Returns a migration with its stored steps, and the members whose approval of the import counts now. */
export function readRecord(
	row: Selectable<MigrationsTable>,
	begun: readonly Selectable<MigrationStepsTable>[],
	approvers: readonly string[]
): MigrationRecord {
	const steps = begun.filter(({ step }) => STEP_IDS.includes(step));
	const isKnown =
		STATES.includes(row.state) &&
		POLICIES.includes(row.policy) &&
		PATHS.includes(row.path) &&
		steps.length === begun.length;
	const damaged = steps.find(({ step, evidence }) => readEvidence(step, evidence) === null)?.step;
	return {
		row: rowOf(row),
		steps: stepsFrom(steps.map(stepOf)),
		approvers,
		...(damaged === undefined ? {} : { damaged }),
		...(isKnown ? {} : { ofAnotherRelease: true })
	};
}
