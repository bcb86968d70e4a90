/**
 * Second factors of members: codes of an app, passkeys and recovery codes. What was used once is marked in the
 * transaction of the act that it opens, so that of two at the same moment one gets in.
 */
import { randomUUID } from 'node:crypto';
import { factsOfRow, touch } from '../../platform/audit-trail/recorded.ts';
import type { Database, Executor } from '../../platform/database/database.ts';
import { AppError } from '../../platform/errors/appError.ts';
import { DatabaseRateLimiter } from '../../platform/rate-limits/throttle.ts';
import type { Cipher } from '../../platform/secrets/encrypt.ts';
import type { Bearer } from '../accounts/bearer.ts';
import type { LinkMaker } from '../accounts/links.ts';
import type { LoginThrottle } from '../accounts/loginThrottle.ts';
import { nameKeyOf } from '../accounts/names.ts';
import type { Audit } from '../audit/audit.ts';
import type { Account } from '../policy/identity.ts';
import type { SecuritySettings } from '../security-settings/securitySettings.ts';
import { givesPower } from '../policy/permissions.ts';
import type { ChangeOutcome, ChangeKind } from '../proposals/change.ts';
import { createGate } from '../proposals/gate.ts';
import type { AccessTables } from '../tables.ts';
import { createChallenges, type Challenges } from './challenges.ts';
import { createPasskeys, type Ceremony, type NewPasskey, type Passkeys } from './passkeys.ts';
import type { PasskeySite } from './passkeySite.ts';
import { newRecoveryCodes, recoveryCodeOf } from './recoveryCodes.ts';
import type { Shown } from './shown.ts';
import type { FactorKind } from './tables.ts';
import { newSecret, setUpAddress, stepOf } from './totp.ts';

/** The most factors of one member. */
const MOST_FACTORS = 10;
/** The longest name of a factor, in letters. */
export const MOST_FACTOR_NAME = 60;
/** Wrong codes for one member within an hour, from wherever they come, but for browsers that are known. */
export const ACCOUNT_TRIES = 30;
const HOUR_S = 60 * 60;

/** A factor as its member sees it. */
interface FactorListing {
	id: string;
	kind: FactorKind;
	name: string;
	/** Unix milliseconds. */
	createdAt: number;
	lastUsedAt: number | null;
}

/** The factors of a member. */
export interface FactorStatus {
	factors: FactorListing[];
	/** Recovery codes that were not used yet. */
	codesLeft: number;
	/** The role requires a factor. */
	required: boolean;
}

/** Where somebody shows a factor. */
export interface FactorFrom {
	address: string;
	/** What shows that they were here before, for the throttle; see `loginThrottle.ts`. */
	device: string | null;
}

/** A set-up of an app under way: shown until its first code comes. */
export interface TotpSetUp {
	id: string;
	/** Base32, for who cannot scan. */
	secret: string;
	/** For the QR code. */
	address: string;
}

/** What somebody shows: a code of an app or on paper, or what their passkey signed. */
export type FactorProof = { code: string } | { passkey: string; ceremony: Ceremony };

export interface SecondFactors {
	of(account: Account): Promise<FactorStatus>;
	/** Whether a member has a passkey to show. */
	hasPasskey(account: Account): Promise<boolean>;
	/** Begins the set-up of an app. */
	beginTotp(account: Account, idHash: string): Promise<TotpSetUp>;
	/** The set-up that a browser has under way; null when it is over. */
	totpSetUp(account: Account, idHash: string, id: string): Promise<TotpSetUp | null>;
	/**
	 * Adds the app whose code this is. With the first factor the other sessions end, and there are recovery codes.
	 * @throws {AppError} `factor.set-up-over`, `factor.wrong-code`, `factor.most`, `factor.name`, `account.throttled`
	 */
	addTotp(
		account: Account,
		given: { idHash: string; id: string; name: string; code: string; from: FactorFrom }
	): Promise<{ codes: string[] | null }>;
	/**
	 * Begins the set-up of a passkey: what the browser makes it of.
	 * @throws {AppError} `factor.no-passkeys`, `factor.most`, `factor.name`
	 */
	beginPasskey(
		account: Account,
		given: { idHash: string; name: string; site: PasskeySite | null }
	): ReturnType<Passkeys['beginSetUp']>;
	/**
	 * Adds the passkey that a browser made, as {@link addTotp} does.
	 * @throws {AppError} `factor.set-up-over`, `factor.most`, `factor.passkey-known`
	 */
	addPasskey(
		account: Account,
		given: { idHash: string; answer: string; site: PasskeySite | null }
	): Promise<{ codes: string[] | null }>;
	/** @throws {AppError} `factor.unknown`, `factor.name` */
	rename(account: Account, id: string, name: string): Promise<void>;
	/** @throws {AppError} `factor.unknown`, `factor.last-required` */
	remove(account: Account, id: string): Promise<void>;
	/** Replaces the recovery codes. @throws {AppError} `factor.unknown` where there is no factor */
	renewCodes(account: Account): Promise<string[]>;
	/**
	 * Checks a code of an app, a recovery code or a passkey.
	 * @throws {AppError} `factor.wrong-code`, `factor.wrong-passkey`, `account.throttled`
	 */
	show(account: Account, proof: FactorProof, from: FactorFrom): Promise<Shown>;
	/** Takes all factors of a member away and ends their sessions, or proposes it; how many factors it was. */
	reset(by: LinkMaker, accountId: string): Promise<ChangeOutcome<number>>;
	/** What of it can wait for approval. */
	readonly changes: readonly ChangeKind[];
	/** Whether the role of an account requires a factor. */
	isRequired(account: Account): Promise<boolean>;
	challenges: Challenges;
	passkeys: Passkeys;
}

interface Parts {
	db: Database<AccessTables>;
	audit: Audit;
	bearer: Bearer;
	cipher: Cipher;
	throttle: LoginThrottle;
	settings: SecuritySettings;
	/** Unix milliseconds. */
	clock?: () => number;
}

const wrong = (): AppError => new AppError('factor.wrong-code');
/** Says no more than {@link wrong}: which of two it was helps a guesser. */
const usedMeanwhile = wrong;

export function createSecondFactors(parts: Parts): SecondFactors {
	const { db, audit, bearer, cipher, throttle, settings, clock = Date.now } = parts;
	const challenges = createChallenges({ db, bearer, cipher, clock });
	const passkeys = createPasskeys({ db, audit, challenges, clock });
	const tries = new DatabaseRateLimiter(db, {
		keyPrefix: 'factor-account',
		points: ACCOUNT_TRIES,
		duration: HOUR_S
	});
	const place = (id: string): string => `second factor ${id}`;

	async function rowsOf(accountId: string, within: Executor<AccessTables> = db) {
		return within
			.selectFrom('second_factors')
			.selectAll()
			.where('account_id', '=', accountId)
			.orderBy('created_at')
			.orderBy('id')
			.execute();
	}

	/** Counts a try before it is tried, so that codes sent at the same moment count too. */
	async function attempt(account: Account, from: FactorFrom): Promise<() => Promise<void>> {
		// Apart from the password's counter: who knows that must not set this one back with it.
		const nameKey = `second factor ${nameKeyOf(account.name)}`;
		const takeBack = await throttle.attempt({ nameKey, ...from });
		if (from.device !== null) return takeBack;
		const { consumedPoints, msBeforeNext } = await tries.penalty(account.id);
		if (consumedPoints > ACCOUNT_TRIES) {
			throw new AppError('account.throttled', {
				retryAfter: Math.max(1, Math.ceil(msBeforeNext / 1000))
			});
		}
		return async () => {
			await takeBack();
			await tries.delete(account.id);
		};
	}

	async function refused(
		account: Account,
		from: FactorFrom,
		error: AppError,
		reason?: string
	): Promise<never> {
		await audit.append({
			actor: account.name,
			action: 'factor.refused',
			detail: { address: from.address, ...(reason === undefined ? {} : { reason }) }
		});
		throw error;
	}

	/** The app of a member whose code this is, with its step. */
	async function appWith(
		account: Account,
		code: string
	): Promise<{ id: string; step: bigint } | null> {
		for (const { id, kind } of await rowsOf(account.id)) {
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

	async function useStep(
		trx: Executor<AccessTables>,
		account: Account,
		{ id, step }: { id: string; step: bigint }
	): Promise<void> {
		const { numUpdatedRows } = await trx
			.updateTable('second_factors')
			.set({ last_step: step, last_used_at: BigInt(clock()) })
			.where('id', '=', id)
			.where((where) => where.or([where('last_step', 'is', null), where('last_step', '<', step)]))
			.executeTakeFirst();
		if (numUpdatedRows !== 1n) throw usedMeanwhile();
		await audit.append(
			{ actor: account.name, action: 'factor.used', target: id, detail: { kind: 'totp' } },
			trx
		);
	}

	/** The hash of an unused recovery code of a member; null when it is none. */
	async function unusedCode(account: Account, code: string): Promise<string | null> {
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

	async function useRecoveryCode(
		trx: Executor<AccessTables>,
		account: Account,
		hash: string
	): Promise<void> {
		const { numUpdatedRows } = await trx
			.updateTable('recovery_codes')
			.set({ used_at: BigInt(clock()) })
			.where('account_id', '=', account.id)
			.where('code_hash', '=', hash)
			.where('used_at', 'is', null)
			.executeTakeFirst();
		if (numUpdatedRows !== 1n) throw wrong();
		touch(trx, 'recovery_codes', [account.id, hash], ['used_at']);
		const { left } = await trx
			.selectFrom('recovery_codes')
			.select((select) => select.fn.countAll<bigint>().as('left'))
			.where('account_id', '=', account.id)
			.where('used_at', 'is', null)
			.executeTakeFirstOrThrow();
		await audit.append(
			{ actor: account.name, action: 'recovery-code.used', target: account.name, detail: { left } },
			trx
		);
	}

	/** Removes all recovery codes of an account. */
	async function dropCodes(trx: Executor<AccessTables>, accountId: string): Promise<void> {
		const gone = await trx
			.deleteFrom('recovery_codes')
			.where('account_id', '=', accountId)
			.returning('code_hash')
			.execute();
		for (const { code_hash } of gone) touch(trx, 'recovery_codes', [accountId, code_hash]);
	}

	async function writeCodes(trx: Executor<AccessTables>, accountId: string): Promise<string[]> {
		await dropCodes(trx, accountId);
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

	async function mark(
		trx: Executor<AccessTables>,
		accountId: string,
		second_factor_at: bigint | null
	): Promise<void> {
		await trx
			.updateTable('accounts')
			.set({ second_factor_at })
			.where('id', '=', accountId)
			.execute();
		touch(trx, 'accounts', [accountId], ['second_factor_at']);
	}

	/** @throws {AppError} `account.unknown` */
	async function memberOf(trx: Executor<AccessTables>, accountId: string) {
		const account = await trx
			.selectFrom('accounts')
			.select(['name', 'role'])
			.where('id', '=', accountId)
			.executeTakeFirst();
		if (!account) throw new AppError('account.unknown');
		return account;
	}

	const isRequired = async ({ role }: Account): Promise<boolean> =>
		(await settings.values())[`factor-${role}`] === 'required';

	function refuseMore(rows: readonly unknown[]): void {
		if (rows.length >= MOST_FACTORS) throw new AppError('factor.most', { most: MOST_FACTORS });
	}

	/** Adds a factor. With the first, the other sessions end: they began without one. */
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
		const before = await rowsOf(account.id, trx);
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
		const codes = first ? await writeCodes(trx, account.id) : null;
		if (first) {
			await mark(trx, account.id, now);
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
		return { codes };
	}

	function checkName(typed: string): string {
		const name = typed.trim();
		if (name.length === 0 || name.length > MOST_FACTOR_NAME) {
			throw new AppError('factor.name', { most: MOST_FACTOR_NAME });
		}
		return name;
	}

	async function totpSetUp(
		account: Account,
		idHash: string,
		id: string
	): Promise<TotpSetUp | null> {
		const found = await challenges.look('totp-set-up', id, `session ${idHash}`);
		if (found?.accountId !== account.id) return null;
		return { id, secret: found.content, address: setUpAddress(found.content, account.name) };
	}

	async function showCode(account: Account, typed: string, from: FactorFrom): Promise<Shown> {
		const takeBack = await attempt(account, from);
		const code = typed.replaceAll(/\s/g, '');
		const app = await appWith(account, code);
		const paper = app === null ? await unusedCode(account, code) : null;
		if (app === null && paper === null) return refused(account, from, wrong());
		await takeBack();
		return {
			async use(trx) {
				if (app !== null) await useStep(trx, account, app);
				else if (paper !== null) await useRecoveryCode(trx, account, paper);
			}
		};
	}

	async function showPasskey(
		account: Account,
		{ passkey, ceremony }: { passkey: string; ceremony: Ceremony },
		from: FactorFrom
	): Promise<Shown> {
		const takeBack = await attempt(account, from);
		const checked = await passkeys.check({ ...ceremony, account }, passkey);
		if (checked.shown === null) {
			return refused(account, from, new AppError('factor.wrong-passkey'), checked.reason);
		}
		await takeBack();
		return checked.shown;
	}

	const gate = createGate(db, audit);

	/** Whoever takes the factors of a member away is half way to logging in as that member. */
	const resetting: ChangeKind<'member.factors', { account: string }, number> = {
		code: 'member.factors',
		async look(trx, { account }) {
			const { name, role } = await memberOf(trx, account);
			const rows = await rowsOf(account, trx);
			return {
				waits: givesPower(role),
				state: JSON.stringify([role, ...rows.map(({ id }) => id)]),
				facts: { member: name, role, factors: rows.length }
			};
		},
		async apply(trx, by, { account }) {
			await audit.lock(trx);
			const { name } = await memberOf(trx, account);
			const gone = await trx
				.deleteFrom('second_factors')
				.where('account_id', '=', account)
				.returning('id')
				.execute();
			for (const { id } of gone) touch(trx, 'second_factors', [id]);
			await dropCodes(trx, account);
			await mark(trx, account, null);
			await trx.deleteFrom('factor_challenges').where('account_id', '=', account).execute();
			await trx.deleteFrom('sessions').where('account_id', '=', account).execute();
			await audit.append(
				{
					actor: by?.name ?? 'command line',
					action: 'factor.reset',
					target: name,
					detail: { factors: gone.length }
				},
				trx
			);
			return gone.length;
		}
	};

	return {
		challenges,
		passkeys,
		isRequired,
		totpSetUp,

		async of(account) {
			const rows = await rowsOf(account.id);
			const { left } = await db
				.selectFrom('recovery_codes')
				.select((select) => select.fn.countAll<bigint>().as('left'))
				.where('account_id', '=', account.id)
				.where('used_at', 'is', null)
				.executeTakeFirstOrThrow();
			return {
				factors: rows.map(({ id, kind, name, created_at, last_used_at }) => ({
					id,
					kind,
					name,
					createdAt: Number(created_at),
					lastUsedAt: last_used_at === null ? null : Number(last_used_at)
				})),
				codesLeft: Number(left),
				required: await isRequired(account)
			};
		},

		async hasPasskey({ id }) {
			return (await rowsOf(id)).some(({ kind }) => kind === 'passkey');
		},

		async beginTotp(account, idHash) {
			const secret = newSecret();
			const holder = { accountId: account.id, browser: `session ${idHash}` };
			const id = await challenges.make('totp-set-up', holder, secret);
			return { id, secret, address: setUpAddress(secret, account.name) };
		},

		async addTotp(account, { idHash, id, name, code, from }) {
			const setUp = await totpSetUp(account, idHash, id);
			if (setUp === null) throw new AppError('factor.set-up-over');
			const called = checkName(name);
			const takeBack = await attempt(account, from);
			const step = stepOf(setUp.secret, code.replaceAll(/\s/g, ''), clock());
			if (step === null) throw wrong();
			const added = await db.transaction().execute(async (trx) => {
				if (!(await challenges.take(trx, 'totp-set-up', id))) {
					throw new AppError('factor.set-up-over');
				}
				return add(trx, account, idHash, {
					kind: 'totp',
					name: called,
					totp_secret: (row) => cipher.encrypt(setUp.secret, place(row)),
					last_step: step
				});
			});
			await takeBack();
			return added;
		},

		async beginPasskey(account, { name, ...given }) {
			const called = checkName(name);
			// Before the browser makes one that could not be kept.
			refuseMore(await rowsOf(account.id));
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

		async rename(account, id, typed) {
			const name = checkName(typed);
			await db.transaction().execute(async (trx) => {
				await audit.lock(trx);
				const row = (await rowsOf(account.id, trx)).find((one) => one.id === id);
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

		async remove(account, id) {
			const required = await isRequired(account);
			await db.transaction().execute(async (trx) => {
				await audit.lock(trx);
				const before = await rowsOf(account.id, trx);
				const row = before.find((one) => one.id === id);
				if (!row) throw new AppError('factor.unknown');
				const last = before.length === 1;
				if (last && required) throw new AppError('factor.last-required');
				await trx.deleteFrom('second_factors').where('id', '=', id).execute();
				touch(trx, 'second_factors', [id]);
				if (last) {
					await dropCodes(trx, account.id);
					await mark(trx, account.id, null);
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

		async renewCodes(account) {
			return db.transaction().execute(async (trx) => {
				await audit.lock(trx);
				if ((await rowsOf(account.id, trx)).length === 0) throw new AppError('factor.unknown');
				const codes = await writeCodes(trx, account.id);
				await audit.append(
					{ actor: account.name, action: 'recovery-code.renewed', target: account.name },
					trx
				);
				return codes;
			});
		},

		show: (account, proof, from) =>
			'code' in proof ? showCode(account, proof.code, from) : showPasskey(account, proof, from),

		changes: [resetting],
		reset: (by, account) => gate.applyOrPropose(by, resetting, { account })
	};
}
