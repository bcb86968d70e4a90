import type { Kysely } from 'kysely';
import type { Migration } from '../../platform/database/migrate.ts';

async function dismissedCards(db: Kysely<unknown>): Promise<void> {
	await db.schema
		.createTable('dismissed_cards')
		.addColumn('account_id', 'text', (c) => c.notNull())
		.addColumn('card', 'text', (c) => c.notNull())
		.addColumn('at', 'bigint', (c) => c.notNull())
		.addPrimaryKeyConstraint('dismissed_cards_key', ['account_id', 'card'])
		.execute();
}

/** Schema migrations of dismissed cards. */
export const migrations: Readonly<Record<string, Migration>> = {
	'230_dismissed_cards': { up: dismissedCards }
};
