/** The provider of single sign-on: its discovery, its pages and the exchange of a code. */
import { createRemoteJWKSet, customFetch, jwtVerify, errors, type JWTVerifyGetKey } from 'jose';
import * as oidc from 'openid-client';
import { HOUR_MS } from '#lib/text/units.ts';
import type { Egress } from '../../kdf/egress/egress.ts';
import type { SignOnConfig } from '../../platform/config/types.ts';
import { AppError, isAppError } from '../../platform/errors/appError.ts';
import { readClaims, type MemberClaims } from './claims.ts';
import { isSameIssuer } from './issuers.ts';
import { readLogout, type LogoutClaims } from './logoutToken.ts';
import { createProviderFetch } from './providerFetch.ts';

/** How long the result of discovery is used, in milliseconds. */
const DISCOVERED_FOR = HOUR_MS;
/** Seconds. */
const TIMEOUT = 15;
/** Maximum age of a logout token, and tolerated difference of clocks, in seconds. */
export const LOGOUT_LASTS = 300;
const CLOCKS_DIFFER = 30;
/**
 * Asymmetric algorithms only: a signature by the client secret, or none, does not prove that the provider
 * signed.
 */
const SIGNED_BY = [
	...['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'],
	...['ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519']
];

/** The values that bind one flow, each independent of the others. */
export interface FlowSecrets {
	state: string;
	nonce: string;
	/** The PKCE code verifier (RFC 7636). */
	verifier: string;
}

export interface Provider {
	/**
	 * Returns the address of the provider's page for one flow.
	 * @param anew the member must authenticate again, even if logged in there
	 * @throws {AppError} `sign-on.unavailable`
	 */
	authorizationUrl(secrets: FlowSecrets, options: { anew: boolean }): Promise<string>;
	/**
	 * Exchanges the code of a response for an ID token and validates it: signature, issuer, audience, expiry
	 * and nonce.
	 * @param query of the address at which the browser came back
	 * @throws {AppError} `sign-on.unavailable`, `sign-on.declined`, `sign-on.answer-invalid`
	 */
	claimsOf(query: URLSearchParams, secrets: FlowSecrets): Promise<MemberClaims>;
	/**
	 * Validates a logout token (Back-Channel Logout 1.0, section 2.6): signature, issuer, audience, age,
	 * event, and that it is not an ID token.
	 * @throws {AppError} `sign-on.unavailable`, `sign-on.answer-invalid`
	 */
	logoutOf(token: string): Promise<LogoutClaims>;
	/**
	 * Returns the address at which a member logs out at the provider; null where it has no such page or does
	 * not respond.
	 */
	logoutUrl(returnTo: string): Promise<string | null>;
	/**
	 * Sends an invalid code to the token endpoint, to learn from the error whether the provider knows this
	 * client.
	 * @returns false where it does not, null where the response does not tell
	 * @throws {AppError} `sign-on.unavailable`
	 */
	acceptsClient(): Promise<boolean | null>;
}

interface Discovered {
	configuration: oidc.Configuration;
	/** The keys that the provider signs with. */
	keys: JWTVerifyGetKey;
	at: number;
}

/** Endpoints that this server calls itself. */
const ASKED = ['token_endpoint', 'jwks_uri'] as const;

const originOf = (address: unknown): string | null =>
	typeof address === 'string' && URL.canParse(address) ? new URL(address).origin : null;

/**
 * Whether an error means that the provider could not be reached, or does not know this client, as opposed to
 * a fault in what the browser brought.
 */
function isOurFault(error: unknown): boolean {
	if (isAppError(error, 'egress')) return true;
	if (error instanceof oidc.WWWAuthenticateChallengeError) return true;
	if (error instanceof oidc.ResponseBodyError) return error.error === 'invalid_client';
	// openid-client wraps what its fetch throws.
	return error instanceof oidc.ClientError && error.cause !== undefined && isOurFault(error.cause);
}

/**
 * Errors of jose about the provider's keys, as opposed to those about a token: its answer was an error or no keys, or
 * it signs with a new key, while jose reads the keys again only after a pause.
 */
const OF_KEYS: ReadonlySet<string> = new Set([
	errors.JOSEError.code,
	errors.JWKSInvalid.code,
	errors.JWKSTimeout.code,
	errors.JWKSNoMatchingKey.code
]);

/** Whether a token could not be verified for want of the provider's keys, so that it may be valid. */
const lacksKeys = (error: unknown): boolean =>
	error instanceof errors.JOSEError && OF_KEYS.has(error.code);

/**
 * How the client authenticates: `client_secret_basic`, unless the provider lists its methods without it
 * (Discovery 1.0, section 3).
 */
function authenticationOf(
	{ token_endpoint_auth_methods_supported: methods }: oidc.ServerMetadata,
	secret: string | null
): oidc.ClientAuth {
	if (secret === null) return oidc.None();
	if (methods !== undefined && !methods.includes('client_secret_basic')) {
		return oidc.ClientSecretPost(secret);
	}
	return oidc.ClientSecretBasic(secret);
}

/** @param redirectUri the address to which the provider sends browsers back, as registered there */
export function createProvider(
	config: Pick<SignOnConfig, 'issuer' | 'clientId' | 'clientSecret' | 'scopes'>,
	options: { egress: Egress; redirectUri: string; now: () => number }
): Provider {
	const { egress, redirectUri, now } = options;
	const issuer = new URL(config.issuer);
	let allowed: ReadonlySet<string | null> = new Set([issuer.origin]);
	const providerFetch = createProviderFetch(egress, (origin) => allowed.has(origin));
	let discovered: Discovered | null = null;
	let asking: Promise<Discovered> | null = null;

	async function discover(): Promise<Discovered> {
		const insecure = issuer.protocol === 'http:';
		const answer = await oidc.discovery(issuer, config.clientId, undefined, undefined, {
			[oidc.customFetch]: providerFetch,
			timeout: TIMEOUT,
			execute: insecure ? [oidc.allowInsecureRequests] : []
		});
		const metadata = answer.serverMetadata();
		// openid-client also accepts issuers that stand for several tenants, but exactly one is configured.
		if (!isSameIssuer(metadata.issuer, config.issuer)) {
			throw new AppError('sign-on.unavailable');
		}
		const configuration = new oidc.Configuration(
			metadata,
			config.clientId,
			{},
			authenticationOf(metadata, config.clientSecret)
		);
		configuration[oidc.customFetch] = providerFetch;
		configuration.timeout = TIMEOUT;
		if (insecure) oidc.allowInsecureRequests(configuration);
		// Without this, openid-client accepts an ID token received over TLS without verifying its signature.
		oidc.enableNonRepudiationChecks(configuration);
		allowed = new Set([issuer.origin, ...ASKED.map((name) => originOf(metadata[name]))]);
		const keys = createRemoteJWKSet(new URL(metadata.jwks_uri ?? issuer), {
			[customFetch]: (address, { headers }) =>
				providerFetch(address, {
					method: 'GET',
					headers: Object.fromEntries(headers),
					body: null,
					redirect: 'manual'
				})
		});
		return { configuration, keys, at: now() };
	}

	async function found(): Promise<Discovered> {
		const age = discovered === null ? Infinity : now() - discovered.at;
		if (discovered !== null && age >= 0 && age < DISCOVERED_FOR) return discovered;
		asking ??= discover().finally(() => (asking = null));
		try {
			discovered = await asking;
		} catch (cause) {
			if (isAppError(cause, 'sign-on')) throw cause;
			throw new AppError('sign-on.unavailable', undefined, { cause });
		}
		return discovered;
	}
	const configured = async (): Promise<oidc.Configuration> => (await found()).configuration;

	return {
		async authorizationUrl({ state, nonce, verifier }, { anew }) {
			const url = oidc.buildAuthorizationUrl(await configured(), {
				redirect_uri: redirectUri,
				response_type: 'code',
				scope: config.scopes,
				state,
				nonce,
				code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
				code_challenge_method: 'S256',
				...(anew ? { prompt: 'login', max_age: '0' } : {})
			});
			return url.href;
		},

		async claimsOf(query, { state, nonce, verifier }) {
			const configuration = await configured();
			const url = new URL(redirectUri);
			url.search = query.toString();
			try {
				const answer = await oidc.authorizationCodeGrant(configuration, url, {
					expectedState: state,
					expectedNonce: nonce,
					pkceCodeVerifier: verifier,
					idTokenExpected: true
				});
				return readClaims(answer.claims());
			} catch (cause) {
				if (cause instanceof oidc.AuthorizationResponseError) {
					throw new AppError('sign-on.declined', undefined, { cause });
				}
				throw new AppError(
					isOurFault(cause) ? 'sign-on.unavailable' : 'sign-on.answer-invalid',
					undefined,
					{ cause }
				);
			}
		},

		async logoutOf(token) {
			const { configuration, keys } = await found();
			try {
				const { payload } = await jwtVerify(token, keys, {
					issuer: configuration.serverMetadata().issuer,
					audience: config.clientId,
					algorithms: SIGNED_BY,
					maxTokenAge: LOGOUT_LASTS,
					clockTolerance: CLOCKS_DIFFER,
					currentDate: new Date(now())
				});
				return readLogout(payload);
			} catch (cause) {
				const isLater = isAppError(cause, 'egress') || lacksKeys(cause);
				const code = isLater ? 'sign-on.unavailable' : 'sign-on.answer-invalid';
				throw new AppError(code, undefined, { cause });
			}
		},

		async logoutUrl(returnTo) {
			try {
				const configuration = await configured();
				if (configuration.serverMetadata().end_session_endpoint === undefined) return null;
				return oidc.buildEndSessionUrl(configuration, { post_logout_redirect_uri: returnTo }).href;
			} catch (cause) {
				if (isAppError(cause, 'sign-on')) return null;
				throw cause;
			}
		},

		async acceptsClient() {
			const configuration = await configured();
			try {
				await oidc.genericGrantRequest(configuration, 'authorization_code', {
					code: 'komodeck-check',
					redirect_uri: redirectUri
				});
				return null;
			} catch (cause) {
				if (cause instanceof oidc.ResponseBodyError) {
					if (cause.error === 'invalid_grant') return true;
					return cause.error === 'invalid_client' || cause.error === 'unauthorized_client'
						? false
						: null;
				}
				if (cause instanceof oidc.WWWAuthenticateChallengeError) return false;
				if (isOurFault(cause)) throw new AppError('sign-on.unavailable', undefined, { cause });
				return null;
			}
		}
	};
}
