/** Decisions, and used recovery codes, from after a backup was made: they stay in force after the restore. */
import { sql } from 'kysely';
import {
	idOf,
	readRows,
	RECORDED,
	touch,
	type Facts,
	type RecordedTable
} from '../../platform/audit-trail/recorded.ts';
import type { Executor } from '../../platform/database/database.ts';
import { TABLES_OF_DECISIONS } from '../audit/outsideCopy.ts';
import type { AccessTables } from '../tables.ts';

type Known = Readonly<Record<string, Facts>>;

/** The last known rows of one table, with their keys. */
const rowsOf = (known: Known, table: RecordedTable): { key: string[]; facts: Facts }[] =>
	Object.entries(known).flatMap(([id, facts]) => {
		const [of, ...key] = JSON.parse(id) as [string, ...string[]];
		return of === table ? [{ key, facts }] : [];
	});

async function remove(
	trx: Executor<AccessTables>,
	table: RecordedTable,
	key: readonly string[]
): Promise<void> {
	const names = RECORDED[table].key.map((name, at) => sql`${sql.ref(name)} = ${key[at]}`);
	await sql`delete from ${sql.table(table)} where ${sql.join(names, sql` and `)}`.execute(trx);
	touch(trx, table, key);
}

/**
 * Resets the rows of a table to their last known state.
 * @returns the number of rows that differed in the backup
 */
async function decideAgain(
	trx: Executor<AccessTables>,
	table: RecordedTable,
	known: Known
): Promise<number> {
	let changed = 0;
	const found = new Map<string, Facts>();
	for (const { key, facts } of await readRows(trx, table)) {
		found.set(idOf(table, key), facts);
		if (known[idOf(table, key)] !== undefined) continue;
		await remove(trx, table, key);
		changed += 1;
	}
	for (const { key, facts } of rowsOf(known, table)) {
		const before = found.get(idOf(table, key));
		if (before && Object.entries(facts).every(([name, value]) => before[name] === value)) continue;
		if (before) await remove(trx, table, key);
		const row = [
			...RECORDED[table].key.map((name, at) => [name, key[at]]),
			...Object.entries(facts)
		];
		const names = sql.join(row.map(([name]) => sql.ref(name!)));
		const values = sql.join(row.map(([, value]) => sql`${value}`));
		await sql`insert into ${sql.table(table)} (${names}) values (${values})`.execute(trx);
		touch(trx, table, key);
		changed += 1;
	}
	return changed;
}

/**
 * Marks recovery codes as used that were used or replaced since the backup.
 * @returns their number
 */
async function useUpCodes(trx: Executor<AccessTables>, known: Known, at: number): Promise<number> {
	const open = await trx
		.selectFrom('recovery_codes')
		.select(['account_id', 'code_hash'])
		.where('used_at', 'is', null)
		.execute();
	let used = 0;
	for (const { account_id, code_hash } of open) {
		const key = [account_id, code_hash];
		if (known[idOf('recovery_codes', key)]?.['used_at'] === null) continue;
		await trx
			.updateTable('recovery_codes')
			.set({ used_at: BigInt(at) })
			.where('account_id', '=', account_id)
			.where('code_hash', '=', code_hash)
			.execute();
		touch(trx, 'recovery_codes', key);
		used += 1;
	}
	return used;
}

/**
 * Restores decisions, and used recovery codes, from after the backup. The event that follows puts the change
 * on record.
 * @param known the last known rows
 * @returns the number of rows that differed in the backup
 */
export async function holdDecided(
	trx: Executor<AccessTables>,
	known: Known,
	at: number
): Promise<number> {
	let changed = await useUpCodes(trx, known, at);
	for (const table of TABLES_OF_DECISIONS) {
		if (table !== 'recovery_codes') changed += await decideAgain(trx, table, known);
	}
	return changed;
}
