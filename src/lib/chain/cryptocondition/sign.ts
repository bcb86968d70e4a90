/** Signs inputs that spend crypto-conditions. */
import { bytesEqual, bytesToHex, concat } from '../bytes.ts';
import { ccNode, MODULES, scriptOf, UNIT_EVALS } from '../cryptocondition.ts';
import { isValidPubkey, signCompact } from '../key.ts';
import { conditionPart, pushData } from '../script.ts';
import { encodeFulfillment } from './encode.ts';
import type { ConditionNode } from './node.ts';

/**
 * Conditions that one key can fulfill and that wallets of these chains encounter: tokens, with each module.
 */
function candidates(pubkey: Uint8Array): ConditionNode[] {
	return [...UNIT_EVALS, ...MODULES.map((code) => [code])].map((codes) => ccNode([pubkey], codes));
}

/**
 * Returns the input script that fulfills a condition with one key.
 *
 * @param node the condition, if the caller knows it (several keys, other eval codes); otherwise the usual
 *   conditions of the key are tried
 * @returns null when none of these conditions matches the script
 */
export function signCcInput(
	script: Uint8Array,
	sighash: Uint8Array,
	privateKey: Uint8Array,
	pubkey: Uint8Array,
	node?: ConditionNode
): Uint8Array | null {
	if (!isValidPubkey(pubkey)) return null;
	const condition = conditionPart(script);
	if (!condition) return null;
	const found = (node ? [node] : candidates(pubkey)).find(
		(candidate) => bytesToHex(scriptOf(candidate)) === bytesToHex(condition)
	);
	if (!found) return null;
	const signature = signCompact(sighash, privateKey);
	const open = encodeFulfillment(withSignature(found, pubkey, signature));
	return open && pushData(concat(open, Uint8Array.of(1)));
}

function withSignature(
	node: ConditionNode,
	pubkey: Uint8Array,
	signature: Uint8Array
): ConditionNode {
	if (node.type === 'threshold') {
		return {
			...node,
			children: node.children.map((child) => withSignature(child, pubkey, signature))
		};
	}
	return node.type === 'secp256k1' && bytesEqual(node.pubkey, pubkey)
		? { ...node, signature }
		: node;
}
