/**
 * Changes that members make to their own factors: adding, renaming and removing one, and new recovery codes.
 */
import { randomUUID } from 'node:crypto';
import { touch } from '../../platform/audit-trail/recorded.ts';
import type { Database, Executor } from '../../platform/database/database.ts';
import { AppError } from '../../platform/errors/appError.ts';
import { isSessionOpen, refuseEnded } from '../credentials/openSession.ts';
import type { Audit } from '../audit/audit.ts';
import type { Account } from '../identity/identity.ts';
import type { AccessTables } from '../tables.ts';
import type { AppCodes } from './appCodes.ts';
import type { Challenges } from './challenges.ts';
import type { FactorCheck, FactorFrom } from './factorCheck.ts';
import { factorsOf, markAccount, refuseMore } from './factorRows.ts';
import type { StoredRecoveryCodes } from './recoveryCodeStore.ts';
import type { NewPasskey, Passkeys } from './passkeys.ts';
import type { PasskeySite } from './passkeySite.ts';
import type { FactorKind } from './tables.ts';
import { stepOf } from './totp.ts';

/** The longest name of a factor, in characters. */
export const MOST_FACTOR_NAME = 60;

function checkName(typed: string): string {
	const name = typed.trim();
	if (name.length === 0 || name.length > MOST_FACTOR_NAME) {
		throw new AppError('factor.name', { most: MOST_FACTOR_NAME });
	}
	return name;
}

interface Parts {
	db: Database<AccessTables>;
	audit: Audit;
	challenges: Challenges;
	passkeys: Passkeys;
	apps: AppCodes;
	codes: StoredRecoveryCodes;
	check: FactorCheck;
	/** Whether the role of an account requires a factor. */
	isRequired: (account: Account) => Promise<boolean>;
	clock: () => number;
}

export interface FactorChanges {
	/**
	 * Adds the app that generated this code. With a member's first factor, their other sessions end and
	 * recovery codes are created.
	 * @throws {AppError} `factor.set-up-over`, `factor.wrong-code`, `factor.most`, `factor.name`,
	 * `account.throttled`
	 */
	addTotp(
		account: Account,
		given: { idHash: string; id: string; name: string; code: string; from: FactorFrom }
	): Promise<{ codes: string[] | null }>;
	/**
	 * Begins the set-up of a passkey. Returns the options from which the browser creates it.
	 * @throws {AppError} `factor.no-passkeys`, `factor.most`, `factor.name`
	 */
	beginPasskey(
		account: Account,
		given: { idHash: string; name: string; site: PasskeySite | null }
	): ReturnType<Passkeys['beginSetUp']>;
	/**
	 * Adds the passkey that a browser created, with the same effects as {@link addTotp}.
	 * @throws {AppError} `factor.set-up-over`, `factor.most`, `factor.passkey-known`
	 */
	addPasskey(
		account: Account,
		given: { idHash: string; answer: string; site: PasskeySite | null }
	): Promise<{ codes: string[] | null }>;
	/**
	 * @param session hash of the session in which it is done
	 * @throws {AppError} `factor.unknown`, `factor.name`, `account.session-ended`
	 */
	rename(account: Account, id: string, name: string, session: string): Promise<void>;
	/**
	 * @param session as of {@link rename}
	 * @throws {AppError} `factor.unknown`, `factor.last-required`, `account.session-ended`
	 */
	remove(account: Account, id: string, session: string): Promise<void>;
	/**
	 * Replaces the recovery codes.
	 * @param session as of {@link rename}
	 * @throws {AppError} `factor.unknown` where there is no factor, `account.session-ended`
	 */
	renewCodes(account: Account, session: string): Promise<string[]>;
}

/** Builds the changes of factors. */
export function createFactorChanges(parts: Parts): FactorChanges {
	const { db, audit, challenges, passkeys, apps, codes, check, isRequired, clock } = parts;

	/** Adds a factor. With the first one, the other sessions end, since they began without a factor. */
	async function add(
		trx: Executor<AccessTables>,
		account: Account,
		idHash: string,
		row: {
			kind: FactorKind;
			name: string;
			totp_secret?: (id: string) => string;
			last_step?: bigint;
		} & Partial<NewPasskey['row']>
	): Promise<{ codes: string[] | null }> {
		await audit.lock(trx);
		if (!(await isSessionOpen(trx, { accountId: account.id, idHash }))) {
			throw new AppError('factor.set-up-over');
		}
		const before = await factorsOf(trx, account.id);
		refuseMore(before);
		const { totp_secret, ...rest } = row;
		const id = randomUUID();
		const now = BigInt(clock());
		await trx
			.insertInto('second_factors')
			.values({
				id,
				account_id: account.id,
				...rest,
				...(totp_secret ? { totp_secret: totp_secret(id) } : {}),
				created_at: now,
				last_used_at: now
			})
			.execute();
		touch(trx, 'second_factors', [id]);
		const first = before.length === 0;
		const shown = first ? await codes.renew(trx, account.id) : null;
		if (first) {
			await markAccount(trx, account.id, now);
			await trx
				.deleteFrom('sessions')
				.where('account_id', '=', account.id)
				.where('id_hash', '!=', idHash)
				.execute();
		}
		await audit.append(
			{
				actor: account.name,
				action: 'factor.added',
				target: account.name,
				detail: { kind: row.kind, name: row.name, first }
			},
			trx
		);
		return { codes: shown };
	}

	return {
		async addTotp(account, { idHash, id, name, code, from }) {
			const setUp = await apps.setUp(account, idHash, id);
			if (setUp === null) throw new AppError('factor.set-up-over');
			const called = checkName(name);
			const takeBack = await check.attempt(account, from);
			const step = stepOf(setUp.secret, code.replaceAll(/\s/g, ''), clock());
			if (step === null) throw new AppError('factor.wrong-code');
			const added = await db.transaction().execute(async (trx) => {
				await audit.lock(trx);
				if (!(await challenges.take(trx, 'totp-set-up', id))) {
					throw new AppError('factor.set-up-over');
				}
				return add(trx, account, idHash, {
					kind: 'totp',
					name: called,
					totp_secret: (row) => apps.sealed(row, setUp.secret),
					last_step: step
				});
			});
			await takeBack();
			return added;
		},

		async beginPasskey(account, { name, ...given }) {
			const called = checkName(name);
			// Checked before the browser creates a passkey that could not be stored.
			refuseMore(await factorsOf(db, account.id));
			return passkeys.beginSetUp(account, { ...given, name: called });
		},

		async addPasskey(account, given) {
			const { name, row, use } = await passkeys.readSetUp(account, given);
			return db.transaction().execute(async (trx) => {
				await audit.lock(trx);
				await use(trx);
				const known = await trx
					.selectFrom('second_factors')
					.select('id')
					.where('credential_id', '=', row.credential_id)
					.executeTakeFirst();
				if (known) throw new AppError('factor.passkey-known');
				return add(trx, account, given.idHash, { kind: 'passkey', name, ...row });
			});
		},

		async rename(account, id, typed, idHash) {
			const name = checkName(typed);
			await db.transaction().execute(async (trx) => {
				await audit.lock(trx);
				await refuseEnded(trx, { accountId: account.id, idHash });
				const row = (await factorsOf(trx, account.id)).find((one) => one.id === id);
				if (!row) throw new AppError('factor.unknown');
				if (row.name === name) return;
				await trx.updateTable('second_factors').set({ name }).where('id', '=', id).execute();
				touch(trx, 'second_factors', [id], ['name']);
				await audit.append(
					{
						actor: account.name,
						action: 'factor.renamed',
						target: account.name,
						detail: { kind: row.kind, from: row.name, to: name }
					},
					trx
				);
			});
		},

		async remove(account, id, idHash) {
			const required = await isRequired(account);
			await db.transaction().execute(async (trx) => {
				await audit.lock(trx);
				await refuseEnded(trx, { accountId: account.id, idHash });
				const before = await factorsOf(trx, account.id);
				const row = before.find((one) => one.id === id);
				if (!row) throw new AppError('factor.unknown');
				const last = before.length === 1;
				if (last && required) throw new AppError('factor.last-required');
				await trx.deleteFrom('second_factors').where('id', '=', id).execute();
				touch(trx, 'second_factors', [id]);
				if (last) {
					await codes.drop(trx, account.id);
					await markAccount(trx, account.id, null);
				}
				await audit.append(
					{
						actor: account.name,
						action: 'factor.removed',
						target: account.name,
						detail: { kind: row.kind, name: row.name, last }
					},
					trx
				);
			});
		},

		async renewCodes(account, idHash) {
			return db.transaction().execute(async (trx) => {
				await audit.lock(trx);
				await refuseEnded(trx, { accountId: account.id, idHash });
				if ((await factorsOf(trx, account.id)).length === 0) throw new AppError('factor.unknown');
				const renewed = await codes.renew(trx, account.id);
				await audit.append(
					{ actor: account.name, action: 'recovery-code.renewed', target: account.name },
					trx
				);
				return renewed;
			});
		}
	};
}
