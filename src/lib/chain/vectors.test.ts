/**
 * Known answers: a coin migration CFEKHOUND to CFEKDRAGON, a self-import and a token creation from the
 * public documentation of the Komodo daemon, recomputed independently.
 */
import { describe, expect, test } from 'vitest';
import { bytesToHex, displayHash, hexToBytes, internalHash } from './bytes.ts';
import { parseBurn, parsePayouts, payoutsHash, serializePayouts } from './burn.ts';
import {
	BURN_PUBKEY,
	ccAddress,
	ccScript,
	EVAL,
	nftScript,
	tokenScript,
	TOKENS_GLOBAL_PUBKEY
} from './cryptocondition.ts';
import { parseFulfillment, verifyFulfillment } from './cryptocondition/fulfillment.ts';
import { addressOfPubkey, encodeAddress } from './address.ts';
import { hash160 } from './hash.ts';
import { buildImport, parseImport, proofRoot } from './importProof.ts';
import { verifyDer } from './key.ts';
import { execBranch, momomOf } from './merkle.ts';
import { parsePushes, pushData } from './script.ts';
import { parseSelfImportSource, quasiBurn } from './selfImport.ts';
import { signatureHash } from './sighash.ts';
import { verifyInput } from './sign.ts';
import vectors from './testdata/vectors.json' with { type: 'json' };
import { parseTokenPayload } from './token.ts';
import { parseTransaction, serializeTransaction, txidOf } from './transaction.ts';
import { parseTxOutProof, provenTxids, serializeTxOutProof } from './txOutProof.ts';

const BURN_TXID = 'd19f1c3f7e630966e1d40838c56c8c63a6cbd828d34c3544be5a60b236cf1610';
const KEY = hexToBytes('03fe754763c176e1339a3f62ee6b9484720e17ee4646b65a119e9f6370c7004abc');
const OWNER = hexToBytes('02d3431950c2f0f9654217b6ce3d44468d3a9ca7255741767fdeee7c5ec6b47567');

describe('the coin migration CFEKHOUND to CFEKDRAGON', () => {
	const burnTx = parseTransaction(vectors.burn);
	const payouts = parsePayouts(vectors.payouts);

	test('the burn has its txid and names target, CCid, source and payouts', () => {
		expect(txidOf(burnTx)).toBe(BURN_TXID);
		const burn = parseBurn(burnTx);
		expect(burn).toMatchObject({
			targetCcid: 533,
			targetSymbol: 'CFEKDRAGON',
			sourceSymbol: 'CFEKHOUND',
			value: 777_010_000n
		});
		expect(bytesToHex(burn!.payoutsHash)).toBe(
			'8c5970dd6f483fef99e6be0bbc64adc1ab1060e341a5c2c8b0f0a56a6d7936e8'
		);
	});

	test('the payouts hash to what the burn says and serialize back', () => {
		expect(payouts).toHaveLength(1);
		expect(payouts[0]!.value).toBe(777_000_000n);
		expect(bytesToHex(payoutsHash(payouts))).toBe(bytesToHex(parseBurn(burnTx)!.payoutsHash));
		expect(bytesToHex(serializePayouts(payouts))).toBe(vectors.payouts);
	});

	test('the first-stage import leads to the MoM', () => {
		const tx = parseTransaction(vectors.importFirst);
		expect(txidOf(tx)).toBe('c85e2c8c9252b5a96067fc0c9e41498c61b653e5b1b20d76c0e32d282509b297');
		const { proof } = parseImport(tx)!;
		expect(proof).toMatchObject({
			kind: 'txproof',
			txid: '2239d3bb0d19238c827aaffc82c74b27903e0fae1b47c4c5dcf9dc04a9c514da',
			index: 5
		});
		expect(proof.kind === 'txproof' && proof.branch).toHaveLength(4);
		expect(displayHash(proofRoot(tx))).toBe(
			'92c8c11801ed58e181c4d546d6518460faadc42d518d0581fbd357a73216c5c9'
		);
	});

	test('the completed import leads to the MoMoM, and its index continues the first one', () => {
		const tx = parseTransaction(vectors.importComplete);
		expect(txidOf(tx)).toBe('b2ed563617771d4a919fb13906e93c8ec485bed145a3f380583796663e285e0d');
		const { proof } = parseImport(tx)!;
		expect(proof).toMatchObject({
			txid: '093673fe989ba0653d4f58e12dc2774d116a1e8c0b769bc8ba21bf750455f7a2',
			index: 5 + (4 << 4)
		});
		expect(proof.kind === 'txproof' && proof.branch).toHaveLength(8);
		expect(displayHash(proofRoot(tx))).toBe(
			'fe5d3c8445c042e8204a2c9ef20daa318acabf15ca3b2d7cd6e906a7b0702bdc'
		);
	});

	test('both imports are built again from their parts to the same bytes', () => {
		for (const hex of [vectors.importFirst, vectors.importComplete]) {
			const parts = parseImport(parseTransaction(hex))!;
			const again = buildImport(parts.burnTx, parts.payouts, parts.proof);
			expect(bytesToHex(serializeTransaction(again))).toBe(hex);
		}
	});

	test('the proof of gettxoutproof proves the burn in its block', () => {
		const proof = parseTxOutProof(vectors.txOutProof);
		expect(proof.header.solution).toHaveLength(20);
		const { root, matches } = provenTxids(proof);
		expect(matches).toEqual([BURN_TXID]);
		expect(displayHash(root)).toBe(
			'4580d0b0a0192528021987a1d357d6e36aae2f129ff561122c411a3debcffa3b'
		);
		expect(displayHash(root)).toBe(proof.header.merkleRoot);
		expect(bytesToHex(serializeTxOutProof(proof))).toBe(vectors.txOutProof);
	});

	test('a proof with one changed hash proves nothing of the header', () => {
		const proof = parseTxOutProof(vectors.txOutProof);
		proof.hashes[0]![0]! ^= 1;
		expect(displayHash(provenTxids(proof).root)).not.toBe(proof.header.merkleRoot);
	});
});

describe('merkle roots of the notarized route', () => {
	test('twelve MoMs have their MoMoM, in any order and with repetitions', () => {
		const root = 'f944a1951bafc7548644c53745ed20a671f7fc574388e5e73ab5ae0929b46bba';
		const moms = vectors.moms.map(internalHash);
		expect(moms).toHaveLength(12);
		expect(displayHash(momomOf(moms))).toBe(root);
		expect(displayHash(momomOf([...moms, moms[3]!].reverse()))).toBe(root);
	});

	test('an index of -1 and a repeated node on the left lead to all zero', () => {
		const node = internalHash(BURN_TXID);
		expect(displayHash(execBranch(node, -1, [node]))).toBe('0'.repeat(64));
		expect(displayHash(execBranch(node, 1, [node]))).toBe('0'.repeat(64));
	});
});

describe('crypto-condition scripts and addresses', () => {
	test.each([
		['the global token key', TOKENS_GLOBAL_PUBKEY, 'RAMvUfoyURBRxAdVeTMHxn3giJZCFWeha2'],
		['an owner', OWNER, 'RS1eX9vRoRYQGsrYJUd7gsgbfnekLqJwv8'],
		['another key', KEY, 'RWycgo8yXMuivXB2dvo88MoU9xNdtMdWsa'],
		['the burn key', BURN_PUBKEY, 'RGhSYviAys2a7LTr2i4uqXKJhxuPtJVMJg']
	])('%s has its token address', (_, key, address) => {
		expect(ccAddress(tokenScript(key))).toBe(address);
	});

	test('the token script of the global key has its bytes', () => {
		expect(bytesToHex(tokenScript(TOKENS_GLOBAL_PUBKEY))).toBe(
			'2ea22c8020432de388aabcb6b4e3326351d1d815cee8be9a8d37b055cd1c0cf8782e5c50c08103120c008203000401cc'
		);
	});

	test('two-eval scripts have their bytes and addresses', () => {
		expect(bytesToHex(nftScript(KEY, EVAL.assets))).toBe(
			'2ea22c8020b063fb2fb8f5873012db53238e7579fc51a0674d696d01ca10bc679858fdb8a881032210008203000401cc'
		);
		expect(ccAddress(nftScript(KEY, EVAL.assets))).toBe('RAfGjuJ7NSDUfBLGXgnwW2GoHxtqz3HfjP');
		expect(ccAddress(nftScript(KEY, 0xf7))).toBe('RVk9t5vgTkr6ed2foMsRMGNxDKd2NMhFoW');
		expect(ccAddress(ccScript([KEY], [EVAL.assets]))).toBe('RRPpWbVdxcxmhx4xnWnVZFDfGc9p1177ti');
	});

	test('the normal address of the global token key is the known one', () => {
		expect(addressOfPubkey(TOKENS_GLOBAL_PUBKEY)).toBe('RCNgAngYAdrfzujYyPgfbjCGNVQZzCgTad');
		expect(encodeAddress(hash160(TOKENS_GLOBAL_PUBKEY))).toBe('RCNgAngYAdrfzujYyPgfbjCGNVQZzCgTad');
	});

	test('a real fulfillment is read, opens its script and no other signature hash', () => {
		const scriptSig = pushData(hexToBytes(vectors.fulfillment));
		const opened = parseFulfillment(scriptSig)!;
		expect(opened.evals).toEqual([EVAL.assets]);
		expect(opened.pubkeys.map(bytesToHex)).toEqual([bytesToHex(KEY)]);
		expect(opened.hashType).toBe(1);
		expect(verifyFulfillment(ccScript([KEY], [EVAL.assets]), scriptSig, new Uint8Array(32))).toBe(
			false
		);
	});
});

describe('self-import', () => {
	const source = parseTransaction(vectors.selfSource);
	const importTx = parseTransaction(vectors.selfImport);

	test('the source has its txid and announces its amount', () => {
		expect(txidOf(source)).toBe('e0dd729342f9714957119c7d78342228f34dae48a0648b4339148c8abeb21ad5');
		expect(parseSelfImportSource(source)).toBe(10_000_000_000_000n);
	});

	test('the object in place of a burn is built from the source to its txid', () => {
		const parts = parseImport(importTx)!;
		expect(txidOf(parts.burnTx)).toBe(
			'24420a6467895e117636f717acd555046bb29d6395059f7bb4d2613e1f626427'
		);
		expect(bytesToHex(payoutsHash(parts.payouts))).toBe(
			'dded40d8b8826ad32af955a9ce0c2ebc0cd60d9978a1936d425b8f7bdc1c7567'
		);
		expect(serializeTransaction(quasiBurn(source, parts.payouts))).toEqual(
			serializeTransaction(parts.burnTx)
		);
	});

	test('the import is read with whatever index stands in it', () => {
		expect(txidOf(importTx)).toBe(
			'e78096bb4139430276fd5176ff8ac97182be17606558eefb0c21c332192bd189'
		);
		expect(parseImport(importTx)!.proof).toMatchObject({
			txid: txidOf(source),
			index: 170_007,
			branch: []
		});
	});
});

describe('signature hashes', () => {
	test.each([
		[
			'the self-import source',
			vectors.selfSource,
			'210257e1074b542c47cd6f603e3d78400045df0781875f698138e92cb03055286634ac',
			100_000_000n,
			'c292770fc8ab5c1f375904dd9f3ad5c804e824b0955fd01d76fb0871dd0d0c4a'
		],
		[
			'the token creation',
			vectors.tokenCreation,
			'2102d3431950c2f0f9654217b6ce3d44468d3a9ca7255741767fdeee7c5ec6b47567ac',
			10_000_000_000n,
			'122ca75144e22ed3fb624760fb4ad2fb29f241dc0af2068b31f2ffde02fa463b'
		]
	])('%s signs the known hash, and its signature verifies', (_, hex, script, value, hash) => {
		const tx = parseTransaction(hex);
		const prevout = { script: hexToBytes(script), value };
		const sighash = signatureHash(tx, 0, prevout.script, value);
		expect(bytesToHex(sighash)).toBe(hash);
		const signature = parsePushes(tx.vin[0]!.scriptSig)![0]!.slice(0, -1);
		expect(verifyDer(signature, sighash, prevout.script.slice(1, 34))).toBe(true);
		expect(verifyInput(tx, 0, prevout)).toBe(true);
		expect(verifyInput(tx, 0, { ...prevout, value: value + 1n })).toBe(false);
	});

	test('the token creation says what it creates', () => {
		const tx = parseTransaction(vectors.tokenCreation);
		expect(txidOf(tx)).toBe('916a6907e39cec679a6c832255c71b74e4941895d2d8775a6d2a0e8a322401ed');
		expect(parseTokenPayload(tx.vout.at(-1)!.script)).toEqual({
			kind: 'create',
			owner: OWNER,
			name: 'TOK',
			description: 'creating a TOK token',
			blobs: []
		});
	});
});
