/** Sends the deliveries of a webhook: signed, in order, retried with backoff for a limited time. */
import { notices } from '#lib/messages/notices/catalogue.ts';
import { WEBHOOK_TEST } from '#lib/messages/notices/outside.ts';
import { DAY_MS, HOUR_MS } from '#lib/text/units.ts';
import type { Egress } from '../../kdf/egress/egress.ts';
import type { Database } from '../../platform/database/database.ts';
import { AppError, isAppError } from '../../platform/errors/appError.ts';
import { safeNext } from '../../platform/http/safeNext.ts';
import type { Held } from '../../platform/jobs/runner.ts';
import type { Cipher } from '../../platform/secrets/encrypt.ts';
import type { Audit } from '../audit/audit.ts';
import type { AccessTables } from '../tables.ts';
import {
	againFor,
	agedAt,
	failWaiting,
	noteAttempt,
	noteAttemptWithin,
	pauseAfter,
	restUntilDue,
	takeWaiting,
	type Attempt,
	type Times,
	type Waiting
} from './queue.ts';
import { webhookPlace } from './secrets.ts';
import { signatureHeader } from './signature.ts';
import { serverOf } from './webhooks.ts';

const AT_ONCE = 20;
const TIMEOUT_MS = 10_000;
/** A webhook that has failed this long without a success is disabled, in milliseconds. */
const DISABLED_AFTER_MS = 3 * DAY_MS;
/**
 * Minimum age of the failing delivery before its webhook is disabled, in milliseconds: a first failure after
 * days without deliveries says little.
 */
const DELIVERY_WAITED_MS = HOUR_MS;

interface SenderParts extends Times {
	db: Database<AccessTables>;
	audit: Audit;
	cipher: Cipher;
	egress: Pick<Egress, 'http'>;
	/** The public address of this installation, without a trailing slash. */
	origin: string;
}

/**
 * Returns the body of a delivery: the same bytes at each attempt, so that a receiver can recognize it. Null
 * when it was written by a release whose message this one does not know.
 */
function webhookBody({ id, body }: Pick<Waiting, 'id' | 'body'>, origin: string): string | null {
	const stored = JSON.parse(body) as { kind: string; message: unknown; path: string; at: number };
	const { kind, path, at } = stored;
	const message = stored.message === null ? null : notices.parse(stored.message);
	if (message === null && stored.message !== null) return null;
	return JSON.stringify({
		id,
		time: new Date(at).toISOString(),
		kind,
		code: message?.code ?? 'test',
		params: message?.params ?? {},
		text: message === null ? WEBHOOK_TEST : notices.text(message),
		link: `${origin}${safeNext(path)}`
	});
}

export function createWebhookSender(parts: SenderParts): (held: Held) => Promise<void> {
	const { db, audit, cipher, egress, origin, clock } = parts;

	/**
	 * Returns the secrets to sign with, the current one first.
	 * @throws {AppError} `secret.undecryptable` when the current one cannot be decrypted
	 */
	function secretsOf(id: string, now: string, before: string | null): string[] {
		const open = (secret: string): string => cipher.decrypt(secret, webhookPlace(id));
		const secrets = [open(now)];
		try {
			if (before !== null) secrets.push(open(before));
		} catch (error) {
			// The earlier secret may have been replaced because it cannot be decrypted.
			if (!isAppError(error, 'secret')) throw error;
		}
		return secrets;
	}

	async function attempt(
		url: string,
		secrets: () => readonly string[],
		one: Waiting,
		body: string
	): Promise<Attempt> {
		const timestamp = Math.floor(clock() / 1000);
		try {
			const { status } = await egress.http(url, {
				method: 'POST',
				headers: {
					'content-type': 'application/json',
					'user-agent': 'Komodeck',
					'komodeck-id': one.id,
					'komodeck-timestamp': String(timestamp),
					'komodeck-signature': signatureHeader(secrets(), { id: one.id, timestamp, body })
				},
				body,
				timeoutMs: TIMEOUT_MS,
				maxBytes: 'status-only'
			});
			if (status >= 200 && status < 300) return { is: 'delivered', status };
			return againFor(new AppError('notice.answered', { status }), status);
		} catch (error) {
			if (!isAppError(error, 'egress', 'secret')) throw error;
			return againFor(error, null);
		}
	}

	/**
	 * Stores the result of an attempt, and in the webhook since when its deliveries fail.
	 * @returns since when they fail, in Unix milliseconds; null when this one arrived; undefined when an
	 *   admin has disabled the webhook or changed its URL in the meantime
	 */
	const noteOf = (
		held: Held,
		{ id, url }: { id: string; url: string },
		one: Waiting,
		result: Attempt
	): Promise<bigint | null | undefined> =>
		db.transaction().execute(async (trx) => {
			const now = clock();
			// Locks the webhook before its deliveries, like the requests of admins, to avoid a deadlock.
			const row = await trx
				.updateTable('webhooks')
				.set((set) => ({
					failing_since:
						result.is === 'delivered'
							? null
							: set.fn.coalesce('failing_since', set.val(BigInt(now)))
				}))
				.where('id', '=', id)
				.where('url', '=', url)
				.where('disabled_at', 'is', null)
				.returning('failing_since')
				.executeTakeFirst();
			await noteAttemptWithin(trx, held, [one], result, parts);
			return row?.failing_since;
		});

	/** Disables a webhook that has failed for days; the audit event notifies the admins. */
	async function disable(held: Held, id: string, url: string): Promise<void> {
		const now = clock();
		await db.transaction().execute(async (trx) => {
			await audit.lock(trx);
			const aged = await agedAt(parts, trx);
			const { numUpdatedRows } = await trx
				.updateTable('webhooks')
				.set({ disabled_at: now })
				.where('id', '=', id)
				.where('failing_since', '<=', BigInt(aged - DISABLED_AFTER_MS))
				.executeTakeFirst();
			// An admin has just enabled the webhook again or changed its URL, so it has no failures yet.
			if (numUpdatedRows === 0n) return;
			await held.keep(trx);
			await failWaiting(trx, held.id, now);
			const detail = { server: serverOf(url) };
			await audit.append({ actor: 'engine', action: 'webhook.disabled', target: id, detail }, trx);
		});
	}

	return async (held) => {
		const id = held.id.slice('webhook:'.length);
		const row = await db
			.selectFrom('webhooks')
			.selectAll()
			.where('id', '=', id)
			.where('disabled_at', 'is', null)
			.executeTakeFirst();
		const waiting = await takeWaiting(db, held.id, clock(), AT_ONCE);
		if (!row) {
			const { coded: failure } = new AppError('notice.gone');
			for (const one of waiting) {
				await noteAttempt(db, held, [one], { is: 'failed', status: null, failure }, parts);
			}
			return restUntilDue(db, held, clock());
		}
		const signsToo = (row.previous_until ?? 0n) > BigInt(clock());
		const secrets = () => secretsOf(id, row.secret, signsToo ? row.previous_secret : null);
		let notBefore = clock();
		for (const one of waiting) {
			const body = webhookBody(one, origin);
			if (body === null) {
				// A server of that release will send it. It must not hold up the deliveries behind it, nor
				// count as a failure of the webhook.
				const left = againFor(new AppError('notice.other-version'), null);
				await noteAttempt(db, held, [one], left, parts);
				continue;
			}
			const result = await attempt(row.url, secrets, one, body);
			const failing = await noteOf(held, row, one, result);
			if (failing === null) continue;
			// The webhook was changed: the next step reads it again.
			if (failing === undefined) break;
			const aged = await agedAt(parts, db);
			const hasWaited = aged - one.createdAt >= DELIVERY_WAITED_MS;
			if (hasWaited && BigInt(aged) - failing >= BigInt(DISABLED_AFTER_MS)) {
				await disable(held, id, row.url);
				break;
			}
			// The remaining deliveries go to the same server, so they wait a moment, too.
			notBefore = clock() + pauseAfter(0);
			break;
		}
		await restUntilDue(db, held, notBefore);
	};
}
