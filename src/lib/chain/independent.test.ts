/** An independent library must agree on transactions, signature hashes and signatures. */
import { bitgo, ecc, networks, Transaction as BitcoinTransaction } from '@bitgo/utxo-lib';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { bytesToHex, hexToBytes } from './bytes.ts';
import { addressOfPubkey } from './address.ts';
import { publicKeyOf, signCompact, signDer, verifyCompact, verifyDer } from './key.ts';
import { p2pk, p2pkh, parsePushes } from './script.ts';
import { hash160 } from './hash.ts';
import { OVERWINTER_BRANCH_ID, SAPLING_BRANCH_ID, signatureHash } from './sighash.ts';
import { signInput, verifyInput } from './sign.ts';
import { privateKey, satoshi, script, version1, version3, version4 } from './testdata/arbitrary.ts';
import recorded from './testdata/recorded.json' with { type: 'json' };
import {
	isShielded,
	parseTransaction,
	serializeTransaction,
	txidOf,
	type Transaction
} from './transaction.ts';

const HASH_TYPES = [1, 2, 3, 0x81, 0x82, 0x83];
const anyHashType = fc.constantFrom(...HASH_TYPES);

function zcash(tx: Transaction): InstanceType<typeof bitgo.ZcashTransaction<bigint>> {
	const parsed = bitgo.ZcashTransaction.fromBuffer<bigint>(
		Buffer.from(serializeTransaction(tx)),
		false,
		'bigint',
		networks.zcash
	);
	parsed.consensusBranchId = tx.version === 3 ? OVERWINTER_BRANCH_ID : SAPLING_BRANCH_ID;
	return parsed;
}

describe('another library reads our bytes', () => {
	test('and finds the same txids in what daemons made', () => {
		let seen = 0;
		for (const { hex } of recorded.transactions) {
			const tx = parseTransaction(hex);
			// Without inputs, the other library parses version 1 as a witness transaction.
			if (isShielded(tx) || (tx.version === 1 && tx.vin.length === 0)) continue;
			seen += 1;
			const other = tx.version === 1 ? BitcoinTransaction.fromHex(hex).getId() : zcash(tx).getId();
			expect(txidOf(tx)).toBe(other);
		}
		expect(seen).toBeGreaterThan(140);
	});

	test('and finds the same parts in arbitrary transactions', () => {
		fc.assert(
			fc.property(fc.oneof(version3, version4), (tx) => {
				const other = zcash(tx);
				expect(other.getId()).toBe(txidOf(tx));
				expect(other.expiryHeight).toBe(tx.expiryHeight);
				expect(other.locktime).toBe(tx.locktime);
				expect(other.outs.map(({ value }) => value)).toEqual(tx.vout.map(({ value }) => value));
				expect(other.ins.map(({ index }) => index)).toEqual(tx.vin.map(({ vout }) => vout));
				expect(bytesToHex(other.toBuffer())).toBe(bytesToHex(serializeTransaction(tx)));
			})
		);
	});
});

describe('another library signs the same hash', () => {
	test('for versions 3 and 4, whatever the hash type', () => {
		fc.assert(
			fc.property(
				fc.oneof(version3, version4),
				script,
				satoshi,
				anyHashType,
				fc.nat(),
				(tx, code, amount, hashType, pick) => {
					const index = pick % tx.vin.length;
					const other = zcash(tx).hashForSignatureByNetwork(
						index,
						Buffer.from(code),
						amount,
						hashType
					);
					expect(bytesToHex(signatureHash(tx, index, code, amount, hashType))).toBe(
						bytesToHex(other)
					);
				}
			)
		);
	});

	test('for version 1, whatever the hash type', () => {
		fc.assert(
			fc.property(version1, privateKey, anyHashType, fc.nat(), (tx, key, hashType, pick) => {
				const index = pick % tx.vin.length;
				const code = p2pk(publicKeyOf(key));
				if ((hashType & 3) === 3 && index >= tx.vout.length) {
					// The implementations differ here: Bitcoin signs the number one, Zcash and Komodo refuse.
					expect(() => signatureHash(tx, index, code, 0n, hashType)).toThrow(RangeError);
					return;
				}
				const other = BitcoinTransaction.fromBuffer(
					Buffer.from(serializeTransaction(tx))
				).hashForSignature(index, Buffer.from(code), hashType);
				expect(bytesToHex(signatureHash(tx, index, code, 0n, hashType))).toBe(bytesToHex(other));
			})
		);
	});

	test('for every input that daemons signed with a key that is in the script', () => {
		let seen = 0;
		for (const { hex } of recorded.transactions) {
			const tx = parseTransaction(hex);
			tx.vin.forEach((input, index) => {
				const key = parsePushes(input.scriptSig)?.[1];
				if (tx.version !== 4 || key?.length !== 33) return;
				seen += 1;
				const code = p2pkh(hash160(key));
				const other = zcash(tx).hashForSignatureByNetwork(index, Buffer.from(code), 12_345n, 1);
				expect(bytesToHex(signatureHash(tx, index, code, 12_345n))).toBe(bytesToHex(other));
			});
		}
		expect(seen).toBeGreaterThan(0);
	});
});

describe('another library checks our signatures', () => {
	test('64-byte ones, and ours are checked the same way', () => {
		fc.assert(
			fc.property(privateKey, fc.uint8Array({ minLength: 32, maxLength: 32 }), (key, hash) => {
				const signature = signCompact(hash, key);
				expect(ecc.verify(hash, publicKeyOf(key), signature)).toBe(true);
				expect(bytesToHex(ecc.sign(hash, key))).toBe(bytesToHex(signature));
				expect(verifyCompact(Uint8Array.from(ecc.sign(hash, key)), hash, publicKeyOf(key))).toBe(
					true
				);
				expect(verifyDer(signDer(hash, key), hash, publicKeyOf(key))).toBe(true);
			}),
			{ numRuns: 30 }
		);
	});

	test('in signed inputs of keys and addresses', () => {
		fc.assert(
			fc.property(version4, privateKey, satoshi, fc.boolean(), (tx, key, value, toKey) => {
				const pubkey = publicKeyOf(key);
				const prevout = { value, script: toKey ? p2pk(pubkey) : p2pkh(hash160(pubkey)) };
				const signed = signInput(tx, 0, prevout, key);
				expect(verifyInput(signed, 0, prevout)).toBe(true);
				expect(verifyInput(signed, 0, { ...prevout, value: value + 1n })).toBe(false);
				const hash = zcash(tx).hashForSignatureByNetwork(0, Buffer.from(prevout.script), value, 1);
				const [pushed] = parsePushes(signed.vin[0]!.scriptSig)!;
				expect(verifyDer(pushed!.slice(0, -1), hash, pubkey)).toBe(true);
			}),
			{ numRuns: 30 }
		);
	});

	test('a daemon’s own address of a key is ours', () => {
		expect(
			addressOfPubkey(
				hexToBytes('02d3431950c2f0f9654217b6ce3d44468d3a9ca7255741767fdeee7c5ec6b47567')
			)
		).toBe('RN727JeeiZ6NXic7PUKTCiHT1HvuBN4RDa');
	});
});
