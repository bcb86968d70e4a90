/** What was decided and used up since a backup was made: it holds, whatever the backup says. */
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

/** The rows of one table among all that are known, with what names them. */
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

/** Makes the rows of a table what they were last known to be. @returns how many were others in the backup */
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

/** Uses up the recovery codes that were used or replaced since. @returns how many */
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
 * Lets hold what was decided and used up since a backup was made. The event that follows puts it on record.
 * @param known the rows as they were last known
 * @returns how many rows were others in the backup
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
