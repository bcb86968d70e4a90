/** Under which texts a thing is met on pages. */
import { addressOfPubkey } from '#lib/chain/address.ts';
import { hexToBytes } from '#lib/chain/bytes.ts';
import { ccAddress, nftScript, tokenScript } from '#lib/chain/cryptocondition.ts';
import { USABLE_NFT_CODES } from '../transactions/request.ts';
import type { EntryKind } from './tables.ts';

export interface EntryKey {
	key: string;
	/** What it is to the entry. */
	form: string;
}

/**
 * A key and its addresses, which are the same on every chain: where its coins lie, where its fungible tokens
 * lie, and where its non-fungible ones lie for each module that can hold them.
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

/** The form in words, such as "token address"; empty for the thing itself. */
export const formWords = (form: string): string =>
	FORMS[form] ?? `address of non-fungible tokens (${form.replace('nft-', '')})`;
