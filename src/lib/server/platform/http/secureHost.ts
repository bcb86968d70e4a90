/**
 * Whether the browser used https: the Host header names the public address and that address is https. The URL of a
 * request does not tell, because the adapter takes its origin from the settings, whatever name was requested.
 */
export function isSecureHost(host: string | null, publicOrigin: string | null): boolean {
	if (publicOrigin === null || !URL.canParse(publicOrigin)) return false;
	const known = new URL(publicOrigin);
	return known.protocol === 'https:' && known.host === host?.toLowerCase();
}
