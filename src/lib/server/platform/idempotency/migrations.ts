import type { Kysely } from 'kysely';
import type { Migration } from '../database/migrate.ts';

async function idempotencyKeys(db: Kysely<unknown>): Promise<void> {
	await db.schema
		.createTable('idempotency_keys')
		.addColumn('key', 'text', (c) => c.primaryKey())
		.addColumn('fingerprint', 'text', (c) => c.notNull())
		.addColumn('answer', 'text')
		.addColumn('started_at', 'bigint', (c) => c.notNull())
		.execute();
	await db.schema
		.createIndex('idempotency_keys_by_age')
		.on('idempotency_keys')
		.column('started_at')
		.execute();
}

async function claims(db: Kysely<unknown>): Promise<void> {
	await db.schema.alterTable('idempotency_keys').addColumn('claim', 'text').execute();
}

export const migrations: Readonly<Record<string, Migration>> = {
	'203_idempotency_keys': { up: idempotencyKeys },
	'450_idempotency_claims': { up: claims }
};
