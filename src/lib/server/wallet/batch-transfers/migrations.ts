import { sql, type Kysely } from 'kysely';
import type { Migration } from '../../platform/database/migrate.ts';
import { itemProblemOfSentence, problemOfSentence } from '../storedSentences.ts';

async function series(db: Kysely<unknown>): Promise<void> {
	await db.schema
		.createTable('token_series')
		.addColumn('id', 'text', (c) => c.primaryKey())
		.addColumn('chain', 'text', (c) => c.notNull())
		.addColumn('tokenid', 'text', (c) => c.notNull())
		.addColumn('daemon', 'text', (c) => c.notNull())
		.addColumn('pubkey', 'text', (c) => c.notNull())
		.addColumn('state', 'text', (c) => c.notNull())
		.addColumn('problem', 'text')
		.addColumn('created_by', 'text', (c) => c.notNull())
		.addColumn('confirmed_by', 'text')
		.addColumn('created_at', 'bigint', (c) => c.notNull())
		.addColumn('confirmed_at', 'bigint')
		.addColumn('ended_at', 'bigint')
		.execute();
	await db.schema
		.createIndex('token_series_by_token')
		.on('token_series')
		.columns(['chain', 'tokenid', 'created_at'])
		.execute();
	await db.schema.createIndex('token_series_by_state').on('token_series').column('state').execute();
	await db.schema
		.createTable('token_series_rows')
		.addColumn('series', 'text', (c) =>
			c.notNull().references('token_series.id').onDelete('cascade')
		)
		.addColumn('n', 'bigint', (c) => c.notNull())
		.addColumn('recipient', 'text', (c) => c.notNull())
		.addColumn('units', 'bigint', (c) => c.notNull())
		.addColumn('state', 'text', (c) => c.notNull())
		.addColumn('send', 'text', (c) => c.unique())
		.addColumn('problem', 'text')
		.addPrimaryKeyConstraint('token_series_rows_key', ['series', 'n'])
		.execute();
}

/** Number of rows that are rewritten at a time. */
const CHUNK = 500;

/** Replaces sentences about problems by codes with parameters. */
async function codesInsteadOfSentences(db: Kysely<unknown>): Promise<void> {
	const { rows: transfers } = await sql<{ id: string; problem: string }>`
		select id, problem from batch_transfers where problem is not null`.execute(db);
	for (const { id, problem } of transfers) {
		const message = JSON.stringify(problemOfSentence(problem));
		await sql`update batch_transfers set problem = ${message} where id = ${id}`.execute(db);
	}
	await itemsInCodes(db);
}

/** Reads the items in the order of their keys, so that only a few are in memory at once. */
async function itemsInCodes(db: Kysely<unknown>): Promise<void> {
	for (let after = { batch_transfer: '', n: 0n }; ;) {
		const { rows } = await sql<{
			batch_transfer: string;
			n: bigint;
			problem: string;
		}>`select batch_transfer, n, problem from batch_transfer_items
			where problem is not null and (batch_transfer > ${after.batch_transfer}
				or (batch_transfer = ${after.batch_transfer} and n > ${after.n}))
			order by batch_transfer, n limit ${CHUNK}`.execute(db);
		for (const { batch_transfer, n, problem } of rows) {
			const message = JSON.stringify(itemProblemOfSentence(problem));
			await sql`update batch_transfer_items set problem = ${message}
				where batch_transfer = ${batch_transfer} and n = ${n}`.execute(db);
		}
		const last = rows.at(-1);
		if (!last) return;
		after = last;
	}
}

/** The schema of batch transfers. */
export const migrations: Readonly<Record<string, Migration>> = {
	'091_token_series': { up: series },
	'230_batch_transfer_codes': { up: codesInsteadOfSentences }
};
