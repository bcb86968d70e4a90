/** Appends events to the audit log. */
import { factsOf, type AuditEntry } from '../../platform/audit-trail/entry.ts';
import { takeTouched, type RowState } from '../../platform/audit-trail/recorded.ts';
import type { AuditTables } from '../../platform/audit-trail/tables.ts';
import type { Executor } from '../../platform/database/database.ts';
import { AppError } from '../../platform/errors/appError.ts';
import { checkpointUpTo } from './checkpoints.ts';
import { currentCallerId, currentRequest, noteAct } from './context.ts';
import type { AuditHashes } from './hashes.ts';
import { stateText } from './recordedState.ts';
import { isTipIntact } from './tip.ts';

/** Options of the log that is written. */
interface AppendOptions {
	hashes: AuditHashes;
	/** Number of events that one checkpoint covers. */
	segmentRows: number;
	clock: () => number;
}

/** Identifies an event: the hash covers the event and all events before it. */
export interface AppendedEvent {
	seq: bigint;
	hash: string;
}

/** Increments the tip's number, which locks the tip until the end of the transaction, on both databases. */
async function nextTip(trx: Executor<AuditTables>, hashes: AuditHashes) {
	const tip = await trx
		.updateTable('audit_tip')
		.set((set) => ({ seq: set('seq', '+', 1n) }))
		.where('id', '=', 1n)
		.returning(['seq', 'hash', 'checkpointed', 'mac', 'broken_at', 'key_id'])
		.executeTakeFirstOrThrow();
	if (tip.key_id !== null && tip.key_id !== hashes.keyId) throw new AppError('secret.key-changed');
	return { ...tip, whole: await isTipIntact(trx, hashes, { ...tip, seq: tip.seq - 1n }) };
}

/**
 * Appends an event within a transaction, and a checkpoint when enough events follow the last one.
 * @param baseline states of recorded rows that the event holds; left out: the rows that the transaction
 * touched
 * @returns number and hash of the event
 * @throws {AppError} `secret.key-changed`: the log was continued under another key
 */
export async function appendEvent(
	trx: Executor<AuditTables>,
	{ hashes, segmentRows, clock }: AppendOptions,
	entry: AuditEntry,
	baseline?: readonly RowState[]
): Promise<AppendedEvent> {
	const state = baseline ? (stateText(baseline) ?? '[]') : stateText(await takeTouched(trx));
	const tip = await nextTip(trx, hashes);
	const now = clock();
	const byEngine = entry.actor === 'engine';
	const callerRequest = byEngine ? null : currentCallerId();
	const facts = {
		...factsOf(
			callerRequest === null ? entry : { ...entry, detail: { ...entry.detail, callerRequest } }
		),
		version: 3n,
		state,
		seq: tip.seq,
		time: BigInt(now),
		request: byEngine ? null : currentRequest()
	};
	const hash = hashes.row(facts, tip.hash);
	await trx
		.insertInto('audit_events')
		.values({ ...facts, prev_hash: tip.hash, hash })
		.execute();
	const full = tip.seq - tip.checkpointed >= BigInt(segmentRows);
	const checkpointed = full
		? await checkpointUpTo(trx, hashes, { ...tip, hash }, now)
		: tip.checkpointed;
	await trx
		.updateTable('audit_tip')
		.set({
			hash,
			checkpointed,
			key_id: hashes.keyId,
			// A tip that was tampered with stays invalid: a valid HMAC would hide it.
			...(tip.whole
				? { mac: hashes.tip(tip.seq, hash, checkpointed) }
				: { mac: '', broken_at: tip.broken_at ?? tip.seq })
		})
		.where('id', '=', 1n)
		.execute();
	// A refusal did nothing, and a call is noted when it is sent.
	const isAct = facts.outcome !== 'refused' && !entry.action.startsWith('rpc.');
	if (!byEngine && isAct) noteAct();
	return { seq: tip.seq, hash };
}
