import { describe, expect, test } from 'vitest';
import { selectCoins } from './select.ts';
import type { WalletCoin } from './wallet.ts';

const coin = (value: number, n: number): WalletCoin => ({
	txid: String(n).padStart(64, '0'),
	vout: 0,
	value: BigInt(value),
	script: new Uint8Array(0),
	height: 1,
	coinbase: false,
	address: 'R',
	rawConfirmations: 1
});
const coins = (...values: number[]): WalletCoin[] => values.map(coin);

describe('choosing inputs', () => {
	test('one that fits is taken before several', () => {
		expect(selectCoins(coins(30, 100), 100n, 10)?.coins.map((c) => c.value)).toEqual([100n]);
	});

	test('what is gathered first decides, as in the daemon', () => {
		expect(selectCoins(coins(60, 50, 1000), 100n, 10)?.total).toBe(110n);
	});

	test('many small outputs are no funds although the balance would do', () => {
		expect(selectCoins(coins(...Array<number>(50).fill(9)), 100n, 10)).toBeNull();
	});

	test('less than is asked for is nothing', () => {
		expect(selectCoins(coins(10, 20), 100n, 10)).toBeNull();
	});
});
