import { createHmac } from 'node:crypto';
import { addressOfPubkey } from '#lib/chain/address.ts';
import { bytesToHex } from '#lib/chain/bytes.ts';
import { publicKeyOf } from '#lib/chain/key.ts';

/** A public key in bytes and hex, with its address. */
export interface PublicKey {
	pubkey: Uint8Array;
	/** Hex of the 33 bytes. */
	pubkeyHex: string;
	address: string;
}

/** A key pair of a wallet. */
export interface Key extends PublicKey {
	privateKey: Uint8Array;
}

export const publicKey = (pubkey: Uint8Array): PublicKey => ({
	pubkey,
	pubkeyHex: bytesToHex(pubkey),
	address: addressOfPubkey(pubkey)
});

export const keyOf = (privateKey: Uint8Array): Key => {
	return { privateKey, ...publicKey(publicKeyOf(privateKey)) };
};

/** Derives 32 secret bytes from the network's seed and a label, so that they are the same after a restart. */
export const secretOf = (seed: string, label: string): Uint8Array =>
	new Uint8Array(createHmac('sha256', seed).update(label).digest());

/** Derives the key of a label. The chance that the bytes are not a valid key is 2^-128. */
export const keyFor = (seed: string, label: string): Key => keyOf(secretOf(seed, label));
