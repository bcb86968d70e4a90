/**
 * Second factors of members: codes of an app, passkeys and recovery codes. A single-use proof is marked as
 * used in the database transaction of the action that it opens, so that of two concurrent uses one succeeds.
 */
import type { Database } from '../../platform/database/database.ts';
import type { Cipher } from '../../platform/secrets/encrypt.ts';
import type { Bearer } from '../credentials/bearer.ts';
import type { LinkMaker } from '../identity/linkMaker.ts';
import type { LoginThrottle } from '../credentials/loginThrottle.ts';
import type { Audit } from '../audit/audit.ts';
import type { Account } from '../identity/identity.ts';
import type { StoredSettings } from '../security-settings/storedSettings.ts';
import type { ChangeOutcome, ChangeKind } from '../changes/change.ts';
import { createGate } from '../changes/gate.ts';
import type { AccessTables } from '../tables.ts';
import { createAppCodes, type TotpSetUp } from './appCodes.ts';
import { createChallenges, type Challenges } from './challenges.ts';
import { createFactorChanges, type FactorChanges } from './factorChanges.ts';
import { createFactorCheck, type FactorFrom, type FactorProof } from './factorCheck.ts';
import { factorReset } from './factorReset.ts';
import { factorsOf } from './factorRows.ts';
import { createRecoveryCodeStore } from './recoveryCodeStore.ts';
import { createPasskeys, type Passkeys } from './passkeys.ts';
import type { Shown } from './shown.ts';
import type { FactorKind } from './tables.ts';

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
	/** Number of unused recovery codes. */
	codesLeft: number;
	/** Whether the role requires a factor. */
	required: boolean;
}

export interface SecondFactors extends FactorChanges {
	of(account: Account): Promise<FactorStatus>;
	/** Whether a member has a passkey. */
	hasPasskey(account: Account): Promise<boolean>;
	/** Begins the set-up of an app. */
	beginTotp(account: Account, idHash: string): Promise<TotpSetUp>;
	/** Returns the pending set-up in a browser; null when it is over. */
	totpSetUp(account: Account, idHash: string, id: string): Promise<TotpSetUp | null>;
	/**
	 * Checks a code of an app, a recovery code or a passkey.
	 * @throws {AppError} `factor.wrong-code`, `factor.wrong-passkey`, `account.throttled`
	 */
	show(account: Account, proof: FactorProof, from: FactorFrom): Promise<Shown>;
	/**
	 * Removes all factors of a member and ends their sessions, or proposes it. Gives the number of removed
	 * factors.
	 */
	reset(by: LinkMaker, accountId: string): Promise<ChangeOutcome<number>>;
	/** The changes of factors that can wait for approval. */
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
	settings: StoredSettings;
	/** Unix milliseconds. */
	clock?: () => number;
}

/** Builds the second factors of members. */
export function createSecondFactors(parts: Parts): SecondFactors {
	const { db, audit, bearer, cipher, throttle, settings, clock = Date.now } = parts;
	const challenges = createChallenges({ db, bearer, cipher, clock });
	const passkeys = createPasskeys({ db, audit, challenges, clock });
	const codes = createRecoveryCodeStore({ db, audit, bearer, clock });
	const apps = createAppCodes({ db, audit, cipher, challenges, clock });
	const check = createFactorCheck({ db, audit, throttle, apps, codes, passkeys });
	const isRequired = async ({ role }: Account): Promise<boolean> =>
		(await settings.values())[`factor-${role}`] === 'required';

	const shared = { db, audit, challenges, passkeys, apps, codes, check, isRequired, clock };
	const gate = createGate(db, audit);
	const reset = factorReset(audit, codes);

	return {
		challenges,
		passkeys,
		isRequired,
		beginTotp: apps.begin,
		totpSetUp: apps.setUp,
		show: check.show,
		...createFactorChanges(shared),

		async of(account) {
			const rows = await factorsOf(db, account.id);
			return {
				factors: rows.map(({ id, kind, name, created_at, last_used_at }) => ({
					id,
					kind,
					name,
					createdAt: Number(created_at),
					lastUsedAt: last_used_at === null ? null : Number(last_used_at)
				})),
				codesLeft: Number(await codes.left(db, account.id)),
				required: await isRequired(account)
			};
		},

		async hasPasskey({ id }) {
			return (await factorsOf(db, id)).some(({ kind }) => kind === 'passkey');
		},

		changes: [reset],
		reset: (by, account) => gate.applyOrPropose(by, reset, { account })
	};
}
