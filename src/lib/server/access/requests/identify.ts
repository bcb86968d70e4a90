import type { Awaitable } from '../../platform/async/awaitable.ts';
import { AppError } from '../../platform/errors/appError.ts';
import type { HeaderReader } from '../../platform/http/cookies.ts';
import { nameKeyOf } from '../identity/names.ts';
import type { Sessions } from '../accounts/session.ts';
import type { ApiTokens } from '../api-tokens/apiTokens.ts';
import type { VerifiedToken } from '../api-tokens/verify.ts';
import { lacksFactor, refusesTokens } from '../security-settings/lacksFactor.ts';
import type { StoredSettings } from '../security-settings/storedSettings.ts';
import { VISITOR, type Identity } from '../identity/identity.ts';

/**
 * Returns who a request acts for.
 * @param address the client's IP address, as seen on the connection or told by the proxy in front
 */
export type Identify = (headers: HeaderReader, address: string) => Awaitable<Identity>;

/** Returns the token in an Authorization header, and the user name of the Basic scheme. */
export function readAuthorization(
	header: string | null
): { token: string; user: string | null } | null {
	const match = /^(bearer|basic) +(\S+) *$/i.exec(header ?? '');
	const [, scheme, value] = match ?? [];
	if (scheme === undefined || value === undefined) return null;
	if (scheme.toLowerCase() === 'bearer') return { token: value, user: null };
	const text = Buffer.from(value, 'base64').toString('utf8');
	const colon = text.indexOf(':');
	return colon < 0 ? null : { user: text.slice(0, colon), token: text.slice(colon + 1) };
}

/**
 * Whether a request shows a bearer token, which its client added on purpose. A browser in which a member has
 * entered Basic credentials repeats them by itself, also for a page of another site, as it does a cookie.
 */
export const showsBearer = (headers: HeaderReader): boolean =>
	/^bearer /i.test(headers.get('authorization') ?? '');

/**
 * Builds the function that identifies requests by `Authorization: Bearer TOKEN`,
 * `Authorization: Basic user:TOKEN` (as the daemon's own clients send their credentials) or the session
 * cookie. A token takes precedence over a cookie. An invalid Authorization header falls back to a valid
 * session, since a proxy may add a header of its own; without a session the request is refused rather than
 * treated as a visitor's.
 * The returned function throws {@link AppError} `account.token-invalid`, `account.token-elsewhere` for a
 * token that is not allowed from this address, whatever else the request shows, and `factor.required` for a
 * token of a member who lacks a second factor that their role requires.
 */
export function createIdentify(
	sessions: Sessions,
	tokens: ApiTokens,
	settings: StoredSettings
): Identify {
	/**
	 * Cached decisions by verified token. The token object is replaced after any write to the database,
	 * settings included, so an entry cannot become stale.
	 */
	const refusedTokens = new WeakMap<VerifiedToken, boolean>();

	/** Whether the token is refused because its member lacks a required second factor. */
	async function isRefused(known: VerifiedToken): Promise<boolean> {
		const refused = refusesTokens(await settings.values(), known.account.role, known.hasFactor);
		refusedTokens.set(known, refused);
		return refused;
	}

	function asToken({ account, role, token }: VerifiedToken, refused: boolean): Identity {
		if (refused) throw new AppError('factor.required');
		return { via: 'token', account, role, token };
	}

	/** The identity of a header's token; null where the token is invalid. */
	function byToken(
		{ token, user }: { token: string; user: string | null },
		headers: HeaderReader,
		address: string
	): Awaitable<Identity | null> {
		const known = tokens.verify(token, { address, userAgent: headers.get('user-agent') });
		const identified = (verified: VerifiedToken | null): Awaitable<Identity | null> => {
			if (!verified) return null;
			if (user !== null && nameKeyOf(user) !== nameKeyOf(verified.account.name)) return null;
			const refused = refusedTokens.get(verified);
			return refused === undefined
				? isRefused(verified).then((is) => asToken(verified, is))
				: asToken(verified, refused);
		};
		return known instanceof Promise ? known.then(identified) : identified(known);
	}

	/** The identity of the session cookie. */
	async function bySession(headers: HeaderReader, hasHeader: boolean): Promise<Identity> {
		const id = sessions.read(headers);
		const session = id === null ? null : await sessions.validate(id);
		if (session) {
			const { role } = session.account;
			const setUpOnly = lacksFactor(await settings.values(), role, session.session.hasFactor);
			return {
				via: 'session',
				account: session.account,
				role,
				session: { ...session.session, setUpOnly }
			};
		}
		if (hasHeader) throw new AppError('account.token-invalid');
		return VISITOR;
	}

	return (headers, address) => {
		const authorization = headers.get('authorization');
		const given = readAuthorization(authorization);
		const byHeader = given && byToken(given, headers, address);
		if (byHeader instanceof Promise) {
			return byHeader.then((identity) => identity ?? bySession(headers, true));
		}
		return byHeader ?? bySession(headers, authorization !== null);
	};
}
