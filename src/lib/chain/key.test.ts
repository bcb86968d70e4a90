import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { addressOfPubkey, decodeAddress, encodeAddress, isValidAddress } from './address.ts';
import { bytesToHex } from './bytes.ts';
import { hash160 } from './hash.ts';
import {
	encodeWif,
	isValidPubkey,
	privateKeyFromWif,
	publicKeyOf,
	verifyCompact,
	verifyDer
} from './key.ts';
import { classify, p2pkh, p2sh } from './script.ts';
import { exactly, privateKey } from './testdata/arbitrary.ts';

describe('addresses', () => {
	test('are read as they were written', () => {
		fc.assert(
			fc.property(exactly(20), (hash) => {
				expect(decodeAddress(encodeAddress(hash))).toEqual({ kind: 'p2pkh', hash });
				expect(decodeAddress(encodeAddress(hash, 85))).toEqual({ kind: 'p2sh', hash });
				expect(encodeAddress(hash)).toMatch(/^R/);
				expect(encodeAddress(hash, 85)).toMatch(/^b/);
				expect(classify(p2pkh(hash)).address).toBe(encodeAddress(hash));
				expect(classify(p2sh(hash)).address).toBe(encodeAddress(hash, 85));
			})
		);
	});

	test('with one letter changed are refused', () => {
		const address = 'RN727JeeiZ6NXic7PUKTCiHT1HvuBN4RDa';
		expect(isValidAddress(address)).toBe(true);
		for (let i = 0; i < address.length; i++) {
			const letter = address[i] === 'x' ? 'y' : 'x';
			expect(isValidAddress(address.slice(0, i) + letter + address.slice(i + 1))).toBe(false);
		}
	});

	test.each([
		['', 'address.not-base58'],
		['0OIl', 'address.not-base58'],
		['x'.repeat(100_000), 'address.not-base58'],
		['1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2', 'address.wrong-network'],
		['UqGxMWnRwLqpLjkKPbzjTiJh4zUdzJr4Wv7rMRB5kU5xhWvVJ5kq', 'address.not-base58']
	])('%.40s is refused as %s', (text, code) => {
		expect(() => decodeAddress(text)).toThrow(
			expect.objectContaining({ name: 'ChainError', code, params: {} })
		);
	});
});

describe('keys', () => {
	test('are written for the wallet and read back', () => {
		fc.assert(
			fc.property(privateKey, (key) => {
				const wif = encodeWif(key);
				expect(wif).toMatch(/^U/);
				expect(bytesToHex(privateKeyFromWif(wif))).toBe(bytesToHex(key));
				expect(isValidPubkey(publicKeyOf(key))).toBe(true);
				expect(addressOfPubkey(bytesToHex(publicKeyOf(key)))).toBe(
					encodeAddress(hash160(publicKeyOf(key)))
				);
			}),
			{ numRuns: 30 }
		);
	});

	test.each([
		['', false],
		['02', false],
		['02d3431950c2f0f9654217b6ce3d44468d3a9ca7255741767fdeee7c5ec6b47567', true],
		['02D3431950C2F0F9654217B6CE3D44468D3A9CA7255741767FDEEE7C5EC6B47567', true],
		['05d3431950c2f0f9654217b6ce3d44468d3a9ca7255741767fdeee7c5ec6b47567', false],
		[`02${'ff'.repeat(32)}`, false],
		[`02${'00'.repeat(32)}`, false],
		['RN727JeeiZ6NXic7PUKTCiHT1HvuBN4RDa', false]
	])('%s as a public key: %s', (text, valid) => {
		expect(isValidPubkey(text)).toBe(valid);
	});

	test('signatures that are none are refused without an exception', () => {
		const key = publicKeyOf(new Uint8Array(32).fill(1));
		const hash = new Uint8Array(32);
		fc.assert(
			fc.property(fc.uint8Array({ maxLength: 80 }), (signature) => {
				expect(verifyDer(signature, hash, key)).toBe(false);
				expect(verifyCompact(signature, hash, key)).toBe(false);
				expect(verifyDer(signature, hash, signature)).toBe(false);
			})
		);
	});

	test('a private key of another network is refused', () => {
		expect(() => privateKeyFromWif('KwDiBf89QgGbjEhKnhXJuH7LrciVrZi3qYjgd9M7rFU73sVHnoWn')).toThrow(
			RangeError
		);
	});
});
