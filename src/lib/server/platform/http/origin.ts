/** What the origin rule looks at. Header values, null when absent. */
export interface OriginFacts {
	method: string;
	/** The request acts by an API token, which no browser adds by itself. */
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
 * A request that changes something must come from a page of ours: its Origin names the host that was
 * asked, or the public origin. JSON posts are no exception, nor are posts without a session (somebody
 * else's page could sign a browser in as somebody else). A request with a token needs no Origin. Where the
 * Origin is missing, `Sec-Fetch-Site` decides; where both are missing no browser of today is asking,
 * and only a request that carries a session cookie is refused.
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
	// A page that somebody on the way wrote has the same host by plain http.
	if (known !== null && asked === known.host) return false;
	// Elsewhere the scheme is not compared: behind a proxy that ends TLS the server sees http, the browser https.
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
