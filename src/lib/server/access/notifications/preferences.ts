/** What each member is notified of, and over which channels. Only deviations from the defaults are stored. */
import {
	NOTICE_CHANNELS,
	type NoticeChannel,
	type NoticeKind
} from '#lib/messages/notices/kinds.ts';
import type { Database, Executor } from '../../platform/database/database.ts';
import type { Audit } from '../audit/audit.ts';
import { refuseEnded } from '../credentials/openSession.ts';
import type { AccessTables } from '../tables.ts';
import type { Role } from '../identity/roles.ts';
import { isUsual, kindsOf } from './kinds.ts';

/** Whether a member wants a kind over a channel. */
export type Wants = (kind: NoticeKind, channel: NoticeChannel) => boolean;

export interface Preferences {
	of(accountId: string): Promise<Wants>;
	/** Whether push notifications show the full sentence, with its names and amounts. */
	pushDetails(accountId: string): Promise<boolean>;
	/**
	 * Saves a member's choices for the kinds that the form asked about: a combination that is not chosen is
	 * not wanted. Kinds that the role has gained since the form was rendered keep their setting.
	 * @param session hash of the session in which it is done
	 * @throws {AppError} `account.session-ended`
	 */
	save(
		account: { id: string; role: Role },
		chosen: {
			isAsked(kind: NoticeKind): boolean;
			has(kind: NoticeKind, channel: NoticeChannel): boolean;
			pushDetails: boolean;
		},
		session: string
	): Promise<void>;
}

/** Returns a function that gives the wishes of each of these members. */
export async function readWants(
	db: Executor<AccessTables>,
	accountIds: readonly string[]
): Promise<(accountId: string) => Wants> {
	const rows =
		accountIds.length === 0
			? []
			: await db
					.selectFrom('notice_preferences')
					.selectAll()
					.where('account_id', 'in', accountIds)
					.execute();
	const chosen = new Map(
		rows.map((row) => [`${row.account_id} ${row.kind} ${row.channel}`, row.chosen === 1n])
	);
	return (accountId) => (kind, channel) =>
		chosen.get(`${accountId} ${kind} ${channel}`) ?? isUsual(kind, channel);
}

export function createPreferences(
	db: Database<AccessTables>,
	audit: Pick<Audit, 'lock'>
): Preferences {
	return {
		of: async (accountId) => (await readWants(db, [accountId]))(accountId),

		async pushDetails(accountId) {
			const row = await db
				.selectFrom('notice_settings')
				.select('push_details')
				.where('account_id', '=', accountId)
				.executeTakeFirst();
			return row?.push_details === 1n;
		},

		async save({ id, role }, { isAsked, has, pushDetails }, idHash) {
			const kinds = kindsOf(role).filter(isAsked);
			await db.transaction().execute(async (trx) => {
				await audit.lock(trx);
				await refuseEnded(trx, { accountId: id, idHash });
				for (const kind of kinds) {
					await trx
						.deleteFrom('notice_preferences')
						.where('account_id', '=', id)
						.where('kind', '=', kind)
						.execute();
				}
				const rows = kinds.flatMap((kind) =>
					NOTICE_CHANNELS.filter((channel) => has(kind, channel) !== isUsual(kind, channel)).map(
						(channel) => ({
							account_id: id,
							kind,
							channel,
							chosen: has(kind, channel) ? 1n : 0n
						})
					)
				);
				if (rows.length > 0) await trx.insertInto('notice_preferences').values(rows).execute();
				const push_details = pushDetails ? 1n : 0n;
				await trx
					.insertInto('notice_settings')
					.values({ account_id: id, push_details })
					.onConflict((conflict) => conflict.column('account_id').doUpdateSet({ push_details }))
					.execute();
			});
		}
	};
}
