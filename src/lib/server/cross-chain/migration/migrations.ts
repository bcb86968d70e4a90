import { sql, type Kysely } from 'kysely';
import type { Migration } from '../../platform/database/migrate.ts';
import { readableEvidence } from './storedEvidence.ts';
import { messageOfSentence } from './storedSentences.ts';

async function migrationsOfCoins(db: Kysely<unknown>): Promise<void> {
	await db.schema
		.createTable('migrations')
		.addColumn('id', 'text', (c) => c.primaryKey())
		.addColumn('route', 'text', (c) => c.notNull())
		.addColumn('source', 'text', (c) => c.notNull())
		.addColumn('destination', 'text', (c) => c.notNull())
		.addColumn('source_daemon', 'text', (c) => c.notNull())
		.addColumn('destination_daemon', 'text', (c) => c.notNull())
		.addColumn('kmd_daemon', 'text', (c) => c.notNull())
		.addColumn('ccid', 'bigint', (c) => c.notNull())
		.addColumn('pubkey', 'text')
		.addColumn('address', 'text', (c) => c.notNull())
		.addColumn('amount', 'bigint', (c) => c.notNull())
		.addColumn('payouts', 'text')
		// Only one migration for each burn, whoever opened it.
		.addColumn('burn_txid', 'text', (c) => c.unique())
		.addColumn('import_scan_from', 'bigint', (c) => c.notNull())
		.addColumn('created_by', 'text', (c) => c.notNull())
		.addColumn('policy', 'text', (c) => c.notNull())
		.addColumn('state', 'text', (c) => c.notNull())
		.addColumn('approved_by', 'text')
		.addColumn('due_at', 'bigint')
		.addColumn('lease_owner', 'text')
		.addColumn('lease_until', 'bigint')
		.addColumn('fence', 'bigint', (c) => c.notNull())
		.addColumn('reason', 'text')
		.addColumn('state_since', 'bigint', (c) => c.notNull())
		.addColumn('created_at', 'bigint', (c) => c.notNull())
		.addColumn('updated_at', 'bigint', (c) => c.notNull())
		.execute();
	await db.schema.createIndex('migrations_due').on('migrations').column('due_at').execute();
	await db.schema
		.createIndex('migrations_by_age')
		.on('migrations')
		.columns(['created_at', 'id'])
		.execute();
	await db.schema
		.createTable('migration_steps')
		.addColumn('migration', 'text', (c) =>
			c.notNull().references('migrations.id').onDelete('cascade')
		)
		.addColumn('step', 'text', (c) => c.notNull())
		.addColumn('hex', 'text')
		.addColumn('txid', 'text')
		.addColumn('evidence', 'text', (c) => c.notNull())
		.addColumn('started_at', 'bigint')
		.addColumn('done_at', 'bigint')
		.addPrimaryKeyConstraint('migration_steps_key', ['migration', 'step'])
		.execute();
	await db.schema
		.createTable('migration_events')
		.addColumn('migration', 'text', (c) =>
			c.notNull().references('migrations.id').onDelete('cascade')
		)
		.addColumn('seq', 'bigint', (c) => c.notNull())
		.addColumn('time', 'bigint', (c) => c.notNull())
		.addColumn('step', 'text', (c) => c.notNull())
		.addColumn('words', 'text', (c) => c.notNull())
		.addColumn('detail', 'text', (c) => c.notNull())
		.addPrimaryKeyConstraint('migration_events_key', ['migration', 'seq'])
		.execute();
}

/** For open pages: which migrations changed last. */
async function migrationsByChange(db: Kysely<unknown>): Promise<void> {
	await db.schema
		.createIndex('migrations_by_change')
		.on('migrations')
		.column('updated_at')
		.execute();
}

/** Adds the approval by a second member. */
async function secondApproval(db: Kysely<unknown>): Promise<void> {
	await db.schema.alterTable('migrations').addColumn('approved_too', 'text').execute();
}

/** Adds tokens, and burns of selected UTXOs. */
async function tokensAndChosenOutputs(db: Kysely<unknown>): Promise<void> {
	await db.schema.alterTable('migrations').addColumn('tokenid', 'text').execute();
	await db.schema.alterTable('migrations').addColumn('token_name', 'text').execute();
	await db.schema
		.createTable('burn_outputs')
		.addColumn('chain', 'text', (c) => c.notNull())
		.addColumn('txid', 'text', (c) => c.notNull())
		.addColumn('vout', 'bigint', (c) => c.notNull())
		.addColumn('migration', 'text', (c) =>
			c.notNull().references('migrations.id').onDelete('cascade')
		)
		.addColumn('until', 'bigint', (c) => c.notNull())
		.addPrimaryKeyConstraint('burn_outputs_key', ['chain', 'txid', 'vout'])
		.execute();
}

/** Imports are watched until final, stopped migrations stay due, and repeated events are counted. */
async function finality(db: Kysely<unknown>): Promise<void> {
	await db.schema
		.alterTable('migration_events')
		.addColumn('times', 'bigint', (c) => c.notNull().defaultTo(1))
		.execute();
	await db.schema.alterTable('migration_events').addColumn('last_time', 'bigint').execute();
	await sql`update migrations set due_at = updated_at
		where state in ('done', 'stuck') and due_at is null`.execute(db);
}

/** Migrations that wait for approval become due too, because their burn is watched. */
async function watchedApprovals(db: Kysely<unknown>): Promise<void> {
	await sql`update migrations set due_at = updated_at
		where state = 'needs-approval' and due_at is null`.execute(db);
}

/** Index to count the migrations in each state without reading the rows. */
async function migrationsByStatus(db: Kysely<unknown>): Promise<void> {
	await db.schema
		.createIndex('migrations_by_standing')
		.on('migrations')
		.columns(['state', 'state_since', 'due_at'])
		.execute();
}

/** Rows that are converted at a time. */
const CHUNK = 500;

/** Converts stored sentences to codes with parameters. */
async function codesInsteadOfSentences(db: Kysely<unknown>): Promise<void> {
	await sql`alter table migration_events rename column words to message`.execute(db);
	const { rows: reasons } = await sql<{
		id: string;
		reason: string;
	}>`select id, reason from migrations where reason is not null`.execute(db);
	for (const { id, reason } of reasons) {
		const message = reason === '' ? null : JSON.stringify(messageOfSentence(reason));
		await sql`update migrations set reason = ${message} where id = ${id}`.execute(db);
	}
	const { rows: completions } = await sql<{
		migration: string;
		evidence: string;
	}>`select migration, evidence from migration_steps where step = 'completion'`.execute(db);
	for (const { migration, evidence } of completions) {
		await sql`update migration_steps set evidence = ${readableEvidence('completion', evidence)}
			where migration = ${migration} and step = 'completion'`.execute(db);
	}
	await eventsInCodes(db);
}

/** In key order, so that only a few events are in memory at once. */
async function eventsInCodes(db: Kysely<unknown>): Promise<void> {
	for (let after = { migration: '', seq: 0n }; ;) {
		const { rows } = await sql<{
			migration: string;
			seq: bigint;
			message: string;
		}>`select migration, seq, message from migration_events
			where migration > ${after.migration}
				or (migration = ${after.migration} and seq > ${after.seq})
			order by migration, seq limit ${CHUNK}`.execute(db);
		for (const { migration, seq, message } of rows) {
			await sql`update migration_events
				set message = ${JSON.stringify(messageOfSentence(message))}
				where migration = ${migration} and seq = ${seq}`.execute(db);
		}
		const last = rows.at(-1);
		if (!last) return;
		after = { migration: last.migration, seq: last.seq };
	}
}

/** Renames the event of abandoned migrations to `discarded`. */
async function discarded(db: Kysely<unknown>): Promise<void> {
	await sql`update migration_events
		set message = replace(message, '"code":"migration.abandoned"', '"code":"migration.discarded"')
		where message like '{"code":"migration.abandoned"%'`.execute(db);
}

/** Schema migrations for migrations between chains. */
export const migrations: Record<string, Migration> = {
	'040_migrations': { up: migrationsOfCoins },
	'041_migrations_by_change': { up: migrationsByChange },
	'042_second_approval': { up: secondApproval },
	'043_tokens_and_chosen_outputs': { up: tokensAndChosenOutputs },
	'044_finality': { up: finality },
	'045_watched_approvals': { up: watchedApprovals },
	'046_migrations_by_standing': { up: migrationsByStatus },
	'210_migration_codes': { up: codesInsteadOfSentences },
	'250_discarded_migrations': { up: discarded }
};
