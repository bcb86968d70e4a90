import { expect, it } from 'vitest';
import { daemonJson } from './daemonJson.ts';

it('writes amounts in the digits of the daemon', () => {
	expect(daemonJson('getaddressbalance', { balance: 9007199254740993n, received: 0n })).toBe(
		'{\n  "balance": 9007199254740993,\n  "received": 0\n}'
	);
	expect(daemonJson('tokenlist', [])).toBe('[]');
});

it('puts an answer with a text of any length on lines', () => {
	const long = 'a'.repeat(12_000_000);
	expect(daemonJson('createrawtransaction', long)).toHaveLength(long.length + 2);
});
