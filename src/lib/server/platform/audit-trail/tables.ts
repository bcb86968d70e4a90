import type { Int64, NullableInt64, NullableText } from '../database/columns.ts';
import type { AuditKind, AuditOutcome } from './entry.ts';

/** One event. Events are only appended, and are deleted in whole segments. */
export interface AuditEventsTable {
	seq: Int64;
	/** Unix milliseconds. */
	time: Int64;
	actor: string;
	action: string;
	target: NullableText;
	/** JSON object, keys in the order in which they were hashed. */
	detail: string;
	prev_hash: string;
	hash: string;
	/** Which columns the hash covers: form 1 up to `detail`, form 2 up to `request`, form 3 all. */
	version: Int64;
	kind: AuditKind;
	/** Chain, daemon or node. */
	place: NullableText;
	outcome: AuditOutcome;
	/** Id of the request that caused the event. */
	request: NullableText;
	/** JSON array: state of the recorded rows after the action; null where it changed none. */
	state: NullableText;
}

/** The tip of the log. Locked while an event is appended; it also reveals that events were cut off at the end. */
export interface AuditTipTable {
	id: Int64;
	seq: Int64;
	hash: string;
	/** Sequence number of the last event that a checkpoint covers. */
	checkpointed: Int64;
	/** HMAC over the tip; null until the first row of form 2. */
	mac: NullableText;
	/** Sequence number of the first row that was appended after a tip that did not match its HMAC. */
	broken_at: NullableInt64;
	/** Id of the key for the next row; null until the first row of form 3. */
	key_id: NullableText;
}

/** The checkpoint of a segment. It is kept when the events of the segment are deleted. */
export interface AuditCheckpointsTable {
	/** 1, 2, 3 … */
	number: Int64;
	first_seq: Int64;
	last_seq: Int64;
	rows: Int64;
	/** Hash of the last row: it covers all rows before it. */
	last_hash: string;
	/** Times of the first and the last row, Unix milliseconds. */
	first_time: Int64;
	last_time: Int64;
	/** HMAC of the previous checkpoint; empty for the first. */
	previous: string;
	created_at: Int64;
	mac: string;
	/** When the rows were deleted, and the HMAC over that. */
	dropped_at: NullableInt64;
	drop_mac: NullableText;
}

export interface AuditTables {
	audit_events: AuditEventsTable;
	audit_tip: AuditTipTable;
	audit_checkpoints: AuditCheckpointsTable;
}
