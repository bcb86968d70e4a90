/** Parses and verifies the fulfillments of inputs. */
import { ed25519 } from '@noble/curves/ed25519.js';
import { ByteReader, bytesEqual } from '../bytes.ts';
import { verifyCompact } from '../key.ts';
import { conditionPart, parsePushes } from '../script.ts';
import { der, readAll, readTlv, type Tlv } from './der.ts';
import { encodeCondition, encodeFulfillment } from './encode.ts';
import { walk, type ConditionNode } from './node.ts';

const MAX_DEPTH = 8;

function bodyOf(items: readonly Tlv[], index: number, tag: number): Uint8Array {
	const item = items[index];
	if (item?.tag !== tag) throw new RangeError('A part of the crypto-condition is missing.');
	return item.body;
}

function openNode({ tag, body }: Tlv, depth: number): ConditionNode {
	if (depth > MAX_DEPTH) throw new RangeError('The crypto-condition is nested too deeply.');
	const items = readAll(body);
	switch (tag) {
		case 0xa0:
			return { type: 'preimage', preimage: bodyOf(items, 0, 0x80) };
		case 0xaf:
			return { type: 'eval', code: bodyOf(items, 0, 0x80) };
		case 0xa4:
		case 0xa5:
			return {
				type: tag === 0xa5 ? 'secp256k1' : 'ed25519',
				pubkey: bodyOf(items, 0, 0x80),
				signature: bodyOf(items, 1, 0x81)
			};
		case 0xa2: {
			const opened = readAll(bodyOf(items, 0, 0xa0)).map((item) => openNode(item, depth + 1));
			const closed = readAll(bodyOf(items, 1, 0xa1)).map(closedNode);
			return { type: 'threshold', threshold: opened.length, children: [...opened, ...closed] };
		}
		default:
			throw new RangeError('This crypto-condition has a part of an unknown type.');
	}
}

function closedNode({ tag, body }: Tlv): ConditionNode {
	const id = tag & 0x1f;
	if (id !== 0 && id !== 2 && id !== 4 && id !== 5 && id !== 15) {
		throw new RangeError('This crypto-condition has a part of an unknown type.');
	}
	const items = readAll(body);
	const cost = bodyOf(items, 1, 0x81).reduce((sum, byte) => sum * 256 + byte, 0);
	const bits = items[2]?.tag === 0x82 ? items[2].body.slice(1) : new Uint8Array(0);
	const subtypes = new Set<number>();
	bits.forEach((byte, i) => {
		for (let bit = 0; bit < 8; bit++) if (byte & (0x80 >> bit)) subtypes.add(8 * i + bit);
	});
	return { type: 'closed', encoded: der(tag, body), id, cost, subtypes };
}

/** The parsed fulfillment of an input. */
interface Fulfillment {
	node: ConditionNode;
	hashType: number;
	/** First byte of each eval node's code: the modules that must approve the transaction. */
	evals: number[];
	/** Public keys with a signature in the fulfillment, 33 bytes each. */
	pubkeys: Uint8Array[];
}

/**
 * Parses the script of an input that spends a crypto-condition: one push of fulfillment and hash type. Null
 * when it is not one, or is not in canonical encoding.
 */
export function parseFulfillment(scriptSig: Uint8Array): Fulfillment | null {
	const pushes = parsePushes(scriptSig);
	const push = pushes?.[0];
	if (pushes?.length !== 1 || !push || push.length < 3) return null;
	const bytes = push.slice(0, -1);
	try {
		const reader = new ByteReader(bytes);
		const node = openNode(readTlv(reader), 0);
		if (reader.remaining > 0) return null;
		const again = encodeFulfillment(node);
		if (!again || !bytesEqual(again, bytes)) return null;
		const evals: number[] = [];
		const pubkeys: Uint8Array[] = [];
		walk(node, (part) => {
			if (part.type === 'eval' && part.code.length > 0) evals.push(part.code[0]!);
			if (part.type === 'secp256k1') pubkeys.push(part.pubkey);
		});
		return { node, hashType: push[push.length - 1]!, evals, pubkeys };
	} catch {
		return null;
	}
}

/**
 * True when the input fulfills exactly the condition of this script and all its signatures match the hash.
 * The rules of the eval modules are not checked.
 */
export function verifyFulfillment(
	script: Uint8Array,
	scriptSig: Uint8Array,
	sighash: Uint8Array
): boolean {
	const opened = parseFulfillment(scriptSig);
	const condition = conditionPart(script);
	const wanted = condition && parsePushes(condition.slice(0, -1))?.[0];
	if (!opened || !wanted || !bytesEqual(encodeCondition(opened.node), wanted)) return false;
	let signatures = 0;
	let good = true;
	walk(opened.node, (node) => {
		if (node.type === 'secp256k1') {
			signatures += 1;
			good &&= !!node.signature && verifyCompact(node.signature, sighash, node.pubkey);
		} else if (node.type === 'ed25519') {
			signatures += 1;
			good &&= !!node.signature && verifyEd25519(node.signature, sighash, node.pubkey);
		}
	});
	return good && signatures > 0;
}

function verifyEd25519(signature: Uint8Array, hash: Uint8Array, pubkey: Uint8Array): boolean {
	try {
		return ed25519.verify(signature, hash, pubkey);
	} catch {
		return false;
	}
}
