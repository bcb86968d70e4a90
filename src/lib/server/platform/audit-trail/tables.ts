import type { Int64, NullableInt64, NullableText } from '../database/columns.ts';
import type { AuditKind, AuditOutcome } from './entry.ts';

/** One event. Events are only ever added, and leave by whole segments. */
export interface AuditEventsTable {
	seq: Int64;
	/** Unix milliseconds. */
	time: Int64;
	actor: string;
	action: string;
	target: NullableText;
	/** JSON object, keys in the order in which they were sealed. */
	detail: string;
	prev_hash: string;
	hash: string;
	/** Which form the hash was made of: 1 covers the columns up to `detail`, 2 those up to `request`, 3 all. */
	version: Int64;
	kind: AuditKind;
	/** Chain, daemon or node. */
	place: NullableText;
	outcome: AuditOutcome;
	/** Id of the request that it came from. */
	request: NullableText;
	/** JSON array: what the recorded rows say after the act; null where it changed none. */
	state: NullableText;
}

/** The tip of the log: locked while an event is added, and what shows that events were cut off. */
export interface AuditTipTable {
	id: Int64;
	seq: Int64;
	hash: string;
	/** The last event under a checkpoint. */
	checkpointed: Int64;
	/** HMAC over the end; null until the first row of form 2. */
	mac: NullableText;
	/** The first row that was added after an end that did not fit its HMAC. */
	broken_at: NullableInt64;
	/** Which key the next row is written with; null until a row of form 3 was. */
	key_id: NullableText;
}

/** The checkpoint of a segment. It stays when the events of the segment are dropped. */
export interface AuditCheckpointsTable {
	/** 1, 2, 3 … */
	number: Int64;
	first_seq: Int64;
	last_seq: Int64;
	rows: Int64;
	/** Hash of the last row: it stands for all rows before it. */
	last_hash: string;
	/** Times of the first and the last row, Unix milliseconds. */
	first_time: Int64;
	last_time: Int64;
	/** HMAC of the checkpoint before; empty for the first. */
	previous: string;
	created_at: Int64;
	mac: string;
	/** When the rows were dropped, and the HMAC over that. */
	dropped_at: NullableInt64;
	drop_mac: NullableText;
}

export interface AuditTables {
	audit_events: AuditEventsTable;
	audit_tip: AuditTipTable;
	audit_checkpoints: AuditCheckpointsTable;
}
