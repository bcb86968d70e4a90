/** What the origin rule looks at. Header values, null when absent. */
export interface OriginFacts {
	method: string;
	/** The request was identified by its session cookie, or carries one that would be replaced. */
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
 * A request that changes something and comes with a session cookie must come from a page of ours:
 * its Origin names the host that was asked, or the public origin. JSON posts are no exception. A request
 * with a token needs no Origin, because no browser adds a token by itself. Where the Origin is
 * missing, `Sec-Fetch-Site` decides; where that is missing too, the request is refused.
 */
export function isSameOrigin(facts: OriginFacts): boolean {
	if (SAFE_METHODS.has(facts.method) || !facts.hasSessionCookie) return true;
	if (facts.origin === null) return facts.secFetchSite === 'same-origin';
	if (facts.publicOrigin !== null && facts.origin === originOf(facts.publicOrigin)) return true;
	// The scheme is not compared: behind a proxy that ends TLS the server sees http, the browser https.
	const host = hostOf(facts.origin);
	return host !== null && facts.host !== null && host === facts.host.toLowerCase();
}

function originOf(address: string): string | null {
	return URL.canParse(address) ? new URL(address).origin : null;
}

function hostOf(origin: string): string | null {
	if (!URL.canParse(origin)) return null;
	const url = new URL(origin);
	return url.protocol === 'http:' || url.protocol === 'https:' ? url.host : null;
}
