import { describe, expect, test } from 'vitest';
import { bytesToHex, concat, hexToBytes } from './bytes.ts';
import { BURN_PUBKEY, tokenScript, TOKENS_GLOBAL_PUBKEY } from './cryptocondition.ts';
import { explainHex, type ExplainNode, type Explanation } from './explain.ts';
import type { PartLabel } from './explain/label.ts';
import { buildImport, parseImport } from './importProof.ts';
import { publicKeyOf } from './key.ts';
import { serializeNotarization } from './notarization.ts';
import { opReturn, p2pk, p2pkh, pushData } from './script.ts';
import recorded from './testdata/recorded.json' with { type: 'json' };
import vectors from './testdata/vectors.json' with { type: 'json' };
import { tokenTransferScript } from './token.ts';
import {
	parseTransaction,
	serializeTransaction,
	transparent,
	unsignedInput,
	type Transaction,
	type TxOut
} from './transaction.ts';
import { parseTxOutProof, serializeTxOutProof } from './txOutProof.ts';
import { serializeHeader } from './block.ts';

function explained(hex: string): Explanation {
	const result = explainHex(hex);
	if ('code' in result) throw new Error(result.code);
	return result;
}

function failure(hex: string) {
	const result = explainHex(hex);
	if (!('code' in result)) throw new Error(`explained as ${result.label.code}`);
	return result;
}

/** Formats a label as these tests write it: its code, then its parameters. */
function named(label: PartLabel): string {
	const { code, ...more } = label;
	return [code, ...Object.values(more)].join(' ');
}

/** Returns the first part with this label, at any depth. */
function part(node: ExplainNode, label: string): ExplainNode {
	const find = (candidate: ExplainNode): ExplainNode | undefined =>
		named(candidate.label) === label
			? candidate
			: (candidate.children ?? []).map(find).find((found) => found !== undefined);
	const found = find(node);
	if (!found) throw new Error(`no part ${label}`);
	return found;
}

const KEY = publicKeyOf(new Uint8Array(32).fill(9));
const TOKENID = '916a6907e39cec679a6c832255c71b74e4941895d2d8775a6d2a0e8a322401ed';

function paying(vout: TxOut[], changes: Partial<Transaction> = {}): string {
	return bytesToHex(
		serializeTransaction(transparent({ vin: [unsignedInput(TOKENID, 1)], vout, ...changes }))
	);
}

describe('transactions', () => {
	test('a token creation: marker, new tokens, change and payload are told apart', () => {
		const tx = explained(vectors.tokenCreation);
		expect(tx).toMatchObject({ label: { code: 'transaction' }, value: TOKENID });
		expect(tx.meaning).toEqual({ code: 'token-created', name: 'TOK', nft: false });
		expect(part(tx, 'output 0').meaning).toEqual({ code: 'token-marker' });
		expect(part(tx, 'output 1')).toMatchObject({
			value: {
				code: 'paid',
				held: { units: 100n },
				address: 'RS1eX9vRoRYQGsrYJUd7gsgbfnekLqJwv8'
			},
			meaning: { code: 'new-tokens' }
		});
		expect(part(tx, 'output 2').value).toEqual({
			code: 'paid',
			held: { coins: 9_999_979_900n },
			address: 'RN727JeeiZ6NXic7PUKTCiHT1HvuBN4RDa'
		});
		expect(part(tx, 'name')).toMatchObject({ value: 'TOK', start: 329, end: 332 });
		expect(part(tx, 'description').value).toBe('creating a TOK token');
	});

	test('a token transfer: recipient, change, destroyed tokens', () => {
		const tx = explained(
			paying([
				{ value: 5n, script: tokenScript(KEY) },
				{ value: 7n, script: tokenScript(BURN_PUBKEY) },
				{ value: 8n, script: tokenScript(publicKeyOf(new Uint8Array(32).fill(5))) },
				{ value: 9n, script: tokenScript(TOKENS_GLOBAL_PUBKEY) },
				{
					value: 0n,
					script: tokenTransferScript({ tokenid: TOKENID, destPubkeys: [KEY], blobs: [] })
				}
			])
		);
		expect(tx.meaning).toEqual({ code: 'moves-token', tokenid: TOKENID });
		expect([0, 1, 2, 3].map((i) => part(tx, `output ${i}`).meaning?.code)).toEqual([
			'recipient-tokens',
			'burned-tokens',
			'other-tokens',
			'global-output'
		]);
		expect(part(tx, 'tokenid').value).toBe(TOKENID);
	});

	test('a burn: how much leaves, from where, to where', () => {
		const tx = explained(vectors.burn);
		expect(tx.meaning).toEqual({
			code: 'burn',
			amount: 777_010_000n,
			fee: 10_000n,
			source: 'CFEKHOUND',
			target: 'CFEKDRAGON',
			ccid: 533
		});
		expect(part(tx, 'target-ccid').value).toBe('533');
		expect(part(tx, 'target-chain').value).toBe('CFEKDRAGON');
	});

	test('an import: its burn is opened, its root is named', () => {
		const tx = explained(vectors.importComplete);
		expect(tx.meaning).toEqual({
			code: 'import',
			amount: 777_000_000n,
			source: 'CFEKHOUND',
			target: 'CFEKDRAGON',
			approvals: null,
			matches: true
		});
		expect(part(tx, 'burn').value).toBe(part(tx, 'burn-transaction').value);
		expect(part(tx, 'branch-index').value).toBe('69');
		expect(part(tx, 'push 581').meaning).toEqual({
			code: 'import-payload',
			root: 'fe5d3c8445c042e8204a2c9ef20daa318acabf15ca3b2d7cd6e906a7b0702bdc'
		});
	});

	test('an import with other payouts than its burn names says so', () => {
		const parts = parseImport(parseTransaction(vectors.importComplete))!;
		const payouts = parts.payouts.map((output) => ({ ...output, value: output.value + 1n }));
		const forged = buildImport(parts.burnTx, payouts, parts.proof);
		expect(explained(bytesToHex(serializeTransaction(forged))).meaning).toMatchObject({
			matches: false
		});
	});

	test('both sides of a self-import', () => {
		expect(explained(vectors.selfSource).meaning).toEqual({
			code: 'self-import-source',
			amount: 10_000_000_000_000n
		});
		expect(explained(vectors.selfImport).meaning).toEqual({
			code: 'self-import',
			amount: 10_000_000_000_000n,
			matches: true
		});
	});

	test('a notarization stands on output 1', () => {
		const nota = {
			blockHash: TOKENID,
			height: 2_355_380,
			symbol: 'EMC2',
			mom: new Uint8Array(32),
			momDepth: 10,
			ccid: 2
		};
		const tx = explained(
			paying([
				{ value: 98_800n, script: p2pk(KEY) },
				{ value: 0n, script: opReturn(serializeNotarization(nota, 'kmd')) }
			])
		);
		expect(tx.meaning).toEqual({ code: 'notarization', height: 2_355_380, chain: 'EMC2' });
		expect(part(tx, 'chain').value).toBe('EMC2');
		expect(part(tx, 'mom-depth').meaning).toEqual({ code: 'mom-depth', blocks: 10 });
	});

	test('a notary approval holds a proof that is opened, too', () => {
		const proof = hexToBytes(vectors.txOutProof);
		const tx = explained(
			paying([
				{ value: 10_000n, script: p2pk(KEY) },
				{ value: 0n, script: opReturn(concat(Uint8Array.of(proof.length), proof)) }
			])
		);
		expect(part(tx, 'output 1').children?.[2]?.meaning).toEqual({ code: 'notary-approval' });
		expect(part(tx, 'proof').value).toBe(
			'd19f1c3f7e630966e1d40838c56c8c63a6cbd828d34c3544be5a60b236cf1610'
		);
	});

	test('the input of a coinbase and of an unsigned transaction', () => {
		const coinbase = explained(
			paying([{ value: 300_000_000n, script: p2pk(KEY) }], {
				vin: [
					{ txid: '0'.repeat(64), vout: 0xffffffff, scriptSig: Uint8Array.of(1, 5), sequence: 1 }
				]
			})
		);
		expect(coinbase.meaning).toEqual({ code: 'coinbase' });
		expect(part(coinbase, 'input 0').value).toEqual({ code: 'coinbase' });
		const unsigned = explained(paying([{ value: 1n, script: p2pkh(new Uint8Array(20)) }]));
		expect(part(unsigned, 'script').meaning).toEqual({ code: 'unsigned' });
	});

	test('transactions nested in one another are opened to a depth, not without end', () => {
		let hex = vectors.burn;
		for (let i = 0; i < 30; i++) {
			const burnTx = parseTransaction(hex);
			const built = buildImport(burnTx, [], { kind: 'approvals', txids: [] });
			hex = bytesToHex(serializeTransaction(built));
		}
		let depth = 0;
		let node: ExplainNode | undefined = explained(hex);
		while (node) {
			const inner: ExplainNode[] = [];
			const collect = (candidate: ExplainNode): void => {
				if (candidate.label.code === 'burn-transaction') inner.push(candidate);
				else for (const child of candidate.children ?? []) collect(child);
			};
			for (const child of node.children ?? []) collect(child);
			node = inner[0];
			if (node) depth += 1;
		}
		expect(depth).toBeGreaterThan(2);
		expect(depth).toBeLessThan(10);
	});

	test('of the largest size are explained', () => {
		const vout = Array.from({ length: 5800 }, () => ({
			value: 1n,
			script: p2pkh(new Uint8Array(20))
		}));
		const hex = paying(vout);
		expect(hex.length / 2).toBeGreaterThan(190_000);
		expect(explained(hex).meaning).toMatchObject({ outputs: 5800 });
	});
});

describe('what has too many parts', () => {
	/** Repeats a hex text as often as it fits into this many bytes. */
	const fill = (hex: string, bytes: number): string =>
		hex.repeat(Math.floor((2 * bytes) / hex.length));
	const output = (script: string, value = 1n): TxOut => ({ value, script: hexToBytes(script) });
	const repeated = (script: string, bytes: number): string =>
		paying(
			Array.from({ length: Math.floor(bytes / (script.length / 2 + 11)) }, () => output(script))
		);
	const key = bytesToHex(KEY);
	/** A block of equal token creations without inputs. */
	const tokenBlock = (outputs: string[], bytes: number): string => {
		const [block] = recorded.blocks;
		const header = block!.hex.slice(0, 2 * part(explained(block!.hex), 'header').end);
		const payload = `${'00'.repeat(8)}286a26f26321${key}0000`;
		const vout = [...outputs, payload];
		const tx = `0100000000${vout.length.toString(16).padStart(2, '0')}${vout.join('')}00000000`;
		const count = Math.floor((2 * bytes) / tx.length);
		const low = (count & 0xff).toString(16).padStart(2, '0');
		return `${header}fd${low}${(count >> 8).toString(16).padStart(2, '0')}${tx.repeat(count)}`;
	};
	const held = bytesToHex(tokenScript(KEY));
	const tokenOutput = `0100000000000000${(held.length / 2).toString(16).padStart(2, '0')}${held}`;

	test('a block of token transactions is explained in a moment', () => {
		const before = process.threadCpuUsage();
		expect(explained(tokenBlock([], 300_000)).label.code).toBe('block');
		expect(process.threadCpuUsage(before).user / 1_000).toBeLessThan(1_000);
	});

	test.each([
		['a block of token transactions', tokenBlock([], 150_000)],
		['a block of token transactions with their units', tokenBlock([tokenOutput], 150_000)],
		['outputs without a script', repeated('', 150_000)],
		['outputs of opcodes', repeated(fill('61', 1_000), 150_000)],
		['outputs of payloads', repeated(`6a${fill('01e2', 1_000)}`, 150_000)],
		['outputs of keys', repeated(fill(`21${key}`, 1_000), 150_000)],
		['one output of opcodes', paying([output(fill('61', 150_000))])],
		['one output of pushes', paying([output(`6a${fill('01e2', 150_000)}`)])],
		['a condition of parts', paying([output(`4b${fill('a000', 75).padEnd(150, '0')}cc`)])],
		['data of a token', `f263000000${fill('0100', 150_000)}`],
		['approvals', `12fd8812${'ab'.repeat(32 * 0x1288)}`]
	])('%s: what is beyond a few thousand is counted, and no byte is lost', (_, hex) => {
		let parts = 0;
		const count = ({ start, end, children = [] }: ExplainNode): void => {
			parts += 1;
			let at = start;
			for (const child of children) {
				expect(child.start).toBeGreaterThanOrEqual(at);
				at = child.end;
				count(child);
			}
			expect(at).toBeLessThanOrEqual(end);
		};
		const whole = explained(hex);
		count(whole);
		expect(parts).toBeLessThan(3_000);
		expect([whole.start, whole.end]).toEqual([0, hex.length / 2]);
		expect(whole.children?.at(-1)?.end).toBe(hex.length / 2);
	});
});

describe('what is no whole transaction', () => {
	test('a block names its transactions, and its header reads the same alone', () => {
		const [block] = recorded.blocks;
		const whole = explained(block!.hex);
		expect(whole.label.code).toBe('block');
		expect(part(whole, 'transaction 0').meaning?.code).toBe('coinbase');
		const header = part(whole, 'header');
		const alone = explained(block!.hex.slice(2 * header.start, 2 * header.end));
		expect(alone.label.code).toBe('block-header');
		expect(alone.value).toBe(whole.value);
		expect(part(alone, 'time').meaning?.code).toBe('moment');
	});

	test('a proof of gettxoutproof is sound, and a forged one is not', () => {
		expect(explained(vectors.txOutProof).meaning).toMatchObject({
			code: 'proof-found',
			transactions: 1
		});
		const proof = parseTxOutProof(vectors.txOutProof);
		proof.hashes[0]![0]! ^= 1;
		expect(explained(bytesToHex(serializeTxOutProof(proof))).meaning).toEqual({
			code: 'proof-unsound'
		});
		expect(explained(bytesToHex(serializeHeader(proof.header))).label.code).toBe('block-header');
	});

	test('a proof of assetchainproof reads as an import proof without its kind', () => {
		const proof = part(explained(vectors.importComplete), 'proof');
		const hex = vectors.importComplete.slice(2 * proof.start + 2, 2 * proof.end);
		const whole = explained(hex);
		expect(whole.label.code).toBe('branch-proof');
		expect(part(whole, 'branch-index').value).toBe(part(proof, 'branch-index').value);
		expect('code' in explainHex(hex.slice(0, -2))).toBe(true);
	});

	test('payouts say how much is paid, and to whom', () => {
		const payouts = explained(vectors.payouts);
		expect(payouts).toMatchObject({
			label: { code: 'payouts' },
			value: { code: 'coins', coins: 777_000_000n }
		});
		expect(part(payouts, 'script').value).toBe('RBQ1XwmzduHvciRJbXbWY9YBSNtaqZvfC4');
	});

	test('both forms of a notarization are read without their transaction', () => {
		const nota = { blockHash: TOKENID, height: 77, symbol: 'ALPHA', kmdTxid: TOKENID };
		const mom = { mom: new Uint8Array(32).fill(1), momDepth: 3, ccid: 777 };
		const kmd = explained(bytesToHex(serializeNotarization({ ...nota, ...mom }, 'kmd')));
		expect(kmd).toMatchObject({
			label: { code: 'notarization' },
			meaning: { code: 'notarization', height: 77, chain: 'ALPHA' }
		});
		const full = { ...nota, ...mom, momom: new Uint8Array(32).fill(2), momomDepth: 0 };
		const back = explained(bytesToHex(serializeNotarization(full, 'back')));
		expect(back.label.code).toBe('back-notarization');
		expect(part(back, 'kmd-notarization').value).toBe(TOKENID);
		expect(part(back, 'momom').value).toBe('02'.repeat(32));
	});

	test('payloads of tokens, burns, imports and self-imports are told apart', () => {
		const payload = (hex: string, from: number): string => hex.slice(2 * from);
		const script = part(part(explained(vectors.burn), 'output 1'), 'script');
		const burn = vectors.burn.slice(2 * script.start, 2 * script.end);
		expect(explained(burn)).toMatchObject({
			label: { code: 'output-script' },
			value: { code: 'payload', of: 'burn' }
		});
		expect(explained(payload(burn, 2)).label.code).toBe('burn');
		expect(explained('e24100a0724e18090000').meaning).toEqual({
			code: 'announces-self-import',
			amount: 10_000_000_000_000n
		});
		const token = bytesToHex(tokenTransferScript({ tokenid: TOKENID, destPubkeys: [], blobs: [] }));
		expect(explained(token.slice(4)).label.code).toBe('token-payload');
		const whole = vectors.importComplete;
		const inner = part(explained(whole), 'module').start;
		const end = part(explained(whole), 'burn-transaction').end;
		expect(explained(whole.slice(2 * inner, 2 * end)).label.code).toBe('import');
		const proof = part(explained(whole), 'proof');
		expect(explained(whole.slice(2 * proof.start, 2 * proof.end)).label.code).toBe('import-proof');
	});

	test('a payload that only starts like one of tokens says where it breaks off', () => {
		const broken = explained('6a03f26303');
		const fault = {
			code: 'payload',
			params: { label: 'token-payload', error: { params: { offset: 2 } } }
		};
		expect(broken).toMatchObject({ label: { code: 'output-script' }, value: '6a03f26303', fault });
		expect(part(broken, 'push 3')).toMatchObject({ value: 'f26303', fault });
		const tx = explained(paying([{ value: 0n, script: hexToBytes('6a03f26303') }]));
		expect(part(part(tx, 'output 0'), 'script')).toMatchObject({ fault });
	});

	test('scripts, fulfillments and keys are told apart', () => {
		expect(explained(bytesToHex(tokenScript(KEY)))).toMatchObject({
			label: { code: 'output-script' },
			meaning: { code: 'crypto-condition' }
		});
		expect(explained(bytesToHex(p2pk(KEY))).meaning).toEqual({ code: 'pays-key' });
		const bare = explained(vectors.fulfillment);
		expect(bare.label.code).toBe('fulfillment');
		expect(part(bare, 'module').value).toEqual({ code: 'module', eval: 0xe3 });
		expect(explained(bytesToHex(pushData(hexToBytes(vectors.fulfillment)))).label.code).toBe(
			'input-script'
		);
		expect(explained(bytesToHex(BURN_PUBKEY)).label.code).toBe('public-key');
	});
});

describe('what cannot be explained', () => {
	test.each([
		['', 0, 'empty', {}],
		['   ', 0, 'empty', {}],
		[
			'0400zz',
			2,
			'not-hex',
			{ error: { code: 'parse.not-hex', params: { what: 'hex', offset: 2, character: 5 } } }
		],
		['abc', 1, 'not-hex', { error: { code: 'parse.odd-hex', params: { what: 'hex', offset: 1 } } }]
	])('%j is refused at byte %i', (text, offset, code, params) => {
		expect(explainHex(text)).toEqual({ offset, code, params });
	});

	test('a transaction that is cut off names the field and the byte', () => {
		const cut = failure(vectors.burn.slice(0, 2 * 100));
		expect(cut).toEqual({
			offset: 45,
			code: 'stops',
			params: {
				label: 'transaction',
				announced: true,
				error: {
					code: 'parse.length-too-large',
					params: { what: 'script of input 0', offset: 45, length: 107, left: 54 }
				}
			}
		});
	});

	test('a transaction with something behind it says how much', () => {
		const longer = failure(`${vectors.burn}0000`);
		expect(longer.offset).toBe(vectors.burn.length / 2);
		expect(longer.params).toMatchObject({
			error: { code: 'parse.left-over', params: { what: 'transaction', left: 2 } }
		});
	});

	test('a transaction of version 1 that is cut off is no block', () => {
		const old = recorded.transactions.find(
			({ hex }) => hex.startsWith('01000000') && hex.length > 600 && !hex.startsWith('00', 8)
		);
		const cut = failure(old!.hex.slice(0, -20));
		expect(cut.params).toMatchObject({ label: 'transaction', announced: true });
	});

	test('a transaction inside a block is refused at its place in the block', () => {
		const [block] = recorded.blocks;
		const cut = block!.hex.slice(0, -20);
		expect(failure(cut).params).toMatchObject({ label: 'block', announced: true });
		expect(failure(cut).offset).toBeGreaterThan(140);
	});

	test('payouts that are cut off are told from bytes of no kind', () => {
		const cut = failure(vectors.payouts.slice(0, -2));
		expect(cut.params).toMatchObject({ label: 'payouts', announced: true });
		expect(cut.offset).toBe(9);
		expect(failure('ff'.repeat(300))).toEqual({
			offset: 0,
			code: 'unknown',
			params: { bytes: 300 }
		});
	});

	test('a hash is not data, and says so', () => {
		expect(failure(TOKENID)).toEqual({ offset: 0, code: 'hash', params: {} });
	});

	test('quotes around the hex, as copied from JSON, are let through', () => {
		expect(explained(`"${vectors.burn}"`).label.code).toBe('transaction');
		expect(explained(` ${vectors.burn.toUpperCase()}\n`).label.code).toBe('transaction');
	});
});
