/**
 * Crypto-conditions as Komodo uses them: outputs that need signatures and the approval of a validating module
 * (an "eval"). The output script holds the condition, a fingerprint; the input that spends it holds the
 * fulfillment. Both are DER with automatic context tags.
 */
import { encodeAddress } from './address.ts';
import { concat, hexToBytes } from './bytes.ts';
import { encodeCondition } from './cryptocondition/encode.ts';
import type { ConditionNode } from './cryptocondition/node.ts';
import { hash160 } from './hash.ts';
import { conditionPart, OP_CHECKCRYPTOCONDITION, pushData } from './script.ts';

/** Eval codes of the validating modules. */
export const EVAL = {
	importPayout: 0xe1,
	importCoin: 0xe2,
	assets: 0xe3,
	faucet: 0xe4,
	rewards: 0xe5,
	dice: 0xe6,
	fsm: 0xe7,
	auction: 0xe8,
	lotto: 0xe9,
	heir: 0xea,
	channels: 0xeb,
	oracles: 0xec,
	payments: 0xf0,
	gateways: 0xf1,
	tokens: 0xf2,
	importGateway: 0xf3
} as const;

/** Public key of the global token address, 33 bytes. Its private key is publicly known. */
export const TOKENS_GLOBAL_PUBKEY: Uint8Array = hexToBytes(
	'03e6191c70c9c9a28f9fd87089b9488d0e6c02fb629df64979c9cdb6b2b4a68d95'
);
/** Tokens sent to this public key (33 bytes) are burned: its private key is unknown. */
export const BURN_PUBKEY: Uint8Array = hexToBytes(
	'02deaddeaddeaddeaddeaddeaddeaddeaddeaddeaddeaddeaddeaddeaddeaddead'
);

/**
 * Builds the condition of token outputs: all eval modules and one of the keys. For one eval and one key it is
 * 2-of-2 { eval, 1-of-1 { key } }; the inner threshold is present even for one key.
 */
export function ccNode(pubkeys: readonly Uint8Array[], evals: readonly number[]): ConditionNode {
	const keys: ConditionNode = {
		type: 'threshold',
		threshold: 1,
		children: pubkeys.map((pubkey) => ({ type: 'secp256k1', pubkey }))
	};
	const modules: ConditionNode[] = evals.map((code) => ({
		type: 'eval',
		code: Uint8Array.of(code)
	}));
	return { type: 'threshold', threshold: modules.length + 1, children: [...modules, keys] };
}

/** Returns the output script of a condition. */
export const scriptOf = (node: ConditionNode): Uint8Array =>
	concat(pushData(encodeCondition(node)), Uint8Array.of(OP_CHECKCRYPTOCONDITION));

/** Returns the output script for these eval modules and any one of these keys. */
export function ccScript(pubkeys: readonly Uint8Array[], evals: readonly number[]): Uint8Array {
	return scriptOf(ccNode(pubkeys, evals));
}

/** Returns the script that holds a fungible token of a key. */
export function tokenScript(pubkey: Uint8Array): Uint8Array {
	return ccScript([pubkey], [EVAL.tokens]);
}

/**
 * Returns the script that holds a non-fungible token of a key. The first byte of the token's data names a
 * second eval module; when it is the token module itself, no second one is needed.
 */
export function nftScript(pubkey: Uint8Array, evalCode: number): Uint8Array {
	return evalCode === EVAL.tokens
		? tokenScript(pubkey)
		: ccScript([pubkey], [evalCode, EVAL.tokens]);
}

/** Returns the address of a crypto-condition script. Coins sent to it as to an ordinary address are lost. */
export function ccAddress(script: Uint8Array): string {
	return encodeAddress(hash160(conditionPart(script) ?? script));
}

/** The eval codes of all modules but that of tokens. */
export const MODULES = Object.values(EVAL).filter((code) => code !== EVAL.tokens);
/** The eval codes of conditions that can hold units of tokens: those of tokens, alone and with each module. */
export const UNIT_EVALS: readonly (readonly number[])[] = [
	[EVAL.tokens],
	...MODULES.map((code) => [code, EVAL.tokens])
];
