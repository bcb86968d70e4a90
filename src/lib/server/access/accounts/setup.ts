import { randomBytes } from 'node:crypto';
import { DAY_MS } from '#lib/text/units.ts';
import type { Executor } from '../../platform/database/database.ts';
import { AppError } from '../../platform/errors/appError.ts';
import type { Audit } from '../audit/audit.ts';
import type { Account } from '../identity/identity.ts';
import type { AccessTables } from '../tables.ts';
import { addAccount, hasNoAccount } from './accounts.ts';
import type { Bearer } from '../credentials/bearer.ts';
import { checkNewPassword } from './password.ts';

/** How long a set-up link works, in milliseconds. */
export const LINK_LIFETIME = DAY_MS;

export interface Setup {
	/** Creates a one-time token while there is no account, else returns null. It is stored hashed. */
	createLink(): Promise<string | null>;
	/** Whether the token could be used now. */
	isUsable(token: string): Promise<boolean>;
	/**
	 * Uses up the token and creates the first account, an admin, in one transaction.
	 * @throws {AppError} `account.link-unusable`, or the fault of the name or password (the link then stays
	 * usable)
	 */
	use(token: string, first: { name: string; password: string }): Promise<Account>;
	/** Creates the first account from the configuration while there is none; null when one exists. */
	ensureFirstAccount(first: { name: string; password: string }): Promise<Account | null>;
}

export function createSetup(db: Executor<AccessTables>, audit: Audit, bearer: Bearer): Setup {
	const hashOf = (token: string): string => bearer.hash('set-up link', token);
	const usable = (within: Executor<AccessTables>, token: string) => {
		const links = within
			.selectFrom('setup_links')
			.select('token_hash')
			.where('token_hash', '=', hashOf(token))
			.where('expires_at', '>', BigInt(Date.now()));
		return links.where('used_at', 'is', null);
	};
	const isOpen = hasNoAccount;

	return {
		async createLink() {
			if (!(await hasNoAccount(db))) return null;
			const token = randomBytes(32).toString('base64url');
			const now = Date.now();
			await db.deleteFrom('setup_links').where('expires_at', '<=', BigInt(now)).execute();
			await db
				.insertInto('setup_links')
				.values({ token_hash: hashOf(token), created_at: now, expires_at: now + LINK_LIFETIME })
				.execute();
			return token;
		},

		async isUsable(token) {
			if (!(await isOpen(db))) return false;
			return (await usable(db, token).executeTakeFirst()) !== undefined;
		},

		async use(token, first) {
			return db.transaction().execute(async (trx) => {
				await audit.lock(trx);
				const link = (await isOpen(trx)) && (await usable(trx, token).executeTakeFirst());
				if (!link) {
					throw new AppError('account.link-unusable');
				}
				const account = await addAccount(trx, { ...first, role: 'admin' });
				await trx
					.updateTable('setup_links')
					.set({ used_at: Date.now() })
					.where('token_hash', '=', hashOf(token))
					.execute();
				await audit.append(
					{
						actor: account.name,
						action: 'account.added',
						target: account.name,
						detail: {
							role: 'admin',
							by: { code: 'account-means', params: { means: 'setup-link' } }
						}
					},
					trx
				);
				return account;
			});
		},

		async ensureFirstAccount(first) {
			if (!(await hasNoAccount(db))) return null;
			checkNewPassword(first.password, first.name);
			return db.transaction().execute(async (trx) => {
				await audit.lock(trx);
				if (!(await hasNoAccount(trx))) return null;
				const account = await addAccount(trx, { ...first, role: 'admin', titles: true });
				await audit.append(
					{
						actor: 'configuration',
						action: 'account.added',
						target: account.name,
						detail: {
							role: 'admin',
							by: { code: 'account-means', params: { means: 'environment' } }
						}
					},
					trx
				);
				return account;
			});
		}
	};
}
