/** Signatures of the three types of output that wallets spend, and what invalidates them. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { concat } from './bytes.ts';
import { BURN_PUBKEY, ccNode, ccScript, EVAL, nftScript, tokenScript } from './cryptocondition.ts';
import { hash160 } from './hash.ts';
import { publicKeyOf, signDer } from './key.ts';
import { p2pk, p2pkh, p2sh, pushData } from './script.ts';
import {
	HASH_TYPES,
	OVERWINTER_BRANCH_ID,
	SAPLING_BRANCH_ID,
	SIGHASH_ALL,
	signatureHash
} from './sighash.ts';
import { faultySignature, signatureFault, signInput, verifyInput, type Prevout } from './sign.ts';
import { privateKey, satoshi, version1, version3, version4 } from './testdata/arbitrary.ts';
import { transparent, unsignedInput, type Transaction } from './transaction.ts';

type ScriptOf = (pubkey: Uint8Array) => Uint8Array;

const KINDS: [string, ScriptOf][] = [
	['a public key', p2pk],
	['an address', (pubkey) => p2pkh(hash160(pubkey))],
	['a token', tokenScript],
	['a non-fungible token', (pubkey) => nftScript(pubkey, EVAL.assets)]
];

const flipped = (source: Uint8Array, bit: number): Uint8Array => {
	const copy = source.slice();
	const at = (bit >> 3) % Math.max(copy.length, 1);
	if (copy.length > 0) copy[at]! ^= 1 << (bit & 7);
	return copy.length > 0 ? copy : Uint8Array.of(0);
};

/** Ways to flip one bit of the data that a signature covers. */
const CHANGES: [string, (tx: Transaction, bit: number) => Transaction][] = [
	['lock time', (tx, bit) => ({ ...tx, locktime: (tx.locktime ^ (1 << (bit & 31))) >>> 0 })],
	[
		'sequence',
		(tx, bit) => ({
			...tx,
			vin: tx.vin.map((input, i) =>
				i === 0 ? { ...input, sequence: (input.sequence ^ (1 << (bit & 31))) >>> 0 } : input
			)
		})
	],
	[
		'spent index',
		(tx, bit) => ({
			...tx,
			vin: tx.vin.map((input, i) =>
				i === 0 ? { ...input, vout: (input.vout ^ (1 << (bit & 31))) >>> 0 } : input
			)
		})
	],
	[
		'output amount',
		(tx, bit) => ({
			...tx,
			vout: tx.vout.map((output, i) =>
				i === 0 ? { ...output, value: output.value ^ (1n << BigInt(bit % 51)) } : output
			)
		})
	],
	[
		'output script',
		(tx, bit) => ({
			...tx,
			vout: tx.vout.map((output, i) =>
				i === 0 ? { ...output, script: flipped(output.script, bit) } : output
			)
		})
	],
	[
		'number of outputs',
		(tx) => ({ ...tx, vout: [...tx.vout, { value: 0n, script: p2pk(BURN_PUBKEY) }] })
	]
];

const withOutput = (tx: Transaction): Transaction => ({
	...tx,
	vout: [{ value: 5n, script: p2pk(BURN_PUBKEY) }, ...tx.vout]
});

describe.each(KINDS)('a signature for %s', (_, scriptOf) => {
	test('opens the output in every version', () => {
		fc.assert(
			fc.property(
				fc.oneof(version1, version3, version4),
				privateKey,
				satoshi,
				fc.nat(),
				(tx, key, value, pick) => {
					const index = pick % tx.vin.length;
					const prevout = { value, script: scriptOf(publicKeyOf(key)) };
					const signed = signInput(tx, index, prevout, key);
					expect(verifyInput(signed, index, prevout)).toBe(true);
					expect(verifyInput(signed, tx.vin.length, prevout)).toBe(false);
				}
			),
			{ numRuns: 20 }
		);
	});

	test.each(CHANGES)('breaks when one bit changes: %s', (_what, change) => {
		fc.assert(
			fc.property(version4, privateKey, satoshi, fc.nat(1000), (unsigned, key, value, bit) => {
				const tx = withOutput(unsigned);
				const prevout = { value, script: scriptOf(publicKeyOf(key)) };
				const signed = signInput(tx, 0, prevout, key);
				expect(verifyInput(change(signed, bit), 0, prevout)).toBe(false);
			}),
			{ numRuns: 8 }
		);
	});

	test('breaks when one bit of the spent amount changes, but for version 1, which does not sign it', () => {
		fc.assert(
			fc.property(
				version1,
				version4,
				privateKey,
				satoshi,
				fc.nat(50),
				(old, tx, key, value, bit) => {
					const prevout: Prevout = { value, script: scriptOf(publicKeyOf(key)) };
					const other = { ...prevout, value: value ^ (1n << BigInt(bit)) };
					expect(verifyInput(signInput(tx, 0, prevout, key), 0, other)).toBe(false);
					expect(verifyInput(signInput(old, 0, prevout, key), 0, other)).toBe(true);
				}
			),
			{ numRuns: 10 }
		);
	});

	test('does not open it on another branch of consensus', () => {
		const [tx] = fc.sample(version4, 1);
		const key = new Uint8Array(32).fill(9);
		const prevout = { value: 1n, script: scriptOf(publicKeyOf(key)) };
		const signed = signInput(tx!, 0, prevout, key);
		expect(verifyInput(signed, 0, prevout, SAPLING_BRANCH_ID)).toBe(true);
		expect(verifyInput(signed, 0, prevout, OVERWINTER_BRANCH_ID)).toBe(false);
	});

	test('of another key does not open it', () => {
		const [tx] = fc.sample(version4, 1);
		const key = new Uint8Array(32).fill(9);
		const other = new Uint8Array(32).fill(10);
		const prevout = { value: 1n, script: scriptOf(publicKeyOf(key)) };
		const foreign = { value: 1n, script: scriptOf(publicKeyOf(other)) };
		expect(() => signInput(tx!, 0, prevout, other)).toThrow(
			expect.objectContaining({ code: 'sign.other-key' })
		);
		expect(verifyInput(signInput(tx!, 0, foreign, other), 0, prevout)).toBe(false);
	});
});

describe('signing', () => {
	test('leaves the transaction that was given as it is, and other inputs unsigned', () => {
		fc.assert(
			fc.property(version4, privateKey, (tx, key) => {
				const before = structuredClone(tx);
				const prevout = { value: 7n, script: p2pk(publicKeyOf(key)) };
				const signed = signInput(tx, 0, prevout, key);
				expect(tx).toEqual(before);
				expect(signed.vin.slice(1)).toEqual(tx.vin.slice(1));
			}),
			{ numRuns: 10 }
		);
	});

	test('inputs signed one after the other all open their outputs', () => {
		fc.assert(
			fc.property(version4, privateKey, privateKey, (sample, one, two) => {
				const tx = { ...sample, vin: [sample.vin[0]!, { ...sample.vin[0]!, vout: 1 }] };
				const coin = { value: 10_000n, script: p2pkh(hash160(publicKeyOf(one))) };
				const token = { value: 3n, script: tokenScript(publicKeyOf(two)) };
				const signed = signInput(signInput(tx, 0, coin, one), 1, token, two);
				expect(verifyInput(signed, 0, coin)).toBe(true);
				expect(verifyInput(signed, 1, token)).toBe(true);
				expect(verifyInput(signed, 0, token)).toBe(false);
			}),
			{ numRuns: 10 }
		);
	});

	test('a condition of two keys is opened by either one when it is named', () => {
		const keys = [new Uint8Array(32).fill(3), new Uint8Array(32).fill(4)];
		const pubkeys = keys.map(publicKeyOf);
		const prevout = { value: 1n, script: ccScript(pubkeys, [EVAL.tokens, EVAL.assets]) };
		const condition = ccNode(pubkeys, [EVAL.tokens, EVAL.assets]);
		const [tx] = fc.sample(version4, 1);
		for (const key of keys) {
			expect(verifyInput(signInput(tx!, 0, prevout, key, condition), 0, prevout)).toBe(true);
			expect(() => signInput(tx!, 0, prevout, key)).toThrow(
				expect.objectContaining({ code: 'sign.other-key' })
			);
		}
	});

	test('something behind the signature makes the input invalid', () => {
		const key = new Uint8Array(32).fill(3);
		const prevout = { value: 1n, script: p2pk(publicKeyOf(key)) };
		const [sample] = fc.sample(version4, 1);
		const signed = signInput(sample!, 0, prevout, key);
		const [input, ...rest] = signed.vin;
		const longer = concat(input!.scriptSig, pushData(Uint8Array.of(9, 9)));
		expect(
			verifyInput({ ...signed, vin: [{ ...input!, scriptSig: longer }, ...rest] }, 0, prevout)
		).toBe(false);
		const hash = signatureHash(sample!, 0, prevout.script, prevout.value);
		const bare = pushData(signDer(hash, key));
		expect(
			verifyInput({ ...signed, vin: [{ ...input!, scriptSig: bare }, ...rest] }, 0, prevout)
		).toBe(false);
	});
});

describe('the signatures that an input holds', () => {
	const keys = [1, 2, 3].map((n) => new Uint8Array(32).fill(n));
	const [one, two, three] = keys.map(publicKeyOf);
	const draft = (vout: Transaction['vout'] = [{ value: 5n, script: p2pk(two!) }]): Transaction =>
		transparent({
			vin: [unsignedInput('ab'.repeat(32), 0), unsignedInput('cd'.repeat(32), 1)],
			vout
		});
	const coins = (script: Uint8Array): Prevout => ({ script, value: 9n });
	const withScript = (tx: Transaction, scriptSig: Uint8Array): Transaction => ({
		...tx,
		vin: tx.vin.map((input, at) => (at === 0 ? { ...input, scriptSig } : input))
	});
	const signature = (
		tx: Transaction,
		{ script, value }: Prevout,
		key: Uint8Array,
		type = SIGHASH_ALL
	): Uint8Array =>
		pushData(concat(signDer(signatureHash(tx, 0, script, value, type), key), Uint8Array.of(type)));

	const twoOfThree = concat(
		Uint8Array.of(0x52),
		...[one!, two!, three!].map(pushData),
		Uint8Array.of(0x53, 0xae)
	);
	const others = [...HASH_TYPES].filter(([, type]) => type !== SIGHASH_ALL);

	test('of every other type than ALL are found, whether the output is known or not', () => {
		const own = coins(p2pkh(hash160(one!)));
		for (const [name, type] of others) {
			const tx = signInput(draft(), 0, own, keys[0]!, undefined, type);
			expect(signatureFault(tx, 0, own), name).toBe('not-all');
			expect(signatureFault(tx, 0, null), name).toBe('not-all');
			const bare = signInput(draft(), 0, coins(p2pk(one!)), keys[0]!, undefined, type);
			expect(signatureFault(bare, 0, coins(p2pk(one!))), name).toBe('not-all');
		}
		const good = signInput(draft(), 0, own, keys[0]!);
		expect(signatureFault(good, 0, own)).toBeNull();
		expect(signatureFault(good, 0, null)).toBeNull();
	});

	test('beside good ones are found at their own input', () => {
		const own = coins(p2pk(one!));
		const half = signInput(draft(), 0, own, keys[0]!);
		const whole = signInput(half, 1, own, keys[0]!, undefined, HASH_TYPES.get('NONE'));
		expect(faultySignature(whole, [own, own])).toEqual({ input: 1, fault: 'not-all' });
		expect(faultySignature(half, [own, own])).toEqual({ input: 1, fault: 'unsigned' });
		expect(faultySignature(half, [own, own], ['unsigned'])).toBeNull();
	});

	test('over other outputs, amounts or of other keys are not good', () => {
		const own = coins(p2pkh(hash160(one!)));
		const tx = signInput(draft(), 0, own, keys[0]!);
		expect(signatureFault({ ...tx, vout: [] }, 0, own)).toBe('not-good');
		expect(signatureFault(tx, 0, { ...own, value: 8n })).toBe('not-good');
		const foreign = withScript(draft(), signature(draft(), coins(p2pk(one!)), keys[1]!));
		expect(signatureFault(foreign, 0, coins(p2pk(one!)))).toBe('not-good');
	});

	test('for a script with several keys count each by itself', () => {
		const address = coins(p2sh(hash160(twoOfThree)));
		const inside = coins(twoOfThree);
		const opened = (...signatures: Uint8Array[]): Transaction =>
			withScript(draft(), concat(Uint8Array.of(0), ...signatures, pushData(twoOfThree)));
		const by = (at: number, type = SIGHASH_ALL): Uint8Array =>
			signature(draft(), inside, keys[at]!, type);
		expect(signatureFault(opened(by(0), by(2)), 0, address)).toBeNull();
		expect(signatureFault(opened(by(0)), 0, address)).toBe('incomplete');
		expect(signatureFault(opened(Uint8Array.of(0), by(1)), 0, address)).toBe('incomplete');
		expect(signatureFault(opened(by(0), by(0)), 0, address)).toBe('not-good');
		for (const [name, type] of others) {
			expect(signatureFault(opened(by(0), by(1, type)), 0, address), name).toBe('not-all');
			expect(signatureFault(opened(by(1, type), by(2)), 0, null), name).toBe('not-all');
		}
		const bare = withScript(draft(), concat(Uint8Array.of(0), by(1), by(2)));
		expect(signatureFault(bare, 0, inside)).toBeNull();
		const other = coins(p2sh(hash160(p2pk(one!))));
		expect(signatureFault(opened(by(0), by(2)), 0, other)).toBe('unreadable');
	});

	test('of a crypto-condition are read from its fulfillment', () => {
		const token = coins(tokenScript(one!));
		const tx = signInput(draft(), 0, token, keys[0]!);
		expect(signatureFault(tx, 0, token)).toBeNull();
		expect(signatureFault(tx, 0, null)).toBeNull();
		const { scriptSig } = tx.vin[0]!;
		for (const type of [0x00, 0x02, 0x03, 0x81, 0x82, 0x83]) {
			const changed = withScript(tx, concat(scriptSig.slice(0, -1), Uint8Array.of(type)));
			expect(signatureFault(changed, 0, token)).toBe('not-all');
			expect(signatureFault(changed, 0, null)).toBe('not-all');
		}
		expect(signatureFault({ ...tx, vout: [] }, 0, token)).toBe('not-good');
	});

	test('that cannot be told apart are unreadable', () => {
		const own = coins(p2pk(one!));
		for (const script of [Uint8Array.of(0xac), Uint8Array.of(0x05, 1), Uint8Array.of(0x51)]) {
			expect(signatureFault(withScript(draft(), script), 0, null)).toBe('unreadable');
		}
		const twice = signature(draft(), own, keys[0]!);
		expect(signatureFault(withScript(draft(), concat(twice, twice)), 0, own)).toBe('unreadable');
		const strange = coins(Uint8Array.of(0x51));
		expect(signatureFault(withScript(draft(), twice), 0, strange)).toBe('unreadable');
	});
});
