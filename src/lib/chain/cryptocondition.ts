/**
 * Crypto-conditions as Komodo uses them: outputs that need signatures and the approval of a validating module
 * (an "eval"). The output script holds the condition, a fingerprint; the input that spends it holds the
 * fulfillment. Both are DER with automatic context tags.
 */
import { ed25519 } from '@noble/curves/ed25519.js';
import { ByteReader, bytesEqual, bytesToHex, compareBytes, concat, hexToBytes } from './bytes.ts';
import { sha256, hash160 } from './hash.ts';
import { isValidPubkey, signCompact, verifyCompact } from './key.ts';
import { encodeAddress } from './address.ts';
import { ChainError } from './chainError.ts';
import { conditionPart, OP_CHECKCRYPTOCONDITION, parsePushes, pushData } from './script.ts';

/** Eval codes of the validating modules. */
export const EVAL = {
	importPayout: 0xe1,
	importCoin: 0xe2,
	assets: 0xe3,
	faucet: 0xe4,
	rewards: 0xe5,
	dice: 0xe6,
	fsm: 0xe7,
	auction: 0xe8,
	lotto: 0xe9,
	heir: 0xea,
	channels: 0xeb,
	oracles: 0xec,
	payments: 0xf0,
	gateways: 0xf1,
	tokens: 0xf2,
	importGateway: 0xf3
} as const;

/** Public key of the global token address, 33 bytes. Its private key is publicly known. */
export const TOKENS_GLOBAL_PUBKEY: Uint8Array = hexToBytes(
	'03e6191c70c9c9a28f9fd87089b9488d0e6c02fb629df64979c9cdb6b2b4a68d95'
);
/** Tokens sent to this public key (33 bytes) are burned: its private key is unknown. */
export const BURN_PUBKEY: Uint8Array = hexToBytes(
	'02deaddeaddeaddeaddeaddeaddeaddeaddeaddeaddeaddeaddeaddeaddeaddead'
);

type TypeId = 0 | 2 | 4 | 5 | 15;
const TYPE = { preimage: 0, threshold: 2, ed25519: 4, secp256k1: 5, eval: 15 } as const;

/** A node of a condition tree. A signing node without a signature cannot be fulfilled. */
export type ConditionNode =
	| { type: 'preimage'; preimage: Uint8Array }
	| { type: 'eval'; code: Uint8Array }
	| { type: 'secp256k1'; pubkey: Uint8Array; signature?: Uint8Array }
	| { type: 'ed25519'; pubkey: Uint8Array; signature?: Uint8Array }
	| { type: 'threshold'; threshold: number; children: ConditionNode[] }
	/** A branch of which only the fingerprint is known. */
	| {
			type: 'closed';
			encoded: Uint8Array;
			id: TypeId;
			cost: number;
			subtypes: ReadonlySet<number>;
	  };

function der(tag: number, body: Uint8Array): Uint8Array {
	const { length } = body;
	if (length < 0x80) return concat(Uint8Array.of(tag, length), body);
	if (length <= 0xff) return concat(Uint8Array.of(tag, 0x81, length), body);
	return concat(Uint8Array.of(tag, 0x82, length >> 8, length & 0xff), body);
}

function derInteger(value: number): Uint8Array {
	const bytes: number[] = [];
	for (let rest = value; rest > 0; rest = Math.floor(rest / 256)) bytes.unshift(rest % 256);
	if (bytes.length === 0 || bytes[0]! >= 0x80) bytes.unshift(0);
	return Uint8Array.from(bytes);
}

/** DER bit string in which bit n marks type n. */
function derBits(types: ReadonlySet<number>): Uint8Array {
	const highest = Math.max(...types);
	const bytes = new Uint8Array((highest >> 3) + 1);
	for (const type of types) bytes[type >> 3]! |= 0x80 >> (type & 7);
	return concat(Uint8Array.of(7 - (highest & 7)), bytes);
}

/** DER SET OF: the items sorted by their bytes. */
const sortedSet = (items: readonly Uint8Array[]): Uint8Array =>
	concat(...[...items].sort(compareBytes));

function idOf(node: ConditionNode): TypeId {
	return node.type === 'closed' ? node.id : TYPE[node.type];
}

function costOf(node: ConditionNode): number {
	switch (node.type) {
		case 'closed':
			return node.cost;
		case 'preimage':
			return node.preimage.length;
		case 'eval':
			return 1_048_576;
		case 'secp256k1':
		case 'ed25519':
			return 131_072;
		case 'threshold': {
			const costs = node.children.map(costOf).sort((a, b) => b - a);
			const dearest = costs.slice(0, node.threshold).reduce((sum, cost) => sum + cost, 0);
			return dearest + 1024 * node.children.length;
		}
	}
}

/** Returns the types below a compound node, without its own type. */
function subtypesOf(node: ConditionNode): Set<number> {
	const types = new Set<number>();
	if (node.type === 'closed') return new Set(node.subtypes);
	if (node.type !== 'threshold') return types;
	for (const child of node.children) {
		types.add(idOf(child));
		for (const type of subtypesOf(child)) types.add(type);
	}
	types.delete(TYPE.threshold);
	return types;
}

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

interface Tlv {
	tag: number;
	body: Uint8Array;
}

function readTlv(reader: ByteReader): Tlv {
	const tag = reader.u8('tag');
	let length = reader.u8('DER length');
	if (length >= 0x80) {
		const width = length & 0x7f;
		if (width < 1 || width > 3) {
			throw new ChainError('parse.der-length', { what: 'DER length', offset: reader.offset });
		}
		length = 0;
		for (let i = 0; i < width; i++) length = length * 256 + reader.u8('DER length');
	}
	return { tag, body: reader.take(length, 'DER value') };
}

function readAll(body: Uint8Array): Tlv[] {
	const reader = new ByteReader(body);
	const items: Tlv[] = [];
	while (reader.remaining > 0) items.push(readTlv(reader));
	return items;
}

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

function walk(node: ConditionNode, visit: (node: ConditionNode) => void): void {
	visit(node);
	if (node.type === 'threshold') for (const child of node.children) walk(child, visit);
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

/**
 * Builds the condition of token outputs: all eval modules and one of the keys. For one eval and one key it is
 * 2-of-2 { eval, 1-of-1 { key } }; the inner threshold is present even for one key.
 */
export function ccNode(pubkeys: readonly Uint8Array[], evals: readonly number[]): ConditionNode {
	const keys: ConditionNode = {
		type: 'threshold',
		threshold: 1,
		children: pubkeys.map((pubkey) => ({ type: 'secp256k1', pubkey }))
	};
	const modules: ConditionNode[] = evals.map((code) => ({
		type: 'eval',
		code: Uint8Array.of(code)
	}));
	return { type: 'threshold', threshold: modules.length + 1, children: [...modules, keys] };
}

const scriptOf = (node: ConditionNode): Uint8Array =>
	concat(pushData(encodeCondition(node)), Uint8Array.of(OP_CHECKCRYPTOCONDITION));

/** Returns the output script for these eval modules and any one of these keys. */
export function ccScript(pubkeys: readonly Uint8Array[], evals: readonly number[]): Uint8Array {
	return scriptOf(ccNode(pubkeys, evals));
}

/** Returns the script that holds a fungible token of a key. */
export function tokenScript(pubkey: Uint8Array): Uint8Array {
	return ccScript([pubkey], [EVAL.tokens]);
}

/**
 * Returns the script that holds a non-fungible token of a key. The first byte of the token's data names a
 * second eval module; when it is the token module itself, no second one is needed.
 */
export function nftScript(pubkey: Uint8Array, evalCode: number): Uint8Array {
	return evalCode === EVAL.tokens
		? tokenScript(pubkey)
		: ccScript([pubkey], [evalCode, EVAL.tokens]);
}

/** Returns the address of a crypto-condition script. Coins sent to it as to an ordinary address are lost. */
export function ccAddress(script: Uint8Array): string {
	return encodeAddress(hash160(conditionPart(script) ?? script));
}

const MODULES = Object.values(EVAL).filter((code) => code !== EVAL.tokens);
/** The eval codes of conditions that can hold units of tokens: those of tokens, alone and with each module. */
export const UNIT_EVALS: readonly (readonly number[])[] = [
	[EVAL.tokens],
	...MODULES.map((code) => [code, EVAL.tokens])
];

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
