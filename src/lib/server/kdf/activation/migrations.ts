import { sql, type Kysely } from 'kysely';
import type { Migration } from '../../platform/database/migrate.ts';
import { legacyMessage } from '../../platform/database/storedSentences.ts';
import { eventOfSentence } from './storedSentences.ts';

async function activation(db: Kysely<unknown>): Promise<void> {
	await db.schema
		.createTable('activations')
		.addColumn('id', 'text', (c) => c.primaryKey())
		.addColumn('node', 'text', (c) => c.notNull())
		.addColumn('coin', 'text', (c) => c.notNull())
		.addColumn('method', 'text', (c) => c.notNull())
		.addColumn('params', 'text', (c) => c.notNull())
		// Unique: one open activation for each coin of a node; those that have ended have no key.
		.addColumn('open_key', 'text', (c) => c.unique())
		.addColumn('state', 'text', (c) => c.notNull())
		.addColumn('attempt', 'bigint', (c) => c.notNull())
		.addColumn('task_id', 'bigint')
		.addColumn('forget_task', 'bigint')
		.addColumn('step', 'text')
		.addColumn('probes', 'text')
		.addColumn('result', 'text')
		.addColumn('failure', 'text')
		.addColumn('reason', 'text')
		.addColumn('cancel_by', 'text')
		.addColumn('action_since', 'bigint')
		.addColumn('pin_holder', 'text')
		.addColumn('pin_holder_until', 'bigint')
		.addColumn('pins', 'bigint', (c) => c.notNull().defaultTo(0))
		.addColumn('wrong_pins', 'bigint', (c) => c.notNull().defaultTo(0))
		.addColumn('begun_by', 'text', (c) => c.notNull())
		.addColumn('repeats', 'text')
		.addColumn('due_at', 'bigint')
		.addColumn('lease_owner', 'text')
		.addColumn('lease_until', 'bigint')
		.addColumn('fence', 'bigint', (c) => c.notNull())
		.addColumn('attempt_since', 'bigint', (c) => c.notNull())
		.addColumn('state_since', 'bigint', (c) => c.notNull())
		.addColumn('created_at', 'bigint', (c) => c.notNull())
		.addColumn('updated_at', 'bigint', (c) => c.notNull())
		.execute();
	await db.schema.createIndex('activations_due').on('activations').column('due_at').execute();
	await db.schema
		.createIndex('activations_of_coin')
		.on('activations')
		.columns(['node', 'coin', 'created_at'])
		.execute();
	await db.schema
		.createIndex('activations_by_age')
		.on('activations')
		.columns(['created_at', 'id'])
		.execute();
	await db.schema
		.createTable('activation_events')
		.addColumn('activation', 'text', (c) =>
			c.notNull().references('activations.id').onDelete('cascade')
		)
		.addColumn('seq', 'bigint', (c) => c.notNull())
		.addColumn('time', 'bigint', (c) => c.notNull())
		.addColumn('words', 'text', (c) => c.notNull())
		.addPrimaryKeyConstraint('activation_events_key', ['activation', 'seq'])
		.execute();
	await db.schema
		.createTable('listed_servers')
		.addColumn('coin', 'text', (c) => c.notNull())
		.addColumn('url', 'text', (c) => c.notNull())
		.addColumn('protocol', 'text', (c) => c.notNull())
		.addColumn('any_certificate', 'bigint', (c) => c.notNull())
		.addColumn('private', 'bigint', (c) => c.notNull())
		.addColumn('added_by', 'text', (c) => c.notNull())
		.addColumn('added_at', 'bigint', (c) => c.notNull())
		.addPrimaryKeyConstraint('listed_servers_key', ['coin', 'url', 'protocol'])
		.execute();
}

/** Number of rows that are rewritten at a time. */
const CHUNK = 500;

/** Replaces sentences in reasons and events by codes with parameters. */
async function codesInsteadOfSentences(db: Kysely<unknown>): Promise<void> {
	await sql`alter table activation_events rename column words to message`.execute(db);
	const { rows: reasons } = await sql<{ id: string; reason: string }>`
		select id, reason from activations where reason is not null`.execute(db);
	for (const { id, reason } of reasons) {
		const message = JSON.stringify(legacyMessage(reason));
		await sql`update activations set reason = ${message} where id = ${id}`.execute(db);
	}
	await eventsInCodes(db);
}

/** Rewrites events in the order of their keys, so that only a few are in memory at once. */
async function eventsInCodes(db: Kysely<unknown>): Promise<void> {
	for (let after = { activation: '', seq: 0n }; ;) {
		const { rows } = await sql<{
			activation: string;
			seq: bigint;
			message: string;
		}>`select activation, seq, message from activation_events
			where activation > ${after.activation}
				or (activation = ${after.activation} and seq > ${after.seq})
			order by activation, seq limit ${CHUNK}`.execute(db);
		for (const { activation, seq, message } of rows) {
			await sql`update activation_events
				set message = ${JSON.stringify(eventOfSentence(message))}
				where activation = ${activation} and seq = ${seq}`.execute(db);
		}
		const last = rows.at(-1);
		if (!last) return;
		after = last;
	}
}

async function swapSettings(db: Kysely<unknown>): Promise<void> {
	await db.schema
		.createTable('swap_settings')
		.addColumn('node', 'text', (c) => c.notNull())
		.addColumn('coin', 'text', (c) => c.notNull())
		.addColumn('confirmations', 'bigint')
		.addColumn('notarization', 'bigint')
		.addColumn('set_at', 'bigint', (c) => c.notNull())
		.addPrimaryKeyConstraint('swap_settings_key', ['node', 'coin'])
		.execute();
}

/** The schema of coin activation. */
export const migrations: Record<string, Migration> = {
	'100_activation': { up: activation },
	'230_activation_codes': { up: codesInsteadOfSentences },
	'310_swap_settings': { up: swapSettings }
};
