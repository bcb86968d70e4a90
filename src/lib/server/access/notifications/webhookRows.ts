import { z } from 'zod';
import { isNoticeKind, type NoticeKind } from '#lib/messages/notices/kinds.ts';
import type { Executor } from '../../platform/database/database.ts';
import type { AccessTables } from '../tables.ts';

const Kinds = z.array(z.string());

/** All kinds of a row, also those of another release. */
export const storedKinds = (stored: string): string[] => Kinds.parse(JSON.parse(stored));

/** The kinds of a row; those that this release does not know are left out. */
export const readKinds = (stored: string): NoticeKind[] => storedKinds(stored).filter(isNoticeKind);

/** Webhooks that take something, with what each takes. */
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
