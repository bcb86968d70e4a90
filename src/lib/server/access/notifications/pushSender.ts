/**
 * Sends push notifications to a browser by its push service: encrypted for the browser, under the egress
 * rules.
 */
import webPush from 'web-push';
import { notices } from '#lib/messages/notices/catalogue.ts';
import { NOTICE_KIND_WORDS } from '#lib/messages/notices/kinds.ts';
import { PUSH } from '#lib/messages/notices/outside.ts';
import type { Egress } from '../../kdf/egress/egress.ts';
import type { Database } from '../../platform/database/database.ts';
import { AppError, isAppError } from '../../platform/errors/appError.ts';
import { safeNext } from '../../platform/http/safeNext.ts';
import type { Held } from '../../platform/jobs/runner.ts';
import type { Cipher } from '../../platform/secrets/encrypt.ts';
import { endOfSession, type SessionRule } from '../accounts/sessions/sessionRule.ts';
import type { Role } from '../identity/roles.ts';
import { lacksFactor, type FactorSettings } from '../security-settings/lacksFactor.ts';
import type { AccessTables } from '../tables.ts';
import { readSubscription } from './browsers.ts';
import { isSentOutside } from './kinds.ts';
import {
	againFor,
	forgetDestination,
	noteAttempt,
	pauseAfter,
	restUntilDue,
	takeWaiting,
	type Attempt,
	type Times,
	type Waiting
} from './queue.ts';
import { subscriptionPlace } from './secrets.ts';
import type { VapidKeys } from './vapid.ts';
import { noticeOf } from './waitingNotice.ts';

const AT_ONCE = 20;
const TIMEOUT_MS = 10_000;
/** How long a push service keeps a message for a browser that is offline, in seconds. */
const TTL_S = 24 * 60 * 60;
/** Status codes for a subscription that no longer exists (RFC 8030, section 7.3). */
const GONE: readonly number[] = [404, 410];

interface SenderParts extends Times {
	db: Database<AccessTables>;
	cipher: Cipher;
	egress: Pick<Egress, 'http'>;
	vapid: VapidKeys;
	/** Contact for the push service: an https or mailto address. */
	subject: string;
	/** How long sessions last now. */
	sessionRule: () => Promise<SessionRule>;
	/** The roles that require a second factor now. */
	factorSettings: () => Promise<FactorSettings>;
}

/** Endpoint and keys of a subscription; null where they are invalid or cannot be decrypted. */
function targetOf(stored: () => string): ReturnType<typeof readSubscription> | null {
	try {
		return readSubscription(stored());
	} catch (error) {
		if (isAppError(error, 'notice.browser-invalid', 'secret.undecryptable')) return null;
		throw error;
	}
}

export function createPushSender(parts: SenderParts): (held: Held) => Promise<void> {
	const { db, cipher, egress, vapid, subject, sessionRule, factorSettings, clock } = parts;

	/** The browser, while its session is open and its member can log in. */
	async function browser(id: string) {
		const row = await db
			.selectFrom('push_subscriptions as p')
			.innerJoin('accounts as a', 'a.id', 'p.account_id')
			.innerJoin('sessions as s', 's.id_hash', 'p.session')
			.leftJoin('notice_settings as n', 'n.account_id', 'p.account_id')
			.select(['p.subscription', 'a.role', 'a.second_factor_at', 'n.push_details'])
			.select(['s.created_at', 's.last_seen_at', 's.expires_at', 's.ends_at'])
			.where('p.id', '=', id)
			.where('a.disabled_at', 'is', null)
			.where('a.to_confirm', 'is', null)
			.whereRef('s.account_id', '=', 'p.account_id')
			.executeTakeFirst();
		const now = clock();
		return row && endOfSession(row, await sessionRule(), now) > now ? row : null;
	}

	/**
	 * Builds the message of a notice.
	 * @throws {AppError} why it is not sent
	 */
	async function payload(
		one: Waiting,
		to: { role: Role; lacks: boolean; details: boolean }
	): Promise<string> {
		const { id, message, path, kind } = await noticeOf(db, one);
		if (!isSentOutside(to, kind)) throw new AppError('notice.gone');
		return JSON.stringify({
			title: NOTICE_KIND_WORDS[kind].name,
			body: to.details ? notices.text(message) : PUSH.discreet,
			// Without details, the linked page must not reveal the subject either.
			path: to.details ? safeNext(path) : '/notifications',
			tag: id
		});
	}

	async function attempt(target: ReturnType<typeof readSubscription>, text: string) {
		const { endpoint, headers, body } = webPush.generateRequestDetails(target, text, {
			vapidDetails: { subject, ...vapid },
			TTL: TTL_S,
			contentEncoding: 'aes128gcm'
		});
		return egress.http(endpoint, {
			method: 'POST',
			headers: Object.fromEntries(
				Object.entries(headers).map(([name, value]) => [name, String(value)])
			),
			body: body ?? '',
			timeoutMs: TIMEOUT_MS,
			maxBytes: 'status-only'
		});
	}

	async function forget(held: Held, id: string): Promise<void> {
		await db.transaction().execute(async (trx) => {
			// Locks the subscription before the job, like its removal by the member, to avoid a deadlock.
			await trx.deleteFrom('push_subscriptions').where('id', '=', id).execute();
			await held.keep(trx);
			await forgetDestination(trx, held.id);
		});
	}

	return async (held) => {
		const id = held.id.slice('push:'.length);
		const row = await browser(id);
		if (!row) return forget(held, id);
		const target = targetOf(() => cipher.decrypt(row.subscription, subscriptionPlace(id)));
		// An earlier release accepted keys for which encryption fails.
		if (target === null) return forget(held, id);
		const { role, second_factor_at: since, push_details: details } = row;
		const lacks = lacksFactor(await factorSettings(), role, since !== null);
		const to = { role, lacks, details: details === 1n };
		let notBefore = clock();
		for (const one of await takeWaiting(db, held.id, clock(), AT_ONCE)) {
			let result: Attempt;
			try {
				const text = await payload(one, to);
				const { status } = await attempt(target, text);
				if (GONE.includes(status)) return await forget(held, id);
				const answered = new AppError('notice.answered', { status });
				if (status >= 200 && status < 300) result = { is: 'delivered', status };
				else if (status === 429 || status >= 500) result = againFor(answered, status);
				else result = { is: 'failed', status, failure: answered.coded };
			} catch (error) {
				if (!isAppError(error, 'egress', 'notice')) throw error;
				result = isAppError(error, 'notice.gone')
					? { is: 'failed', status: null, failure: error.coded }
					: againFor(error, null);
			}
			await noteAttempt(db, held, [one], result, parts);
			if (result.is === 'again') {
				notBefore = clock() + pauseAfter(0);
				break;
			}
		}
		await restUntilDue(db, held, notBefore);
	};
}
