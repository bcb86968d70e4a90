/**
 * Triggers of the database that protect the log. Changes are detected by the hashes; the triggers prevent
 * changes by mistake, and allow rows to be deleted only with a whole segment whose checkpoint is marked as
 * dropped.
 */
import { sql, type Kysely } from 'kysely';
import type { DatabaseDialect } from '../../platform/database/dialect.ts';

/** A trigger for SQLite: its name, when it fires, the condition that it refuses, and its message. */
type Guard = readonly [name: string, when: string, refused: string, sentence: string];

const ONLY = 'audit is append-only';

/** Names of the log's tables, and of the column that holds when a checkpoint was made. */
interface AuditTableNames {
	events: string;
	checkpoints: string;
	tip: string;
	made: string;
}
export const AUDIT_TABLES: AuditTableNames = {
	events: 'audit_events',
	checkpoints: 'audit_checkpoints',
	tip: 'audit_tip',
	made: 'created_at'
};
/** Names while that column still had its first name. */
export const AUDIT_TABLES_OF_GLOSSARY: AuditTableNames = { ...AUDIT_TABLES, made: 'sealed_at' };
/** Names before the tables were renamed to the words of the glossary. */
export const AUDIT_TABLES_BEFORE: AuditTableNames = {
	events: 'audit',
	checkpoints: 'audit_seals',
	tip: 'audit_head',
	made: 'sealed_at'
};

const CHECKPOINT_COLUMNS = [
	...['number', 'first_seq', 'last_seq', 'rows', 'last_hash', 'first_time', 'last_time'],
	...['previous', 'mac']
];

/** Condition: a checkpoint is changed otherwise than by marking it as dropped, once. */
const checkpointChanged = (differs: string, made: string): string =>
	[
		'old.dropped_at is not null',
		'new.dropped_at is null',
		...[...CHECKPOINT_COLUMNS, made].map((column) => `new."${column}" ${differs} old."${column}"`)
	].join(' or ');

const TIP_JUMPS = 'new.seq < old.seq or new.seq > old.seq + 1';

/** The refused cases, as conditions over a row before and after. */
const casesOf = ({ events, checkpoints }: AuditTableNames) => ({
	outsideDropped: `not exists (select 1 from ${checkpoints}
		where dropped_at is not null and old.seq between first_seq and last_seq)`,
	// Computing the maximum uses the index of the primary key, so it is fast for any number of rows.
	notAtEnd: `new.seq <= coalesce((select max(seq) from ${events}), 0)`,
	checkpointNotNext: `exists (select 1 from ${checkpoints} where number >= new.number)`
});

function sqliteGuards(names: AuditTableNames): readonly Guard[] {
	const { events, checkpoints, tip } = names;
	const { outsideDropped, notAtEnd, checkpointNotNext } = casesOf(names);
	const differs = checkpointChanged('is not', names.made);
	return [
		[`${events}_no_update`, `update on ${events}`, '1', ONLY],
		[`${events}_no_delete`, `delete on ${events}`, outsideDropped, ONLY],
		[`${events}_at_end`, `insert on ${events}`, notAtEnd, ONLY],
		[
			`${checkpoints}_no_change`,
			`update on ${checkpoints}`,
			differs,
			'a checkpoint does not change'
		],
		[`${checkpoints}_no_delete`, `delete on ${checkpoints}`, '1', 'a checkpoint stays'],
		[
			`${checkpoints}_at_end`,
			`insert on ${checkpoints}`,
			checkpointNotNext,
			'a checkpoint does not change'
		],
		[`${tip}_no_jump`, `update on ${tip}`, TIP_JUMPS, ONLY],
		[`${tip}_no_delete`, `delete on ${tip}`, '1', ONLY]
	];
}

/** For PostgreSQL: the tables with the body of their row trigger, and the operations that fire it. */
function postgresGuards(names: AuditTableNames) {
	const { outsideDropped, notAtEnd, checkpointNotNext } = casesOf(names);
	return [
		{
			table: names.events,
			rows: `if tg_op = 'DELETE' then
				if ${outsideDropped} then raise exception '${ONLY}'; end if;
				return old;
			end if;
			if tg_op = 'INSERT' and not (${notAtEnd}) then return new; end if;
			raise exception '${ONLY}';`,
			events: 'insert or update or delete'
		},
		{
			table: names.checkpoints,
			rows: `if tg_op = 'INSERT' and not (${checkpointNotNext}) then return new; end if;
			if tg_op = 'UPDATE' then
				if not (${checkpointChanged('is distinct from', names.made)}) then return new; end if;
			end if;
			raise exception 'a checkpoint does not change';`,
			events: 'insert or update or delete'
		},
		{
			table: names.tip,
			rows: `if tg_op = 'UPDATE' then
				if not (${TIP_JUMPS}) then return new; end if;
			end if;
			raise exception '${ONLY}';`,
			events: 'update or delete'
		}
	];
}

/**
 * Removes the triggers, under all names that the tables have had: before rows of a backup are inserted, and
 * before the triggers are created anew.
 */
export async function removeAuditGuards(
	db: Kysely<unknown>,
	dialect: DatabaseDialect
): Promise<void> {
	if (dialect === 'sqlite') {
		for (const [name] of [AUDIT_TABLES, AUDIT_TABLES_BEFORE].flatMap(sqliteGuards)) {
			await sql`drop trigger if exists ${sql.ref(name)}`.execute(db);
		}
		return;
	}
	const tables = [AUDIT_TABLES, AUDIT_TABLES_BEFORE].flatMap(postgresGuards);
	for (const name of ['audit_is_append_only', ...tables.map(({ table }) => `${table}_guard`)]) {
		await sql`drop function if exists ${sql.ref(name)} cascade`.execute(db);
	}
	await sql`drop function if exists audit_no_truncate cascade`.execute(db);
}

/** Adds triggers that refuse to change or remove events. */
export async function addAuditGuards(
	db: Kysely<unknown>,
	dialect: DatabaseDialect,
	names: AuditTableNames
): Promise<void> {
	if (dialect === 'sqlite') {
		for (const [name, when, refused, sentence] of sqliteGuards(names)) {
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
	for (const { table, rows, events } of postgresGuards(names)) {
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
