import type { Kysely } from 'kysely';
import type { Migration } from '../../../platform/database/migrate.ts';

async function queues(db: Kysely<unknown>): Promise<void> {
	await db.schema
		.createTable('approval_queues')
		.addColumn('id', 'text', (c) => c.primaryKey())
		.addColumn('state', 'text', (c) => c.notNull())
		.addColumn('created_by', 'text', (c) => c.notNull())
		.addColumn('built_by', 'text', (c) => c.notNull())
		.addColumn('created_at', 'bigint', (c) => c.notNull())
		.addColumn('active_until', 'bigint', (c) => c.notNull())
		.addColumn('ended_at', 'bigint')
		.execute();
	await db.schema
		.createIndex('approval_queues_by_state')
		.on('approval_queues')
		.columns(['state', 'created_at'])
		.execute();
	await db.schema
		.createTable('approval_queue_items')
		.addColumn('queue', 'text', (c) =>
			c.notNull().references('approval_queues.id').onDelete('cascade')
		)
		.addColumn('n', 'bigint', (c) => c.notNull())
		.addColumn('burn_txid', 'text', (c) => c.notNull())
		.addColumn('source', 'text', (c) => c.notNull())
		.addColumn('destination', 'text', (c) => c.notNull())
		.addColumn('daemon', 'text', (c) => c.notNull())
		.addColumn('state', 'text', (c) => c.notNull())
		.addColumn('transaction_id', 'text', (c) => c.unique())
		.addColumn('problem', 'text')
		.addColumn('confirmed_by', 'text')
		.addPrimaryKeyConstraint('approval_queue_items_key', ['queue', 'n'])
		.execute();
}

/** Schema migrations of approval queues. */
export const migrations: Readonly<Record<string, Migration>> = {
	'300_approval_queues': { up: queues }
};
