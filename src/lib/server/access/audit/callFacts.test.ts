import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { bytesToHex } from '#lib/chain/bytes.ts';
import { classify, p2pkh } from '#lib/chain/script.ts';
import {
	serializeTransaction,
	transparent,
	txidOf,
	type Transaction
} from '#lib/chain/transaction.ts';
import { callFacts } from './callFacts.ts';

const script = p2pkh(new Uint8Array(20).fill(7));
const paying = (outputs: number): Transaction =>
	transparent({
		vin: [{ txid: 'cd'.repeat(32), vout: 0, scriptSig: new Uint8Array(100).fill(9), sequence: 0 }],
		vout: Array.from({ length: outputs }, () => ({ value: 150_000_000n, script }))
	});

test('bytes that are sent are told by what they do, and are not kept', () => {
	const tx = paying(2);
	const hex = bytesToHex(serializeTransaction(tx));
	const facts = callFacts('sendrawtransaction', [JSON.stringify(hex.toUpperCase())]);
	const to = classify(script).address;
	expect(facts).toMatchObject({
		txid: txidOf(tx),
		amount: '3.00000000',
		recipients: [
			{ to, amount: '1.50000000' },
			{ to, amount: '1.50000000' }
		]
	});
	expect(JSON.stringify(facts)).not.toContain('09'.repeat(20));
});

test('a message that is signed is told by what identifies it, and is not kept', () => {
	const message = 'tank abandon “bind”\n';
	const facts = callFacts('signmessage', ['"Rabc"', JSON.stringify(message)]);
	expect(facts).toEqual({
		address: 'Rabc',
		messageBytes: 24,
		messageSha256: createHash('sha256').update(message).digest('hex')
	});
	expect(callFacts('signmessage', ['"Rabc"', '[7]'])).toEqual({ address: 'Rabc' });
});

test('of many recipients some are named and all are counted', () => {
	const hex = bytesToHex(serializeTransaction(paying(50)));
	const { recipients, outputs } = callFacts('sendrawtransaction', [JSON.stringify(hex)]);
	expect(recipients).toHaveLength(10);
	expect(outputs).toBe(50);
});

test('a call without bytes is told by its parameters, cut to a bounded length', () => {
	expect(callFacts('sendtoaddress', ['"Rabc"', '1.25', '"a comment"'])).toEqual({
		amount: '1.25',
		recipients: [{ to: 'Rabc', amount: '1.25' }]
	});
	const long = JSON.stringify('x'.repeat(10_000));
	expect(JSON.stringify(callFacts('tokentransfer', [long, long, long])).length).toBeLessThan(500);
	expect(callFacts('sendrawtransaction', ['"zz"'])).toEqual({ unreadable: true });
	expect(callFacts('sendrawtransaction', ['[['])).toEqual({});
	expect(callFacts('getnewaddress', [])).toEqual({});
});
