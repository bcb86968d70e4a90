/** A call as a command line for the RPC API. */

/** What stands where the token belongs. */
const TOKEN_PLACEHOLDER = 'YOUR_TOKEN';

/** A text as one word of a POSIX shell. */
const word = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/**
 * @param origin the address of the console, as the person reached it
 * @param paramsText JSON text of the parameter array, without secrets
 */
export function curlOf(origin: string, daemon: string, method: string, paramsText: string): string {
	const body = `{"jsonrpc":"1.0","id":"curl","method":${JSON.stringify(method)},"params":${paramsText}}`;
	return curlWith(origin, daemon, body);
}

/** @param body of the call, without secrets */
export function curlWith(origin: string, upstream: string, body: string): string {
	const url = `${origin}/api/rpc/${encodeURIComponent(upstream)}`;
	return [
		`curl --header ${word(`Authorization: Bearer ${TOKEN_PLACEHOLDER}`)}`,
		`--header 'Content-Type: application/json'`,
		`--data-binary ${word(body)}`,
		word(url)
	].join(' \\\n  ');
}
