/**
 * Check of factors: failures are counted and logged; a valid proof is used up together with what it opens.
 */
import type { Database } from '../../platform/database/database.ts';
import { AppError } from '../../platform/errors/appError.ts';
import { DatabaseRateLimiter } from '../../platform/rate-limits/throttle.ts';
import type { LoginThrottle } from '../credentials/loginThrottle.ts';
import { nameKeyOf } from '../identity/names.ts';
import type { Audit } from '../audit/audit.ts';
import type { Account } from '../identity/identity.ts';
import type { AccessTables } from '../tables.ts';
import type { AppCodes } from './appCodes.ts';
import type { StoredRecoveryCodes } from './recoveryCodeStore.ts';
import type { Ceremony, Passkeys } from './passkeys.ts';
import type { Shown } from './shown.ts';

/**
 * Most attempts for one member within an hour from all addresses together, besides those of a known device.
 */
export const ACCOUNT_TRIES = 30;
const HOUR_S = 60 * 60;

/** The client that shows a factor. */
export interface FactorFrom {
	address: string;
	/** Device cookie or session that shows an earlier sign-in, for the throttle; see `loginThrottle.ts`. */
	device: string | null;
}

/** What a member shows: a code (of an app or a recovery code), or what their passkey signed. */
export type FactorProof = { code: string } | { passkey: string; ceremony: Ceremony };

interface Parts {
	db: Database<AccessTables>;
	audit: Audit;
	throttle: LoginThrottle;
	apps: AppCodes;
	codes: StoredRecoveryCodes;
	passkeys: Passkeys;
}

/** Builds the check of factors. */
export function createFactorCheck({ db, audit, throttle, apps, codes, passkeys }: Parts) {
	const tries = new DatabaseRateLimiter(db, {
		keyPrefix: 'factor-account',
		points: ACCOUNT_TRIES,
		duration: HOUR_S
	});

	/** Counts an attempt before the check, so that concurrent attempts count, too. */
	async function attempt(account: Account, from: FactorFrom): Promise<() => Promise<void>> {
		// A separate counter from the password's: someone who knows the password must not be able to reset
		// this one with it.
		const nameKey = `second factor ${nameKeyOf(account.name)}`;
		const takeBack = await throttle.attempt({ nameKey, ...from });
		// A device has a limited number of attempts of its own; beyond these, a stolen session is treated as
		// any other network.
		if (takeBack.byDevice) return takeBack;
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

	async function showCode(account: Account, typed: string, from: FactorFrom): Promise<Shown> {
		const takeBack = await attempt(account, from);
		const code = typed.replaceAll(/\s/g, '');
		const app = await apps.find(account, code);
		const paper = app === null ? await codes.unused(account, code) : null;
		if (app === null && paper === null)
			return refused(account, from, new AppError('factor.wrong-code'));
		await takeBack();
		return {
			async use(trx) {
				if (app !== null) await apps.use(trx, account, app);
				else if (paper !== null) await codes.use(trx, account, paper);
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

	return {
		attempt,
		/**
		 * Checks a code of an app, a recovery code or a passkey.
		 * @throws {AppError} `factor.wrong-code`, `factor.wrong-passkey`, `account.throttled`
		 */
		show: (account: Account, proof: FactorProof, from: FactorFrom): Promise<Shown> =>
			'code' in proof ? showCode(account, proof.code, from) : showPasskey(account, proof, from)
	};
}

export type FactorCheck = ReturnType<typeof createFactorCheck>;
