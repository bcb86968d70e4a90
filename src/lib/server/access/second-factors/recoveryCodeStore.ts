/** Recovery codes of members, stored as hashes; each is used once. */
import { factsOfRow, touch } from '../../platform/audit-trail/recorded.ts';
import type { Executor } from '../../platform/database/database.ts';
import { AppError } from '../../platform/errors/appError.ts';
import type { Bearer } from '../credentials/bearer.ts';
import type { Audit } from '../audit/audit.ts';
import type { Account } from '../identity/identity.ts';
import type { AccessTables } from '../tables.ts';
import { newRecoveryCodes, recoveryCodeOf } from './recoveryCodes.ts';

interface Parts {
	db: Executor<AccessTables>;
	audit: Audit;
	bearer: Bearer;
	clock: () => number;
}

/** Builds the functions that read and write recovery codes. */
export function createRecoveryCodeStore({ db, audit, bearer, clock }: Parts) {
	/** Number of unused codes of an account. */
	async function left(within: Executor<AccessTables>, accountId: string): Promise<bigint> {
		const { left: count } = await within
			.selectFrom('recovery_codes')
			.select((select) => select.fn.countAll<bigint>().as('left'))
			.where('account_id', '=', accountId)
			.where('used_at', 'is', null)
			.executeTakeFirstOrThrow();
		return count;
	}

	/** The hash of a member's unused code; null when the text is not one. */
	async function unused(account: Account, code: string): Promise<string | null> {
		const letters = recoveryCodeOf(code);
		if (letters === null) return null;
		const hashes = bearer.hashes('recovery code', `${account.id} ${letters}`);
		const found = await audit.recorded.vouch(
			() =>
				db
					.selectFrom('recovery_codes')
					.selectAll()
					.where('account_id', '=', account.id)
					.where('code_hash', 'in', hashes)
					.executeTakeFirst(),
			(row) => [
				{
					table: 'recovery_codes',
					key: [row.account_id, row.code_hash],
					facts: factsOfRow('recovery_codes', row)
				}
			]
		);
		if (!found?.vouched || found.row.used_at !== null) return null;
		return found.row.code_hash;
	}

	/**
	 * Marks a code as used.
	 * @throws {AppError} `factor.wrong-code` when it was used meanwhile
	 */
	async function use(trx: Executor<AccessTables>, account: Account, hash: string): Promise<void> {
		const { numUpdatedRows } = await trx
			.updateTable('recovery_codes')
			.set({ used_at: BigInt(clock()) })
			.where('account_id', '=', account.id)
			.where('code_hash', '=', hash)
			.where('used_at', 'is', null)
			.executeTakeFirst();
		if (numUpdatedRows !== 1n) throw new AppError('factor.wrong-code');
		touch(trx, 'recovery_codes', [account.id, hash], ['used_at']);
		await audit.append(
			{
				actor: account.name,
				action: 'recovery-code.used',
				target: account.name,
				detail: { left: await left(trx, account.id) }
			},
			trx
		);
	}

	/** Deletes all codes of an account. */
	async function drop(trx: Executor<AccessTables>, accountId: string): Promise<void> {
		const gone = await trx
			.deleteFrom('recovery_codes')
			.where('account_id', '=', accountId)
			.returning('code_hash')
			.execute();
		for (const { code_hash } of gone) touch(trx, 'recovery_codes', [accountId, code_hash]);
	}

	/** Replaces all codes of an account. Returns the new ones. */
	async function renew(trx: Executor<AccessTables>, accountId: string): Promise<string[]> {
		await drop(trx, accountId);
		const codes = newRecoveryCodes();
		for (const code of codes) {
			const code_hash = bearer.hash('recovery code', `${accountId} ${recoveryCodeOf(code) ?? ''}`);
			await trx
				.insertInto('recovery_codes')
				.values({ account_id: accountId, code_hash, created_at: clock() })
				.execute();
			touch(trx, 'recovery_codes', [accountId, code_hash]);
		}
		return codes;
	}

	return { left, unused, use, drop, renew };
}

export type StoredRecoveryCodes = ReturnType<typeof createRecoveryCodeStore>;
