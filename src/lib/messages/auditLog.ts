/** Results of checking the audit log: whether it is intact, and which rows differ from it. */
import { plural } from '#lib/text/plural.ts';
import { utc } from '#lib/text/utc.ts';

/** The problem at the first position that does not match. */
type AuditReason =
	/** A row is missing. */
	| 'missing'
	/** A row differs from what was written, or was not written with this key. */
	| 'changed'
	/** The end of the log is missing, from this row on. */
	| 'cut-off'
	/** The stored tip was moved before this row was appended. */
	| 'end-changed'
	/** A row of a deleted segment still exists. */
	| 'left-over'
	/** A checkpoint was changed, or does not follow the previous one. */
	| 'checkpoint-changed'
	/** A checkpoint is missing. */
	| 'checkpoint-missing'
	/** A checkpoint differs from its copy outside of the database. */
	| 'checkpoint-differs'
	/** The checkpoint file outside the database cannot be read at this line, or the file of the last event. */
	| 'copy-unreadable';

/** The first problem found. */
export interface AuditFault {
	reason: AuditReason;
	/**
	 * Number of the row, or of the line for `copy-unreadable`. Null when it concerns only a checkpoint, or the file
	 * of the last event.
	 */
	seq: number | null;
	/** Number of the segment; null for rows that no checkpoint covers yet. */
	segment: number | null;
}

/** What was checked, up to the first fault. */
export interface AuditChecked {
	/** Number of events whose hashes were recomputed. */
	rows: number;
	/** Numbers of the first and the last of them; 0 for none. */
	from: number;
	to: number;
	/** Number of valid checkpoints, and of those whose segments were dropped. */
	segments: number;
	dropped: number;
	/** Number of checkpoints in the copy outside of the database; null: none. */
	copies: number | null;
	/** How far the log reached according to the outside copy; null: not known. `at` in Unix milliseconds. */
	seen: { seq: number; at: number } | null;
}

type Facts = Readonly<Record<string, string | null>>;

/** A row that differs from the audit log. */
interface DifferingRow {
	table: keyof typeof ROW_WORDS;
	key: readonly string[];
	expected: Facts | null;
	found: Facts | null;
	whose: string | null;
}

/** Describes where and how the log is broken, as a sentence. */
export function faultSentence({ reason, seq, segment }: AuditFault): string {
	const inSegment = segment === null ? '' : ` of segment ${segment}`;
	switch (reason) {
		case 'missing':
			return `Event ${seq}${inSegment} is missing.`;
		case 'changed':
			return `Event ${seq}${inSegment} was changed, or was not written with this key.`;
		case 'cut-off':
			return `Event ${seq}${inSegment} and what followed it were cut off.`;
		case 'end-changed':
			return `The end of the log was put elsewhere before event ${seq ?? 1} was added: events may be missing there.`;
		case 'left-over':
			return `Event ${seq}${inSegment} is there, although the segment was dropped.`;
		case 'checkpoint-changed':
			return `The checkpoint of segment ${segment} was changed, or was not made with this key.`;
		case 'checkpoint-missing':
			return `The checkpoint of segment ${segment} is missing.`;
		case 'checkpoint-differs':
			return `The checkpoint of segment ${segment} differs from its copy outside of the database.`;
		case 'copy-unreadable':
			return seq === null
				? 'The file audit/end.json in the data folder, which says how far the log reached, cannot be read.'
				: `Line ${seq} of the checkpoints that are kept outside of the database cannot be read.`;
	}
}

/** Describes the extent of a check, one sentence per part. */
export function checkedSentences(checked: AuditChecked): string[] {
	const { rows, from, to, segments, dropped, copies, seen } = checked;
	return [
		// A fault before the events ends the verification.
		rows === 0
			? 'No event was checked.'
			: `${plural(rows, 'event')}, from ${from} to ${to}: each hash was computed again.`,
		segments === 0
			? 'There is no checkpoint yet.'
			: `${plural(segments, 'checkpoint')}${dropped === 0 ? '' : `; retention dropped the events under ${dropped} of them`}.`,
		copies === null
			? 'No checkpoint is kept outside of the database here.'
			: `${plural(copies, 'checkpoint')} kept outside of the database ${copies === 1 ? 'agrees' : 'agree'}.`,
		seen === null
			? 'Nothing outside of the database says how far the log reached.'
			: `The log was seen to reach event ${seen.seq} at ${utc(seen.at)}.`
	];
}

const ROW_WORDS = {
	accounts: 'account',
	api_tokens: 'API token',
	account_links: 'invitation or password link',
	identities: 'linked identity',
	unlinked_identities: 'unlinked identity',
	wallet_grants: 'wallet grant',
	spending_limits: 'spending limit',
	fee_caps: 'fee limit',
	safety_controls: 'safety control',
	listed_servers: 'allowed server',
	security_settings: 'security setting',
	second_factors: 'second factor',
	recovery_codes: 'recovery code',
	policy_rules: 'rule of the policies',
	change_proposals: 'proposed change',
	change_votes: 'approval of a change',
	approval_requests: 'approval request',
	approval_votes: 'approval'
} as const;

/** Whether the audit log holds only a fingerprint of a column: columns whose name ends like this hold secrets. */
export const isFingerprint = (column: string): boolean => /(_hash|_secret|secret)$/.test(column);

const valuesOf = (facts: Facts): string =>
	Object.entries(facts)
		.filter(([, value]) => value !== null)
		.map(([column, value]) => (isFingerprint(column) ? column : `${column} ${value}`))
		.join(', ') || 'as it is';

/** Returns a row's key for display, without ids of accounts, whose names are shown separately. */
function rowName({ table, key, whose, expected, found }: DifferingRow): string {
	const words = ROW_WORDS[table];
	if (table === 'accounts') return `The account ${whose ?? key[0]}`;
	const own = ['wallet_grants', 'spending_limits'].includes(table) ? key.slice(1) : key;
	const label =
		table === 'api_tokens' ? `"${(found ?? expected)?.['name'] ?? key[0]}"` : own.join(' ');
	const of = whose ?? (key[0] === '*' ? 'everyone' : null);
	return `The ${words} ${label}${of === null ? '' : ` of ${of}`}`;
}

/** The values that the log and the database hold of a row, without those of secrets. */
type RecordedFacts = readonly (readonly [column: string, value: string | null])[];

/** A row that differs from the log, in JSON. */
export interface RecordedRow extends Omit<DifferingRow, 'expected' | 'found'> {
	/** A list, because an event keeps no member whose name is that of a secret. */
	expected: RecordedFacts | null;
	found: RecordedFacts | null;
}

const recordedFacts = (facts: Facts | null): RecordedFacts | null =>
	facts &&
	Object.entries(facts).map(([column, value]) => [
		column,
		value !== null && isFingerprint(column) ? '' : value
	]);

/** Returns a difference as an event holds it. */
export const recordedRow = ({ table, key, whose, expected, found }: DifferingRow): RecordedRow => ({
	table,
	key,
	whose,
	expected: recordedFacts(expected),
	found: recordedFacts(found)
});

/** Describes a difference that an event holds. */
export const recordedDifference = ({ expected, found, ...row }: RecordedRow): string =>
	differenceSentence({
		...row,
		expected: expected && Object.fromEntries(expected),
		found: found && Object.fromEntries(found)
	});

/** Describes a difference: the row, its member, what the log says, and what the database says. */
export function differenceSentence(one: DifferingRow): string {
	const name = rowName(one);
	if (one.expected === null) {
		return `${name} was added outside of Komodeck: expected none, found ${valuesOf(one.found ?? {})}.`;
	}
	if (one.found === null) {
		return `${name} was deleted outside of Komodeck: expected ${valuesOf(one.expected)}, found none.`;
	}
	const { expected, found } = one;
	const changes = Object.keys(expected).map((column) =>
		isFingerprint(column)
			? `${column} was replaced`
			: `${column} expected ${expected[column] ?? 'none'}, found ${found[column] ?? 'none'}`
	);
	return `${name} was changed outside of Komodeck: ${changes.join('; ')}.`;
}

/** Line of the server's log when old events are kept because the export has not sent them. */
export const heldBackForExport = (segment: number): string =>
	`Segment ${segment} of the audit log is older than KOMODECK_AUDIT_DAYS. It and all later ones are kept, because the audit export (KOMODECK_AUDIT_EXPORT) has not sent all of their events yet. Check the destination of the export.`;
