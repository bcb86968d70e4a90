/** A member's own notices: the list behind the bell. No member can read or mark those of another. */
import { notices, type NoticeMessage } from '#lib/messages/notices/catalogue.ts';
import type { NoticeKind } from '#lib/messages/notices/kinds.ts';
import type { Database, Executor } from '../../platform/database/database.ts';
import { createRowCache } from '../../platform/database/rowCache.ts';
import { unlessSilent } from '../../platform/database/shown.ts';
import { safeNext } from '../../platform/http/safeNext.ts';
import type { AccessTables } from '../tables.ts';

interface ShownNotice {
	id: string;
	kind: NoticeKind;
	/** Null: written by a release that has other notices. */
	message: NoticeMessage | null;
	path: string;
	createdAt: number;
	isRead: boolean;
}

export interface NoticePage {
	rows: ShownNotice[];
	page: number;
	pages: number;
	unread: number;
}

export interface Inbox {
	/** @param page counts from 1 */
	list(accountId: string, page: number): Promise<NoticePage>;
	/** Number of unread notices; 0 while the database does not respond. */
	unread(accountId: string): Promise<number>;
	/**
	 * Marks a notice as read. Returns the path of the page that it links to; null when this member has no
	 * such notice.
	 */
	read(accountId: string, id: string): Promise<string | null>;
	readAll(accountId: string): Promise<void>;
}

const PAGE = 25;

/**
 * Recounts a member's unread notices, and records that the list changed. Call it for several members in the order of
 * their ids: another order would deadlock on PostgreSQL.
 */
export async function countUnread(
	trx: Executor<AccessTables>,
	accountId: string,
	now: number
): Promise<void> {
	// The row is locked first, so that of two transactions the later one counts what the earlier one wrote.
	await trx
		.insertInto('notice_inboxes')
		.values({ account_id: accountId, unread: 0n, changed_at: now })
		.onConflict((conflict) => conflict.column('account_id').doUpdateSet({ changed_at: now }))
		.execute();
	const { n } = await trx
		.selectFrom('notices')
		.select((select) => select.fn.countAll<bigint>().as('n'))
		.where('account_id', '=', accountId)
		.where('bell', '=', 1n)
		.where('read_at', 'is', null)
		.executeTakeFirstOrThrow();
	await trx
		.updateTable('notice_inboxes')
		.set({ unread: n })
		.where('account_id', '=', accountId)
		.execute();
}

function messageOf(stored: string): NoticeMessage | null {
	try {
		return notices.parse(JSON.parse(stored));
	} catch {
		return null;
	}
}

/** @param clock Unix milliseconds */
export function createInbox(db: Database<AccessTables>, clock: () => number): Inbox {
	const kept = createRowCache<number>(db.changeStamp);

	async function count(accountId: string): Promise<number> {
		const row = await db
			.selectFrom('notice_inboxes')
			.select('unread')
			.where('account_id', '=', accountId)
			.executeTakeFirst();
		return Number(row?.unread ?? 0n);
	}

	return {
		async list(accountId, wanted) {
			const own = db
				.selectFrom('notices')
				.where('account_id', '=', accountId)
				.where('bell', '=', 1n);
			const { n } = await own
				.select((select) => select.fn.countAll<bigint>().as('n'))
				.executeTakeFirstOrThrow();
			const pages = Math.max(1, Math.ceil(Number(n) / PAGE));
			const page = Math.min(Math.max(1, wanted), pages);
			const rows = await own
				.select(['id', 'kind', 'message', 'path', 'created_at', 'read_at'])
				.orderBy('created_at', 'desc')
				.orderBy('id', 'desc')
				.offset((page - 1) * PAGE)
				.limit(PAGE)
				.execute();
			return {
				rows: rows.map((row) => ({
					id: row.id,
					kind: row.kind,
					message: messageOf(row.message),
					path: row.path,
					createdAt: Number(row.created_at),
					isRead: row.read_at !== null
				})),
				page,
				pages,
				unread: await count(accountId)
			};
		},

		unread: (accountId) => unlessSilent(() => kept.get(accountId, () => count(accountId)), 0)(),

		async read(accountId, id) {
			return db.transaction().execute(async (trx) => {
				const row = await trx
					.selectFrom('notices')
					.select(['path', 'read_at'])
					.where('id', '=', id)
					.where('account_id', '=', accountId)
					.executeTakeFirst();
				if (!row) return null;
				if (row.read_at === null) {
					await trx.updateTable('notices').set({ read_at: clock() }).where('id', '=', id).execute();
					await countUnread(trx, accountId, clock());
				}
				return safeNext(row.path);
			});
		},

		async readAll(accountId) {
			await db.transaction().execute(async (trx) => {
				await trx
					.updateTable('notices')
					.set({ read_at: clock() })
					.where('account_id', '=', accountId)
					.where('read_at', 'is', null)
					.execute();
				await countUnread(trx, accountId, clock());
			});
		}
	};
}
