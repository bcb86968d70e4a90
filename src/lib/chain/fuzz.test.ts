/** Arbitrary bytes: parsers return a value or throw a parse error, and do nothing else. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseBlock, parseHeader, serializeBlock, serializeHeader } from './block.ts';
import { parseBurn, parsePayouts, readBurnPayload, serializePayouts } from './burn.ts';
import { bytesToHex, ByteReader, ByteWriter, hexToBytes, internalHash, isHex } from './bytes.ts';
import { isChainError } from './chainError.ts';
import { parseFulfillment, verifyFulfillment } from './cryptocondition/fulfillment.ts';
import { explainHex, type ExplainNode } from './explain.ts';
import { parseImport, readImportPayload } from './importProof.ts';
import { parseNotarization, readNotarizationPayload } from './notarization.ts';
import { classify, opReturn, parsePushes, pushData, scriptAsm, scriptSigAsm } from './script.ts';
import { parseSelfImportSource } from './selfImport.ts';
import { bytes, script, transaction } from './testdata/arbitrary.ts';
import recorded from './testdata/recorded.json' with { type: 'json' };
import vectors from './testdata/vectors.json' with { type: 'json' };
import { parseTokenPayload, readTokenPayload } from './token.ts';
import { parseTransaction, readTransaction, serializeTransaction } from './transaction.ts';
import { parseTxOutProof, provenTxids, serializeTxOutProof } from './txOutProof.ts';

const real = [
	...recorded.transactions.slice(0, 60).map(({ hex }) => hex),
	...recorded.blocks.map(({ hex }) => hex),
	...recorded.proofs,
	...recorded.payouts,
	vectors.burn,
	vectors.importComplete,
	vectors.selfImport,
	vectors.tokenCreation,
	vectors.fulfillment
].map(hexToBytes);

/** Real bytes, partly changed, cut or repeated: they get further into a parser than random ones. */
const spoiled = fc
	.tuple(
		fc.constantFrom(...real),
		fc.array(fc.tuple(fc.nat(), fc.integer({ min: 0, max: 255 })), { maxLength: 4 }),
		fc.nat(),
		bytes(20)
	)
	.map(([source, changes, cut, tail]) => {
		const copy = Uint8Array.from([...source.slice(0, source.length - (cut % 8)), ...tail]);
		for (const [at, value] of changes) copy[at % copy.length] = value;
		return copy;
	});
/** A plausible beginning, then a size that exceeds the remaining bytes. */
const lying = fc
	.tuple(
		fc.constantFrom('04000080' + '85202f89', '01000000', '02000000', '03000080' + '7082c403', ''),
		fc.constantFrom('fd', 'fe', 'ff'),
		bytes(60)
	)
	.map(([head, size, tail]) => Uint8Array.from([...hexToBytes(head + size), ...tail]));
const anything = fc.oneof(bytes(400), spoiled, lying);

/** Parsers that throw; where possible the result is also serialized and compared. */
const throwing: [string, (source: Uint8Array) => unknown][] = [
	['transaction', (b) => expect(serializeTransaction(parseTransaction(b))).toEqual(b)],
	['transaction in a stream', (b) => readTransaction(new ByteReader(b))],
	['block', (b) => expect(serializeBlock(parseBlock(b))).toEqual(b)],
	['header', (b) => expect(serializeHeader(parseHeader(b))).toEqual(b)],
	['payouts', (b) => expect(serializePayouts(parsePayouts(b))).toEqual(b)],
	[
		'proof of gettxoutproof',
		(b) => {
			const proof = parseTxOutProof(b);
			expect(serializeTxOutProof(proof)).toEqual(b);
			provenTxids(proof);
		}
	],
	['token payload', readTokenPayload],
	['burn payload', readBurnPayload],
	['import payload', readImportPayload],
	['notarization', (b) => readNotarizationPayload(b, 'kmd')],
	['back-notarization', (b) => readNotarizationPayload(b, 'back')],
	['hash', (b) => internalHash(bytesToHex(b))]
];

/** Parsers that return null for input they cannot read. */
const forgiving: [string, (source: Uint8Array) => unknown][] = [
	['script', classify],
	['script text', scriptAsm],
	['input script text', scriptSigAsm],
	['pushes', parsePushes],
	['fulfillment', parseFulfillment],
	['pushed fulfillment', (b) => parseFulfillment(pushData(b))],
	['token output', (b) => parseTokenPayload(opReturn(b))],
	['notarization output', (b) => parseNotarization(opReturn(b), 'back')],
	[
		'check of a fulfillment',
		(b) => verifyFulfillment(Uint8Array.of(...b.slice(0, 40), 0xcc), b, new Uint8Array(32))
	]
];

describe('parsers refuse with errors of parsing alone, or read and write back', () => {
	test.each(throwing)('%s', (_, parse) => {
		fc.assert(
			fc.property(anything, (source) => {
				try {
					parse(source);
				} catch (error) {
					if (!isChainError(error, 'parse')) throw error;
					expect(error.params.what).not.toBe('');
					expect(error.params.offset).toBeGreaterThanOrEqual(0);
					expect(error.params.offset).toBeLessThanOrEqual(source.length);
				}
			}),
			{ numRuns: 400 }
		);
	});

	test.each(forgiving)('%s never throws', (_, read) => {
		fc.assert(
			fc.property(anything, (source) => {
				read(source);
			}),
			{ numRuns: 400 }
		);
	});

	test('burns, imports and sources of arbitrary transactions are read or not there', () => {
		fc.assert(
			fc.property(transaction, anything, (tx, payload) => {
				const vout = [...tx.vout, { value: 0n, script: opReturn(payload) }];
				const vin = [{ ...tx.vin[0]!, vout: 1_000_000_000 }];
				parseBurn({ ...tx, vout });
				parseImport({ ...tx, vin, vout });
				parseSelfImportSource({ ...tx, vout });
			})
		);
	});

	test('arbitrary transactions of every version serialize and parse back', () => {
		fc.assert(
			fc.property(transaction, (tx) => {
				expect(parseTransaction(serializeTransaction(tx))).toEqual(tx);
			})
		);
	});

	test('a count beyond what follows is refused at once, in every list', () => {
		const counts = ['feffffffff', 'ff0000000001000000', 'ffffffffffffffffff'];
		const header = bytesToHex(serializeHeader(parseBlock(recorded.blocks[0]!.hex).header));
		const noInputs = '0400008085202f890000' + '00000000'.repeat(2) + '0000000000000000';
		const lists: [string, (hex: string) => unknown][] = [
			['0400008085202f89', parseTransaction],
			['0400008085202f8900', parseTransaction],
			['01000000', parseTransaction],
			[noInputs, parseTransaction],
			[`${noInputs}00`, parseTransaction],
			[`${noInputs}0000`, parseTransaction],
			['', parsePayouts],
			[header, parseBlock],
			[header.slice(0, 2 * 140), parseHeader],
			[`${header}01000000`, parseTxOutProof],
			[`e211${'00'.repeat(33)}`, (hex) => readImportPayload(hexToBytes(hex))],
			['e212', (hex) => readImportPayload(hexToBytes(hex))],
			['e213', (hex) => readImportPayload(hexToBytes(hex))],
			['f263', (hex) => readTokenPayload(hexToBytes(hex))]
		];
		const start = performance.now();
		for (const [head, parse] of lists) {
			for (const count of counts) {
				expect(() => parse(head + count + '00'.repeat(200))).toThrow(
					expect.objectContaining({
						code: expect.stringMatching(/^parse\./) as string,
						params: expect.objectContaining({ offset: head.length / 2 }) as object
					})
				);
			}
		}
		// Allocating a single list of the announced size would take longer, or crash the process.
		expect(performance.now() - start).toBeLessThan(10_000);
	});
});

describe('numbers of the wire format', () => {
	test('varints are written and read back over all of 32 bits', () => {
		fc.assert(
			fc.property(fc.integer({ min: 0, max: 0xffffffff }), (value) => {
				expect(new ByteReader(new ByteWriter().varint(value).finish()).varint()).toBe(value);
			})
		);
	});

	test.each([
		[5, '05'],
		[69, '45'],
		[127, '7f'],
		[128, '8000'],
		[533, '8315'],
		[0xffffffff, '8efefefe7f']
	])('the varint of %i is %s', (value, hex) => {
		expect(bytesToHex(new ByteWriter().varint(value).finish())).toBe(hex);
		expect(new ByteReader(hexToBytes(hex)).varint()).toBe(value);
	});

	test.each(['8efefeff00', 'ffffffffffff7f', '80'])('the varint %s is refused', (hex) => {
		expect(() => new ByteReader(hexToBytes(hex)).varint()).toThrow(/^parse\./);
	});

	test('compact sizes are written and read back, and only in their shortest spelling', () => {
		fc.assert(
			fc.property(fc.integer({ min: 0, max: 0xffffffff }), (value) => {
				expect(new ByteReader(new ByteWriter().compactSize(value).finish()).compactSize()).toBe(
					value
				);
			})
		);
		for (const hex of ['fdfc00', 'feffff0000', 'ffffffffff00000000']) {
			expect(() => new ByteReader(hexToBytes(hex)).compactSize()).toThrow(/^parse\.overlong/);
		}
	});

	test('hex is read in both cases, and what is none is refused with its place', () => {
		expect(bytesToHex(hexToBytes('00fFAa'))).toBe('00ffaa');
		expect(isHex('00ff')).toBe(true);
		expect(isHex('00f')).toBe(false);
		expect(isHex('00fg')).toBe(false);
		expect(() => hexToBytes('00ffzz')).toThrow(
			expect.objectContaining({
				code: 'parse.not-hex',
				params: { what: 'hex', offset: 2, character: 5 }
			})
		);
		expect(() => hexToBytes('00f')).toThrow(
			expect.objectContaining({ code: 'parse.odd-hex', params: { what: 'hex', offset: 1 } })
		);
	});
});

/** Checks that children lie inside their parent, in order and without overlap. */
function checkPlaces(node: ExplainNode): void {
	expect(node.start).toBeLessThanOrEqual(node.end);
	let at = node.start;
	for (const child of node.children ?? []) {
		expect(child.start).toBeGreaterThanOrEqual(at);
		expect(child.end).toBeLessThanOrEqual(node.end);
		at = child.end;
		checkPlaces(child);
	}
}

/** True when the direct children cover the whole node. */
function covers(node: ExplainNode): boolean {
	let at = node.start;
	for (const child of node.children ?? []) {
		if (child.start !== at) return false;
		at = child.end;
	}
	return at === node.end;
}

describe('explanations', () => {
	test('of anything: a tree whose parts lie in order, or a code with a place', () => {
		fc.assert(
			fc.property(fc.oneof(anything, script), (source) => {
				const explained = explainHex(bytesToHex(source));
				if ('code' in explained) {
					expect(explained.offset).toBeGreaterThanOrEqual(0);
					expect(explained.offset).toBeLessThanOrEqual(source.length);
					return;
				}
				expect([explained.start, explained.end]).toEqual([0, source.length]);
				checkPlaces(explained);
				for (const other of explained.alternatives ?? []) checkPlaces(other);
			}),
			{ numRuns: 500 }
		);
	});

	test('of any text: never an exception', () => {
		fc.assert(
			fc.property(fc.string(), (text) => {
				expect(explainHex(text)).toBeDefined();
			})
		);
	});

	test('of a transaction: every byte belongs to a field', () => {
		fc.assert(
			fc.property(transaction, (tx) => {
				const explained = explainHex(bytesToHex(serializeTransaction(tx)));
				if ('code' in explained) throw new Error(explained.code);
				expect(explained.label.code).toBe('transaction');
				expect(covers(explained)).toBe(true);
				for (const child of explained.children ?? []) {
					if (['input', 'output'].includes(child.label.code)) expect(covers(child)).toBe(true);
				}
			})
		);
	});

	test('of what was recorded: every byte belongs to a part', () => {
		for (const source of real) {
			const explained = explainHex(bytesToHex(source));
			if ('code' in explained) throw new Error(explained.code);
			checkPlaces(explained);
			expect(covers(explained)).toBe(true);
		}
	});
});
