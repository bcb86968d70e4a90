import { expect, test } from 'vitest';
import { bytesToHex, hexToBytes } from '#lib/chain/bytes.ts';
import { tokenScript } from '#lib/chain/cryptocondition.ts';
import { hash160, sha256 } from '#lib/chain/hash.ts';
import { publicKeyOf } from '#lib/chain/key.ts';
import { p2pkh } from '#lib/chain/script.ts';
import { signInput } from '#lib/chain/sign.ts';
import {
	serializeTransaction,
	transparent,
	txidOf,
	unsignedInput,
	type Transaction,
	type TxOut
} from '#lib/chain/transaction.ts';
import { isTransactionError } from './errors.ts';
import { reviewPlanned, type PlannedTransaction } from './reviewPlanned.ts';

const COIN = 100_000_000n;
const FEE = 10_000n;
const keyOf = (name: string) => {
	const secret = sha256(new TextEncoder().encode(name));
	const pubkey = publicKeyOf(secret);
	return { secret, pubkey, script: p2pkh(hash160(pubkey)) };
};
const OWN = keyOf('own');
const BOB = keyOf('bob');
const MALLORY = keyOf('mallory');

const draft = (vin: readonly [string, number][], vout: readonly TxOut[]): Transaction =>
	transparent({
		vin: vin.map(([txid, index]) => unsignedInput(txid, index)),
		vout: [...vout],
		expiryHeight: 300
	});
const coins = (value: bigint, { script }: { script: Uint8Array }): TxOut => ({ value, script });

const FUNDS = draft([], [coins(5n * COIN, OWN), coins(3n * COIN, OWN)]);
const FROM = txidOf(FUNDS);
const PARENTS = new Map([[FROM, FUNDS]]);
const PAID = coins(2n * COIN, BOB);
const CHANGE = coins(3n * COIN - FEE, OWN);
const PLAN: PlannedTransaction = {
	inputs: [{ txid: FROM, vout: 0 }],
	outputs: [
		{ ...PAID, meaning: 'coins.paid', isOwn: false },
		{ ...CHANGE, meaning: 'change', isOwn: true }
	],
	fee: FEE,
	locktime: 0
};

const signed = (tx: Transaction, parents = PARENTS): string =>
	bytesToHex(
		serializeTransaction(
			tx.vin.reduce((done, { txid, vout }, index) => {
				return signInput(done, index, parents.get(txid)!.vout[vout]!, OWN.secret);
			}, tx)
		)
	);
const built = (outputs: readonly TxOut[], more: Partial<Transaction> = {}, vout = 0): string =>
	signed({ ...draft([[FROM, vout]], outputs), ...more });

function codeOf(hex: string): string {
	try {
		reviewPlanned(hex, PLAN, PARENTS, 'ALPHA');
		return 'reviewed';
	} catch (error) {
		if (!isTransactionError(error)) throw error;
		return error.code;
	}
}

test('a transaction that is what was planned is told in inputs, outputs, fee and cost, in any order', () => {
	const review = reviewPlanned(built([CHANGE, PAID]), PLAN, PARENTS, 'ALPHA');
	expect(review).toMatchObject({ fee: FEE, cost: 2n * COIN + FEE });
	expect(review.outputs.map(({ meaning }) => meaning.code)).toEqual(['change', 'coins.paid']);
});

test.each([
	['pays somebody else', built([coins(2n * COIN, MALLORY), CHANGE]), 'verification.foreign-output'],
	[
		'pays the recipient more',
		built([coins(2n * COIN + 1n, BOB), CHANGE]),
		'verification.foreign-output'
	],
	['pays the recipient twice', built([PAID, PAID, CHANGE]), 'verification.foreign-output'],
	['keeps the change for the miner', built([PAID]), 'verification.output-missing'],
	['spends another output', built([PAID, CHANGE], {}, 1), 'verification.other-inputs'],
	['is good only later', built([PAID, CHANGE], { locktime: 400 }), 'verification.lock-time'],
	[
		'is not signed',
		bytesToHex(serializeTransaction(draft([[FROM, 0]], [PAID, CHANGE]))),
		'transaction.unsigned'
	],
	['is missing', '', 'transaction.unsigned']
])('a transaction that %s is refused', (_, hex, code) => {
	expect(codeOf(hex)).toBe(code);
});

test('outputs that hold units of a token are never spent as coins', () => {
	const units = draft([], [{ value: 5n * COIN, script: tokenScript(OWN.pubkey) }]);
	const parents = new Map([[txidOf(units), units]]);
	const tx = draft([[txidOf(units), 0]], [PAID, CHANGE]);
	const hex = bytesToHex(
		serializeTransaction({ ...tx, vin: [{ ...tx.vin[0]!, scriptSig: Uint8Array.of(1, 1) }] })
	);
	const plan = { ...PLAN, inputs: [{ txid: txidOf(units), vout: 0 }] };
	expect(() => reviewPlanned(hex, plan, parents, 'KMD')).toThrow(/is not what was asked for/);
});

test('a byte flipped anywhere is refused, whatever it says then', () => {
	const bytes = hexToBytes(built([PAID, CHANGE]));
	for (let at = 0; at < bytes.length; at += 1) {
		const flipped = Uint8Array.from(bytes);
		flipped[at]! ^= 1;
		expect([at, codeOf(bytesToHex(flipped))]).not.toEqual([at, 'reviewed']);
	}
});
