import type { AddressKind } from './api.ts';
import { classify } from '#lib/chain/classified.ts';

/**
 * Which address index a script belongs to. P2PK is filed under the address of its key, as the
 * daemon does; crypto-condition outputs have an index of their own although their addresses look
 * the same. Null for scripts without an address (OP_RETURN, bare multisig, anything odd).
 */
export const base58AddressOf = (
	script: Uint8Array
): { address: string; kind: AddressKind } | null => {
	const { type, address } = classify(script);
	if (address === undefined) return null;
	return { address, kind: type === 'cryptocondition' ? 'cc' : 'normal' };
};
