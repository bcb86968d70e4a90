/** Decides what the history may store of a call's parameters. */
import { englishWords } from '#lib/chain/hdKey.ts';
import { isJsonObject, stringifyJson, type JsonValue } from '#lib/rpc/json.ts';
import { secretsIn } from './form.ts';

/** BIP39: the shortest mnemonic. */
const SHORTEST_SEED = 12;

const words: ReadonlySet<string> = new Set(englishWords);

/** Whether a text contains so many consecutive words of the BIP39 list that it may be a mnemonic. */
function looksLikeSeed(text: string): boolean {
	let row = 0;
	for (const word of text.toLowerCase().split(/[^a-z]+/)) {
		if (word === '') continue;
		row = words.has(word) ? row + 1 : 0;
		if (row >= SHORTEST_SEED) return true;
	}
	return false;
}

/** Whether a text is a URL whose path, query or login may be an access key of a provider. */
function mayHoldKey(text: string): boolean {
	if (!/^[a-z]{2,6}:\/\//i.test(text) || !URL.canParse(text)) return false;
	const { pathname, search, username, password } = new URL(text);
	return pathname.length > 1 || search !== '' || username !== '' || password !== '';
}

function textsOf(value: JsonValue): string[] {
	if (typeof value === 'string') return [value];
	if (Array.isArray(value)) return (value as readonly JsonValue[]).flatMap(textsOf);
	return isJsonObject(value) ? Object.values(value).flatMap(textsOf) : [];
}

/** 32 bytes in hex, the format of private keys of EVM chains. */
const HEX_KEY = /(?<![0-9a-f])(?:0x)?[0-9a-f]{64}(?![0-9a-f])/i;

/**
 * Returns the parameters as JSON text, or null when they may contain a secret.
 * @param isSecret whether a text contains a password of this installation
 */
export function storedKdfParams(
	params: JsonValue,
	isSecret: (text: string) => boolean
): string | null {
	if (secretsIn(params).length > 0) return null;
	const texts = textsOf(params);
	const holds = texts.some(
		(text) => looksLikeSeed(text) || mayHoldKey(text) || HEX_KEY.test(text) || isSecret(text)
	);
	return holds ? null : stringifyJson(params);
}
