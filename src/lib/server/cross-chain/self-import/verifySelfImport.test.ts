import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { addressOfPubkey } from '#lib/chain/address.ts';
import { bytesToHex, hexToBytes } from '#lib/chain/bytes.ts';
import { hash160, sha256 } from '#lib/chain/hash.ts';
import { publicKeyOf } from '#lib/chain/key.ts';
import { p2pk, p2pkh } from '#lib/chain/script.ts';
import { buildSelfImport, selfImportSourceScript } from '#lib/chain/selfImport.ts';
import { signInput } from '#lib/chain/sign.ts';
import {
	serializeTransaction,
	transparent,
	txidOf,
	unsignedInput,
	type Transaction,
	type TxOut
} from '#lib/chain/transaction.ts';
import { isTransactionError } from '../../wallet/transactions/errors.ts';
import { reviewImport, reviewSource } from './verifySelfImport.ts';

const keyOf = (name: string) => {
	const priv = sha256(new TextEncoder().encode(name));
	const pub = publicKeyOf(priv);
	return { priv, pub, hex: bytesToHex(pub), address: addressOfPubkey(pub) };
};
const OWN = keyOf('issuer');
const WALLET = { pubkey: OWN.hex, chain: 'ALPHA' };
const BOB = keyOf('bob');
const MALLORY = keyOf('mallory');
const ASKED = { address: BOB.address, amount: 115_000_000n };
const COINS = 100_000_000n;

const draft = (vin: Transaction['vin'], vout: readonly TxOut[]): Transaction =>
	transparent({ vin, vout: [...vout] });
const FUNDS = draft(
	[],
	[
		{ value: COINS, script: p2pk(OWN.pub) },
		{ value: COINS, script: p2pkh(hash160(MALLORY.pub)) }
	]
);
const hexOf = (tx: Transaction): string => bytesToHex(serializeTransaction(tx));
const toBob = p2pkh(hash160(BOB.pub));

interface Parts {
	from: 0 | 1;
	paid: TxOut;
	between: TxOut[];
	payload: TxOut;
}
function source(more: Partial<Parts> = {}): Transaction {
	const parts: Parts = {
		from: 0,
		paid: { value: 10_000n, script: toBob },
		between: [{ value: COINS - 20_000n, script: p2pk(OWN.pub) }],
		payload: { value: 0n, script: selfImportSourceScript(ASKED.amount) },
		...more
	};
	const input = unsignedInput(txidOf(FUNDS), parts.from);
	const tx = draft([input], [parts.paid, ...parts.between, parts.payload]);
	const key = parts.from === 0 ? OWN : MALLORY;
	return signInput(tx, 0, FUNDS.vout[parts.from]!, key.priv);
}
const PARENTS = new Map([[txidOf(FUNDS), FUNDS]]);
const SOURCE = source();
const PAYOUT: TxOut = { value: ASKED.amount, script: toBob };

const words = (act: () => unknown): string => {
	try {
		act();
	} catch (error) {
		if (!isTransactionError(error)) throw error;
		return `${error.code}: ${error.message}`;
	}
	throw new Error('nothing was refused');
};

test('a recorded pair of a running daemon is what was asked for', () => {
	const at = new URL(
		'../../../../../tests/contract/fixtures/recordings/daemon-migration/C4-selfimport.json',
		import.meta.url
	);
	const recorded = JSON.parse(readFileSync(at, 'utf8')) as Record<
		string,
		{
			request: { params: [string, string] };
			response: { result: { SourceTxHex: string; ImportTxHex: string } };
		}
	>;
	const { request, response } = recorded['093_SELFIMP_selfimport']!;
	const { SourceTxHex, ImportTxHex } = response.result;
	const asked = { address: request.params[0], amount: 750_000_000n };
	const review = reviewImport(ImportTxHex, asked, SourceTxHex, 'ALPHA');
	expect(review.txid).toBe('89d1a259601e5a94ffbbc21bac9923c2415fcb28af724ea18b8514b378834d97');
	expect(review.outputs[0]).toMatchObject({ value: 750_000_000n, address: asked.address });
	expect(
		words(() => reviewImport(ImportTxHex, { ...asked, amount: 1n }, SourceTxHex, 'ALPHA'))
	).toContain('creates 7.5 ALPHA, and 0.00000001 ALPHA were asked for');
});

describe('a built source', () => {
	const review = (tx: Transaction | string) =>
		reviewSource(typeof tx === 'string' ? tx : hexOf(tx), ASKED, WALLET, PARENTS);

	test('costs its fee and what it pays to the recipient', () => {
		expect(review(SOURCE)).toMatchObject({ fee: 10_000n, cost: 20_000n, txid: txidOf(SOURCE) });
	});

	test.each<[string, Transaction | string, string]>([
		['no bytes', '', 'could not sign'],
		[
			'another amount',
			source({ payload: { value: 0n, script: selfImportSourceScript(114_999_999n) } }),
			'names 1.14999999 ALPHA, and 1.15 ALPHA were asked for'
		],
		[
			'another recipient',
			source({ paid: { value: 10_000n, script: p2pkh(hash160(MALLORY.pub)) } }),
			`pays to ${MALLORY.address}, not to ${BOB.address}`
		],
		[
			'an empty script for the recipient',
			source({ paid: { value: 10_000n, script: new Uint8Array(0) } }),
			'a script without an address'
		],
		[
			'no outputs',
			signInput({ ...SOURCE, vout: [] }, 0, FUNDS.vout[0]!, OWN.priv),
			`it has no output, and one that pays to ${BOB.address}`
		],
		[
			'a dearer payment',
			source({ paid: { value: 20_000n, script: toBob } }),
			'it pays 0.0002 ALPHA'
		],
		[
			'foreign change',
			source({ between: [{ value: COINS - 20_000n, script: p2pk(MALLORY.pub) }] }),
			'also pays'
		],
		['no change', source({ between: [] }), 'its fee would be'],
		[
			'coins of another key first',
			source({ from: 1 }),
			'only coins of the chain’s ac_pubkey count'
		],
		['no amount', source({ payload: { value: 0n, script: hexToBytes('6a02e241') } }), 'not name']
	])('with %s is refused', (_what, tx, sentence) => {
		expect(words(() => review(tx))).toContain(sentence);
	});
});

describe('a built import', () => {
	const review = (tx: Transaction | string) =>
		reviewImport(typeof tx === 'string' ? tx : hexOf(tx), ASKED, hexOf(SOURCE), 'ALPHA');
	const good = (): Transaction => buildSelfImport(SOURCE, [PAYOUT]);

	test('creates the amount without a fee', () => {
		expect(review(good())).toMatchObject({ fee: 0n, cost: 0n, inputs: [] });
	});

	test.each<[string, () => Transaction | string, string]>([
		['no bytes', () => '', 'could not sign'],
		[
			'another amount',
			() => buildSelfImport(SOURCE, [{ ...PAYOUT, value: 115_000_001n }]),
			'creates 1.15000001 ALPHA, and 1.15 ALPHA were asked for'
		],
		[
			'another recipient',
			() => buildSelfImport(SOURCE, [{ ...PAYOUT, script: p2pkh(hash160(MALLORY.pub)) }]),
			`pays to ${MALLORY.address}`
		],
		[
			'a second payout',
			() => buildSelfImport(SOURCE, [PAYOUT, { value: 1n, script: toBob }]),
			'pays 2 outputs'
		],
		[
			'another source',
			() => buildSelfImport(source({ between: [] }), [PAYOUT]),
			'stands on another source'
		],
		['the source itself', () => SOURCE, 'is not an import'],
		['a lock time', () => ({ ...good(), locktime: 5 }), 'something else'],
		['an expiry', () => ({ ...good(), expiryHeight: 5 }), 'something else'],
		[
			'another burn object behind the same payouts',
			() => {
				const tx = good();
				return { ...tx, vin: [{ ...tx.vin[0]!, txid: 'ab'.repeat(32) }] };
			},
			'something else'
		]
	])('with %s is refused', (_what, build, sentence) => {
		expect(words(() => review(build()))).toContain(sentence);
	});

	test('with a byte flipped anywhere is refused', () => {
		const hex = hexOf(good());
		let passed = 0;
		for (let at = 0; at < hex.length / 2; at++) {
			const byte = (parseInt(hex.slice(2 * at, 2 * at + 2), 16) ^ 1).toString(16).padStart(2, '0');
			try {
				review(hex.slice(0, 2 * at) + byte + hex.slice(2 * at + 2));
				passed++;
			} catch (error) {
				if (!isTransactionError(error)) throw error;
			}
		}
		// The index in the proof has no meaning, so any value is accepted; it takes one byte here.
		expect(passed).toBe(1);
	});
});
