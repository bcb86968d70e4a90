/**
 * All hex recorded from running Komodo daemons or shown in their documentation. The recordings include
 * deliberately invalid imports and two hex texts that the documentation cut off.
 */
import { describe, expect, test } from 'vitest';
import { blockHash, parseBlock, parseHeader, serializeBlock, serializeHeader } from './block.ts';
import { ByteReader, bytesToHex, displayHash, hexToBytes, internalHash } from './bytes.ts';
import { parsePayouts, serializePayouts } from './burn.ts';
import { explainHex } from './explain.ts';
import { parseImport } from './importProof.ts';
import { merkleRoot } from './merkle.ts';
import { classify, scriptAsm, scriptSigAsm, parsePushes } from './script.ts';
import { parseNotarization, serializeNotarization } from './notarization.ts';
import { parseTransaction, serializeTransaction, skipTransaction, txidOf } from './transaction.ts';
import {
	buildTxOutProof,
	parseTxOutProof,
	provenTxids,
	serializeTxOutProof
} from './txOutProof.ts';
import { encodeFulfillment } from './cryptocondition/encode.ts';
import { parseFulfillment } from './cryptocondition/fulfillment.ts';
import recorded from './testdata/recorded.json' with { type: 'json' };
import scripts from './testdata/scripts.json' with { type: 'json' };
import vectors from './testdata/vectors.json' with { type: 'json' };

const all = recorded.transactions.map(({ hex }) => parseTransaction(hex));

describe('recorded transactions', () => {
	test('there are many of both formats', () => {
		expect(all.length).toBeGreaterThan(140);
		expect(all.filter((tx) => tx.version === 1).length).toBeGreaterThan(5);
		expect(all.filter((tx) => tx.version === 4).length).toBeGreaterThan(100);
	});

	test('each serializes back to its bytes', () => {
		for (const { hex } of recorded.transactions) {
			expect(bytesToHex(serializeTransaction(parseTransaction(hex)))).toBe(hex);
		}
	});

	test('leaving one out ends where reading it ends', () => {
		for (const { hex } of recorded.transactions) {
			const reader = new ByteReader(hexToBytes(`${hex}00`));
			skipTransaction(reader);
			expect(reader.remaining).toBe(1);
			const short = new ByteReader(hexToBytes(hex.slice(0, -2)));
			expect(() => skipTransaction(short)).toThrow(/^parse\./);
		}
	});

	test('each has the txid that the daemon said', () => {
		const known = recorded.transactions.filter((entry) => 'txid' in entry);
		expect(known.length).toBeGreaterThan(50);
		for (const { hex, txid } of known) expect(txidOf(parseTransaction(hex))).toBe(txid);
	});

	test('a byte more or a byte less is refused', () => {
		for (const { hex } of recorded.transactions) {
			expect(() => parseTransaction(`${hex}00`)).toThrow(/^parse\./);
			expect(() => parseTransaction(hex.slice(0, -2))).toThrow(/^parse\./);
		}
	});

	test('documented hexes that are cut off are refused', () => {
		expect(recorded.cutOff).toHaveLength(2);
		for (const hex of recorded.cutOff) expect(() => parseTransaction(hex)).toThrow(/^parse\./);
	});

	test('fulfillments that daemons made are read and written back', () => {
		let seen = 0;
		for (const tx of all) {
			for (const { scriptSig } of tx.vin) {
				const opened = parseFulfillment(scriptSig);
				if (!opened) continue;
				seen += 1;
				const [push] = parsePushes(scriptSig)!;
				expect(bytesToHex(encodeFulfillment(opened.node)!)).toBe(bytesToHex(push!.slice(0, -1)));
				expect(opened.evals.length).toBeGreaterThan(0);
				expect(opened.pubkeys.length).toBeGreaterThan(0);
			}
		}
		expect(seen).toBeGreaterThan(5);
	});

	test('notarizations that daemons accepted are read and written back', () => {
		let seen = 0;
		for (const tx of all) {
			const script = tx.vout[1]?.script;
			for (const form of ['back', 'kmd'] as const) {
				const nota = script && parseNotarization(script, form);
				if (!nota) continue;
				seen += 1;
				expect(bytesToHex(serializeNotarization(nota, form))).toBe(
					bytesToHex(classify(script).data!)
				);
			}
		}
		expect(seen).toBeGreaterThan(0);
	});
});

describe('recorded blocks and proofs', () => {
	test('blocks serialize back and hold the merkle root of their transactions', () => {
		expect(recorded.blocks.length).toBeGreaterThan(1);
		for (const block of recorded.blocks) {
			const parsed = parseBlock(block.hex);
			expect(bytesToHex(serializeBlock(parsed))).toBe(block.hex);
			if ('hash' in block) expect(blockHash(parsed.header)).toBe(block.hash);
			const ids = parsed.transactions.map((tx) => internalHash(txidOf(tx)));
			expect(displayHash(merkleRoot(ids))).toBe(parsed.header.merkleRoot);
			const header = bytesToHex(serializeHeader(parsed.header));
			expect(block.hex.startsWith(header)).toBe(true);
			expect(parseHeader(header)).toEqual(parsed.header);
		}
	});

	test('proofs of gettxoutproof serialize back and prove their transaction', () => {
		for (const hex of recorded.proofs) {
			const proof = parseTxOutProof(hex);
			expect(bytesToHex(serializeTxOutProof(proof))).toBe(hex);
			const { root, matches } = provenTxids(proof);
			expect(matches).toHaveLength(1);
			expect(displayHash(root)).toBe(proof.header.merkleRoot);
		}
	});

	test('a proof that is built from a block proves what was asked', () => {
		for (const { hex } of recorded.blocks) {
			const block = parseBlock(hex);
			for (const tx of block.transactions) {
				const proof = buildTxOutProof(block, [txidOf(tx)]);
				const { root, matches } = provenTxids(parseTxOutProof(serializeTxOutProof(proof)));
				expect(matches).toEqual([txidOf(tx)]);
				expect(displayHash(root)).toBe(block.header.merkleRoot);
			}
			expect(() => buildTxOutProof(block, ['0'.repeat(64)])).toThrow(RangeError);
		}
	});

	test('payouts serialize back', () => {
		for (const hex of [...recorded.payouts, vectors.payouts]) {
			expect(bytesToHex(serializePayouts(parsePayouts(hex)))).toBe(hex);
		}
	});
});

describe('recorded scripts', () => {
	const outputs = scripts.filter((script) => 'type' in script);
	const inputs = scripts.filter((script) => !('type' in script));

	test.each(outputs)('output script $hex has its type, address and text', (script) => {
		const kind = classify(hexToBytes(script.hex));
		expect(kind.type).toBe(script.type);
		expect(scriptAsm(hexToBytes(script.hex))).toBe(script.asm);
		if (script.addresses?.length === 1) expect(kind.address).toBe(script.addresses[0]);
	});

	test.each(inputs)('input script $hex has its text', ({ hex, asm }) => {
		expect(scriptSigAsm(hexToBytes(hex))).toBe(asm);
	});
});

describe('explanations of what was recorded', () => {
	test('every transaction, block, proof and payout is recognised as what it is', () => {
		const labelOf = (hex: string): string => {
			const explained = explainHex(hex);
			return 'label' in explained ? explained.label.code : explained.code;
		};
		for (const { hex } of recorded.transactions) expect(labelOf(hex)).toBe('transaction');
		for (const { hex } of recorded.blocks) expect(labelOf(hex)).toBe('block');
		for (const hex of recorded.proofs) expect(labelOf(hex)).toBe('txout-proof');
		for (const hex of recorded.payouts) expect(labelOf(hex)).toBe('payouts');
	});

	test('imports with other payouts than the burn names are told from sound ones', () => {
		const meanings = recorded.transactions
			.filter(({ hex }) => parseImport(parseTransaction(hex)))
			.map(({ hex }) => explainHex(hex))
			.map((explained) => ('label' in explained ? explained.meaning : undefined));
		const refused = meanings.filter(
			(meaning) => meaning && 'matches' in meaning && !meaning.matches
		);
		expect(refused).toHaveLength(8);
		expect(meanings.length - refused.length).toBeGreaterThan(15);
	});
});
