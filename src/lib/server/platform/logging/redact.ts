/** Removes credentials from text for logs and audit events, and characters that could forge a line. */

/** A URL with credentials, as connection errors quote it. Anchored to a word boundary to keep matching linear. */
const IN_ADDRESS = /\b(\w+:\/\/)[^\s/@"']+@/g;
/** The value of an Authorization header. */
const AUTHORIZATION = /\b(basic|bearer)\s+[\w.~+/=-]{6,}/gi;
/** An API token of Komodeck. */
const API_TOKEN = /\bkdk_[\w-]{16,}/g;
/** The token of a set-up, invitation or reset link. */
const LINK_TOKEN = /([?&]token=)[\w-]{16,}/g;
/** A password in JSON, up to the end of its string. */
const QUOTED = /("(?:\w*pass(?:word|phrase)|userpass|rpc_?password)"\s*:\s*")(?:\\.|[^"\\])*/gi;
/** Komodeck's session cookie, or a password in a query, a connection string or JSON within JSON. */
const NAMED =
	/\b((?:__\w+-)?komodeck_session|password|passphrase|userpass|rpcpassword|rpc_password)(\\?["']?\s*[=:]\s*\\?["']?)(?:\\[^"']|[^\s"'&;,\\])+/gi;
/**
 * A private key in wallet import format. A match that consists of hex digits only is the tail of a txid after a
 * zero (not part of Base58), and no key.
 */
const WALLET_KEY =
	/(?<![1-9A-HJ-NP-Za-km-z])(?!(?:[1-9a-f]+|[1-9A-F]+)(?![1-9A-HJ-NP-Za-km-z]))[5KLU9c7][1-9A-HJ-NP-Za-km-z]{50,51}(?![1-9A-HJ-NP-Za-km-z])/g;

/** Whether a text contains what looks like a wallet's private key. */
export const mayHoldWalletKey = (text: string): boolean => text.search(WALLET_KEY) >= 0;

/** Hex long enough to contain a signed transaction, which any reader could broadcast. */
const TRANSACTION = /(?<![0-9a-f])[0-9a-f]{160,}(?![0-9a-f])/gi;

/** Returns the text with what looks like a credential replaced by `***`. JSON stays valid. */
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

/** Line ends, terminal control characters and bidirectional controls beyond those that JSON escapes. */
const MISLEADING = /[\u007f-\u009f\u2028\u2029\u200e\u200f\u061c\u202a-\u202e\u2066-\u2069\ufeff]/g;
/** The ASCII control characters, except tab and line feed. */
// eslint-disable-next-line no-control-regex
const CONTROL = /[\u0000-\u0008\u000b-\u001f]/g;

const escaped = (sign: string): string => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`;

/**
 * Escapes misleading characters in a line of JSON, so that it is safe in a terminal; the JSON value is
 * unchanged.
 */
export const plainJson = (line: string): string => line.replace(MISLEADING, escaped);

/** Escapes text for a terminal: user-chosen names can neither control it nor imitate other text. */
export const plainText = (text: string): string =>
	text.replace(CONTROL, escaped).replace(MISLEADING, escaped);
