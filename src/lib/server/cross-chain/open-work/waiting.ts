/** Counts what waits for a member's decision: the numbers in the sidebar. */
import { nameKeyOf } from '../../access/identity/names.ts';
import { choiceFrom } from '../../access/policy/wallets/choice.ts';
import type { Wallets } from '../../access/policy/wallets/wallets.ts';
import type { Database } from '../../platform/database/database.ts';
import { createRowCache } from '../../platform/database/rowCache.ts';
import { createShown, unlessSilent } from '../../platform/database/shown.ts';
import { isReader } from '../../wallet/transactions/readers.ts';
import type { CrossChainTables } from '../tables.ts';

export interface Waiting {
	/** Migrations that have stopped, or are in `imports`. */
	migrations: number;
	/** Migrations whose import needs an approval that this member has not given. */
	imports: number;
	/** Reviewed transactions that can still be sent, and that this member is to see. */
	transactions: number;
}

/** What waits, for all members. */
interface Open {
	/** Number of migrations that have stopped. */
	stopped: number;
	/** Migrations whose import needs approval: how many, by who has approved it. */
	imports: readonly { approvers: readonly string[]; count: number }[];
	/** The wallet, creator and holder of each review. */
	reviews: readonly { daemon: string; created_by: string; holder: string | null }[];
}

export const NOTHING_WAITS: Waiting = { migrations: 0, imports: 0, transactions: 0 };

const total = (counted: readonly { count: number | bigint }[]): number =>
	counted.reduce((sum, { count }) => sum + Number(count), 0);

const NOTHING_OPEN: Open = { stopped: 0, imports: [], reviews: [] };

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
	const kept = createRowCache<Open>(db.changeStamp);

	async function read(): Promise<Open> {
		const migrations = await db
			.selectFrom('migrations')
			.select((select) => [
				'state',
				'approved_by',
				'approved_too',
				select.fn.countAll<bigint>().as('count')
			])
			.where('state', 'in', ['stuck', 'needs-approval'])
			.groupBy(['state', 'approved_by', 'approved_too'])
			.orderBy('state')
			.orderBy('approved_by')
			.orderBy('approved_too')
			.execute();
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
		const stopped = migrations.filter(({ state }) => state === 'stuck');
		const asking = migrations.filter(({ state }) => state !== 'stuck');
		return {
			stopped: total(stopped),
			imports: asking.map(({ approved_by, approved_too, count }) => ({
				approvers: [approved_by, approved_too].filter((name) => name !== null).map(nameKeyOf),
				count: Number(count)
			})),
			reviews
		};
	}

	const find = unlessSilent(() => kept.get('waiting', read), NOTHING_OPEN);
	const open = createShown(find, JSON.stringify);
	return {
		async shown(member) {
			const { stopped, imports, reviews } = await open.now();
			const user = await unlessSilent(() => wallets.userOf(member), null)();
			const { role, choice } = user ?? { role: 'viewer', choice: choiceFrom([]) };
			const reader = { name: member, role, wallets: choice };
			const own = reviews.filter(({ daemon, created_by: author, holder }) =>
				isReader(reader, { daemon, members: [author, holder] })
			);
			const key = nameKeyOf(member);
			const unapproved = total(imports.filter(({ approvers }) => !approvers.includes(key)));
			return {
				migrations: stopped + unapproved,
				imports: unapproved,
				transactions: own.length
			};
		},
		shownStamp: open.stamp
	};
}
