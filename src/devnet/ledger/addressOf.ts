import type { AddressKind } from './api.ts';
import { classify } from '#lib/chain/classified.ts';

/**
 * Returns the address under which a script is indexed, and in which index. P2PK is indexed by the address of
 * its key, as in the daemon; crypto-condition outputs have a separate index, although their addresses look
 * the same. Null for scripts without an address (OP_RETURN, bare multisig, nonstandard).
 */
export const base58AddressOf = (
	script: Uint8Array
): { address: string; kind: AddressKind } | null => {
	const { type, address } = classify(script);
	if (address === undefined) return null;
	return { address, kind: type === 'cryptocondition' ? 'cc' : 'normal' };
};
