/**
 * Renames stored states and columns to the terms of the glossary. What the hashes of the audit log cover stays
 * unchanged.
 */
import { sql, type Kysely } from 'kysely';
import type { Migration } from './platform/database/migrate.ts';

/** By table: the former name of each renamed state, and its current one. */
const STATES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
	transactions: {
		built: 'reviewed',
		sending: 'broadcasting',
		sent: 'broadcast',
		mined: 'confirmed',
		refused: 'rejected',
		expired: 'discarded'
	},
	batch_transfer_items: { sent: 'broadcast' },
	migrations: { abandoned: 'discarded' }
};

const COLUMNS: readonly (readonly [table: string, before: string, now: string])[] = [
	['activations', 'fence', 'fencing_token'],
	['migrations', 'fence', 'fencing_token'],
	['migrations', 'route', 'path']
];

async function rename(db: Kysely<unknown>): Promise<void> {
	for (const [table, words] of Object.entries(STATES)) {
		for (const [before, now] of Object.entries(words)) {
			await sql`update ${sql.table(table)} set state = ${now} where state = ${before}`.execute(db);
		}
	}
	for (const [table, before, now] of COLUMNS) {
		await sql`alter table ${sql.table(table)} rename column ${sql.ref(before)} to ${sql.ref(now)}`.execute(
			db
		);
	}
}

/** The schema step that renames them. */
export const migrations: Readonly<Record<string, Migration>> = { '240_states': { up: rename } };
