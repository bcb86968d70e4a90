/** Interprets a search text by its form alone. */
import { bareText } from '#lib/chain/bareText.ts';
import { addressOfPubkey, isValidAddress } from '#lib/chain/address.ts';
import { bareAmount } from '#lib/chain/amount.ts';
import { hashOf } from '#lib/chain/hashOf.ts';
import { isPubkeyText } from '#lib/chain/idText.ts';
import { isValidPubkey } from '#lib/chain/key.ts';

/** Longer texts are cut: nothing that can be found is longer. */
const MAX_TEXT = 200;
/** Fewer digits of a hash would match too much. */
const MIN_PREFIX = 6;

/** Everything that a text may refer to; most texts have only one interpretation. */
export interface Meanings {
	/** The text, shortened and trimmed. */
	text: string;
	height: number | null;
	/** A complete hash in lower case. */
	hash: string | null;
	/** The beginning of a hash, 6 to 63 digits, lower case. */
	prefix: string | null;
	pubkey: string | null;
	/** An address, or that of the pubkey. */
	address: string | null;
	/** The beginning of an address. */
	addressPrefix: string | null;
	/** The text as a name of a chain or a token. */
	name: string | null;
}

/** Returns everything that a search text may mean at once. */
export function meaningsOf(text: string): Meanings {
	const query = bareText(text.slice(0, MAX_TEXT));
	const lower = query.toLowerCase();
	const digits = bareAmount(query);
	const isHex = /^[0-9a-f]+$/.test(lower);
	const pubkey = isPubkeyText(lower) && isValidPubkey(lower) ? lower : null;
	const address = pubkey === null ? null : addressOfPubkey(pubkey);
	const own = isValidAddress(query) ? query : null;
	const hash = hashOf(query);
	return {
		text: query,
		height: /^\d{1,9}$/.test(digits) ? Number(digits) : null,
		hash,
		prefix: isHex && query.length >= MIN_PREFIX && query.length < 64 ? lower : null,
		pubkey,
		address: address ?? own,
		addressPrefix: own === null && /^[Rb][1-9A-HJ-NP-Za-km-z]{5,33}$/.test(query) ? query : null,
		name: query === '' || hash !== null || pubkey !== null || own !== null ? null : query
	};
}

/** Returns the range of hashes with this prefix, without `to` itself, which is null at the end of all hashes. */
export function hashRange(prefix: string): { from: Uint8Array; to: Uint8Array | null } {
	const bytes = (hex: string): Uint8Array => Buffer.from(hex.padEnd(64, '0'), 'hex');
	const next = (BigInt(`0x${prefix}`) + 1n).toString(16).padStart(prefix.length, '0');
	return { from: bytes(prefix), to: next.length > prefix.length ? null : bytes(next) };
}
