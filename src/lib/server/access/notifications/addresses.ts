/**
 * The email address to which a member's notices are sent. Until the link in the verification mail is opened,
 * the address gets that one mail and nothing else.
 */
import { randomBytes, randomUUID } from 'node:crypto';
import { HOUR_MS } from '#lib/text/units.ts';
import type { Database, Executor } from '../../platform/database/database.ts';
import { AppError } from '../../platform/errors/appError.ts';
import { sha256Hex } from '../../platform/secrets/digest.ts';
import type { Audit } from '../audit/audit.ts';
import { refuseEnded } from '../credentials/openSession.ts';
import type { Account } from '../identity/identity.ts';
import type { AccessTables } from '../tables.ts';
import { verifyMail } from './mailBody.ts';
import { readEmail, type Mailer } from './mailer.ts';
import { forgetDestination } from './queue.ts';

export interface OwnAddress {
	email: string | null;
	pending: string | null;
}

export interface Addresses {
	/** Whether this installation is configured to send mails. */
	readonly canMail: boolean;
	of(accountId: string): Promise<OwnAddress>;
	/**
	 * Sends a verification link to an address.
	 * @throws {AppError} `notice`
	 */
	ask(account: Account, typed: string): Promise<void>;
	/**
	 * Verifies the address behind a link, if the link is this member's.
	 * @param session hash of the session in which it is done
	 * @throws {AppError} `notice.link-unusable`, `account.session-ended`
	 */
	verify(account: Account, token: string, session: string): Promise<void>;
	/**
	 * Removes the address: nothing is sent by email any more.
	 * @param session as of {@link verify}
	 * @throws {AppError} `account.session-ended`
	 */
	remove(account: Account, session: string): Promise<void>;
}

/** How long a link works, in milliseconds. */
export const LINK_MS = 24 * HOUR_MS;
const LINKS_PER_HOUR = 5;

/** Removes a member's address, verified or pending, and the mails that wait for it. */
export async function forgetAddress(trx: Executor<AccessTables>, accountId: string): Promise<void> {
	await trx
		.updateTable('notice_settings')
		.set({ email: null, pending_email: null, pending_hash: null, pending_until: null })
		.where('account_id', '=', accountId)
		.execute();
	await forgetDestination(trx, `mail:${accountId}`);
}

interface Parts {
	db: Database<AccessTables>;
	audit: Audit;
	mailer: Mailer | null;
	origin: string;
	clock: () => number;
}

export function createAddresses({ db, audit, mailer, origin, clock }: Parts): Addresses {
	return {
		canMail: mailer !== null,

		async of(accountId) {
			const row = await db
				.selectFrom('notice_settings')
				.select(['email', 'pending_email', 'pending_until'])
				.where('account_id', '=', accountId)
				.executeTakeFirst();
			const isOpen = (row?.pending_until ?? 0n) > BigInt(clock());
			return { email: row?.email ?? null, pending: isOpen ? (row?.pending_email ?? null) : null };
		},

		async ask(account, typed) {
			const email = readEmail(typed);
			if (mailer === null) throw new AppError('notice.email-off');
			const token = randomBytes(32).toString('base64url');
			const now = clock();
			await db.transaction().execute(async (trx) => {
				await trx
					.insertInto('notice_settings')
					.values({ account_id: account.id })
					.onConflict((conflict) => conflict.column('account_id').doNothing())
					.execute();
				const before = await trx
					.updateTable('notice_settings')
					.set((set) => ({ links_sent: set('links_sent', '+', 1n) }))
					.where('account_id', '=', account.id)
					.returning(['links_sent', 'links_since'])
					.executeTakeFirstOrThrow();
				const isOld = before.links_since === null || before.links_since <= BigInt(now - HOUR_MS);
				if (!isOld && before.links_sent > BigInt(LINKS_PER_HOUR)) {
					throw new AppError('notice.links-throttled');
				}
				await trx
					.updateTable('notice_settings')
					.set({
						pending_email: email,
						pending_hash: sha256Hex(token),
						pending_until: now + LINK_MS,
						...(isOld ? { links_sent: 1, links_since: now } : {})
					})
					.where('account_id', '=', account.id)
					.execute();
			});
			const link = `${origin}/account/notifications?verify=${token}`;
			await mailer.send({ to: email, id: randomUUID(), ...verifyMail(account.name, link) });
		},

		async verify(account, token, idHash) {
			const now = clock();
			await db.transaction().execute(async (trx) => {
				await audit.lock(trx);
				await refuseEnded(trx, { accountId: account.id, idHash });
				const row = await trx
					.updateTable('notice_settings')
					.set((set) => ({
						email: set.ref('pending_email'),
						pending_email: null,
						pending_hash: null,
						pending_until: null
					}))
					.where('account_id', '=', account.id)
					.where('pending_hash', '=', sha256Hex(token))
					.where('pending_until', '>', BigInt(now))
					.returning('email')
					.executeTakeFirst();
				if (!row) throw new AppError('notice.link-unusable');
				await audit.append({ actor: account.name, action: 'notices.email-set' }, trx);
			});
		},

		async remove(account, idHash) {
			await db.transaction().execute(async (trx) => {
				await audit.lock(trx);
				await refuseEnded(trx, { accountId: account.id, idHash });
				await forgetAddress(trx, account.id);
				await audit.append({ actor: account.name, action: 'notices.email-removed' }, trx);
			});
		}
	};
}
