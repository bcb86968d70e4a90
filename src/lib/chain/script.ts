/** Output and input scripts: classifies them, builds them, and formats them as the daemon does (`asm`). */
import {
	ADDRESS_VERSION,
	SCRIPT_ADDRESS_VERSION,
	decodeAddress,
	encodeAddress
} from './address.ts';
import { bytesToHex, concat } from './bytes.ts';
import { hash160 } from './hash.ts';
import { isValidPubkey } from './key.ts';

const OP_RETURN = 0x6a;
/** Komodo's opcode that checks a crypto-condition. */
export const OP_CHECKCRYPTOCONDITION = 0xcc;
const OP_PUSHDATA1 = 0x4c;
const OP_PUSHDATA2 = 0x4d;
const OP_PUSHDATA4 = 0x4e;
const OP_1 = 0x51;
const OP_16 = 0x60;
const OP_CHECKMULTISIG = 0xae;
/** Sixteen keys of 65 bytes, each after a length prefix of up to five bytes, and three opcodes. */
const LONGEST_MULTISIG = 16 * (65 + 5) + 3;

export type ScriptType =
	| 'pubkey'
	| 'pubkeyhash'
	| 'scripthash'
	| 'multisig'
	| 'nulldata'
	| 'cryptocondition'
	| 'nonstandard';

/** Type of an output script and what it pays to. */
export interface ClassifiedScript {
	type: ScriptType;
	/** Public key of a `pubkey` script. */
	pubkey?: Uint8Array;
	/** All public keys of a `multisig` script. */
	pubkeys?: Uint8Array[];
	/** Number of signatures that a `multisig` script requires. */
	required?: number;
	/** 20 bytes: the hash that the address encodes. */
	hash?: Uint8Array;
	/** Payload of a `nulldata` script: its first push, or the remaining bytes when they are not a push. */
	data?: Uint8Array;
	/** Absent for `multisig`, `nulldata` and `nonstandard`. */
	address?: string;
}

/** One opcode or push of a script. A push has `data`; `end` is the offset after the step. */
export interface ScriptStep {
	opcode: number;
	data?: Uint8Array;
	start: number;
	end: number;
}

/** Returns the offset after the length prefix of the push at `at`; -1 when the prefix runs past the end. */
function pushStart(script: Uint8Array, at: number): number {
	const opcode = script[at]!;
	const width =
		opcode < OP_PUSHDATA1 ? 0 : opcode === OP_PUSHDATA1 ? 1 : opcode === OP_PUSHDATA2 ? 2 : 4;
	const start = at + 1 + width;
	return start > script.length ? -1 : start;
}

/** Returns the offset after the step at `at`; -1 when a push runs past the end. */
function stepEnd(script: Uint8Array, at: number): number {
	const opcode = script[at]!;
	if (opcode > OP_PUSHDATA4) return at + 1;
	const start = pushStart(script, at);
	if (start < 0) return -1;
	let length = opcode;
	if (opcode >= OP_PUSHDATA1) {
		length = 0;
		for (let i = start - 1; i > at; i--) length = length * 256 + script[i]!;
	}
	return start + length > script.length ? -1 : start + length;
}

/**
 * Splits a script into steps. A push that runs past the end stops parsing and sets `broken`.
 * @param most maximum number of steps to return; `count` and `end` still cover all steps
 */
export function parseSteps(
	script: Uint8Array,
	most = Infinity
): { steps: ScriptStep[]; count: number; end: number; broken: boolean } {
	const steps: ScriptStep[] = [];
	let count = 0;
	let at = 0;
	while (at < script.length) {
		const end = stepEnd(script, at);
		if (end < 0) return { steps, count, end: at, broken: true };
		count += 1;
		if (count <= most) {
			const opcode = script[at]!;
			const place = { start: at, end };
			const data = opcode > OP_PUSHDATA4 ? undefined : script.slice(pushStart(script, at), end);
			steps.push(data === undefined ? { opcode, ...place } : { opcode, data, ...place });
		}
		at = end;
	}
	return { steps, count, end: at, broken: false };
}

/** True when only pushes follow an offset, including the opcodes of small numbers. */
function isPushesFrom(script: Uint8Array, offset: number): boolean {
	let at = offset;
	while (at < script.length) {
		if (script[at]! > OP_16) return false;
		at = stepEnd(script, at);
		if (at < 0) return false;
	}
	return true;
}

/** Returns the pushed data of a script that has only pushes; otherwise null. */
export function parsePushes(script: Uint8Array): Uint8Array[] | null {
	const { steps, broken } = parseSteps(script);
	if (broken) return null;
	const pushes: Uint8Array[] = [];
	for (const step of steps) {
		if (step.data) pushes.push(step.data);
		else if (step.opcode >= OP_1 && step.opcode <= OP_16) {
			pushes.push(Uint8Array.of(step.opcode - OP_1 + 1));
		} else return null;
	}
	return pushes;
}

/** Encodes a push of these bytes with the shortest length prefix. */
export function pushData(bytes: Uint8Array): Uint8Array {
	const { length } = bytes;
	if (length < OP_PUSHDATA1) return concat(Uint8Array.of(length), bytes);
	if (length <= 0xff) return concat(Uint8Array.of(OP_PUSHDATA1, length), bytes);
	if (length <= 0xffff) {
		return concat(Uint8Array.of(OP_PUSHDATA2, length & 0xff, length >> 8), bytes);
	}
	const prefix = Uint8Array.of(OP_PUSHDATA4, 0, 0, 0, 0);
	new DataView(prefix.buffer).setUint32(1, length, true);
	return concat(prefix, bytes);
}

/** Returns the script of an output that holds data, pays no one and cannot be spent. */
export function opReturn(payload: Uint8Array): Uint8Array {
	return concat(Uint8Array.of(OP_RETURN), pushData(payload));
}

/** @param hash 20 bytes */
export function p2pkh(hash: Uint8Array): Uint8Array {
	return concat(Uint8Array.of(0x76, 0xa9, 0x14), hash, Uint8Array.of(0x88, 0xac));
}

/** @param hash 20 bytes */
export function p2sh(hash: Uint8Array): Uint8Array {
	return concat(Uint8Array.of(0xa9, 0x14), hash, Uint8Array.of(0x87));
}

/** Returns the script that pays an address. @throws {ChainError} `address` */
export function scriptOfAddress(address: string): Uint8Array {
	const { kind, hash } = decodeAddress(address);
	return kind === 'p2pkh' ? p2pkh(hash) : p2sh(hash);
}

/** @param pubkey 33 bytes */
export function p2pk(pubkey: Uint8Array): Uint8Array {
	return concat(pushData(pubkey), Uint8Array.of(0xac));
}

/**
 * Returns the part of a crypto-condition script that matters, up to and including the opcode; null for other
 * scripts.
 */
export function conditionPart(script: Uint8Array): Uint8Array | null {
	const length = script[0] ?? 0;
	const isPush = length > 0 && length < OP_PUSHDATA1;
	if (!isPush || script[1 + length] !== OP_CHECKCRYPTOCONDITION) return null;
	return script.slice(0, length + 2);
}

/** Classifies an output script, with the daemon's type names. Never throws. */
export function classify(script: Uint8Array): ClassifiedScript {
	const { length } = script;
	if (
		length === 25 &&
		script[0] === 0x76 &&
		script[1] === 0xa9 &&
		script[2] === 0x14 &&
		script[23] === 0x88 &&
		script[24] === 0xac
	) {
		const hash = script.slice(3, 23);
		return { type: 'pubkeyhash', hash, address: encodeAddress(hash) };
	}
	if (length === 23 && script[0] === 0xa9 && script[1] === 0x14 && script[22] === 0x87) {
		const hash = script.slice(2, 22);
		return { type: 'scripthash', hash, address: encodeAddress(hash, SCRIPT_ADDRESS_VERSION) };
	}
	if ((length === 35 || length === 67) && script[0] === length - 2 && script[length - 1] === 0xac) {
		const pubkey = script.slice(1, length - 1);
		const known = length === 67 ? pubkey[0] === 4 : isValidPubkey(pubkey);
		if (known) {
			const hash = hash160(pubkey);
			return { type: 'pubkey', pubkey, hash, address: encodeAddress(hash) };
		}
	}
	const condition = conditionPart(script);
	if (condition) {
		const hash = hash160(condition);
		return { type: 'cryptocondition', hash, address: encodeAddress(hash, ADDRESS_VERSION) };
	}
	if (script[0] === OP_RETURN && isPushesFrom(script, 1)) {
		const [first] = parseSteps(script.subarray(1), 1).steps;
		return { type: 'nulldata', data: first?.data ?? script.slice(1) };
	}
	return multisig(script) ?? { type: 'nonstandard' };
}

/**
 * Returns what a daemon reads as the payload of an output: the push behind OP_RETURN, whatever follows it. That may
 * make the script nonstandard, but no rule of consensus looks at it. Null for other scripts; cheap for these. Source:
 * `GetOpReturnData`, script/cc.cpp, of Komodo daemon 0.9.0.
 */
export function nulldataOf(script: Uint8Array): Uint8Array | null {
	if (script[0] !== OP_RETURN) return null;
	const end = script.length > 1 ? stepEnd(script, 1) : -1;
	const data =
		end < 0 || script[1]! > OP_PUSHDATA4 ? null : script.slice(pushStart(script, 1), end);
	return data?.length ? data : null;
}

function multisig(script: Uint8Array): ClassifiedScript | null {
	if (script.at(-1) !== OP_CHECKMULTISIG || script.length > LONGEST_MULTISIG) return null;
	const { steps, broken } = parseSteps(script);
	if (broken || steps.length < 4 || steps.at(-1)?.opcode !== OP_CHECKMULTISIG) return null;
	const small = (opcode: number | undefined): number =>
		opcode !== undefined && opcode >= OP_1 && opcode <= OP_16 ? opcode - OP_1 + 1 : 0;
	const required = small(steps[0]?.opcode);
	const total = small(steps.at(-2)?.opcode);
	const pubkeys = steps.slice(1, -2).map((step) => step.data ?? new Uint8Array());
	const fits = pubkeys.every((key) => key.length === 33 || key.length === 65);
	if (required < 1 || total !== pubkeys.length || required > total || !fits) return null;
	return { type: 'multisig', required, pubkeys };
}

/** Names of the opcodes from OP_NOP (61) to OP_NOP10 (b9), in order, without prefix. */
const NAMED_OPCODES = (
	'NOP VER IF NOTIF VERIF VERNOTIF ELSE ENDIF VERIFY RETURN TOALTSTACK FROMALTSTACK 2DROP ' +
	'2DUP 3DUP 2OVER 2ROT 2SWAP IFDUP DEPTH DROP DUP NIP OVER PICK ROLL ROT SWAP TUCK CAT ' +
	'SUBSTR LEFT RIGHT SIZE INVERT AND OR XOR EQUAL EQUALVERIFY RESERVED1 RESERVED2 1ADD 1SUB ' +
	'2MUL 2DIV NEGATE ABS NOT 0NOTEQUAL ADD SUB MUL DIV MOD LSHIFT RSHIFT BOOLAND BOOLOR ' +
	'NUMEQUAL NUMEQUALVERIFY NUMNOTEQUAL LESSTHAN GREATERTHAN LESSTHANOREQUAL ' +
	'GREATERTHANOREQUAL MIN MAX WITHIN RIPEMD160 SHA1 SHA256 HASH160 HASH256 CODESEPARATOR ' +
	'CHECKSIG CHECKSIGVERIFY CHECKMULTISIG CHECKMULTISIGVERIFY NOP1 CHECKLOCKTIMEVERIFY NOP3 ' +
	'NOP4 NOP5 NOP6 NOP7 NOP8 NOP9 NOP10'
).split(' ');
const OP_NOP = 0x61;

const OTHER_OPCODES: ReadonlyMap<number, string> = new Map([
	[0x4f, '-1'],
	[0x50, 'OP_RESERVED'],
	[OP_CHECKCRYPTOCONDITION, 'OP_CHECKCRYPTOCONDITION'],
	[0xff, 'OP_INVALIDOPCODE']
]);

/** Formats a push: as a number when it has at most four bytes, otherwise as hex. */
function pushText(data: Uint8Array): string {
	if (data.length === 0) return '0';
	if (data.length > 4) return bytesToHex(data);
	let value = 0;
	for (let i = data.length - 1; i >= 0; i--) value = value * 256 + data[i]!;
	const top = 2 ** (data.length * 8 - 1);
	return String(value >= top ? -(value - top) : value);
}

/** Returns the daemon's name of an opcode that is not a push of bytes. */
export function opcodeName(opcode: number): string {
	if (opcode >= OP_1 && opcode <= OP_16) return String(opcode - OP_1 + 1);
	const name = NAMED_OPCODES[opcode - OP_NOP];
	return name === undefined ? (OTHER_OPCODES.get(opcode) ?? 'OP_UNKNOWN') : `OP_${name}`;
}

function stepText(step: ScriptStep): string {
	return step.data ? pushText(step.data) : opcodeName(step.opcode);
}

/** Formats an output script as in the daemon's `asm`. */
export function scriptAsm(script: Uint8Array): string {
	const { steps, broken } = parseSteps(script);
	return [...steps.map(stepText), ...(broken ? ['[error]'] : [])].join(' ');
}

const HASH_TYPES: ReadonlyMap<number, string> = new Map([
	[0x01, 'ALL'],
	[0x02, 'NONE'],
	[0x03, 'SINGLE'],
	[0x81, 'ALL|ANYONECANPAY'],
	[0x82, 'NONE|ANYONECANPAY'],
	[0x83, 'SINGLE|ANYONECANPAY']
]);

/** Formats an input script as in the daemon's `asm`: each signature is followed by its hash type. */
export function scriptSigAsm(script: Uint8Array): string {
	const { steps, broken } = parseSteps(script);
	const words = steps.map((step) => {
		const { data } = step;
		if (!data || data.length < 9 || data.length > 73 || data[0] !== 0x30) return stepText(step);
		const type = HASH_TYPES.get(data[data.length - 1]!);
		const strict = data[1] === data.length - 3;
		return type && strict ? `${bytesToHex(data.slice(0, -1))}[${type}]` : stepText(step);
	});
	return [...words, ...(broken ? ['[error]'] : [])].join(' ');
}
