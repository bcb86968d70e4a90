import { notices, type NoticeMessage } from '#lib/messages/notices/catalogue.ts';
import { isNoticeKind, type NoticeKind } from '#lib/messages/notices/kinds.ts';
import type { Executor } from '../../platform/database/database.ts';
import { AppError } from '../../platform/errors/appError.ts';
import type { AccessTables } from '../tables.ts';
import type { Waiting } from './queue.ts';

/**
 * Returns the notice of a delivery.
 * @throws {AppError} `notice.gone`; `notice.other-version` where a newer release wrote it and this one cannot
 * read it
 */
export async function noticeOf(
	db: Executor<AccessTables>,
	{ body }: Pick<Waiting, 'body'>
): Promise<{ id: string; kind: NoticeKind; message: NoticeMessage; path: string }> {
	const { notice: id } = JSON.parse(body) as { notice: string };
	const row = await db
		.selectFrom('notices')
		.select(['message', 'path', 'kind'])
		.where('id', '=', id)
		.executeTakeFirst();
	if (!row) throw new AppError('notice.gone');
	const { kind, path } = row;
	const message = notices.parse(JSON.parse(row.message));
	if (message === null || !isNoticeKind(kind)) throw new AppError('notice.other-version');
	return { id, kind, message, path };
}
