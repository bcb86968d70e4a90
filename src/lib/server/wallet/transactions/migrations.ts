import { sql, type Kysely } from 'kysely';
import type { Migration } from '../../platform/database/migrate.ts';
import { rejectionOfSentence, reviewInCodes } from '../storedSentences.ts';

async function sends(db: Kysely<unknown>): Promise<void> {
	await db.schema
		.createTable('sends')
		.addColumn('id', 'text', (c) => c.primaryKey())
		.addColumn('kind', 'text', (c) => c.notNull())
		.addColumn('chain', 'text', (c) => c.notNull())
		.addColumn('daemon', 'text', (c) => c.notNull())
		.addColumn('pubkey', 'text', (c) => c.notNull())
		.addColumn('txid', 'text', (c) => c.notNull())
		.addColumn('hex', 'text', (c) => c.notNull())
		.addColumn('state', 'text', (c) => c.notNull())
		.addColumn('refusal', 'text')
		.addColumn('request', 'text', (c) => c.notNull())
		.addColumn('review', 'text', (c) => c.notNull())
		.addColumn('created_by', 'text', (c) => c.notNull())
		.addColumn('created_at', 'bigint', (c) => c.notNull())
		.addColumn('expires_at', 'bigint', (c) => c.notNull())
		.addColumn('sent_at', 'bigint')
		.addColumn('settled_at', 'bigint')
		.addColumn('height', 'bigint')
		.execute();
	await db.schema.createIndex('sends_by_age').on('sends').columns(['created_at', 'id']).execute();
	await db.schema.createIndex('sends_by_state').on('sends').columns(['state', 'chain']).execute();
	await db.schema
		.createTable('reserved_outputs')
		.addColumn('chain', 'text', (c) => c.notNull())
		.addColumn('txid', 'text', (c) => c.notNull())
		.addColumn('vout', 'bigint', (c) => c.notNull())
		.addColumn('send', 'text', (c) => c.notNull())
		.addColumn('until', 'bigint', (c) => c.notNull())
		.addPrimaryKeyConstraint('reserved_outputs_key', ['chain', 'txid', 'vout'])
		.execute();
	await db.schema
		.createTable('token_display')
		.addColumn('chain', 'text', (c) => c.notNull())
		.addColumn('tokenid', 'text', (c) => c.notNull())
		.addColumn('decimals', 'bigint', (c) => c.notNull())
		.addPrimaryKeyConstraint('token_display_key', ['chain', 'tokenid'])
		.execute();
}

async function rounds(db: Kysely<unknown>): Promise<void> {
	await db.schema
		.alterTable('sends')
		.addColumn('checked_round', 'bigint', (c) => c.notNull().defaultTo(0))
		.execute();
	await db.schema
		.createIndex('sends_by_round')
		.on('sends')
		.columns(['daemon', 'checked_round', 'id'])
		.execute();
}

async function pairs(db: Kysely<unknown>): Promise<void> {
	await db.schema.alterTable('sends').addColumn('follows', 'text').execute();
	await db.schema.createIndex('sends_by_pair').on('sends').columns(['follows']).execute();
}

/**
 * Adds what is needed to watch confirmed transactions until their block is final, and rejected ones until they
 * can never confirm. Existing ones count as final when they were rejected, or confirmed more than a day ago.
 */
async function finality(db: Kysely<unknown>): Promise<void> {
	for (const column of ['taken_at', 'final_at', 'refused_height', 'spent_since']) {
		await db.schema.alterTable('sends').addColumn(column, 'bigint').execute();
	}
	const yesterday = BigInt(Date.now()) - 86_400_000n;
	await sql`update sends set taken_at = coalesce(sent_at, settled_at)
		where state in ('sent', 'mined')`.execute(db);
	await sql`update sends set final_at = settled_at
		where state = 'refused' or (state = 'mined' and settled_at < ${yesterday})`.execute(db);
}

/** Number of rows that are rewritten at a time. */
const CHUNK = 500;

/** Replaces sentences in reviews and rejections by codes with parameters. */
async function codesInsteadOfSentences(db: Kysely<unknown>): Promise<void> {
	for (let after = ''; ;) {
		const { rows } = await sql<{
			id: string;
			review: string;
			refusal: string | null;
		}>`select id, review, refusal from transactions
			where id > ${after} order by id limit ${CHUNK}`.execute(db);
		for (const { id, review, refusal } of rows) {
			const rejection = refusal === null ? null : JSON.stringify(rejectionOfSentence(refusal));
			await sql`update transactions
				set review = ${reviewInCodes(review)}, refusal = ${rejection}
				where id = ${id}`.execute(db);
		}
		const last = rows.at(-1);
		if (!last) return;
		after = last.id;
	}
}

/** For the audit log, whose events name transactions by txid. */
async function byTxid(db: Kysely<unknown>): Promise<void> {
	await db.schema.createIndex('transactions_by_txid').on('transactions').column('txid').execute();
}

/**
 * Leaves `rejected_height`, the tip at the time of a rejection, which this release neither writes nor reads: servers of
 * the release before, which continue while servers are updated one by one, write it with each rejection. The next
 * release may drop it, where it is still there.
 */
const noRejectedHeight = (): Promise<void> => Promise.resolve();

export const migrations: Readonly<Record<string, Migration>> = {
	'030_sends': { up: sends },
	'031_send_rounds': { up: rounds },
	'032_send_pairs': { up: pairs },
	'204_send_finality': { up: finality },
	'230_transaction_codes': { up: codesInsteadOfSentences },
	'242_transactions_by_txid': { up: byTxid },
	'460_no_rejected_height': { up: noRejectedHeight }
};
