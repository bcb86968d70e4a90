/** Codes of an app (TOTP, RFC 6238): the set-up of one, and whose code something is. */
import { factsOfRow } from '../../platform/audit-trail/recorded.ts';
import type { Executor } from '../../platform/database/database.ts';
import { AppError } from '../../platform/errors/appError.ts';
import type { Cipher } from '../../platform/secrets/encrypt.ts';
import type { Audit } from '../audit/audit.ts';
import type { Account } from '../policy/identity.ts';
import type { AccessTables } from '../tables.ts';
import type { Challenges } from './challenges.ts';
import { factorsOf } from './factorRows.ts';
import { newSecret, setUpAddress, stepOf } from './totp.ts';

/** A set-up of an app under way: shown until its first code comes. */
export interface TotpSetUp {
	id: string;
	/** Base32, for who cannot scan. */
	secret: string;
	/** For the QR code. */
	address: string;
}

/** A good code: the factor, and the step of time whose code it is. */
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

/** Builds what sets apps up and checks their codes. */
export function createAppCodes({ db, audit, cipher, challenges, clock }: Parts) {
	const place = (id: string): string => `second factor ${id}`;

	/** Begins the set-up of an app. */
	async function begin(account: Account, idHash: string): Promise<TotpSetUp> {
		const secret = newSecret();
		const holder = { accountId: account.id, browser: `session ${idHash}` };
		const id = await challenges.make('totp-set-up', holder, secret);
		return { id, secret, address: setUpAddress(secret, account.name) };
	}

	/** The set-up that a browser has under way; null when it is over. */
	async function setUp(account: Account, idHash: string, id: string): Promise<TotpSetUp | null> {
		const found = await challenges.look('totp-set-up', id, `session ${idHash}`);
		if (found?.accountId !== account.id) return null;
		return { id, secret: found.content, address: setUpAddress(found.content, account.name) };
	}

	/** The app of a member whose code this is, with its step. */
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
			// A code that was used shows nobody; two at the same moment are told apart where it is used.
			if (step !== null && step > (found.row.last_step ?? -1n)) return { id, step };
		}
		return null;
	}

	/** Marks a code as used. @throws {AppError} `factor.wrong-code` when it was used meanwhile */
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
		/** A secret as the row of this factor keeps it. */
		sealed: (id: string, secret: string): string => cipher.encrypt(secret, place(id))
	};
}

export type AppCodes = ReturnType<typeof createAppCodes>;
