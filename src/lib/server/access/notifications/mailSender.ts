/** Sends notices to a member's verified address: one mail each, or one for many that are due together. */
import { notices } from '#lib/messages/notices/catalogue.ts';
import { HOUR_MS } from '#lib/text/units.ts';
import type { Database } from '../../platform/database/database.ts';
import { AppError, isAppError } from '../../platform/errors/appError.ts';
import { safeNext } from '../../platform/http/safeNext.ts';
import type { Held } from '../../platform/jobs/runner.ts';
import { sha256Hex } from '../../platform/secrets/digest.ts';
import { lacksFactor, type FactorSettings } from '../security-settings/lacksFactor.ts';
import type { AccessTables } from '../tables.ts';
import { isSentOutside } from './kinds.ts';
import { noticeMail, type MailItem } from './mailBody.ts';
import type { Mailer } from './mailer.ts';
import {
	noteAttempt,
	pauseAfter,
	restUntilDue,
	takeWaiting,
	type Attempt,
	type Times,
	type Waiting
} from './queue.ts';
import { noticeOf } from './waitingNotice.ts';

/** Most mails to one member within an hour. */
export const MAILS_PER_HOUR = 20;
/** More notices than this at once are sent as one mail. */
const MOST_SINGLE = 3;
const MOST_TOGETHER = 100;

interface SenderParts extends Times {
	db: Database<AccessTables>;
	mailer: Mailer;
	origin: string;
	/** The roles that require a second factor now. */
	factorSettings: () => Promise<FactorSettings>;
}

interface Ready extends Waiting {
	item: MailItem;
}

/** Failures that may pass: another attempt or another server may succeed. */
const PASSING = [
	'notice.mail-unreachable',
	'notice.mail-settings',
	'notice.other-version'
] as const;

/**
 * Returns an id of a mail that depends on all its notices. A mailbox that drops mails with a known id keeps a
 * retry that contains more notices than the first attempt, which may have arrived.
 */
const idOf = (mail: readonly Ready[]): string =>
	mail.length === 1 ? mail[0]!.id : sha256Hex(mail.map(({ id }) => id).join());

const failed = (error: AppError): Attempt => ({
	is: isAppError(error, ...PASSING) ? 'again' : 'failed',
	status: null,
	failure: error.coded
});

export function createMailSender(parts: SenderParts) {
	const { db, mailer, origin, factorSettings, clock } = parts;

	/** The recipient of a destination's mails; null: the account or its address no longer takes any. */
	async function recipient(accountId: string) {
		const row = await db
			.selectFrom('notice_settings as s')
			.innerJoin('accounts as a', 'a.id', 's.account_id')
			.select(['a.name', 'a.role', 'a.second_factor_at'])
			.select(['s.email', 's.mails_sent', 's.mails_since'])
			.where('a.id', '=', accountId)
			.where('a.disabled_at', 'is', null)
			.where('a.to_confirm', 'is', null)
			.executeTakeFirst();
		if (!row || row.email === null) return null;
		const lacks = lacksFactor(await factorSettings(), row.role, row.second_factor_at !== null);
		return { ...row, email: row.email, lacks };
	}

	/**
	 * Builds the item of a notice.
	 * @throws {AppError} why it is not sent by mail
	 */
	async function itemOf(
		one: Waiting,
		to: Parameters<typeof isSentOutside>[0] | null
	): Promise<MailItem> {
		if (to === null) throw new AppError('notice.gone');
		const { message, path, kind } = await noticeOf(db, one);
		if (!isSentOutside(to, kind)) throw new AppError('notice.gone');
		return { text: notices.text(message), link: `${origin}${safeNext(path)}` };
	}

	/** Counts a mail before it is sent. */
	async function count(held: Held, accountId: string, sent: number, since: number): Promise<void> {
		await db.transaction().execute(async (trx) => {
			// Locks the settings before the job, like the removal of an address, to avoid a deadlock with it.
			await trx
				.updateTable('notice_settings')
				.set({ mails_sent: sent, mails_since: since })
				.where('account_id', '=', accountId)
				.execute();
			await held.keep(trx);
		});
	}

	return async (held: Held): Promise<void> => {
		const accountId = held.id.slice('mail:'.length);
		const waiting = await takeWaiting(db, held.id, clock(), MOST_TOGETHER);
		const to = await recipient(accountId);
		const ready: Ready[] = [];
		for (const one of waiting) {
			try {
				ready.push({ ...one, item: await itemOf(one, to) });
			} catch (error) {
				if (!isAppError(error, 'notice')) throw error;
				await noteAttempt(db, held, [one], failed(error), parts);
			}
		}
		if (to === null || ready.length === 0) return restUntilDue(db, held, clock());
		const isOld = to.mails_since === null || to.mails_since <= BigInt(clock() - HOUR_MS);
		const since = isOld ? clock() : Number(to.mails_since);
		let sent = isOld ? 0 : Number(to.mails_sent);
		// Notices that the hourly limit held back are sent together.
		const heldBack = isOld && Number(to.mails_sent) >= MAILS_PER_HOUR;
		const mails =
			heldBack || ready.length > Math.min(MOST_SINGLE, MAILS_PER_HOUR - sent - 1)
				? [ready]
				: ready.map((one) => [one]);
		let notBefore = clock();
		for (const mail of mails) {
			// Notices beyond the hourly limit wait for the next hour and are then sent in one mail.
			if (sent >= MAILS_PER_HOUR) {
				notBefore = since + HOUR_MS;
				break;
			}
			sent += 1;
			await count(held, accountId, sent, since);
			const content = noticeMail(
				mail.map(({ item }) => item),
				{ name: to.name, origin }
			);
			let result: Attempt = { is: 'delivered', status: null };
			try {
				await mailer.send({ to: to.email, id: idOf(mail), ...content });
			} catch (error) {
				if (!isAppError(error, 'notice')) throw error;
				result = failed(error);
			}
			await noteAttempt(db, held, mail, result, parts);
			if (result.is === 'again') {
				notBefore = clock() + pauseAfter(0);
				break;
			}
		}
		await restUntilDue(db, held, notBefore);
	};
}
