import { expect, test } from 'vitest';
import { burnScript } from '#lib/chain/burn.ts';
import { bytesEqual, bytesToHex, hexToBytes } from '#lib/chain/bytes.ts';
import { BURN_PUBKEY, tokenScript, TOKENS_GLOBAL_PUBKEY } from '#lib/chain/cryptocondition.ts';
import { IMPORT_INDEX } from '#lib/chain/importProof.ts';
import { opReturn, p2pk, p2pkh } from '#lib/chain/script.ts';
import { tokenCreateScript, tokenTransferScript } from '#lib/chain/token.ts';
import {
	NO_SHIELDED,
	SAPLING_GROUP_ID,
	serializeTransaction,
	type Transaction,
	type TxOut
} from '#lib/chain/transaction.ts';
import { signedIn } from './signed.ts';
import { readHex, weighTransaction } from './weigh.ts';

const OWN = hexToBytes('02b2a9a55853efc73434e12a65ee60dc5edc92b602efc15ea031d7cbb5cdc4ea3b');
const own = p2pk(OWN);
const foreign = p2pkh(new Uint8Array(20).fill(7));
const TOKENID = 'ab'.repeat(32);

const transaction = (vout: TxOut[], more: Partial<Transaction> = {}): Transaction => ({
	overwintered: true,
	version: 4,
	versionGroupId: SAPLING_GROUP_ID,
	vin: [{ txid: 'cd'.repeat(32), vout: 0, scriptSig: Uint8Array.of(1, 2), sequence: 0xffffffff }],
	vout,
	locktime: 0,
	expiryHeight: 0,
	valueBalance: 0n,
	shielded: NO_SHIELDED,
	...more
});
const weigh = (tx: Transaction) => weighTransaction(tx, ({ script }) => bytesEqual(script, own));
const out = (value: bigint, script: Uint8Array): TxOut => ({ value, script });
const change = out(5_000n, own);

const creation = tokenCreateScript({ owner: OWN, name: 'T', description: '', blobs: [] });
const transferTo = (key: Uint8Array): Uint8Array =>
	tokenTransferScript({ tokenid: TOKENID, destPubkeys: [key], blobs: [] });
const burn = burnScript({
	targetCcid: 777,
	targetSymbol: 'BETA',
	payoutsHash: new Uint8Array(32),
	sourceSymbol: 'ALPHA'
});

test('coins that leave are counted, change is not', () => {
	expect(weigh(transaction([out(100n, foreign), change]))).toEqual([
		{ kind: 'coin-send', amount: 100n }
	]);
	expect(weigh(transaction([change]))).toEqual([{ kind: 'coin-send', amount: 0n }]);
	// Coins that are thrown away have left, too.
	expect(weigh(transaction([change, out(9n, opReturn(Uint8Array.of(1)))]))).toEqual([
		{ kind: 'coin-send', amount: 9n }
	]);
});

test('a creation takes its supply and the marker', () => {
	const outputs = [
		out(1_000n, tokenScript(OWN)),
		out(10_000n, tokenScript(TOKENS_GLOBAL_PUBKEY)),
		change,
		out(0n, creation)
	];
	expect(weigh(transaction(outputs))).toEqual([{ kind: 'token-create', amount: 11_000n }]);
});

test('a transfer and a burn of a token take no coins', () => {
	const to = hexToBytes('0312bbe6a1ba48c80d0bb70f850aeb7ff21fb62bb5765e23c17689bcf1e1eeb80e');
	const moved = (key: Uint8Array): TxOut[] => [
		out(7n, tokenScript(key)),
		change,
		out(0n, transferTo(key))
	];
	expect(weigh(transaction(moved(to)))).toEqual([{ kind: 'token-transfer', amount: 0n }]);
	expect(weigh(transaction(moved(BURN_PUBKEY)))).toEqual([{ kind: 'token-burn', amount: 0n }]);
});

test('a payment behind the payload of a transfer or a burn is a payment', () => {
	expect(weigh(transaction([out(500n, foreign), change, out(0n, transferTo(OWN))]))).toEqual([
		{ kind: 'token-transfer', amount: 0n },
		{ kind: 'coin-send', amount: 500n }
	]);
	expect(weigh(transaction([out(500n, foreign), change, out(300n, burn)]))).toEqual([
		{ kind: 'migration', amount: 300n },
		{ kind: 'coin-send', amount: 500n }
	]);
});

test('a burn takes what it burns; an import takes nothing', () => {
	expect(weigh(transaction([change, out(300n, burn)]))).toEqual([
		{ kind: 'migration', amount: 300n }
	]);
	const input = { txid: TOKENID, vout: IMPORT_INDEX, scriptSig: Uint8Array.of(), sequence: 0 };
	expect(weigh(transaction([out(300n, foreign)], { vin: [input] }))).toEqual([]);
	// With another input beside it, it spends like any other transaction.
	const both = transaction([out(300n, foreign)]);
	expect(weigh({ ...both, vin: [input, ...both.vin] })).toEqual([
		{ kind: 'coin-send', amount: 300n }
	]);
});

test('what a shielded pool takes cannot be told, whatever else it looks like', () => {
	const output = new Uint8Array(948);
	const shielded = { ...NO_SHIELDED, outputs: [output] };
	const input = { txid: TOKENID, vout: IMPORT_INDEX, scriptSig: Uint8Array.of(), sequence: 0 };
	expect(weigh(transaction([change], { shielded, vin: [input] }))).toEqual([
		{ kind: 'coin-send', amount: null }
	]);
});

test('signed transactions are found in an answer however deep, and unsigned ones are left', () => {
	const signed = bytesToHex(serializeTransaction(transaction([change])));
	const bare = transaction([change]);
	const unsigned = bytesToHex(
		serializeTransaction({
			...bare,
			vin: bare.vin.map((one) => ({ ...one, scriptSig: Uint8Array.of() }))
		})
	);
	const answer = {
		result: { a: [{ hex: signed.toUpperCase() }], b: unsigned, c: 'zz' },
		error: null
	};
	expect(signedIn(JSON.stringify(answer))).toEqual([signed.toUpperCase()]);
	expect(signedIn('no JSON')).toEqual([]);
	expect(readHex('zz')).toBeNull();
});
