import { describe, expect, test } from 'vitest';
import { addressOfPubkey } from '#lib/chain/address.ts';
import { burnScript, IMPORT_FEE, payoutsHash, serializePayouts } from '#lib/chain/burn.ts';
import { bytesToHex, concat, hexToBytes } from '#lib/chain/bytes.ts';
import { tokenScript } from '#lib/chain/cryptocondition.ts';
import { hash160, sha256 } from '#lib/chain/hash.ts';
import { publicKeyOf, signDer } from '#lib/chain/key.ts';
import { nulldataOf, opReturn, p2pk, p2pkh, pushData } from '#lib/chain/script.ts';
import { signatureHash } from '#lib/chain/sighash.ts';
import { signInput } from '#lib/chain/sign.ts';
import {
	serializeTransaction,
	transparent,
	txidOf,
	unsignedInput,
	type Transaction,
	type TxOut
} from '#lib/chain/transaction.ts';
import { isAppError } from '../../platform/errors/appError.ts';
import { reviewBurn } from './burnReview.ts';

const OWN = sha256(new TextEncoder().encode('own'));
const PUB = publicKeyOf(OWN);
const AMOUNT = 100_000_000n;
const draft = (vin: readonly [Transaction, number][], vout: TxOut[]): Transaction =>
	transparent({ vin: vin.map(([tx, index]) => unsignedInput(txidOf(tx), index)), vout });
const PARENT = draft(
	[],
	[
		{ value: AMOUNT + IMPORT_FEE + 10_000n, script: p2pk(PUB) },
		{ value: 10_000n, script: tokenScript(PUB) },
		{ value: AMOUNT + IMPORT_FEE, script: p2pk(PUB) }
	]
);
const payouts = [{ value: AMOUNT, script: p2pkh(hash160(PUB)) }];
const burn: TxOut = {
	value: AMOUNT + IMPORT_FEE,
	script: burnScript({
		targetCcid: 777,
		targetSymbol: 'BETA',
		payoutsHash: payoutsHash(payouts),
		sourceSymbol: 'ALPHA'
	})
};

const review = (tx: Transaction) =>
	reviewBurn(
		{ hex: bytesToHex(serializeTransaction(tx)), payouts: bytesToHex(serializePayouts(payouts)) },
		{
			source: 'ALPHA',
			destination: 'BETA',
			ccid: 777,
			pubkey: bytesToHex(PUB),
			address: addressOfPubkey(PUB),
			amount: AMOUNT
		},
		new Map([[txidOf(PARENT), PARENT]])
	);

/** Returns the code of the thrown error. */
function codeOf(act: () => unknown): string {
	try {
		act();
	} catch (error) {
		if (isAppError(error)) return error.code;
		throw error;
	}
	return '';
}

describe('a built burn of coins', () => {
	test('that is what was asked for passes', () => {
		const tx = signInput(draft([[PARENT, 0]], [burn]), 0, PARENT.vout[0]!, OWN);
		expect(review(tx)).toMatchObject({ amount: AMOUNT, fee: 10_000n });
	});

	test.each([
		[
			'a mark before the name of the destination',
			'0442455441',
			'07efbbbf42455441',
			'review.wrong-destination'
		],
		[
			'a byte behind the name of the source',
			'0605414c504841',
			'0705414c50484100',
			'review.burn-extra-bytes'
		],
		['a byte behind everything', '0605414c504841', '0605414c50484100', 'review.burn-extra-bytes']
	])('has no byte that a chain would not read: %s', (_what, from, to, code) => {
		const payload = bytesToHex(nulldataOf(burn.script)!);
		expect(payload).toContain(from);
		const script = opReturn(hexToBytes(payload.replace(from, to)));
		const tx = draft([[PARENT, 0]], [{ ...burn, script }]);
		const signed = signInput(tx, 0, PARENT.vout[0]!, OWN);
		expect(codeOf(() => review(signed))).toBe(code);
	});

	test('takes no units of a token with it, although the wallet may spend them', () => {
		const vin: [Transaction, number][] = [
			[PARENT, 2],
			[PARENT, 1]
		];
		const tx = vin.reduce(
			(done, [parent, vout], index) => signInput(done, index, parent.vout[vout]!, OWN),
			draft(vin, [burn])
		);
		expect(codeOf(() => review(tx))).toBe('verification.spends-token');
	});

	test.each([
		['no output', 0x02],
		['one output', 0x03],
		['one input', 0x81],
		['next to nothing', 0x82]
	])('is not signed in a way that binds %s only', (_what, hashType) => {
		const tx = draft([[PARENT, 0]], [burn]);
		const { value, script } = PARENT.vout[0]!;
		const signature = signDer(signatureHash(tx, 0, script, value, hashType), OWN);
		tx.vin[0]!.scriptSig = pushData(concat(signature, Uint8Array.of(hashType)));
		expect(codeOf(() => review(tx))).toBe('verification.signature-partial');
	});
});
