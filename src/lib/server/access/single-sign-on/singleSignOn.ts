/**
 * Single sign-on, from the button to the session: for logging in, joining by invitation, linking an identity,
 * and confirming a session.
 */
import { randomBytes } from 'node:crypto';
import { createEgress } from '../../kdf/egress/egress.ts';
import type { SignOnConfig } from '../../platform/config/types.ts';
import type { Executor } from '../../platform/database/database.ts';
import { AppError, isAppError } from '../../platform/errors/appError.ts';
import type { ListedPrivate } from '../../platform/net/ranges.ts';
import { addAccountUnderOneOf, hasNoAccount } from '../accounts/accounts.ts';
import type { Links } from '../accounts/links.ts';
import type { LocalLogin } from '../accounts/localLogin.ts';
import { isSessionOpen } from '../credentials/openSession.ts';
import type { SignIn } from '../accounts/signIn.ts';
import type { RecordRefusal } from '../accounts/signInRefusals.ts';
import type { Sessions } from '../accounts/session.ts';
import type { Audit } from '../audit/audit.ts';
import { refuseFormerAdmin } from '../identity/formerAdmin.ts';
import type { Account, Identity } from '../identity/identity.ts';
import type { AccessTables } from '../tables.ts';
import { isInDomains, labelOf, proposedNames, roleOf, type MemberClaims } from './claims.ts';
import { takeRoleOfClaim } from './claimedRole.ts';
import { endByProvider, endOfIssuer, isLoggedOut, takeLogout } from './endedSessions.ts';
import { createFlows, type Flow, type FlowPurpose, type NewFlow } from './flows.ts';
import {
	accountOf,
	identitiesOf,
	linkedAccounts,
	linkIdentity,
	unlinkedFrom,
	unlinkIdentity,
	type LinkedIdentity
} from './identities.ts';
import { isSameIssuer } from './issuers.ts';
import { createProvider, LOGOUT_LASTS, type Provider } from './provider.ts';
import { issuerAsListed } from './providerFetch.ts';
import { requireOtherSignIn } from './waysIn.ts';

/** The path to which the provider sends browsers back. */
export const CALLBACK_PATH = '/login/provider/callback';
/**
 * How long a processed logout token is remembered, in milliseconds: longer than its maximum age plus the
 * clock tolerance on both sides, so that a replay is refused.
 */
const LOGOUT_RETENTION = 2 * LOGOUT_LASTS * 1000;
/** How far the provider's clock may be behind in the time of the login that it reports, in milliseconds. */
const CLOCKS_DIFFER = 15_000;

export interface SignOnOptions {
	config: SignOnConfig;
	/** Origin of this server's pages, from the configuration and never from a request. */
	origin: string;
	/** Private servers that may be reached, in addition to the issuer. */
	privateServers: readonly ListedPrivate[];
	now?: () => number;
}

/** A browser that came back from the provider. */
export interface Return {
	/** Query of the address at which it came back. */
	query: URLSearchParams;
	/** Value of its flow cookie. */
	cookie: string | null;
	identity: Identity;
	address: string;
	userAgent: string | null;
	/** The session id that the browser sent, if any: it ends when a new session begins. */
	previousSessionId: string | null;
	/** Device cookie that shows an earlier login of this browser under the name; see `devices.ts`. */
	device(name: string): string | null;
}

/** Result of a flow. `next` is a path. */
export type Finished =
	| { kind: 'signed-in'; account: Account; sessionId: string; next: string }
	/** The member has a second factor, which must be shown next. */
	| { kind: 'factor'; loginId: string; next: string }
	| { kind: 'linked' | 'confirmed'; next: string }
	| { kind: 'refused'; error: AppError; purpose: FlowPurpose | null; next: string };

export interface SingleSignOn {
	/** Display name of the provider. */
	label: string;
	/** Origin of this server's pages. */
	origin: string;
	/** Begins a flow. Returns the value for the browser's cookie, which must not be stored or shown. */
	begin(flow: NewFlow): Promise<string>;
	/**
	 * Returns the address of the provider's page for the flow of a browser; null when it has none.
	 * @throws {AppError} `sign-on.unavailable`
	 */
	urlFor(cookie: string | null): Promise<string | null>;
	/**
	 * Completes the flow of a browser that came back: begins a session, links an identity, confirms a
	 * session, or refuses.
	 */
	finish(request: Return): Promise<Finished>;
	/**
	 * Removes a link of the member's own.
	 * @returns false when the account has no such identity
	 * @throws {AppError} `sign-on.last-way`
	 */
	unlink(account: Account, identity: Pick<LinkedIdentity, 'issuer' | 'subject'>): Promise<boolean>;
	/**
	 * Removes a member's link on behalf of an admin, even the last way to log in, and ends the sessions that
	 * began by it.
	 * @returns false when the account has no such identity
	 * @throws {AppError} `sign-on.last-way` for the admin's own, `account.not-admin`
	 */
	unlinkOf(
		by: Account,
		account: Account,
		identity: Pick<LinkedIdentity, 'issuer' | 'subject'>
	): Promise<boolean>;
	/**
	 * Ends sessions on request of the provider (back-channel logout).
	 * @param token the logout token as received
	 * @throws {AppError} `sign-on.answer-invalid`, also for one that was processed before;
	 * `sign-on.unavailable`
	 */
	logOutByProvider(token: string): Promise<void>;
	/** Returns the identities of an account, also those at providers that were configured before. */
	identitiesOf(accountId: string): Promise<LinkedIdentity[]>;
	/** Returns the identities of an account at the provider. */
	identitiesHere(accountId: string): Promise<LinkedIdentity[]>;
	/** Returns the ids of the accounts that are linked to the provider. */
	linkedAccounts(): Promise<ReadonlySet<string>>;
	/** Returns the address at which a member logs out at the provider; null where it has no such page. */
	logoutUrl(): Promise<string | null>;
	/** {@link Provider.acceptsClient} */
	acceptsClient: Provider['acceptsClient'];
}

interface Parts {
	db: Executor<AccessTables>;
	audit: Audit;
	recordRefusal: RecordRefusal;
	sessions: Sessions;
	/** Begins a session, or a login that waits for the second factor. */
	enter: SignIn['enter'];
	localLogin: LocalLogin;
	links: Links;
	/** 32 bytes, for this purpose alone. */
	key: Uint8Array;
}

/** Returns the provider of a configuration, for the pages and for a check. */
export function providerOf({
	config,
	origin,
	privateServers,
	now = Date.now
}: SignOnOptions): Provider {
	return createProvider(config, {
		egress: createEgress({ listed: () => [issuerAsListed(config.issuer), ...privateServers] }),
		redirectUri: `${origin}${CALLBACK_PATH}`,
		now
	});
}

export function createSingleSignOn(parts: Parts, options: SignOnOptions): SingleSignOn {
	const { db, audit, recordRefusal, sessions, enter, localLogin, links } = parts;
	const { config, origin, now = Date.now } = options;
	const provider = providerOf(options);
	const flows = createFlows(db, parts.key, now);

	/** Runs a transaction under the audit lock, which serializes changes of accounts. */
	const inTurn = <T>(change: (trx: Executor<AccessTables>) => Promise<T>): Promise<T> =>
		db.transaction().execute(async (trx) => {
			await audit.lock(trx);
			return change(trx);
		});

	/**
	 * The account that an identity signs in to, with the role from its claim; null: the identity has none.
	 */
	async function knownMember(
		trx: Executor<AccessTables>,
		claims: MemberClaims
	): Promise<Account | null> {
		const known = await accountOf(trx, audit, claims);
		if (!known) return null;
		if (!known.vouched) throw new AppError('account.changed-outside');
		if (known.disabled) throw new AppError('sign-on.disabled');
		await trx
			.updateTable('identities')
			.set({ last_used_at: now(), label: labelOf(claims) })
			.where('issuer', '=', claims.iss)
			.where('subject', '=', claims.sub)
			.execute();
		return takeRoleOfClaim(trx, audit, localLogin, known.account, claimedRole(claims));
	}

	function claimedRole(claims: MemberClaims) {
		const role = roleOf(claims, config);
		if (role === null) throw new AppError('sign-on.no-role');
		return role;
	}

	const namesFor = (claims: MemberClaims): string[] =>
		proposedNames(claims, randomBytes(4).toString('hex'));

	async function newMember(trx: Executor<AccessTables>, claims: MemberClaims): Promise<Account> {
		if (config.accounts !== 'first-login') throw new AppError('sign-on.no-account');
		if ((await unlinkedFrom(trx, claims)) !== null) throw new AppError('sign-on.unlinked');
		const role = claimedRole(claims) ?? 'viewer';
		// The first account ends the set-up, which alone makes an admin where the provider names none.
		if (role !== 'admin' && (await hasNoAccount(trx))) throw new AppError('sign-on.not-set-up');
		const account = await addAccountUnderOneOf(trx, namesFor(claims), role);
		await audit.append(
			{
				actor: account.name,
				action: 'account.added',
				target: account.name,
				detail: { role, by: { code: 'account-means', params: { means: 'single-sign-on' } } }
			},
			trx
		);
		await linkIdentity(trx, audit, account, claims, now());
		return account;
	}

	async function invited(
		trx: Executor<AccessTables>,
		claims: MemberClaims,
		linkId: string
	): Promise<Account> {
		if (await accountOf(trx, audit, claims)) throw new AppError('sign-on.other-member');
		const account = await links.acceptWithoutPassword(trx, linkId, {
			names: namesFor(claims),
			role: claimedRole(claims)
		});
		await linkIdentity(trx, audit, account, claims, now());
		return account;
	}

	/**
	 * Refuses to sign in by a link that was removed in the meantime. The session or pending login is stored
	 * already: the removal either ends it, or is seen here.
	 * @throws {AppError} `sign-on.no-account`
	 */
	async function refuseUnlinked({ id }: Account, claims: MemberClaims): Promise<void> {
		const isLinked = await inTurn(async (trx) => {
			if ((await accountOf(trx, audit, claims))?.account.id === id) return true;
			await endOfIssuer(trx, id, claims.iss);
			return false;
		});
		if (!isLinked) throw new AppError('sign-on.no-account');
	}

	/**
	 * Refuses to sign in a member whom the provider has logged out since the browser came back.
	 * @throws {AppError} `sign-on.logged-out`
	 */
	async function refuseLoggedOut({ used_at }: Flow, claims: MemberClaims): Promise<void> {
		const { iss, sub, sid } = claims;
		const isOver = await inTurn(async (trx) => {
			const forgetAt = Number(used_at ?? now()) + LOGOUT_RETENTION;
			if (!(await isLoggedOut(trx, { iss, sub, sid, forgetAt }))) return false;
			await endByProvider(trx, audit, { iss, sub, sid });
			return true;
		});
		if (isOver) throw new AppError('sign-on.logged-out');
	}

	/** Signs in the member whom the provider identified; creates the account where that is allowed. */
	async function signIn(flow: Flow, claims: MemberClaims, request: Return): Promise<Finished> {
		const { address, userAgent, previousSessionId } = request;
		const { account, isKnown } = await inTurn(async (trx) => {
			if (flow.purpose === 'join') {
				return { account: await invited(trx, claims, flow.link_id ?? ''), isKnown: false };
			}
			const known = await knownMember(trx, claims);
			return { account: known ?? (await newMember(trx, claims)), isKnown: known !== null };
		});
		if (previousSessionId !== null) await sessions.end(previousSessionId);
		// For a new account every browser is new, which needs no notice.
		const isNew = isKnown && request.device(account.name) === null;
		const provider = { issuer: claims.iss, providerSession: claims.sid ?? null };
		const entered = await enter(account, { address, userAgent, ...provider, isNew });
		await refuseUnlinked(account, claims);
		await refuseLoggedOut(flow, claims);
		return entered.needs === 'factor'
			? { kind: 'factor', loginId: entered.loginId, next: flow.next }
			: { kind: 'signed-in', account, sessionId: entered.sessionId, next: flow.next };
	}

	/** The member who began the flow, in the session in which they began it. */
	function memberOf(flow: Flow, identity: Identity) {
		const isTheirs =
			identity.via === 'session' &&
			identity.account.id === flow.account_id &&
			identity.session.idHash === flow.session_hash;
		if (!isTheirs) throw new AppError('sign-on.flow-unknown');
		return identity;
	}

	async function link(flow: Flow, claims: MemberClaims, { identity }: Return): Promise<Finished> {
		const { account, session } = memberOf(flow, identity);
		await inTurn(async (trx) => {
			// The session may have ended while the provider was asked.
			const open = await isSessionOpen(trx, { accountId: account.id, idHash: session.idHash });
			if (!open) throw new AppError('sign-on.flow-unknown');
			await linkIdentity(trx, audit, account, claims, now());
		});
		return { kind: 'linked', next: flow.next };
	}

	async function confirm(flow: Flow, claims: MemberClaims, request: Return): Promise<Finished> {
		const { account, session } = memberOf(flow, request.identity);
		// Signing in at the provider replaces the password, but not the second factor.
		if (session.hasFactor) throw new AppError('factor.needed');
		// A provider may skip the login page and respond from an existing session of its own.
		const shownAt = 1000 * (claims.auth_time ?? 0);
		const isAnew = shownAt >= Number(flow.created_at) - CLOCKS_DIFFER;
		if (!isAnew) throw new AppError('sign-on.not-anew');
		await inTurn(async (trx) => {
			const known = await accountOf(trx, audit, claims);
			if (known?.account.id !== account.id) throw new AppError('sign-on.other-identity');
			if (!known.vouched) throw new AppError('account.changed-outside');
			await sessions.confirm(session.idHash, trx);
			await audit.append(
				{
					actor: account.name,
					action: 'session.confirmed',
					detail: { address: request.address, how: 'single sign-on' }
				},
				trx
			);
		});
		return { kind: 'confirmed', next: flow.next };
	}

	async function carryOut(flow: Flow, request: Return): Promise<Finished> {
		const claims = await provider.claimsOf(request.query, flows.secretsOf(request.cookie ?? ''));
		if (!isInDomains(claims, config.domains)) throw new AppError('sign-on.domain');
		switch (flow.purpose) {
			case 'sign-in':
			case 'join':
				return signIn(flow, claims, request);
			case 'link':
				return link(flow, claims, request);
			case 'confirm':
				return confirm(flow, claims, request);
		}
	}

	return {
		label: config.label ?? new URL(config.issuer).hostname,
		origin,
		begin: (flow) => flows.begin(flow),

		async urlFor(cookie) {
			const flow = await flows.open(cookie);
			if (flow === null || cookie === null) return null;
			return provider.authorizationUrl(flows.secretsOf(cookie), {
				anew: flow.purpose === 'confirm'
			});
		},

		async finish(request) {
			const flow = await flows.take(request.cookie, request.query.get('state'));
			if (flow === null) {
				const error = new AppError('sign-on.flow-unknown');
				return { kind: 'refused', error, purpose: null, next: '/' };
			}
			try {
				return await carryOut(flow, request);
			} catch (error) {
				if (!isAppError(error, 'sign-on', 'account', 'factor')) throw error;
				await recordRefusal({
					account: request.identity.account?.name ?? null,
					address: request.address,
					how: 'single sign-on',
					reason: error.code
				});
				return { kind: 'refused', error, purpose: flow.purpose, next: flow.next };
			}
		},

		unlink: (account, identity) =>
			inTurn(async (trx) => {
				await requireOtherSignIn(trx, localLogin, account.id, config.issuer, identity);
				return unlinkIdentity(trx, audit, account, account, identity);
			}),

		unlinkOf: (by, account, identity) =>
			inTurn(async (trx) => {
				await refuseFormerAdmin(trx, by);
				if (by.id === account.id) {
					await requireOtherSignIn(trx, localLogin, account.id, config.issuer, identity);
				}
				const unlinked = await unlinkIdentity(trx, audit, by, account, identity);
				if (unlinked && by.id !== account.id) await endOfIssuer(trx, account.id, identity.issuer);
				return unlinked;
			}),

		async logOutByProvider(token) {
			const logout = await provider.logoutOf(token);
			await inTurn(async (trx) => {
				const forgetAt = now() + LOGOUT_RETENTION;
				if (!(await takeLogout(trx, logout, forgetAt, now()))) {
					throw new AppError('sign-on.answer-invalid');
				}
				await endByProvider(trx, audit, logout);
			});
		},

		linkedAccounts: () => linkedAccounts(db, config.issuer),
		identitiesOf: (accountId) => identitiesOf(db, accountId),
		identitiesHere: async (accountId) =>
			(await identitiesOf(db, accountId)).filter(({ issuer }) =>
				isSameIssuer(issuer, config.issuer)
			),
		logoutUrl: () => provider.logoutUrl(`${origin}/login`),
		acceptsClient: () => provider.acceptsClient()
	};
}
