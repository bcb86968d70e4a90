/** Browsers that receive push notifications, each bound to the session in which its member turned them on. */
import { ECDH, randomUUID } from 'node:crypto';
import { z } from 'zod';
import { readUrl } from '../../kdf/egress/target.ts';
import type { Database } from '../../platform/database/database.ts';
import { AppError } from '../../platform/errors/appError.ts';
import { sha256Hex } from '../../platform/secrets/digest.ts';
import type { Cipher } from '../../platform/secrets/encrypt.ts';
import type { Audit } from '../audit/audit.ts';
import { refuseEnded } from '../credentials/openSession.ts';
import type { Account } from '../identity/identity.ts';
import type { AccessTables } from '../tables.ts';
import { forgetDestination } from './queue.ts';
import { subscriptionPlace } from './secrets.ts';

/**
 * Whether text is a valid public key of P-256. Encryption for a point that is not on the curve would fail
 * each time.
 */
function isPoint(text: string): boolean {
	const bytes = Buffer.from(text, 'base64url');
	try {
		return bytes.length === 65 && ECDH.convertKey(bytes, 'prime256v1').length > 0;
	} catch {
		return false;
	}
}

/** The subscription that a browser sends, in the format of `PushSubscription.toJSON`. */
const Subscription = z.object({
	endpoint: z.url().max(1_000),
	keys: z.object({
		/** An uncompressed point of P-256, 65 bytes. */
		p256dh: z
			.string()
			.regex(/^[\w-]{87}=?$/)
			.refine(isPoint),
		/** 16 bytes. */
		auth: z.string().regex(/^[\w-]{22}(?:==)?$/)
	})
});
type PushTarget = z.output<typeof Subscription>;

export interface Browsers {
	/**
	 * Number of the member's browsers with notifications on, and whether that of this session is one of them.
	 */
	of(accountId: string, session: string): Promise<{ count: number; isOn: boolean }>;
	/**
	 * Turns notifications on in the browser of a session.
	 * @throws {AppError} `notice.browser-invalid`, `notice.too-many-browsers`, `account.session-ended`
	 */
	add(account: Account, session: string, given: string): Promise<void>;
	/**
	 * Turns notifications off in the browser of a session, or in all of the member's.
	 * @throws {AppError} `account.session-ended`
	 */
	remove(account: Account, session: string, everywhere: boolean): Promise<void>;
}

const MOST_BROWSERS = 10;

/**
 * Parses a subscription. Only https is allowed, even to listed servers, because the endpoint comes from a
 * browser.
 * @throws {AppError} `notice.browser-invalid`
 */
export function readSubscription(given: string): PushTarget {
	try {
		const subscription = Subscription.parse(JSON.parse(given));
		readUrl(subscription.endpoint, ['https']);
		return subscription;
	} catch (cause) {
		throw new AppError('notice.browser-invalid', {}, { cause });
	}
}

interface Parts {
	db: Database<AccessTables>;
	audit: Audit;
	cipher: Cipher;
	clock: () => number;
}

export function createBrowsers({ db, audit, cipher, clock }: Parts): Browsers {
	return {
		async of(accountId, session) {
			const rows = await db
				.selectFrom('push_subscriptions')
				.select('session')
				.where('account_id', '=', accountId)
				.execute();
			return { count: rows.length, isOn: rows.some((row) => row.session === session) };
		},

		async add(account, session, given) {
			const subscription = readSubscription(given);
			const hash = sha256Hex(subscription.endpoint);
			await db.transaction().execute(async (trx) => {
				await audit.lock(trx);
				await refuseEnded(trx, { accountId: account.id, idHash: session });
				// A browser receives the notices of one member: the last one who turned them on there.
				const before = await trx
					.deleteFrom('push_subscriptions')
					.where((where) =>
						where.or([where('endpoint_hash', '=', hash), where('session', '=', session)])
					)
					.returning('id')
					.execute();
				for (const { id } of before) await forgetDestination(trx, `push:${id}`);
				const { n } = await trx
					.selectFrom('push_subscriptions')
					.select((select) => select.fn.countAll<bigint>().as('n'))
					.where('account_id', '=', account.id)
					.executeTakeFirstOrThrow();
				if (n >= BigInt(MOST_BROWSERS)) {
					throw new AppError('notice.too-many-browsers', { most: MOST_BROWSERS });
				}
				const id = randomUUID();
				await trx
					.insertInto('push_subscriptions')
					.values({
						id,
						account_id: account.id,
						session,
						endpoint_hash: hash,
						subscription: cipher.encrypt(JSON.stringify(subscription), subscriptionPlace(id)),
						created_at: clock()
					})
					.execute();
				await audit.append({ actor: account.name, action: 'notices.browser-added' }, trx);
			});
		},

		async remove(account, session, everywhere) {
			await db.transaction().execute(async (trx) => {
				await audit.lock(trx);
				await refuseEnded(trx, { accountId: account.id, idHash: session });
				let gone = trx.deleteFrom('push_subscriptions').where('account_id', '=', account.id);
				if (!everywhere) gone = gone.where('session', '=', session);
				const rows = await gone.returning('id').execute();
				for (const { id } of rows) await forgetDestination(trx, `push:${id}`);
				if (rows.length === 0) return;
				await audit.append({ actor: account.name, action: 'notices.browser-removed' }, trx);
			});
		}
	};
}
