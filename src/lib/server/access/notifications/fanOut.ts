/** Creates notices for members and enqueues their deliveries, all in one database transaction. */
import { randomUUID } from 'node:crypto';
import type { Insertable } from 'kysely';
import { storedMessage } from '#lib/messages/catalogue.ts';
import { noticeKind } from '#lib/messages/notices/catalogue.ts';
import { chunks } from '../../platform/database/chunks.ts';
import type { Executor } from '../../platform/database/database.ts';
import type { AccessTables } from '../tables.ts';
import { countUnread } from './inbox.ts';
import type { NoticeEvent } from './noticeEvent.ts';
import { readWants } from './preferences.ts';
import { enqueue, type Delivery } from './queue.ts';
import { readHearers, recipientsOf } from './recipients.ts';
import { webhooksOf } from './webhookRows.ts';

/** How long a mail waits for other notices to join it, in milliseconds. */
const GATHERED_MS = 3_000;

interface Ways {
	/** Whether mails can be sent at all. */
	mail: boolean;
}

/**
 * Adds notices, without those of a source that the member was notified of before.
 * @returns the ids of the added notices
 */
async function addNotices(
	trx: Executor<AccessTables>,
	rows: readonly Insertable<AccessTables['notices']>[]
): Promise<ReadonlySet<string>> {
	const added = new Set<string>();
	for (const part of chunks(rows)) {
		const ids = await trx
			.insertInto('notices')
			.values(part)
			.onConflict((conflict) => conflict.columns(['account_id', 'source']).doNothing())
			.returning('id')
			.execute();
		for (const { id } of ids) added.add(id);
	}
	return added;
}

/**
 * Notifies all members and webhooks whom these events concern. Events of a source that was reported before
 * are skipped.
 * @param trx the transaction that also advances the position of the events' reader
 */
export async function fanOut(
	trx: Executor<AccessTables>,
	events: readonly NoticeEvent[],
	{ mail }: Ways,
	now: number
): Promise<void> {
	if (events.length === 0) return;
	const hearers = await readHearers(trx);
	const wantsOf = await readWants(
		trx,
		hearers.map(({ id }) => id)
	);
	const addresses = new Map(
		(
			await trx
				.selectFrom('notice_settings')
				.select('account_id')
				.where('email', 'is not', null)
				.execute()
		).map((row) => [row.account_id, true])
	);
	const browsers = Map.groupBy(
		await trx
			.selectFrom('push_subscriptions as p')
			.innerJoin('sessions as s', 's.id_hash', 'p.session')
			.select(['p.id', 'p.account_id'])
			.whereRef('s.account_id', '=', 'p.account_id')
			.execute(),
		(row) => row.account_id
	);
	const webhooks = await webhooksOf(trx);
	const told = new Set<string>();
	const deliveries: { delivery: Delivery; delayMs: number }[] = [];
	for (const event of events) {
		const kind = noticeKind(event.message.code);
		const { source, path, at } = event;
		const notices = recipientsOf(event, hearers).flatMap(({ id: account }) => {
			const wants = wantsOf(account);
			const byMail = mail && addresses.has(account) && wants(kind, 'email');
			const pushed = wants(kind, 'push') ? (browsers.get(account) ?? []) : [];
			const bell = wants(kind, 'bell');
			if (!bell && !byMail && pushed.length === 0) return [];
			return [{ id: randomUUID(), account, bell, byMail, pushed }];
		});
		const message = storedMessage(event.message);
		const added = await addNotices(
			trx,
			notices.map(({ id, account, bell }) => ({
				id,
				account_id: account,
				source,
				kind,
				message,
				path,
				bell: bell ? 1n : 0n,
				created_at: now
			}))
		);
		for (const { id, account, bell, byMail, pushed } of notices) {
			if (!added.has(id)) continue;
			if (bell) told.add(account);
			const body = { notice: id };
			if (byMail) {
				const delivery = { destination: `mail:${account}`, source, body };
				deliveries.push({ delivery, delayMs: GATHERED_MS });
			}
			for (const browser of pushed) {
				const delivery = { destination: `push:${browser.id}`, source, body };
				deliveries.push({ delivery, delayMs: 0 });
			}
		}
		for (const { id, kinds } of webhooks) {
			if (!kinds.includes(kind)) continue;
			const body = { kind, message: event.message, path, at };
			deliveries.push({ delivery: { destination: `webhook:${id}`, source, body }, delayMs: 0 });
		}
	}
	// Each job's row stays locked until the commit: in one order, so that two readers of events cannot deadlock.
	const inOrder = deliveries.toSorted((a, b) =>
		a.delivery.destination < b.delivery.destination ? -1 : 1
	);
	for (const { delivery, delayMs } of inOrder) await enqueue(trx, delivery, now, delayMs);
	for (const account of [...told].toSorted()) await countUnread(trx, account, now);
}
