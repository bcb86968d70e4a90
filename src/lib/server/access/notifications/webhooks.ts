/** Webhooks that admins set up: their URL, kinds, secret and delivery log. */
import { randomUUID } from 'node:crypto';
import { storedErrorMessage } from '#lib/messages/errors/recorded.ts';
import type { NoticeKind } from '#lib/messages/notices/kinds.ts';
import { DAY_MS } from '#lib/text/units.ts';
import { numberOrNull } from '../../platform/database/columns.ts';
import type { Database, Executor } from '../../platform/database/database.ts';
import { AppError } from '../../platform/errors/appError.ts';
import type { ListedPrivate } from '../../platform/net/ranges.ts';
import type { Cipher } from '../../platform/secrets/encrypt.ts';
import { refuseFormerAdmin } from '../identity/formerAdmin.ts';
import type { Audit } from '../audit/audit.ts';
import type { Account } from '../identity/identity.ts';
import type { AccessTables } from '../tables.ts';
import { enqueue, forgetDestination, failWaiting } from './queue.ts';
import { webhookPlace } from './secrets.ts';
import { newWebhookSecret } from './signature.ts';
import type { DeliveryState } from './tables.ts';
import { readKinds, storedKinds } from './webhookRows.ts';
import { checkWebhookUrl } from './webhookUrl.ts';

export interface Webhook {
	id: string;
	url: string;
	kinds: NoticeKind[];
	createdBy: string;
	createdAt: number;
	/** Until when the secret before the last rotation also signs; null: it does not. */
	previousUntil: number | null;
	failingSince: number | null;
	disabledAt: number | null;
}

/** One line of the delivery log. */
export interface LoggedDelivery {
	id: string;
	webhook: string;
	code: string;
	state: DeliveryState;
	attempts: number;
	status: number | null;
	/** Why the last attempt failed, as a sentence. */
	failure: string | null;
	createdAt: number;
	dueAt: number | null;
}

/** URL and kinds of a webhook, as a form submits them. */
export interface WebhookChoice {
	url: string;
	kinds: readonly NoticeKind[];
}

/** Methods with a parameter `by` throw `account.not-admin` when that account is no longer an enabled admin. */
export interface Webhooks {
	list(): Promise<Webhook[]>;
	/** The newest deliveries of all webhooks. */
	deliveries(limit: number): Promise<LoggedDelivery[]>;
	/**
	 * Adds a webhook. Its secret is returned here once.
	 * @throws {AppError} `notice`
	 */
	add(
		by: Account,
		url: string,
		kinds: readonly NoticeKind[]
	): Promise<{ id: string; secret: string }>;
	/**
	 * Applies the differences between `shown` and `asked`; what another admin has changed since the page was
	 * rendered is kept.
	 * @throws {AppError} `notice`
	 */
	change(by: Account, id: string, asked: WebhookChoice, shown: WebhookChoice): Promise<void>;
	/** Returns a new secret; the previous one also signs for another day. @throws {AppError} `notice` */
	rotate(by: Account, id: string): Promise<string>;
	/** Queues a delivery that is marked as a test. @throws {AppError} `notice` */
	test(by: Account, id: string): Promise<void>;
	/** Enables or disables a webhook; deliveries that wait for a disabled one are marked as failed. */
	setEnabled(by: Account, id: string, enabled: boolean): Promise<void>;
	remove(by: Account, id: string): Promise<void>;
}

export const MOST_WEBHOOKS = 20;
/** How long the secret before a rotation also signs, in milliseconds. */
export const BOTH_MS = DAY_MS;

interface Parts {
	db: Database<AccessTables>;
	audit: Audit;
	cipher: Cipher;
	listed: () => readonly ListedPrivate[];
	wake: () => void;
	clock: () => number;
}

/** Host and port of the URL, for the audit log: the path may hold a key. */
export const serverOf = (url: string): string => new URL(url).host;

export function createWebhooks({ db, audit, cipher, listed, wake, clock }: Parts): Webhooks {
	/**
	 * Reads the row of a webhook.
	 * @throws {AppError} `notice.webhook-unknown`
	 */
	async function find(within: Executor<AccessTables>, id: string) {
		const row = await within
			.selectFrom('webhooks')
			.selectAll()
			.where('id', '=', id)
			.executeTakeFirst();
		if (!row) throw new AppError('notice.webhook-unknown');
		return row;
	}

	function checkKinds(kinds: readonly string[]): string {
		if (kinds.length === 0) throw new AppError('notice.no-kind');
		return JSON.stringify([...new Set(kinds)]);
	}

	return {
		async list() {
			const rows = await db.selectFrom('webhooks').selectAll().orderBy('created_at').execute();
			return rows.map((row) => ({
				id: row.id,
				url: row.url,
				kinds: readKinds(row.kinds),
				createdBy: row.created_by,
				createdAt: Number(row.created_at),
				previousUntil:
					row.previous_until !== null && row.previous_until > BigInt(clock())
						? Number(row.previous_until)
						: null,
				failingSince: numberOrNull(row.failing_since),
				disabledAt: numberOrNull(row.disabled_at)
			}));
		},

		async deliveries(limit) {
			const rows = await db
				.selectFrom('deliveries')
				.selectAll()
				.where('destination', 'like', 'webhook:%')
				.orderBy('created_at', 'desc')
				.orderBy('id')
				.limit(limit)
				.execute();
			return rows.map((row) => {
				const body = JSON.parse(row.body) as { message?: { code?: string } };
				return {
					id: row.id,
					webhook: row.destination.slice('webhook:'.length),
					code: body.message?.code ?? 'test',
					state: row.state,
					attempts: Number(row.attempts),
					status: numberOrNull(row.status),
					failure: row.failure === null ? null : storedErrorMessage(row.failure),
					createdAt: Number(row.created_at),
					dueAt: numberOrNull(row.due_at)
				};
			});
		},

		async add(by, typed, kinds) {
			const url = checkWebhookUrl(typed, listed());
			const stored = checkKinds(kinds);
			const id = randomUUID();
			const secret = newWebhookSecret();
			await db.transaction().execute(async (trx) => {
				// Serializes admins, so that two of them cannot exceed the limit together.
				await audit.lock(trx);
				await refuseFormerAdmin(trx, by);
				const { n } = await trx
					.selectFrom('webhooks')
					.select((select) => select.fn.countAll<bigint>().as('n'))
					.executeTakeFirstOrThrow();
				if (n >= BigInt(MOST_WEBHOOKS)) {
					throw new AppError('notice.too-many-webhooks', { most: MOST_WEBHOOKS });
				}
				await trx
					.insertInto('webhooks')
					.values({
						id,
						url,
						kinds: stored,
						secret: cipher.encrypt(secret, webhookPlace(id)),
						created_by: by.name,
						created_at: clock()
					})
					.execute();
				await audit.append(
					{
						actor: by.name,
						action: 'webhook.added',
						target: id,
						detail: { server: serverOf(url), kinds: [...kinds] }
					},
					trx
				);
			});
			return { id, secret };
		},

		async change(by, id, asked, shown) {
			const typed = asked.url === shown.url ? null : checkWebhookUrl(asked.url, listed());
			await db.transaction().execute(async (trx) => {
				// Serializes admins, so that they do not undo each other's changes.
				await audit.lock(trx);
				await refuseFormerAdmin(trx, by);
				const before = await find(trx, id);
				const url = typed ?? before.url;
				const added = asked.kinds.filter((kind) => !shown.kinds.includes(kind));
				const has = (kinds: readonly string[], kind: string): boolean => kinds.includes(kind);
				const kinds = [
					...storedKinds(before.kinds).filter(
						(kind) => has(asked.kinds, kind) || !has(shown.kinds, kind)
					),
					...added
				];
				await trx
					.updateTable('webhooks')
					.set({
						url,
						kinds: checkKinds(kinds),
						// Failures of the earlier server say nothing about the new one.
						...(url === before.url ? {} : { failing_since: null })
					})
					.where('id', '=', id)
					.execute();
				await audit.append(
					{
						actor: by.name,
						action: 'webhook.changed',
						target: id,
						detail: {
							from: serverOf(before.url),
							server: serverOf(url),
							kinds: [...new Set(kinds)]
						}
					},
					trx
				);
			});
		},

		async rotate(by, id) {
			const secret = newWebhookSecret();
			await db.transaction().execute(async (trx) => {
				await audit.lock(trx);
				await refuseFormerAdmin(trx, by);
				const before = await find(trx, id);
				await trx
					.updateTable('webhooks')
					.set({
						secret: cipher.encrypt(secret, webhookPlace(id)),
						previous_secret: before.secret,
						previous_until: clock() + BOTH_MS
					})
					.where('id', '=', id)
					.execute();
				const detail = { server: serverOf(before.url) };
				await audit.append({ actor: by.name, action: 'webhook.rotated', target: id, detail }, trx);
			});
			return secret;
		},

		async test(by, id) {
			const now = clock();
			await db.transaction().execute(async (trx) => {
				await audit.lock(trx);
				await refuseFormerAdmin(trx, by);
				const { url } = await find(trx, id);
				const body = { kind: 'test', message: null, path: '/admin/notifications', at: now };
				const source = `test:${randomUUID()}`;
				await enqueue(trx, { destination: `webhook:${id}`, source, body }, now);
				const detail = { server: serverOf(url) };
				await audit.append({ actor: by.name, action: 'webhook.tested', target: id, detail }, trx);
			});
			wake();
		},

		async setEnabled(by, id, enabled) {
			await db.transaction().execute(async (trx) => {
				await audit.lock(trx);
				await refuseFormerAdmin(trx, by);
				const { url } = await find(trx, id);
				await trx
					.updateTable('webhooks')
					.set({ disabled_at: enabled ? null : clock(), failing_since: null })
					.where('id', '=', id)
					.execute();
				if (!enabled) await failWaiting(trx, `webhook:${id}`, clock());
				await audit.append(
					{
						actor: by.name,
						action: enabled ? 'webhook.enabled' : 'webhook.disabled',
						target: id,
						detail: { server: serverOf(url) }
					},
					trx
				);
			});
			wake();
		},

		async remove(by, id) {
			await db.transaction().execute(async (trx) => {
				await audit.lock(trx);
				await refuseFormerAdmin(trx, by);
				const { url } = await find(trx, id);
				await trx.deleteFrom('webhooks').where('id', '=', id).execute();
				await forgetDestination(trx, `webhook:${id}`);
				const detail = { server: serverOf(url) };
				await audit.append({ actor: by.name, action: 'webhook.removed', target: id, detail }, trx);
			});
		}
	};
}
