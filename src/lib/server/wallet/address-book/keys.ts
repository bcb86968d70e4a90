/** Identifiers under which the subject of an entry appears on pages. */
import { addressOfPubkey } from '#lib/chain/address.ts';
import { hexToBytes } from '#lib/chain/bytes.ts';
import { ccAddress, nftScript, tokenScript } from '#lib/chain/cryptocondition.ts';
import { USABLE_NFT_CODES } from '../transactions/request.ts';
import type { EntryKind } from './tables.ts';

export interface EntryKey {
	key: string;
	/** Which identifier this is: `value`, `coins`, `tokens`, or `nft-` and the eval code in hex. */
	form: string;
}

/**
 * Returns the identifiers of an entry: its value, and for a public key also its addresses, which are the same
 * on every chain: for coins, for fungible tokens, and for non-fungible tokens one per module that can hold
 * them.
 */
export function keysOf(kind: EntryKind, value: string): EntryKey[] {
	const own = { key: value, form: 'value' };
	if (kind !== 'pubkey') return [own];
	const pubkey = hexToBytes(value);
	return [
		own,
		{ key: addressOfPubkey(pubkey), form: 'coins' },
		{ key: ccAddress(tokenScript(pubkey)), form: 'tokens' },
		...[...USABLE_NFT_CODES.keys()].map((code) => ({
			key: ccAddress(nftScript(pubkey, code)),
			form: `nft-${code.toString(16)}`
		}))
	];
}

const FORMS: Readonly<Record<string, string>> = {
	value: '',
	coins: 'coin address',
	tokens: 'token address'
};

/** Returns the form in words, such as "token address"; empty for the value itself. */
export const formWords = (form: string): string =>
	FORMS[form] ?? `address of non-fungible tokens (${form.replace('nft-', '')})`;
