/** Words that several explanations use. */
import { addressOfPubkey } from '../address.ts';
import { formatCoins, type Satoshi } from '../amount.ts';
import { bytesEqual, bytesToHex } from '../bytes.ts';
import { BURN_PUBKEY, EVAL, TOKENS_GLOBAL_PUBKEY } from '../cryptocondition.ts';
import { isValidPubkey } from '../key.ts';
import type { Note } from './node.ts';

const MODULES: ReadonlyMap<number, string> = new Map([
	[EVAL.importPayout, 'import payout'],
	[EVAL.importCoin, 'import'],
	[EVAL.assets, 'assets'],
	[EVAL.faucet, 'faucet'],
	[EVAL.rewards, 'rewards'],
	[EVAL.dice, 'dice'],
	[EVAL.fsm, 'fsm'],
	[EVAL.auction, 'auction'],
	[EVAL.lotto, 'lotto'],
	[EVAL.heir, 'heir'],
	[EVAL.channels, 'channels'],
	[EVAL.oracles, 'oracles'],
	[EVAL.payments, 'payments'],
	[EVAL.gateways, 'gateways'],
	[EVAL.tokens, 'tokens'],
	[EVAL.importGateway, 'import gateway']
]);

/** A module by its eval code: `tokens (f2)`. */
export function moduleName(code: number): string {
	const hex = code.toString(16).padStart(2, '0');
	const name = MODULES.get(code);
	return name ? `${name} (${hex})` : `code ${hex}`;
}

export const coins = (satoshi: Satoshi): string => `${formatCoins(satoshi)} coins`;

export const hex = (bytes: Uint8Array): Note => ({ value: bytesToHex(bytes) });

/** Whose key it is, as far as the bytes say. The burn key is no point of the curve. */
export function pubkeyNote(key: Uint8Array): Note {
	const value = bytesToHex(key);
	if (bytesEqual(key, BURN_PUBKEY)) {
		return { value, meaning: 'The burn key: nobody can spend what is sent to it.' };
	}
	if (bytesEqual(key, TOKENS_GLOBAL_PUBKEY)) {
		return { value, meaning: 'The global key of the token module; anybody can sign for it.' };
	}
	if (!isValidPubkey(key)) return { value, meaning: 'This is not a valid public key.' };
	return { value, meaning: `Its address is ${addressOfPubkey(key)}.` };
}

/** `1 byte`, `2 bytes`. */
export const countOf = (count: number | bigint, one: string): string =>
	`${count} ${one}${BigInt(count) === 1n ? '' : 's'}`;

/** The time as people write it; a u32 is always a date. */
export const timeText = (seconds: number): string =>
	new Date(seconds * 1000).toISOString().replace('.000Z', ' UTC').replace('T', ' ');
