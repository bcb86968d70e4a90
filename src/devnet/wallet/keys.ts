import { createHmac } from 'node:crypto';
import { addressOfPubkey } from '#lib/chain/address.ts';
import { bytesToHex } from '#lib/chain/bytes.ts';
import { publicKeyOf } from '#lib/chain/key.ts';

/** A public key and what follows from it. */
export interface PublicKey {
	pubkey: Uint8Array;
	/** Hex of the 33 bytes. */
	pubkeyHex: string;
	address: string;
}

/** A key of a wallet. */
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

/** 32 secret bytes that follow from the network's seed and a label, so that a restart finds them again. */
export const secretOf = (seed: string, label: string): Uint8Array =>
	new Uint8Array(createHmac('sha256', seed).update(label).digest());

/** The key of a label. That the bytes are no valid key has a chance of 2^-128. */
export const keyFor = (seed: string, label: string): Key => keyOf(secretOf(seed, label));
