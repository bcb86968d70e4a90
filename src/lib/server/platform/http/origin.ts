/** Input of the origin check. Header values are null when absent. */
export interface OriginFacts {
	method: string;
	/** Whether the request authenticates with a bearer token, which browsers do not attach by themselves. */
	hasToken: boolean;
	hasSessionCookie: boolean;
	origin: string | null;
	secFetchSite: string | null;
	/** The Host header. */
	host: string | null;
	/** KOMODECK_ORIGIN, when set. */
	publicOrigin: string | null;
}

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Protects against CSRF: a request that changes something must come from a page of this server, so its Origin
 * must match the requested host or the public origin. JSON posts are no exception, nor are posts without a
 * session (a page of another site could sign the browser in to another account). A request with a bearer token
 * needs no Origin. Without Origin, `Sec-Fetch-Site` decides; without both the client is no current browser, and
 * only a request with a session cookie is refused.
 */
export function isOriginAllowed(facts: OriginFacts): boolean {
	if (SAFE_METHODS.has(facts.method) || facts.hasToken) return true;
	if (facts.origin === null) {
		return facts.secFetchSite === null
			? !facts.hasSessionCookie
			: facts.secFetchSite === 'same-origin';
	}
	const asked = facts.host?.toLowerCase() ?? null;
	const known = publicAddress(facts.publicOrigin);
	if (known !== null && facts.origin === known.origin) return true;
	// A page injected into plain http by an attacker on the network has the same host, so here the scheme must
	// match too.
	if (known !== null && asked === known.host) return false;
	// Elsewhere the scheme is not compared: behind a TLS-terminating proxy the server sees http, the browser
	// https.
	const host = hostOf(facts.origin);
	return host !== null && host === asked;
}

const publicAddress = (address: string | null): URL | null =>
	address !== null && URL.canParse(address) ? new URL(address) : null;

function hostOf(origin: string): string | null {
	if (!URL.canParse(origin)) return null;
	const url = new URL(origin);
	return url.protocol === 'http:' || url.protocol === 'https:' ? url.host : null;
}
