/** What of a call's parameters may stay on a person's list. */
import { englishWords } from '#lib/chain/hdKey.ts';
import { isJsonObject, stringifyJson, type JsonValue } from '#lib/rpc/json.ts';
import { secretsIn } from './form.ts';

/** BIP39: the shortest list of words that is a key. */
const SHORTEST_SEED = 12;

const words: ReadonlySet<string> = new Set(englishWords);

/** True for a text with so many words of BIP39's list in a row that it may be a seed. */
function looksLikeSeed(text: string): boolean {
	let row = 0;
	for (const word of text.toLowerCase().split(/[^a-z]+/)) {
		if (word === '') continue;
		row = words.has(word) ? row + 1 : 0;
		if (row >= SHORTEST_SEED) return true;
	}
	return false;
}

/** An address whose path, query or login may be the key of a provider. */
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

/** 32 bytes in hex: a key of an EVM chain is written so. */
const HEX_KEY = /(?<![0-9a-f])(?:0x)?[0-9a-f]{64}(?![0-9a-f])/i;

/**
 * The parameters as JSON text, or null where they may hold a secret.
 * @param isSecret whether a text holds a password of this installation
 */
export function keptKdfParams(
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
