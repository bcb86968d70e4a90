/** Challenges: short-lived state between two requests of one browser, used once. */
import { randomBytes } from 'node:crypto';
import type { ExpressionBuilder, ExpressionWrapper, SqlBool } from 'kysely';
import { MINUTE_MS } from '#lib/text/units.ts';
import type { Executor } from '../../platform/database/database.ts';
import type { Cipher } from '../../platform/secrets/encrypt.ts';
import { sameText } from '../../platform/secrets/sameText.ts';
import type { Bearer } from '../credentials/bearer.ts';
import type { AccessTables } from '../tables.ts';

/** Purpose of a challenge; it is not valid for any other. */
export type Purpose =
	| 'login'
	| 'totp-set-up'
	| 'passkey-set-up'
	| 'passkey-login'
	| 'passkey-factor'
	| 'passkey-confirm';

/** How long a challenge works, in milliseconds. */
export const CHALLENGE_LIFETIME: Readonly<Record<Purpose, number>> = {
	login: 10 * MINUTE_MS,
	'totp-set-up': 15 * MINUTE_MS,
	'passkey-set-up': 5 * MINUTE_MS,
	'passkey-login': 5 * MINUTE_MS,
	'passkey-factor': 5 * MINUTE_MS,
	'passkey-confirm': 5 * MINUTE_MS
};

/** The holder of a challenge: it does not work for another. */
export interface Holder {
	/** Null: the account is not known yet. */
	accountId: string | null;
	/** What identifies the browser across requests: a session, a cookie, a pending login, or its user agent. */
	browser: string;
	/** The single sign-on provider that identified the member, and the provider's session id. */
	provider?: { issuer: string; session: string | null } | null;
}

export interface Challenges {
	/** Creates a challenge. The returned id is for the holder only. */
	make(purpose: Purpose, holder: Holder, content: string): Promise<string>;
	/**
	 * Returns what a challenge holds while it is valid, whatever its account; null when none exists for this
	 * browser.
	 */
	look(
		purpose: Purpose,
		id: string,
		browser: string
	): Promise<{ accountId: string | null; content: string } | null>;
	/** Uses up a challenge; of two concurrent calls one returns true. */
	take(within: Executor<AccessTables>, purpose: Purpose, id: string): Promise<boolean>;
}

/** How often expired challenges are removed, in milliseconds. */
const CLEAR_EVERY = 60_000;

interface Parts {
	db: Executor<AccessTables>;
	bearer: Bearer;
	cipher: Cipher;
	clock: () => number;
}

export function createChallenges({ db, bearer, cipher, clock }: Parts): Challenges {
	let cleared = 0;
	const hashOf = (id: string): string => bearer.hash('challenge', id);
	const macOf = (
		row: { id_hash: string; purpose: string; account_id: string | null; expires_at: bigint },
		browser: string
	): string =>
		bearer.mac([
			'challenge',
			row.id_hash,
			row.purpose,
			row.account_id ?? '',
			row.expires_at,
			browser
		]);

	/** SQL condition: the challenge of this id, if it is for this purpose and has not expired. */
	const isOpen =
		(purpose: Purpose, id: string) =>
		(
			where: ExpressionBuilder<AccessTables, 'factor_challenges'>
		): ExpressionWrapper<AccessTables, 'factor_challenges', SqlBool> =>
			where.and([
				where('id_hash', '=', hashOf(id)),
				where('purpose', '=', purpose),
				where('expires_at', '>', BigInt(clock()))
			]);

	async function clearNowAndThen(now: number): Promise<void> {
		if (Math.abs(now - cleared) < CLEAR_EVERY) return;
		cleared = now;
		await db.deleteFrom('factor_challenges').where('expires_at', '<=', BigInt(now)).execute();
	}

	return {
		async make(purpose, { accountId, browser, provider = null }, content) {
			const now = clock();
			await clearNowAndThen(now);
			const id = randomBytes(32).toString('base64url');
			const row = {
				id_hash: hashOf(id),
				purpose,
				account_id: accountId,
				expires_at: BigInt(now + CHALLENGE_LIFETIME[purpose])
			};
			await db
				.insertInto('factor_challenges')
				.values({
					...row,
					mac: macOf(row, browser),
					issuer: provider?.issuer ?? null,
					provider_session: provider?.session ?? null,
					content: cipher.encrypt(content, `challenge ${row.id_hash}`)
				})
				.execute();
			return id;
		},

		async look(purpose, id, browser) {
			const row = await db
				.selectFrom('factor_challenges')
				.selectAll()
				.where(isOpen(purpose, id))
				.executeTakeFirst();
			if (!row || !sameText(row.mac, macOf(row, browser))) return null;
			return {
				accountId: row.account_id,
				content: cipher.decrypt(row.content, `challenge ${row.id_hash}`)
			};
		},

		async take(within, purpose, id) {
			const { numDeletedRows } = await within
				.deleteFrom('factor_challenges')
				.where(isOpen(purpose, id))
				.executeTakeFirst();
			return numDeletedRows === 1n;
		}
	};
}
