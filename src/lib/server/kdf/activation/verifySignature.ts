/** Verifies signatures of messages. */
import { formFaults as faults } from '#lib/messages/activation/formFaults.ts';
import { bytesEqual } from '#lib/chain/bytes.ts';
import { isChainError } from '#lib/chain/chainError.ts';
import { evmSigner, signerHash } from '#lib/chain/message.ts';
import { chainErrorMessage } from '#lib/messages/chainErrors.ts';
import type { Coin } from './coins/parse.ts';
import { addressOfKeyHash, keyHashOf, signsAsEvm } from './keyAddresses.ts';

export type Verdict =
	| { kind: 'valid' }
	/** The signature is good and comes from this other address. */
	| { kind: 'other'; signer: string }
	/** The signature cannot be checked; `field` is the invalid input. */
	| { kind: 'unreadable'; field: 'coin' | 'address' | 'signature'; words: string };

/** Checks a signature here, without asking a node. */
export function verify(coin: Coin, address: string, message: string, signature: string): Verdict {
	const prefix = coin.signMessagePrefix;
	if (prefix === null) {
		return {
			kind: 'unreadable',
			field: 'coin',
			words: faults.verify.noPrefix(coin.ticker)
		};
	}
	try {
		if (signsAsEvm(coin)) {
			if (!/^0x[0-9a-fA-F]{40}$/.test(address)) {
				return {
					kind: 'unreadable',
					field: 'address',
					words: faults.verify.evmAddress
				};
			}
			const signer = evmSigner(prefix, message, signature);
			return signer.toLowerCase() === address.toLowerCase()
				? { kind: 'valid' }
				: { kind: 'other', signer };
		}
		const hash = keyHashOf(address, coin);
		if (hash === null) {
			return {
				kind: 'unreadable',
				field: 'address',
				words: faults.verify.noKeyAddress
			};
		}
		const signer = signerHash(prefix, message, signature);
		return bytesEqual(signer, hash)
			? { kind: 'valid' }
			: { kind: 'other', signer: addressOfKeyHash(signer, coin) };
	} catch (error) {
		if (!isChainError(error, 'message')) throw error;
		return { kind: 'unreadable', field: 'signature', words: chainErrorMessage(error) };
	}
}

/** Returns the address that made a signature; null when the signature is unreadable. */
export function signerOf(coin: Coin, message: string, signature: string): string | null {
	const prefix = coin.signMessagePrefix;
	if (prefix === null) return null;
	try {
		return signsAsEvm(coin)
			? evmSigner(prefix, message, signature)
			: addressOfKeyHash(signerHash(prefix, message, signature), coin);
	} catch (error) {
		if (!isChainError(error, 'message')) throw error;
		return null;
	}
}
