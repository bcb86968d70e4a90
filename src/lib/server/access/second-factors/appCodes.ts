/** Codes of authenticator apps (TOTP, RFC 6238): the set-up of an app, and the check of its codes. */
import { factsOfRow } from '../../platform/audit-trail/recorded.ts';
import type { Executor } from '../../platform/database/database.ts';
import { AppError } from '../../platform/errors/appError.ts';
import type { Cipher } from '../../platform/secrets/encrypt.ts';
import type { Audit } from '../audit/audit.ts';
import type { Account } from '../identity/identity.ts';
import type { AccessTables } from '../tables.ts';
import type { Challenges } from './challenges.ts';
import { factorsOf } from './factorRows.ts';
import { newSecret, setUpAddress, stepOf } from './totp.ts';

/** The pending set-up of an app, shown until its first code is entered. */
export interface TotpSetUp {
	id: string;
	/** Base32, for members who cannot scan the QR code. */
	secret: string;
	/** The `otpauth:` address for the QR code. */
	address: string;
}

/** A valid code: its factor, and its time step. */
interface AppCode {
	id: string;
	step: bigint;
}

interface Parts {
	db: Executor<AccessTables>;
	audit: Audit;
	cipher: Cipher;
	challenges: Challenges;
	clock: () => number;
}

/** Builds the set-up of apps and the check of their codes. */
export function createAppCodes({ db, audit, cipher, challenges, clock }: Parts) {
	const place = (id: string): string => `second factor ${id}`;

	/** Begins the set-up of an app. */
	async function begin(account: Account, idHash: string): Promise<TotpSetUp> {
		const secret = newSecret();
		const holder = { accountId: account.id, browser: `session ${idHash}` };
		const id = await challenges.make('totp-set-up', holder, secret);
		return { id, secret, address: setUpAddress(secret, account.name) };
	}

	/** Returns the pending set-up in a browser; null when it is over. */
	async function setUp(account: Account, idHash: string, id: string): Promise<TotpSetUp | null> {
		const found = await challenges.look('totp-set-up', id, `session ${idHash}`);
		if (found?.accountId !== account.id) return null;
		return { id, secret: found.content, address: setUpAddress(found.content, account.name) };
	}

	/** Finds the app of a member that generated this code; null when none did. */
	async function find(account: Account, code: string): Promise<AppCode | null> {
		for (const { id, kind } of await factorsOf(db, account.id)) {
			if (kind !== 'totp') continue;
			const found = await audit.recorded.vouch(
				() => db.selectFrom('second_factors').selectAll().where('id', '=', id).executeTakeFirst(),
				(row) => [
					{ table: 'second_factors', key: [row.id], facts: factsOfRow('second_factors', row) }
				]
			);
			if (!found?.vouched || found.row.totp_secret === null) continue;
			const step = stepOf(cipher.decrypt(found.row.totp_secret, place(id)), code, clock());
			// A code that was used is invalid; of two concurrent uses {@link use} lets one succeed.
			if (step !== null && step > (found.row.last_step ?? -1n)) return { id, step };
		}
		return null;
	}

	/**
	 * Marks a code as used.
	 * @throws {AppError} `factor.wrong-code` when it was used meanwhile
	 */
	async function use(
		trx: Executor<AccessTables>,
		account: Account,
		{ id, step }: AppCode
	): Promise<void> {
		const { numUpdatedRows } = await trx
			.updateTable('second_factors')
			.set({ last_step: step, last_used_at: BigInt(clock()) })
			.where('id', '=', id)
			.where((where) => where.or([where('last_step', 'is', null), where('last_step', '<', step)]))
			.executeTakeFirst();
		if (numUpdatedRows !== 1n) throw new AppError('factor.wrong-code');
		await audit.append(
			{ actor: account.name, action: 'factor.used', target: id, detail: { kind: 'totp' } },
			trx
		);
	}

	return {
		begin,
		setUp,
		find,
		use,
		/** Encrypts a secret for the row of this factor. */
		sealed: (id: string, secret: string): string => cipher.encrypt(secret, place(id))
	};
}

export type AppCodes = ReturnType<typeof createAppCodes>;
