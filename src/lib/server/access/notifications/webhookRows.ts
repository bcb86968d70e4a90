import { z } from 'zod';
import { isNoticeKind, type NoticeKind } from '#lib/messages/notices/kinds.ts';
import type { Executor } from '../../platform/database/database.ts';
import type { AccessTables } from '../tables.ts';

const Kinds = z.array(z.string());

/** Returns all kinds of a row, including those of other releases. */
export const storedKinds = (stored: string): string[] => Kinds.parse(JSON.parse(stored));

/** Returns the kinds of a row that this release knows. */
export const readKinds = (stored: string): NoticeKind[] => storedKinds(stored).filter(isNoticeKind);

/** Returns the enabled webhooks and their kinds. */
export async function webhooksOf(
	db: Executor<AccessTables>
): Promise<{ id: string; kinds: NoticeKind[] }[]> {
	const rows = await db
		.selectFrom('webhooks')
		.select(['id', 'kinds'])
		.where('disabled_at', 'is', null)
		.execute();
	return rows.map(({ id, kinds }) => ({ id, kinds: readKinds(kinds) }));
}
