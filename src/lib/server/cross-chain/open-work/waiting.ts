/** Counts what waits for a member's decision: the numbers in the sidebar. */
import { choiceFrom } from '../../access/policy/wallets/choice.ts';
import type { Wallets } from '../../access/policy/wallets/wallets.ts';
import type { Database } from '../../platform/database/database.ts';
import { createKept } from '../../platform/database/kept.ts';
import { createShown, unlessSilent } from '../../platform/database/shown.ts';
import { isReader } from '../../wallet/transactions/readers.ts';
import type { CrossChainTables } from '../tables.ts';

export interface Waiting {
	/** Migrations that have stopped, or whose import needs approval. */
	migrations: number;
	/** Reviewed transactions that can still be sent, and that this member is to see. */
	transactions: number;
}

/** What waits, for all members. */
interface Open extends Pick<Waiting, 'migrations'> {
	/** The wallet, creator and holder of each review. */
	reviews: readonly { daemon: string; created_by: string; holder: string | null }[];
}

export const NOTHING_WAITS: Waiting = { migrations: 0, transactions: 0 };

export interface WaitingReader {
	/** Returns the numbers for every page; zeros while the database does not answer, which pages report themselves. */
	shown(member: string): Promise<Waiting>;
	/** Returns a text that differs after each change of the numbers. */
	shownStamp(): Promise<string>;
}

export function createWaiting(
	db: Database<CrossChainTables>,
	wallets: Pick<Wallets, 'userOf'>
): WaitingReader {
	const kept = createKept<Open>(db.changeStamp);

	async function read(): Promise<Open> {
		const migrations = await db
			.selectFrom('migrations')
			.select((select) => select.fn.countAll<bigint>().as('count'))
			.where('state', 'in', ['stuck', 'needs-approval'])
			.executeTakeFirstOrThrow();
		const reviews = await db
			.selectFrom('transactions as t')
			.leftJoin('assignments as a', (join) =>
				join.onRef('a.item', '=', 't.id').on('a.kind', '=', 'review')
			)
			.select(['t.daemon', 't.created_by', 'a.holder'])
			.where('t.state', '=', 'reviewed')
			.where('t.expires_at', '>', BigInt(Date.now()))
			.where('t.follows', 'is', null)
			.orderBy('t.id')
			.execute();
		return { migrations: Number(migrations.count), reviews };
	}

	const find = unlessSilent(() => kept.get('waiting', read), { migrations: 0, reviews: [] });
	const open = createShown(find, JSON.stringify);
	return {
		async shown(member) {
			const { migrations, reviews } = await open.now();
			const user = await unlessSilent(() => wallets.userOf(member), null)();
			const { role, choice } = user ?? { role: 'viewer', choice: choiceFrom([]) };
			const reader = { name: member, role, wallets: choice };
			const own = reviews.filter(({ daemon, created_by: author, holder }) =>
				isReader(reader, { daemon, members: [author, holder] })
			);
			return { migrations, transactions: own.length };
		},
		shownStamp: open.stamp
	};
}
