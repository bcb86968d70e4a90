import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { addressOfPubkey } from '#lib/chain/address.ts';
import { burnScript, SELF_IMPORT_CCID } from '#lib/chain/burn.ts';
import { bytesToHex, concat, hexToBytes } from '#lib/chain/bytes.ts';
import {
	BURN_PUBKEY,
	ccScript,
	EVAL,
	tokenScript,
	TOKENS_GLOBAL_PUBKEY
} from '#lib/chain/cryptocondition.ts';
import { hash160 } from '#lib/chain/hash.ts';
import { buildImport, IMPORT_INDEX, type ImportProof } from '#lib/chain/importProof.ts';
import { opReturn, p2pk, p2pkh, p2sh, pushData } from '#lib/chain/script.ts';
import { RECORDED_APPROVAL } from '#lib/chain/testdata/approval.ts';
import { buildSelfImport, selfImportSourceScript } from '#lib/chain/selfImport.ts';
import { tokenCreateScript, tokenTransferScript } from '#lib/chain/token.ts';
import { tokenPayloadOf } from '#lib/chain/tokenEffect.ts';
import {
	NO_SHIELDED,
	serializeTransaction,
	transparent,
	txidOf,
	unsignedInput,
	type Transaction,
	type TxOut
} from '#lib/chain/transaction.ts';
import { hexOfAnswer, signedHex } from '../../../chains/daemon/signatures.ts';
import { measureSpend, readHex, type MeasuredWallet, type MeasuredInput } from './measure.ts';
import { spentBy } from './parents.ts';

const OWN = hexToBytes('02b2a9a55853efc73434e12a65ee60dc5edc92b602efc15ea031d7cbb5cdc4ea3b');
const OTHER = hexToBytes('0312bbe6a1ba48c80d0bb70f850aeb7ff21fb62bb5765e23c17689bcf1e1eeb80e');
const own = p2pk(OWN);
const foreign = p2pkh(new Uint8Array(20).fill(7));
const TOKENID = 'ab'.repeat(32);
const FEE = 10_000n;
const COIN = 100_000_000n;
const wallet: MeasuredWallet = {
	pubkey: bytesToHex(OWN),
	addresses: new Set([addressOfPubkey(bytesToHex(OWN))]),
	unasked: new Set(),
	hasInterest: false
};

const out = (value: bigint, script: Uint8Array): TxOut => ({ value, script });
const input = (vout = 0) => ({
	...unsignedInput('cd'.repeat(32), vout),
	scriptSig: Uint8Array.of(1, 2)
});
const transaction = (vout: TxOut[], more: Partial<Transaction> = {}): Transaction =>
	transparent({ vin: [input()], vout, ...more });
const coins = (value: bigint, script = own): MeasuredInput => ({ value, script, token: null });
const units = (value: bigint, token = TOKENID): MeasuredInput => ({
	value,
	script: tokenScript(OWN),
	token
});
/**
 * What a transaction takes, by kind. Unless given, its inputs are coins of the wallet that cover the outputs
 * and the fee.
 */
function taken(vout: TxOut[], spent?: MeasuredInput[], more: Partial<Transaction> = {}) {
	const total = vout.reduce((sum, { value }) => sum + value, 0n);
	const found = measureSpend(transaction(vout, more), spent ?? [coins(total + FEE)], wallet);
	return 'unknown' in found
		? found.unknown
		: Object.fromEntries(found.usages.map(({ kind, amount }) => [kind, amount]));
}

const change = out(5_000n, own);
const creation = tokenCreateScript({ owner: OWN, name: 'T', description: '', blobs: [] });
const transferTo = (key: Uint8Array): Uint8Array =>
	tokenTransferScript({ tokenid: TOKENID, destPubkeys: [key], blobs: [] });
const burnOf = (more: Partial<Parameters<typeof burnScript>[0]> = {}): Uint8Array =>
	burnScript({
		targetCcid: 777,
		targetSymbol: 'BETA',
		payoutsHash: new Uint8Array(32),
		sourceSymbol: 'ALPHA',
		...more
	});

describe('coins', () => {
	test('that leave are counted with the fee, change is not', () => {
		expect(taken([out(100n, foreign), change])).toEqual({ 'coin-send': 100n + FEE });
		expect(taken([change])).toEqual({ 'coin-send': FEE });
		// Coins that are thrown away (OP_RETURN) have left, too.
		expect(taken([change, out(9n, opReturn(Uint8Array.of(1)))])).toEqual({ 'coin-send': 9n + FEE });
		expect(taken([change], [coins(1_000n * COIN)])).toEqual({
			'coin-send': 1_000n * COIN - 5_000n
		});
	});

	test('of others are not the wallet’s; what comes back from them is', () => {
		const theirs = coins(7n * COIN, foreign);
		expect(taken([out(7n * COIN, foreign), change], [theirs, coins(5_000n + FEE)])).toEqual({
			'coin-send': FEE
		});
		expect(taken([out(COIN, own)], [theirs])).toEqual({ 'coin-send': 0n });
		// A script without an address has no known owner: the wallet may be able to spend it.
		const shared = coins(COIN, ccScript([OWN, OTHER], [EVAL.faucet]));
		expect(taken([out(COIN - FEE, foreign)], [shared])).toEqual({ 'coin-send': COIN });
	});

	test('of a script that its address hides are the wallet’s where one of its keys may open it', async () => {
		const paid = [out(COIN - FEE, foreign)];
		const multisig = (...keys: Uint8Array[]): Uint8Array =>
			concat(Uint8Array.of(0x51), ...keys.map(pushData), Uint8Array.of(0x50 + keys.length, 0xae));
		const spent = async (script: Uint8Array, shown: Uint8Array) => {
			const parent = transaction([out(COIN, p2sh(hash160(script)))]);
			const scriptSig = concat(Uint8Array.of(0, 1, 9), pushData(shown));
			const vin = [{ ...input(), txid: txidOf(parent), scriptSig }];
			const hex = bytesToHex(serializeTransaction(parent));
			return taken(paid, await spentBy(transaction(paid, { vin }), () => Promise.resolve(hex)));
		};
		const [theirs, shared] = [multisig(OTHER), multisig(OTHER, OWN)];
		expect(await spent(theirs, theirs)).toEqual({ 'coin-send': 0n });
		expect(await spent(shared, shared)).toEqual({ 'coin-send': COIN });
		expect(await spent(own, own)).toEqual({ 'coin-send': COIN });
		// A script that the input does not show, or that does not match the hash, may be the wallet's.
		expect(await spent(theirs, shared)).toEqual({ 'coin-send': COIN });
		expect(await spent(theirs, Uint8Array.of(1))).toEqual({ 'coin-send': COIN });
		const condition = tokenScript(OWN);
		expect(await spent(condition, condition)).toEqual({ 'coin-send': COIN });
		const nothing = concat(theirs, Uint8Array.of(0xac));
		expect(await spent(nothing, nothing)).toEqual({ 'coin-send': COIN });
	});

	test('that interest adds count by what others are paid, and only on a chain that pays any', () => {
		const measured = (vout: TxOut[], spent: MeasuredInput[], hasInterest = true) =>
			measureSpend(transaction(vout), spent, { ...wallet, hasInterest });
		const refused = { unknown: 'limit.pays-more-than-it-spends' };
		const grown = out(COIN + 5_000n, own);
		expect(measured([grown], [coins(COIN)])).toEqual({
			usages: [{ kind: 'coin-send', amount: 0n }],
			fee: 0n
		});
		expect(measured([grown], [coins(COIN)], false)).toEqual(refused);
		// The interest of the wallet's coins pays another recipient, or comes back with the change of a
		// payment.
		for (const paid of [5_000n, COIN / 2n]) {
			const change = out(COIN + 5_000n - paid, own);
			expect(measured([change, out(paid, foreign)], [coins(COIN)])).toEqual({
				usages: [{ kind: 'coin-send', amount: paid }],
				fee: 0n
			});
		}
		const isNobodys = out(5_000n, ccScript([OWN, OTHER], [EVAL.faucet]));
		expect(measured([out(COIN, own), isNobodys], [coins(COIN)])).toEqual(refused);
		expect(measured([grown, out(0n, opReturn(Uint8Array.of(1)))], [coins(COIN)])).toEqual(refused);
		// The interest of coins that are not the wallet's.
		expect(measured([grown], [coins(COIN, foreign)])).toEqual(refused);
		expect(measured([grown], [coins(COIN / 2n), coins(COIN / 2n, tokenScript(OWN))])).toEqual(
			refused
		);
		// A payment that is smaller than its inputs counts in full, whatever interest its fee holds.
		expect(measured([out(5_000n, foreign), out(COIN - 5_000n, own)], [coins(COIN)])).toEqual({
			usages: [{ kind: 'coin-send', amount: 5_000n }],
			fee: 0n
		});
	});

	test('on a condition have left, whoever’s key is in it', () => {
		for (const script of [
			tokenScript(OWN),
			tokenScript(OTHER),
			ccScript([OWN, OTHER], [EVAL.tokens]),
			ccScript([OWN], [EVAL.faucet])
		]) {
			expect(taken([out(COIN, script), change])).toEqual({ 'coin-send': COIN + FEE });
		}
	});
});

describe('tokens', () => {
	test('take their supply and the marker when they are created, and nothing when they move', () => {
		const marker = out(10_000n, tokenScript(TOKENS_GLOBAL_PUBKEY));
		const made = [out(1_000n, tokenScript(OWN)), marker, change, out(0n, creation)];
		expect(taken(made)).toEqual({ 'token-create': 11_000n + FEE });
		const large = out(10_000n + COIN, tokenScript(TOKENS_GLOBAL_PUBKEY));
		expect(taken([out(1_000n, tokenScript(OWN)), large, change, out(0n, creation)])).toEqual({
			'token-create': 11_000n + FEE,
			'coin-send': COIN
		});
		for (const [key, kind] of [
			[OTHER, 'token-transfer'],
			[BURN_PUBKEY, 'token-burn']
		] as const) {
			const moved = [
				out(7n, tokenScript(key)),
				out(3n, tokenScript(OWN)),
				change,
				out(0n, transferTo(key))
			];
			expect(taken(moved, [units(10n), coins(5_000n + FEE)])).toEqual({ [kind]: FEE });
		}
	});

	test('that do not go in are coins: under an invented id, of another token, or beyond what went in', () => {
		const moved = [out(COIN, tokenScript(OTHER)), change, out(0n, transferTo(OTHER))];
		expect(taken(moved)).toMatchObject({ 'coin-send': COIN });
		const rest = coins(5_000n + FEE);
		expect(taken(moved, [units(COIN, 'ef'.repeat(32)), rest])).toMatchObject({ 'coin-send': COIN });
		expect(taken(moved, [units(1n), coins(COIN - 1n), rest])).toMatchObject({
			'coin-send': COIN - 1n
		});
		const two = [out(COIN, tokenScript(OTHER)), ...moved];
		expect(taken(two, [units(COIN), coins(COIN), rest])).toMatchObject({ 'coin-send': COIN });
		// To a condition that holds no units of the token.
		const aside = [out(COIN, ccScript([OTHER], [EVAL.faucet])), change, out(0n, transferTo(OTHER))];
		expect(taken(aside, [units(COIN), rest])).toMatchObject({ 'coin-send': COIN });
		// Sent to the wallet's own key without units going in, they are locked coins, not units.
		const locked = [out(COIN, tokenScript(OWN)), change, out(0n, transferTo(OWN))];
		expect(taken(locked)).toMatchObject({ 'coin-send': COIN });
	});

	test('of another’s key are no creation of the wallet’s', () => {
		const theirs = tokenCreateScript({ owner: OTHER, name: 'T', description: '', blobs: [] });
		expect(taken([out(COIN, tokenScript(OTHER)), change, out(0n, theirs)])).toMatchObject({
			'coin-send': COIN
		});
		expect(taken([out(COIN, tokenScript(OTHER)), change, out(0n, creation)])).toMatchObject({
			'coin-send': COIN
		});
	});
});

describe('an approval of a notary', () => {
	const recorded = readHex(RECORDED_APPROVAL)!;
	const proof = recorded.vout.at(-1)!;

	test('counts as one, with its fee, and as no payment', () => {
		expect(taken([change, proof])).toEqual({ 'notary-approval': FEE });
		expect(taken([out(500n, foreign), change, proof])).toMatchObject({ 'coin-send': 500n });
	});

	test('is none when its proof is bent', () => {
		const script = proof.script.slice();
		// A byte of the header's merkle root.
		script.set([script[45]! ^ 1], 45);
		expect(taken([change, { ...proof, script }])).toEqual({ 'coin-send': FEE });
	});
});

describe('no payload hides', () => {
	const payloads: [string, Uint8Array, bigint][] = [
		['transfer', transferTo(OTHER), 0n],
		['creation', creation, 0n],
		['burn', burnOf(), 300n],
		['source of a self-import', selfImportSourceScript(COIN), 0n],
		[
			'source of a self-import with further opcodes',
			Uint8Array.of(...selfImportSourceScript(COIN), 0xac),
			0n
		]
	];
	test.each(payloads)('a payment: %s', (_name, script, value) => {
		expect(taken([out(500n, foreign), change, out(value, script)])).toMatchObject({
			'coin-send': 500n
		});
	});
	test.each(payloads)('a fee: %s', (_name, script, value) => {
		const high = [coins(5_000n + value + 1_000n * COIN)];
		const { 'coin-send': sent } = taken([change, out(value, script)], high) as Record<
			string,
			bigint
		>;
		expect(sent).toBe(1_000n * COIN - 30_000n);
	});

	test('the value of a burn, with a token creation in it or without', () => {
		expect(taken([change, out(300n, burnOf())])).toEqual({ migration: 300n + FEE });
		const tokenCreationTx = transaction([out(0n, creation)]);
		expect(taken([change, out(COIN, burnOf({ tokenCreationTx }))])).toEqual({
			migration: COIN + FEE
		});
	});
});

describe('an import', () => {
	const payouts = [out(COIN, foreign)];
	const proof: ImportProof = { kind: 'txproof', txid: TOKENID, index: 0, branch: [] };
	const none = (tx: Transaction) => measureSpend(tx, [], wallet);

	test('of a burn takes nothing: that was counted at the burn', () => {
		const burnTx = transaction([out(COIN, burnOf())]);
		expect(none(buildImport(burnTx, payouts, proof, 0, 'sapling'))).toMatchObject({ usages: [] });
	});
	test('out of nothing is a self-import of what it creates, and so is its source', () => {
		const source = transaction([change, out(0n, selfImportSourceScript(COIN))]);
		// A daemon reads the payload whatever follows it.
		const longer = Uint8Array.of(...selfImportSourceScript(COIN), 0xac);
		expect(taken([change, out(0n, longer)])).toEqual(
			taken([change, out(0n, selfImportSourceScript(COIN))])
		);
		expect(none(buildSelfImport(source, payouts))).toMatchObject({
			usages: [{ kind: 'self-import', amount: COIN }]
		});
		expect(taken(source.vout)).toEqual({ 'self-import': COIN + FEE });
		expect(
			none(
				buildImport(
					transaction([out(COIN, burnOf({ targetCcid: SELF_IMPORT_CCID }))]),
					payouts,
					proof,
					0,
					'sapling'
				)
			)
		).toMatchObject({ usages: [{ kind: 'self-import', amount: COIN }] });
	});
	test('that only looks like one is refused', () => {
		const vin = [input(IMPORT_INDEX)];
		expect(none(transaction([out(COIN, foreign)], { vin }))).toHaveProperty('unknown');
		const data = opReturn(Uint8Array.of(EVAL.importCoin, 0));
		expect(none(transaction([out(COIN, foreign), out(0n, data)], { vin }))).toHaveProperty(
			'unknown'
		);
	});
});

describe('what cannot be told is refused', () => {
	test.each<[string, TxOut[], MeasuredInput[], Partial<Transaction>]>([
		[
			'shielded outputs',
			[change],
			[coins(COIN)],
			{ shielded: { ...NO_SHIELDED, outputs: [new Uint8Array(948)] } }
		],
		['a shielded balance', [change], [coins(COIN)], { valueBalance: 1n }],
		['a negative output', [out(-5n, foreign), change], [coins(COIN)], {}],
		['a negative input', [change], [coins(-5n), coins(COIN)], {}],
		['more out than in', [out(2n * COIN, foreign)], [coins(COIN)], {}],
		['a sum beyond 64 bits', Array.from({ length: 3 }, () => out(2n ** 62n, own)), [coins(1n)], {}],
		['a negative self-import', [change, out(0n, selfImportSourceScript(-1n))], [coins(COIN)], {}],
		[
			'a self-import beyond 64 bits',
			[change, out(0n, selfImportSourceScript(2n ** 63n - 1n))],
			[coins(COIN)],
			{}
		]
	])('%s', (_name, vout, spent, more) => {
		expect(taken(vout, spent, more)).toEqual(expect.any(String));
	});
});

describe('what a transaction spends', () => {
	const parent = transaction([out(COIN, own), out(3n, tokenScript(OWN)), out(0n, creation)]);
	const hex = bytesToHex(serializeTransaction(parent));
	const spend = (vout: number, txid = txidOf(parent)) =>
		transaction([change], { vin: [{ ...input(vout), txid }] });

	test('is read from the bytes of its parents, with the token that they name', async () => {
		const read = (text: string) => () => Promise.resolve(text);
		expect(await spentBy(spend(0), read(hex))).toMatchObject([{ value: COIN, token: null }]);
		const [unit] = await spentBy(spend(1), read(hex.toUpperCase()));
		expect(unit).toMatchObject({ value: 3n, token: txidOf(parent) });
	});
	test('is unknown when another transaction is shown for it, or none, or bytes are left over', async () => {
		const poor = { ...parent, vout: [out(1n, own), ...parent.vout.slice(1)] };
		for (const [vout, shown] of [
			[0, bytesToHex(serializeTransaction(poor))],
			[0, `${hex}00`],
			[0, ''],
			[9, hex],
			[IMPORT_INDEX, hex]
		] as const) {
			await expect(spentBy(spend(vout), () => Promise.resolve(shown))).rejects.toMatchObject({
				code: expect.stringMatching(/^limit\./) as string
			});
		}
	});
});

test('all amounts together are what leaves the wallet', () => {
	const scripts = [
		own,
		foreign,
		tokenScript(OWN),
		tokenScript(OTHER),
		ccScript([OTHER], [EVAL.faucet])
	];
	const value = fc.bigInt({ min: 0n, max: 10n * COIN });
	const output = fc.record({ value, script: fc.constantFrom(...scripts) });
	const last = fc.constantFrom<TxOut[]>(
		[],
		[out(0n, transferTo(OTHER))],
		[out(0n, creation)],
		[out(777n, burnOf())],
		[out(0n, opReturn(Uint8Array.of(9)))]
	);
	const spent = fc.array(
		fc.record({
			value,
			script: fc.constantFrom(...scripts),
			token: fc.constantFrom(null, TOKENID, 'ef'.repeat(32))
		}),
		{ minLength: 1, maxLength: 5 }
	);
	fc.assert(
		fc.property(fc.array(output, { maxLength: 5 }), last, spent, (outputs, payload, inputs) => {
			const vout = [...outputs, ...payload];
			const found = measureSpend(transaction(vout), inputs, wallet);
			const total = (list: readonly TxOut[]): bigint =>
				list.reduce((sum, one) => sum + one.value, 0n);
			if (total(vout) > total(inputs)) {
				expect(found).toHaveProperty('unknown');
				return;
			}
			if ('unknown' in found) throw new Error(found.unknown);
			const isTransfer = tokenPayloadOf(transaction(vout))?.kind === 'transfer';
			const unitsIn = isTransfer ? total(inputs.filter(({ token }) => token === TOKENID)) : 0n;
			const unitsOut = total(
				vout.filter(({ script }) => script === scripts[2] || script === scripts[3])
			);
			const kept = total(vout.filter(({ script }) => script === own));
			const mine = total(inputs.filter(({ script }) => script !== foreign));
			const leaves = mine - kept - (unitsIn < unitsOut ? unitsIn : unitsOut);
			expect(found.usages.reduce((sum, { amount }) => sum + (amount ?? 0n), 0n)).toBe(
				leaves > 0n ? leaves : 0n
			);
			expect(found.usages.every(({ amount }) => (amount ?? -1n) >= 0n)).toBe(true);
		}),
		{ numRuns: 500 }
	);
});

test('signed transactions are found in an answer however deep, and unsigned ones are left', () => {
	const signed = bytesToHex(serializeTransaction(transaction([change])));
	const bare = transaction([change], { vin: [{ ...input(), scriptSig: Uint8Array.of() }] });
	const unsigned = bytesToHex(serializeTransaction(bare));
	const answer = {
		result: { a: [{ hex: signed.toUpperCase() }], b: unsigned, c: 'zz' },
		error: null
	};
	expect(signedHex(hexOfAnswer(JSON.stringify(answer)))).toEqual([signed]);
	expect(signedHex(hexOfAnswer('no JSON'))).toEqual([]);
	expect(readHex('zz')).toBeNull();
});
