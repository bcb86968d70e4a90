import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { bytesToHex, concat, hexToBytes } from './bytes.ts';
import {
	BURN_PUBKEY,
	ccAddress,
	ccNode,
	ccScript,
	EVAL,
	nftScript,
	tokenScript
} from './cryptocondition.ts';
import { encodeCondition, encodeFulfillment } from './cryptocondition/encode.ts';
import { parseFulfillment, verifyFulfillment } from './cryptocondition/fulfillment.ts';
import type { ConditionNode } from './cryptocondition/node.ts';
import { signCcInput } from './cryptocondition/sign.ts';
import { publicKeyOf } from './key.ts';
import { classify, conditionPart, parsePushes, pushData } from './script.ts';
import { SIGHASH_ALL } from './sighash.ts';
import { signInput, verifyInput } from './sign.ts';
import { privateKey, satoshi, version4 } from './testdata/arbitrary.ts';
import vectors from './testdata/vectors.json' with { type: 'json' };

const KEY = Uint8Array.of(0x11, ...new Uint8Array(31));
const OTHER = Uint8Array.of(0x22, ...new Uint8Array(31));
const PUB = publicKeyOf(KEY);
const OTHER_PUB = publicKeyOf(OTHER);
const HASH = new Uint8Array(32).fill(7);

describe('scripts of crypto-conditions', () => {
	test('one eval costs 0x120c00, two cost 0x221000, and both say what is below', () => {
		expect(bytesToHex(tokenScript(PUB))).toMatch(/^2ea22c8020[0-9a-f]{64}8103120c008203000401cc$/);
		expect(bytesToHex(nftScript(PUB, EVAL.gateways))).toMatch(
			/^2ea22c8020[0-9a-f]{64}81032210008203000401cc$/
		);
	});

	test('the order of two keys and of two evals does not matter', () => {
		expect(bytesToHex(ccScript([PUB, OTHER_PUB], [EVAL.tokens]))).toBe(
			bytesToHex(ccScript([OTHER_PUB, PUB], [EVAL.tokens]))
		);
		expect(bytesToHex(ccScript([PUB], [EVAL.tokens, EVAL.assets]))).toBe(
			bytesToHex(ccScript([PUB], [EVAL.assets, EVAL.tokens]))
		);
	});

	test('data of a non-fungible token that names the token module needs no second module', () => {
		expect(bytesToHex(nftScript(PUB, EVAL.tokens))).toBe(bytesToHex(tokenScript(PUB)));
	});

	test('what follows the opcode does not change the address', () => {
		const script = tokenScript(PUB);
		const longer = concat(script, Uint8Array.of(0x02, 0xab, 0xcd, 0x75));
		expect(ccAddress(longer)).toBe(ccAddress(script));
		expect(classify(longer)).toMatchObject({
			type: 'cryptocondition',
			address: ccAddress(script)
		});
		expect(bytesToHex(conditionPart(longer)!)).toBe(bytesToHex(script));
	});

	test('the opcode without a direct push in front of it is no condition', () => {
		expect(classify(hexToBytes('cc')).type).toBe('nonstandard');
		expect(classify(hexToBytes('00cc')).type).toBe('nonstandard');
		expect(classify(concat(hexToBytes('4c02abcd'), hexToBytes('cc'))).type).toBe('nonstandard');
	});
});

describe('opening a crypto-condition', () => {
	const kinds: [string, Uint8Array, ConditionNode | undefined, number[]][] = [
		['a token of one key', tokenScript(PUB), undefined, [EVAL.tokens]],
		[
			'a non-fungible token',
			nftScript(PUB, EVAL.gateways),
			undefined,
			[EVAL.gateways, EVAL.tokens]
		],
		['one eval of another module', ccScript([PUB], [EVAL.assets]), undefined, [EVAL.assets]],
		[
			'one of two keys',
			ccScript([PUB, OTHER_PUB], [EVAL.tokens]),
			ccNode([PUB, OTHER_PUB], [EVAL.tokens]),
			[EVAL.tokens]
		],
		['a module that wallets do not know', ccScript([PUB], [0x33]), ccNode([PUB], [0x33]), [0x33]]
	];

	test.each(kinds)('%s: the key opens it, under that hash alone', (_, script, node, evals) => {
		const scriptSig = signCcInput(script, HASH, KEY, PUB, node)!;
		expect(verifyFulfillment(script, scriptSig, HASH)).toBe(true);
		expect(verifyFulfillment(script, scriptSig, new Uint8Array(32).fill(8))).toBe(false);
		expect(verifyFulfillment(tokenScript(BURN_PUBKEY), scriptSig, HASH)).toBe(false);
		const opened = parseFulfillment(scriptSig)!;
		expect([...opened.evals].sort()).toEqual([...evals].sort());
		expect(opened.pubkeys.map(bytesToHex)).toEqual([bytesToHex(PUB)]);
		expect(opened.hashType).toBe(SIGHASH_ALL);
	});

	test('either of two keys opens it', () => {
		const script = ccScript([PUB, OTHER_PUB], [EVAL.tokens]);
		const node = ccNode([PUB, OTHER_PUB], [EVAL.tokens]);
		const scriptSig = signCcInput(script, HASH, OTHER, OTHER_PUB, node)!;
		expect(verifyFulfillment(script, scriptSig, HASH)).toBe(true);
		expect(parseFulfillment(scriptSig)!.pubkeys.map(bytesToHex)).toEqual([bytesToHex(OTHER_PUB)]);
	});

	test('another key does not open it', () => {
		expect(signCcInput(tokenScript(PUB), HASH, OTHER, OTHER_PUB)).toBeNull();
		const node = ccNode([PUB], [EVAL.tokens]);
		expect(signCcInput(tokenScript(PUB), HASH, OTHER, OTHER_PUB, node)).toBeNull();
	});

	test('a condition without any signing part is not opened by nothing', () => {
		const node: ConditionNode = {
			type: 'threshold',
			threshold: 1,
			children: [{ type: 'eval', code: Uint8Array.of(EVAL.tokens) }]
		};
		const script = concat(pushData(encodeCondition(node)), Uint8Array.of(0xcc));
		const open = encodeFulfillment(node)!;
		const scriptSig = pushData(concat(open, Uint8Array.of(1)));
		expect(parseFulfillment(scriptSig)).not.toBeNull();
		expect(verifyFulfillment(script, scriptSig, HASH)).toBe(false);
	});

	test('a fulfillment in any other spelling is refused', () => {
		const good = hexToBytes(vectors.fulfillment);
		expect(parseFulfillment(pushData(good))).not.toBeNull();
		// A length in long form, children in another order, an extra byte, two pushes.
		const longLength = concat(good.slice(0, 1), Uint8Array.of(0x81), good.slice(1));
		const swapped = concat(
			good.slice(0, 4),
			good.slice(113, 118),
			good.slice(4, 113),
			good.slice(118)
		);
		for (const bytes of [longLength, swapped, concat(good, Uint8Array.of(0))]) {
			expect(parseFulfillment(pushData(bytes))).toBeNull();
		}
		expect(parseFulfillment(concat(pushData(good), pushData(good)))).toBeNull();
	});

	test('every change of one bit in a fulfillment is noticed', () => {
		const script = tokenScript(PUB);
		const [push] = parsePushes(signCcInput(script, HASH, KEY, PUB)!)!;
		fc.assert(
			fc.property(fc.nat(push!.length - 2), fc.nat(7), (at, bit) => {
				const changed = push!.slice();
				changed[at]! ^= 1 << bit;
				expect(verifyFulfillment(script, pushData(changed), HASH)).toBe(false);
			}),
			{ numRuns: 150 }
		);
	});
});

describe('inputs that spend crypto-conditions', () => {
	test('are signed over the complete script and the amount', () => {
		fc.assert(
			fc.property(version4, privateKey, satoshi, (tx, key, value) => {
				const prevout = { value, script: tokenScript(publicKeyOf(key)) };
				const signed = signInput(tx, 0, prevout, key);
				expect(verifyInput(signed, 0, prevout)).toBe(true);
				expect(verifyInput(signed, 0, { ...prevout, value: value + 1n })).toBe(false);
				expect(verifyInput({ ...signed, locktime: tx.locktime ^ 1 }, 0, prevout)).toBe(false);
				expect(verifyInput(tx, 0, prevout)).toBe(false);
			}),
			{ numRuns: 20 }
		);
	});

	test('of another key are refused with a reason', () => {
		const [tx] = fc.sample(version4, 1);
		const prevout = { value: 1n, script: tokenScript(OTHER_PUB) };
		expect(() => signInput(tx!, 0, prevout, KEY)).toThrow(
			expect.objectContaining({ code: 'sign.other-key' })
		);
		expect(() => signInput(tx!, 99, prevout, KEY)).toThrow(
			expect.objectContaining({ code: 'sign.no-input', params: { index: 99 } })
		);
		expect(() => signInput(tx!, 0, { value: 1n, script: hexToBytes('6a00') }, KEY)).toThrow(
			expect.objectContaining({ code: 'sign.unknown-script' })
		);
	});
});
