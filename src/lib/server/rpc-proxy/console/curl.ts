/** Renders a call as a `curl` command for the RPC API. */
import { RPC_PATH } from '../../platform/http/rpcPath.ts';

/** Placeholder for the API token. */
const TOKEN_PLACEHOLDER = 'YOUR_TOKEN';

/** Quotes a text as one word of a POSIX shell. */
const word = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/**
 * @param origin origin of the console, as the browser reached it
 * @param paramsText JSON text of the parameter array, without secrets
 */
export function curlOf(origin: string, daemon: string, method: string, paramsText: string): string {
	const body = `{"jsonrpc":"1.0","id":"curl","method":${JSON.stringify(method)},"params":${paramsText}}`;
	return curlWith(origin, daemon, body);
}

/** @param body JSON text of the call, without secrets */
export function curlWith(origin: string, upstream: string, body: string): string {
	const url = `${origin}${RPC_PATH}${encodeURIComponent(upstream)}`;
	return [
		`curl --header ${word(`Authorization: Bearer ${TOKEN_PLACEHOLDER}`)}`,
		`--header 'Content-Type: application/json'`,
		`--data-binary ${word(body)}`,
		word(url)
	].join(' \\\n  ');
}
