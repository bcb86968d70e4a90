/** Events of the log in the form in which they are shown. */
import type { Selectable } from 'kysely';
import {
	auditPlaceWords,
	auditTargetCode,
	auditTargetWords,
	recordedValue,
	type AuditTargetCode
} from '#lib/messages/audit/values.ts';
import { deniedBy, recordedReason, type DeniedBy } from '#lib/messages/denials.ts';
import type { AuditKind, AuditOutcome } from '../../platform/audit-trail/entry.ts';
import type { AuditEventsTable, AuditTables } from '../../platform/audit-trail/tables.ts';
import type { Executor } from '../../platform/database/database.ts';

export interface AuditEvent {
	seq: number;
	/** Unix milliseconds. */
	time: number;
	actor: string;
	action: string;
	kind: AuditKind;
	target: string | null;
	/** Set when the target is everyone, every chain or many requests. */
	targetCode: AuditTargetCode | null;
	/** Chain, daemon or trading node. */
	place: string | null;
	outcome: AuditOutcome;
	/** Id of the request that caused it; null for none. */
	request: string | null;
	/** Codes are rendered as text. */
	detail: Record<string, unknown>;
	/** What denied it, where the reason has a code. */
	deniedBy: DeniedBy | null;
}

/** Reads an event; the reasons of early releases are given in today's form. */
export function eventOf(row: Selectable<AuditEventsTable>): AuditEvent {
	const { actor, action, kind, outcome, request } = row;
	const detail = JSON.parse(row.detail) as Record<string, unknown>;
	const by = deniedBy(detail.reason);
	if ('reason' in detail) detail.reason = recordedReason(detail.reason);
	const targetCode = auditTargetCode(action, row.target, detail);
	return {
		seq: Number(row.seq),
		time: Number(row.time),
		actor,
		action,
		kind,
		target: targetCode === null ? row.target : auditTargetWords(targetCode),
		targetCode,
		place: auditPlaceWords(row.place),
		outcome,
		request,
		detail: recordedValue(detail) as typeof detail,
		deniedBy: by
	};
}

/** Whether the log has an event with this number and hash. */
export async function hasEvent(
	db: Executor<AuditTables>,
	{ seq, hash }: { seq: bigint; hash: string }
): Promise<boolean> {
	const event = await db
		.selectFrom('audit_events')
		.select('seq')
		.where('seq', '=', seq)
		.where('hash', '=', hash)
		.executeTakeFirst();
	return event !== undefined;
}

/** Returns the rows of the first `most` events after the event number `seq`, in their order. */
export const rowsAfter = (
	db: Executor<AuditTables>,
	seq: bigint,
	most: number
): Promise<Selectable<AuditEventsTable>[]> =>
	db
		.selectFrom('audit_events')
		.selectAll()
		.where('seq', '>', seq)
		.orderBy('seq')
		.limit(most)
		.execute();

/** Returns events, newest first, at most `limit`, before the event number `before`. */
export async function listEvents(
	db: Executor<AuditTables>,
	options: { limit?: number; before?: number; actor?: string; action?: string } = {}
): Promise<AuditEvent[]> {
	const { limit = 100, before, actor, action } = options;
	let query = db.selectFrom('audit_events').selectAll().orderBy('seq', 'desc').limit(limit);
	if (before !== undefined) query = query.where('seq', '<', BigInt(before));
	if (actor !== undefined) query = query.where('actor', '=', actor);
	if (action !== undefined) query = query.where('action', '=', action);
	return (await query.execute()).map(eventOf);
}
