/** Verifies signatures of messages. */
import { bytesEqual } from '#lib/chain/bytes.ts';
import { isChainError, type ChainError } from '#lib/chain/chainError.ts';
import { evmSigner, signerHash } from '#lib/chain/message.ts';
import type { Coin } from '../coins/parse.ts';
import { addressOfKeyHash, keyHashOf, signsAsEvm } from '../coins/keyAddresses.ts';

export type Verdict =
	| { kind: 'valid' }
	/** The signature is good and comes from this other address. */
	| { kind: 'other'; signer: string }
	| { kind: 'unreadable'; fault: Unreadable };

/** Why a signature cannot be checked; `field` is the invalid input. */
export type Unreadable =
	/** The coins file has no prefix of messages for the coin. */
	| { field: 'coin' }
	/** `evm`: the coin has addresses of 20 bytes in hex; `key`: only the address of a key can sign. */
	| { field: 'address'; needs: 'evm' | 'key' }
	| { field: 'signature'; error: ChainError };

const unreadable = (fault: Unreadable): Verdict => ({ kind: 'unreadable', fault });

/** Checks a signature here, without asking a node. */
export function verify(coin: Coin, address: string, message: string, signature: string): Verdict {
	const prefix = coin.signMessagePrefix;
	if (prefix === null) return unreadable({ field: 'coin' });
	try {
		if (signsAsEvm(coin)) {
			if (!/^0x[0-9a-fA-F]{40}$/.test(address)) {
				return unreadable({ field: 'address', needs: 'evm' });
			}
			const signer = evmSigner(prefix, message, signature);
			return signer.toLowerCase() === address.toLowerCase()
				? { kind: 'valid' }
				: { kind: 'other', signer };
		}
		const hash = keyHashOf(address, coin);
		if (hash === null) return unreadable({ field: 'address', needs: 'key' });
		const signer = signerHash(prefix, message, signature);
		return bytesEqual(signer, hash)
			? { kind: 'valid' }
			: { kind: 'other', signer: addressOfKeyHash(signer, coin) };
	} catch (error) {
		if (!isChainError(error, 'message')) throw error;
		return unreadable({ field: 'signature', error });
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
