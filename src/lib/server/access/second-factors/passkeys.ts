/**
 * Passkeys (WebAuthn): what a browser is asked to sign, and the verification of its signature. It signs a
 * challenge that is made for one browser and one purpose, expires after minutes, and is used up together with
 * what it opens.
 */
import type {
	PublicKeyCredentialCreationOptionsJSON,
	PublicKeyCredentialRequestOptionsJSON
} from '@simplewebauthn/server';
import type { Selectable } from 'kysely';
import { PRODUCT } from '#lib/messages/product.ts';
import { factsOfRow } from '../../platform/audit-trail/recorded.ts';
import type { Database, Executor } from '../../platform/database/database.ts';
import { AppError } from '../../platform/errors/appError.ts';
import type { Audit } from '../audit/audit.ts';
import type { Account } from '../identity/identity.ts';
import type { AccessTables } from '../tables.ts';
import {
	challengeIn,
	readAssertion,
	readAttestation,
	readTransports,
	type Assertion
} from './passkeyAnswers.ts';
import { CHALLENGE_LIFETIME, type Challenges, type Purpose } from './challenges.ts';
import type { PasskeySite } from './passkeySite.ts';
import type { Shown } from './shown.ts';
import type { SecondFactorsTable } from './tables.ts';

/** Loaded on demand: a fifth of all modules at start, for what few requests need. */
const webauthn = () => import('@simplewebauthn/server');

/**
 * Accepted algorithms by their COSE numbers: Ed25519, ECDSA with P-256, and RSA, which some hardware still
 * uses.
 */
const ALGORITHMS = [-8, -7, -257];

/** What a signature is for: one made for another purpose, browser or account is invalid. */
export interface Ceremony {
	purpose: Extract<Purpose, 'passkey-login' | 'passkey-factor' | 'passkey-confirm'>;
	/** What identifies the browser across requests. */
	browser: string;
	/** The account whose passkey it must be; null at a login by passkey alone, where it is not known yet. */
	account: Account | null;
	/** Null: passkeys are not possible at the browser's address. */
	site: PasskeySite | null;
}

/** A login by passkey alone, in the browser with this cookie. */
export const passkeyLogin = (cookie: string, site: PasskeySite | null): Ceremony => ({
	purpose: 'passkey-login',
	browser: `cookie ${cookie}`,
	account: null,
	site
});

/** A login after the password. */
export const passkeyAfterPassword = (
	loginId: string,
	account: Account,
	site: PasskeySite | null
): Ceremony => ({ purpose: 'passkey-factor', browser: `login ${loginId}`, account, site });

/** The confirmation of a session. */
export const passkeyConfirmation = (
	idHash: string,
	account: Account,
	site: PasskeySite | null
): Ceremony => ({ purpose: 'passkey-confirm', browser: `session ${idHash}`, account, site });

/**
 * Result of checking a signature, and the account of the passkey, if known; with `shown` null it was refused.
 */
type Checked =
	| { shown: Shown; accountId: string }
	| { shown: null; accountId: string | null; reason: 'passkey' | 'counter' };

export interface Passkeys {
	/**
	 * Returns the options from which the browser creates a passkey with this name.
	 * @throws {AppError} `factor.no-passkeys`
	 */
	beginSetUp(
		account: Account,
		given: { idHash: string; name: string; site: PasskeySite | null }
	): Promise<PublicKeyCredentialCreationOptionsJSON>;
	/**
	 * Verifies the passkey that the browser created.
	 * @throws {AppError} `factor.set-up-over` when it does not answer a challenge of this session
	 */
	readSetUp(
		account: Account,
		given: { idHash: string; answer: string; site: PasskeySite | null }
	): Promise<NewPasskey>;
	/**
	 * Returns the options that the browser signs.
	 * @throws {AppError} `factor.no-passkeys`
	 */
	begin(ceremony: Ceremony): Promise<PublicKeyCredentialRequestOptionsJSON>;
	/** Verifies what the browser signed. */
	check(ceremony: Ceremony, answer: string): Promise<Checked>;
}

/** A passkey that was created and is not stored as a factor yet. */
export interface NewPasskey {
	name: string;
	row: Pick<
		Selectable<SecondFactorsTable>,
		'credential_id' | 'public_key' | 'transports' | 'sign_count'
	>;
	/**
	 * Uses up its challenge.
	 * @throws {AppError} `factor.set-up-over` when that was done meanwhile
	 */
	use(trx: Executor<AccessTables>): Promise<void>;
}

interface Parts {
	db: Database<AccessTables>;
	audit: Audit;
	challenges: Challenges;
	clock: () => number;
}

const bytesOf = (base64url: string): Uint8Array<ArrayBuffer> =>
	Uint8Array.from(Buffer.from(base64url, 'base64url'));
const setUpOver = (): AppError => new AppError('factor.set-up-over');

export function createPasskeys({ db, audit, challenges, clock }: Parts): Passkeys {
	/** The passkeys of a member, in the form that browsers get. */
	async function descriptorsOf(account: Account) {
		const rows = await db
			.selectFrom('second_factors')
			.select(['credential_id', 'transports'])
			.where('account_id', '=', account.id)
			.where('kind', '=', 'passkey')
			.orderBy('created_at')
			.execute();
		return rows.flatMap(({ credential_id, transports }) =>
			credential_id === null ? [] : [{ id: credential_id, transports: readTransports(transports) }]
		);
	}

	/** The passkey of that credential id; null also when its row does not match the audit log. */
	async function passkeyOf(credentialId: string) {
		const found = await audit.recorded.vouch(
			() =>
				db
					.selectFrom('second_factors')
					.selectAll()
					.where('credential_id', '=', credentialId)
					.executeTakeFirst(),
			(row) => [
				{ table: 'second_factors', key: [row.id], facts: factsOfRow('second_factors', row) }
			]
		);
		return found?.vouched ? found.row : null;
	}

	/**
	 * Verifies that the passkey's key signed this challenge at this site, with user verification. Returns the
	 * signature counter; null when it did not.
	 */
	async function countOf(
		answer: Assertion,
		publicKey: string,
		challenge: string,
		{ origin, rpId }: PasskeySite
	): Promise<bigint | null> {
		try {
			const { verifyAuthenticationResponse } = await webauthn();
			const { verified, authenticationInfo } = await verifyAuthenticationResponse({
				response: answer,
				expectedChallenge: challenge,
				expectedOrigin: origin,
				expectedRPID: rpId,
				requireUserVerification: true,
				// The count is held against the last one by the caller, who puts it on record.
				credential: { id: answer.id, publicKey: bytesOf(publicKey), counter: 0 }
			});
			return verified ? BigInt(authenticationInfo.newCounter) : null;
		} catch {
			// Any error of the library means that the signature is invalid.
			return null;
		}
	}

	async function use(
		trx: Executor<AccessTables>,
		purpose: Purpose,
		challenge: string,
		row: Selectable<SecondFactorsTable>,
		count: bigint
	): Promise<void> {
		if (!(await challenges.take(trx, purpose, challenge))) {
			throw new AppError('factor.wrong-passkey');
		}
		const { numUpdatedRows } = await trx
			.updateTable('second_factors')
			.set({ sign_count: count, last_used_at: BigInt(clock()) })
			.where('id', '=', row.id)
			// Many passkeys do not count, and always sign zero.
			.where('sign_count', count === 0n ? '<=' : '<', count)
			.executeTakeFirst();
		if (numUpdatedRows !== 1n) throw new AppError('factor.wrong-passkey');
		const account = await trx
			.selectFrom('accounts')
			.select('name')
			.where('id', '=', row.account_id)
			.executeTakeFirstOrThrow();
		await audit.append(
			{ actor: account.name, action: 'factor.used', target: row.id, detail: { kind: 'passkey' } },
			trx
		);
	}

	return {
		async beginSetUp(account, { idHash, name, site }) {
			if (site === null) throw new AppError('factor.no-passkeys');
			const holder = { accountId: account.id, browser: `session ${idHash}` };
			const id = await challenges.make('passkey-set-up', holder, name);
			const { generateRegistrationOptions } = await webauthn();
			return generateRegistrationOptions({
				rpName: PRODUCT.name,
				rpID: site.rpId,
				userID: Uint8Array.from(Buffer.from(account.id)),
				userName: account.name,
				userDisplayName: account.name,
				challenge: bytesOf(id),
				timeout: CHALLENGE_LIFETIME['passkey-set-up'],
				excludeCredentials: await descriptorsOf(account),
				authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
				supportedAlgorithmIDs: ALGORITHMS
			});
		},

		async readSetUp(account, { idHash, answer, site }) {
			const given = readAttestation(answer);
			const challenge = given === null ? null : challengeIn(given);
			if (given === null || challenge === null || site === null) throw setUpOver();
			const held = await challenges.look('passkey-set-up', challenge, `session ${idHash}`);
			if (held?.accountId !== account.id) throw setUpOver();
			const { verifyRegistrationResponse } = await webauthn();
			const { verified, registrationInfo } = await verifyRegistrationResponse({
				response: given,
				expectedChallenge: challenge,
				expectedOrigin: site.origin,
				expectedRPID: site.rpId,
				requireUserVerification: true,
				supportedAlgorithmIDs: ALGORITHMS
			}).catch(() => ({ verified: false, registrationInfo: undefined }) as const);
			if (!verified || registrationInfo === undefined) throw setUpOver();
			const { id, publicKey, counter } = registrationInfo.credential;
			return {
				name: held.content,
				row: {
					credential_id: id,
					public_key: Buffer.from(publicKey).toString('base64url'),
					transports: JSON.stringify(given.response.transports),
					sign_count: BigInt(counter)
				},
				async use(trx) {
					if (!(await challenges.take(trx, 'passkey-set-up', challenge))) throw setUpOver();
				}
			};
		},

		async begin({ purpose, browser, account, site }) {
			if (site === null) throw new AppError('factor.no-passkeys');
			const holder = { accountId: account?.id ?? null, browser };
			const id = await challenges.make(purpose, holder, '');
			const { generateAuthenticationOptions } = await webauthn();
			return generateAuthenticationOptions({
				rpID: site.rpId,
				challenge: bytesOf(id),
				timeout: CHALLENGE_LIFETIME[purpose],
				userVerification: 'required',
				// Without an account, no credentials are listed: the browser offers what it has, and the
				// response does not reveal who is a member.
				...(account === null ? {} : { allowCredentials: await descriptorsOf(account) })
			});
		},

		async check({ purpose, browser, account, site }, text) {
			const refused = { shown: null, accountId: account?.id ?? null, reason: 'passkey' } as const;
			const answer = readAssertion(text);
			const challenge = answer === null ? null : challengeIn(answer);
			if (answer === null || challenge === null || site === null) return refused;
			const held = await challenges.look(purpose, challenge, browser);
			if (held === null || held.accountId !== (account?.id ?? null)) return refused;
			const row = await passkeyOf(answer.id);
			if (row === null || row.public_key === null) return refused;
			if (account !== null && row.account_id !== account.id) return refused;
			const theirs = { ...refused, accountId: row.account_id };
			const handle = Buffer.from(row.account_id).toString('base64url');
			if ((answer.response.userHandle ?? handle) !== handle) return theirs;
			const count = await countOf(answer, row.public_key, challenge, site);
			if (count === null) return theirs;
			// If a passkey was copied, the counters of the two copies diverge: a counter that does not
			// advance reveals that.
			const last = row.sign_count ?? 0n;
			if (count <= last && (count > 0n || last > 0n)) return { ...theirs, reason: 'counter' };
			return {
				accountId: row.account_id,
				shown: { use: (trx) => use(trx, purpose, challenge, row, count) }
			};
		}
	};
}
