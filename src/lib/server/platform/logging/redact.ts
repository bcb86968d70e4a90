/** What must not stand in a log or an audit row: credentials in running text, and signs that forge a line. */

/** An address with credentials in it, as connection errors quote it. Looked for from the beginning of each word alone. */
const IN_ADDRESS = /\b(\w+:\/\/)[^\s/@"']+@/g;
/** What an Authorization header carries. */
const AUTHORIZATION = /\b(basic|bearer)\s+[\w.~+/=-]{6,}/gi;
/** An API token of ours. */
const API_TOKEN = /\bkdk_[\w-]{16,}/g;
/** What opens an account in a set-up, invitation or reset link. */
const LINK_TOKEN = /([?&]token=)[\w-]{16,}/g;
/** A password in JSON, to the end of its text. */
const QUOTED = /("(?:\w*pass(?:word|phrase)|userpass|rpc_?password)"\s*:\s*")(?:\\.|[^"\\])*/gi;
/** Our session cookie, or a password in a query, a connection string or JSON within JSON. */
const NAMED =
	/\b((?:__\w+-)?komodeck_session|password|passphrase|userpass|rpcpassword|rpc_password)(\\?["']?\s*[=:]\s*\\?["']?)(?:\\[^"']|[^\s"'&;,\\])+/gi;
/**
 * A private key as wallets write it. What has no sign but those of hex is none, but the end of a txid behind a zero,
 * which keys do not have.
 */
const WALLET_KEY =
	/(?<![1-9A-HJ-NP-Za-km-z])(?!(?:[1-9a-f]+|[1-9A-F]+)(?![1-9A-HJ-NP-Za-km-z]))[5KLU9c7][1-9A-HJ-NP-Za-km-z]{50,51}(?![1-9A-HJ-NP-Za-km-z])/g;

/** Whether a text holds what looks like a private key of a wallet, which may stand where it does not belong. */
export const mayHoldWalletKey = (text: string): boolean => text.search(WALLET_KEY) >= 0;

/** Bytes so many that a signed transaction may be among them: whoever reads them could send it. */
const TRANSACTION = /(?<![0-9a-f])[0-9a-f]{160,}(?![0-9a-f])/gi;

/** The text with stars in place of what looks like a credential. JSON stays JSON. */
export function withoutSecrets(text: string): string {
	return text
		.replace(IN_ADDRESS, '$1***@')
		.replace(AUTHORIZATION, '$1 ***')
		.replace(API_TOKEN, 'kdk_***')
		.replace(LINK_TOKEN, '$1***')
		.replace(QUOTED, '$1***')
		.replace(NAMED, '$1$2***')
		.replace(WALLET_KEY, '***')
		.replace(TRANSACTION, '***');
}

/** Signs that end a line, drive a terminal or turn the text around them, beyond those that JSON escapes. */
const MISLEADING = /[\u007f-\u009f\u2028\u2029\u200e\u200f\u061c\u202a-\u202e\u2066-\u2069\ufeff]/g;
/** The same with the control characters of ASCII, but tab and line feed. */
// eslint-disable-next-line no-control-regex
const CONTROL = /[\u0000-\u0008\u000b-\u001f]/g;

const escaped = (sign: string): string => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** A line of JSON in which no sign misleads who reads it in a terminal; still the same JSON. */
export const plainJson = (line: string): string => line.replace(MISLEADING, escaped);

/** Text for a terminal: what somebody put into a name cannot drive it or pass for something else. */
export const plainText = (text: string): string =>
	text.replace(CONTROL, escaped).replace(MISLEADING, escaped);
