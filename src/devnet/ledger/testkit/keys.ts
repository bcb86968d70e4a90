import { bytesToHex } from '#lib/chain/bytes.ts';
import { addressOfPubkey } from '#lib/chain/address.ts';
import { sha256 } from '#lib/chain/hash.ts';
import { publicKeyOf } from '#lib/chain/key.ts';

/** A key for tests. */
export interface TestKey {
	priv: Uint8Array;
	pub: Uint8Array;
	hex: string;
	address: string;
}

const made = new Map<string, TestKey>();

/** Derives a key from a name. */
export const keyOf = (name: string): TestKey => {
	let key = made.get(name);
	if (!key) {
		const priv = sha256(new TextEncoder().encode(name));
		const pub = publicKeyOf(priv);
		key = { priv, pub, hex: bytesToHex(pub), address: addressOfPubkey(pub) };
		made.set(name, key);
	}
	return key;
};

export const MINER = keyOf('miner');
export const ALICE = keyOf('alice');
export const BOB = keyOf('bob');
export const NOTARIES: readonly TestKey[] = Array.from({ length: 64 }, (_, n) =>
	keyOf(`notary ${n}`)
);
