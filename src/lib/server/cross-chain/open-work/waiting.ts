/** How much waits for a member's word: the numbers beside the pages in the sidebar. */
import type { Database } from '../../platform/database/database.ts';
import { createKept } from '../../platform/database/kept.ts';
import { createShown, unlessSilent } from '../../platform/database/shown.ts';
import type { CrossChainTables } from '../tables.ts';

export interface Waiting {
	/** Migrations that stopped, or whose import needs an approval. */
	migrations: number;
	/** Transactions that were built, can still be sent, and were not. */
	transactions: number;
}

export const NOTHING_WAITS: Waiting = { migrations: 0, transactions: 0 };

export interface WaitingReader {
	/** For showing on every page: nothing while the database does not answer, since pages say that themselves. */
	shown(): Promise<Waiting>;
	/** Another text after each change of what is shown. */
	shownStamp(): Promise<string>;
}

/** @param clock Unix milliseconds */
export function createWaiting(
	db: Database<CrossChainTables>,
	clock: () => number = Date.now
): WaitingReader {
	const kept = createKept<Waiting>(db.changeStamp);

	async function read(): Promise<Waiting> {
		const migrations = await db
			.selectFrom('migrations')
			.select((select) => select.fn.countAll<bigint>().as('count'))
			.where('state', 'in', ['stuck', 'needs-approval'])
			.executeTakeFirstOrThrow();
		const transactions = await db
			.selectFrom('transactions')
			.select((select) => select.fn.countAll<bigint>().as('count'))
			.where('state', '=', 'reviewed')
			.where('expires_at', '>', BigInt(clock()))
			.where('follows', 'is', null)
			.executeTakeFirstOrThrow();
		return { migrations: Number(migrations.count), transactions: Number(transactions.count) };
	}

	const find = unlessSilent(() => kept.get('waiting', read), NOTHING_WAITS);
	const { now: shown, stamp: shownStamp } = createShown(find, JSON.stringify);
	return { shown, shownStamp };
}
