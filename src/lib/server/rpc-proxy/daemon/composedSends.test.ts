import { expect, test } from 'vitest';
import { composedTxid, composes } from './composedSends.ts';

const TXID = 'ab'.repeat(32);
const said = (result: unknown): string => JSON.stringify({ result, error: null, id: 1 });

test('the id of a transaction that a daemon composed is read from its answer', () => {
	expect(composedTxid('sendtoaddress', said(TXID))).toBe(TXID);
	expect(composedTxid('kvupdate', said({ coin: 'X', txid: TXID }))).toBe(TXID);
});

test('an answer that names no transaction gives no id', () => {
	for (const answer of ['', 'no JSON', 'null', '[]', said(null), said('zz'), said({ txid: 7 })]) {
		expect(composedTxid('sendtoaddress', answer), answer).toBeNull();
	}
});

test('what is known by its bytes before it goes out is not told twice', () => {
	expect(composes('sendrawtransaction')).toBe(false);
	expect(composedTxid('sendrawtransaction', said(TXID))).toBeNull();
	expect(composedTxid('getbestblockhash', said(TXID))).toBeNull();
});
