/** Encodes conditions (for output scripts) and fulfillments (for input scripts). */
import { concat } from '../bytes.ts';
import { sha256 } from '../hash.ts';
import { der, derBits, derInteger, sortedSet } from './der.ts';
import { costOf, idOf, subtypesOf, type ConditionNode } from './node.ts';

function fingerprint(node: Exclude<ConditionNode, { type: 'closed' }>): Uint8Array {
	switch (node.type) {
		case 'preimage':
			return sha256(node.preimage);
		case 'eval':
			return sha256(node.code);
		case 'secp256k1':
		case 'ed25519':
			return sha256(der(0x30, der(0x80, node.pubkey)));
		case 'threshold':
			return sha256(
				der(
					0x30,
					concat(
						der(0x80, derInteger(node.threshold)),
						der(0xa1, sortedSet(node.children.map(encodeCondition)))
					)
				)
			);
	}
}

/** Encodes a condition: fingerprint, cost and, for a compound node, the types below it. */
export function encodeCondition(node: ConditionNode): Uint8Array {
	if (node.type === 'closed') return node.encoded;
	const parts = [der(0x80, fingerprint(node)), der(0x81, derInteger(costOf(node)))];
	if (node.type === 'threshold') parts.push(der(0x82, derBits(subtypesOf(node))));
	return der(0xa0 | idOf(node), concat(...parts));
}

/** Encodes the fulfillment of a node; null when signatures are missing. */
export function encodeFulfillment(node: ConditionNode): Uint8Array | null {
	const tag = 0xa0 | idOf(node);
	switch (node.type) {
		case 'closed':
			return null;
		case 'preimage':
			return der(tag, der(0x80, node.preimage));
		case 'eval':
			return der(tag, der(0x80, node.code));
		case 'secp256k1':
		case 'ed25519':
			return node.signature
				? der(tag, concat(der(0x80, node.pubkey), der(0x81, node.signature)))
				: null;
		case 'threshold': {
			const opened: Uint8Array[] = [];
			const closed: Uint8Array[] = [];
			for (const child of node.children) {
				const open = opened.length < node.threshold ? encodeFulfillment(child) : null;
				if (open) opened.push(open);
				else closed.push(encodeCondition(child));
			}
			if (opened.length < node.threshold) return null;
			return der(tag, concat(der(0xa0, sortedSet(opened)), der(0xa1, sortedSet(closed))));
		}
	}
}
