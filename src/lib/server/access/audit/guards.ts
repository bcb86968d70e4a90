/**
 * What the database itself refuses. The hashes find a change; these keep an honest mistake from making one,
 * and let rows go only with a whole segment whose seal says that it was dropped.
 */
import { sql, type Kysely } from 'kysely';
import type { DatabaseDialect } from '../../platform/database/dialect.ts';

/** One trigger for SQLite: its name, when it fires, the case that it refuses, and what it says. */
type Guard = readonly [name: string, when: string, refused: string, sentence: string];

const ONLY = 'audit is append-only';
const OUTSIDE_DROPPED = `not exists (select 1 from audit_seals
	where dropped_at is not null and old.seq between first_seq and last_seq)`;
// The largest number is found by the key's index, however many rows there are.
const NOT_AT_END = 'new.seq <= coalesce((select max(seq) from audit), 0)';
const SEAL_COLUMNS = [
	...['number', 'first_seq', 'last_seq', 'rows', 'last_hash', 'first_time', 'last_time'],
	...['previous', 'sealed_at', 'mac']
];

/** A seal may only be marked as dropped, once. */
const sealChanged = (differs: string): string =>
	[
		'old.dropped_at is not null',
		'new.dropped_at is null',
		...SEAL_COLUMNS.map((column) => `new."${column}" ${differs} old."${column}"`)
	].join(' or ');

const HEAD_JUMPS = 'new.seq < old.seq or new.seq > old.seq + 1';
const SEAL_NOT_NEXT = 'exists (select 1 from audit_seals where number >= new.number)';

const SQLITE_GUARDS: readonly Guard[] = [
	['audit_no_update', 'update on audit', '1', ONLY],
	['audit_no_delete', 'delete on audit', OUTSIDE_DROPPED, ONLY],
	['audit_at_end', 'insert on audit', NOT_AT_END, ONLY],
	[
		'audit_seals_no_change',
		'update on audit_seals',
		sealChanged('is not'),
		'a seal does not change'
	],
	['audit_seals_no_delete', 'delete on audit_seals', '1', 'a seal stays'],
	['audit_seals_at_end', 'insert on audit_seals', SEAL_NOT_NEXT, 'a seal does not change'],
	['audit_head_no_jump', 'update on audit_head', HEAD_JUMPS, ONLY],
	['audit_head_no_delete', 'delete on audit_head', '1', ONLY]
];

/** For PostgreSQL: table, events of single rows with what they refuse, and events of whole statements. */
const POSTGRES_GUARDS = [
	{
		table: 'audit',
		rows: `if tg_op = 'DELETE' then
				if ${OUTSIDE_DROPPED} then raise exception '${ONLY}'; end if;
				return old;
			end if;
			if tg_op = 'INSERT' and not (${NOT_AT_END}) then return new; end if;
			raise exception '${ONLY}';`,
		events: 'insert or update or delete'
	},
	{
		table: 'audit_seals',
		rows: `if tg_op = 'INSERT' and not (${SEAL_NOT_NEXT}) then return new; end if;
			if tg_op = 'UPDATE' then
				if not (${sealChanged('is distinct from')}) then return new; end if;
			end if;
			raise exception 'a seal does not change';`,
		events: 'insert or update or delete'
	},
	{
		table: 'audit_head',
		rows: `if tg_op = 'UPDATE' then
				if not (${HEAD_JUMPS}) then return new; end if;
			end if;
			raise exception '${ONLY}';`,
		events: 'update or delete'
	}
] as const;

/** Takes the guards away: before rows of a backup are put in, and before they are made anew. */
export async function removeAuditGuards(
	db: Kysely<unknown>,
	dialect: DatabaseDialect
): Promise<void> {
	if (dialect === 'sqlite') {
		for (const [name] of SQLITE_GUARDS) {
			await sql`drop trigger if exists ${sql.ref(name)}`.execute(db);
		}
		return;
	}
	for (const name of [
		'audit_is_append_only',
		'audit_guard',
		'audit_seals_guard',
		'audit_head_guard'
	]) {
		await sql`drop function if exists ${sql.ref(name)} cascade`.execute(db);
	}
	await sql`drop function if exists audit_no_truncate cascade`.execute(db);
}

export async function addAuditGuards(db: Kysely<unknown>, dialect: DatabaseDialect): Promise<void> {
	if (dialect === 'sqlite') {
		for (const [name, when, refused, sentence] of SQLITE_GUARDS) {
			await sql
				.raw(
					`create trigger ${name} before ${when} when ${refused}
					begin select raise(abort, '${sentence}'); end`
				)
				.execute(db);
		}
		return;
	}
	await sql
		.raw(
			`create function audit_no_truncate() returns trigger language plpgsql as
			$$ begin raise exception '${ONLY}'; end $$`
		)
		.execute(db);
	for (const { table, rows, events } of POSTGRES_GUARDS) {
		await sql
			.raw(
				`create function ${table}_guard() returns trigger language plpgsql as
				$$ begin ${rows} end $$`
			)
			.execute(db);
		await sql
			.raw(
				`create trigger ${table}_guarded before ${events} on ${table}
				for each row execute function ${table}_guard()`
			)
			.execute(db);
		await sql
			.raw(
				`create trigger ${table}_kept before truncate on ${table}
				for each statement execute function audit_no_truncate()`
			)
			.execute(db);
	}
}
