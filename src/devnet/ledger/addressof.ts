import { bytesToHex } from '#lib/chain/bytes.ts';
import { ccAddress } from '#lib/chain/cryptocondition.ts';
import { classify } from '#lib/chain/script.ts';
import type { AddressKind } from './api.ts';

interface AddressOfScript {
	address: string;
	kind: AddressKind;
}

/** Scripts repeat (miners, notaries); base58 is the dear part of indexing a block. */
const known = new Map<string, AddressOfScript | null>();
const KNOWN_LIMIT = 20_000;

const work = (script: Uint8Array): AddressOfScript | null => {
	const kind = classify(script);
	if (kind.type === 'cryptocondition') return { address: ccAddress(script), kind: 'cc' };
	if (kind.type === 'pubkey' || kind.type === 'pubkeyhash' || kind.type === 'scripthash') {
		return kind.address === undefined ? null : { address: kind.address, kind: 'normal' };
	}
	return null;
};

/**
 * Which address index a script belongs to. P2PK is filed under the address of its key, as the
 * daemon does; crypto-condition outputs have an index of their own although their addresses look
 * the same. Null for scripts without an address (OP_RETURN, bare multisig, anything odd).
 */
export const base58AddressOf = (script: Uint8Array): AddressOfScript | null => {
	if (script.length > 100) return work(script);
	const key = bytesToHex(script);
	let found = known.get(key);
	if (found === undefined) {
		found = work(script);
		if (known.size >= KNOWN_LIMIT) known.clear();
		known.set(key, found);
	}
	return found;
};
