/** Writes a change of a migration, its steps and its events to the database. */
import type { Selectable, Updateable } from 'kysely';
import { readStored, sameMessage, storedMessage } from '#lib/messages/catalogue.ts';
import { events } from '#lib/messages/migration/events.ts';
import type { MigrationReason } from '#lib/messages/migration/reasons.ts';
import type { Audit } from '../../access/audit/audit.ts';
import type { Executor } from '../../platform/database/database.ts';
import { AppError } from '../../platform/errors/appError.ts';
import type { CrossChainTables } from '../tables.ts';
import { readEvidence } from './evidence.ts';
import type { Patch, StepPatch } from './patch.ts';
import type { StepId } from './steps.ts';
import type { MigrationStepsTable, MigrationsTable } from './tables.ts';

/** Returns a reason as its column stores it. */
export const storedReason = (reason: MigrationReason | null): string | null =>
	reason === null ? null : storedMessage(reason);

/** Merges evidence into that of a step; invalid stored evidence is kept for diagnosis. */
function withEvidence(
	{ step, evidence }: Pick<Selectable<MigrationStepsTable>, 'step' | 'evidence'>,
	more: StepPatch['evidence']
): string {
	const there = readEvidence(step, evidence);
	return there === null ? evidence : JSON.stringify({ ...there, ...more });
}

/** Newest events in which a repeated one is counted instead of stored: more than a round of all proofs creates. */
const REMEMBERED = 24;

async function writeEvent(
	trx: Executor<CrossChainTables>,
	migration: string,
	event: NonNullable<Patch['event']>,
	now: bigint
): Promise<void> {
	const newest = await trx
		.selectFrom('migration_events')
		.select(['seq', 'step', 'message'])
		.where('migration', '=', migration)
		.orderBy('seq', 'desc')
		.limit(REMEMBERED)
		.execute();
	const detail = JSON.stringify(event.detail ?? {});
	const isSame = ({ step, message }: { step: StepId; message: string }): boolean =>
		step === event.step && sameMessage(readStored(events.parse, message), event.message);
	const same = newest.find(isSame);
	if (same) {
		await trx
			.updateTable('migration_events')
			.set((set) => ({ times: set('times', '+', 1n), last_time: now, detail }))
			.where('migration', '=', migration)
			.where('seq', '=', same.seq)
			.execute();
		return;
	}
	await trx
		.insertInto('migration_events')
		.values({
			migration,
			seq: (newest[0]?.seq ?? 0n) + 1n,
			time: now,
			step: event.step,
			message: storedMessage(event.message),
			detail,
			times: 1n,
			last_time: now
		})
		.execute();
}

async function writeStep(
	trx: Executor<CrossChainTables>,
	migration: string,
	patch: StepPatch,
	now: bigint
): Promise<void> {
	const { step } = patch;
	await trx
		.insertInto('migration_steps')
		.values({ migration, step, evidence: '{}' })
		.onConflict((conflict) => conflict.columns(['migration', 'step']).doNothing())
		.execute();
	const there = await trx
		.selectFrom('migration_steps')
		.selectAll()
		.where('migration', '=', migration)
		.where('step', '=', step)
		.executeTakeFirstOrThrow();
	if (patch.hex && there.hex !== patch.hex.from && there.hex !== patch.hex.to) {
		throw new AppError('lease.bytes-chosen', { id: migration, step });
	}
	await trx
		.updateTable('migration_steps')
		.set({
			hex: patch.hex ? patch.hex.to : there.hex,
			txid: patch.txid ?? there.txid,
			evidence: withEvidence(there, patch.evidence),
			started_at: there.started_at ?? (patch.started || patch.done ? now : null),
			done_at: there.done_at ?? (patch.done ? now : null)
		})
		.where('migration', '=', migration)
		.where('step', '=', step)
		.execute();
}

/** Writes a change within the caller's database transaction. */
export async function writeChange(
	audit: Audit,
	trx: Executor<CrossChainTables>,
	id: string,
	patch: Patch,
	now: bigint
): Promise<void> {
	for (const step of patch.steps ?? []) await writeStep(trx, id, step, now);
	if (patch.event) await writeEvent(trx, id, patch.event, now);
	const update: Updateable<MigrationsTable> = { updated_at: now };
	if (patch.state !== undefined) {
		update.state = patch.state;
		update.state_since = now;
	}
	if (patch.reason !== undefined) {
		update.reason = storedReason(patch.reason);
	}
	if (patch.due !== undefined) update.due_at = patch.due;
	if (patch.scanFrom !== undefined) update.import_scan_from = patch.scanFrom;
	await trx.updateTable('migrations').set(update).where('id', '=', id).execute();
	if (patch.audit) await audit.append(patch.audit, trx);
}
