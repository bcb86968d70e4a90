import { describe, expect, it } from 'vitest';
import { costOf, mostOf } from './cost.ts';

const FEES = { import: 10_000n, network: 10_000n };
const chain = (balance: bigint | null, left: { count: bigint | null; amount: bigint | null }) => ({
	name: 'ALPHA',
	ccid: 777,
	wallet: { daemon: 'ALPHA', address: 'R', balance },
	left
});
const FREE = { count: null, amount: null };

describe('the cost of a migration', () => {
	it('is the amount with both fees', () => {
		expect(costOf('1.15', chain(200_000_000n, FREE), FEES)).toEqual({
			amount: 115_000_000n,
			total: 115_020_000n,
			missing: 0n,
			over: 0n,
			noneLeft: false
		});
	});

	it('says what the wallet has not and what the limit of the day does not leave', () => {
		const poor = chain(100_000_000n, { count: 0n, amount: 50_000_000n });
		expect(costOf('1', poor, FEES)).toMatchObject({
			missing: 20_000n,
			over: 50_020_000n,
			noneLeft: true
		});
	});

	it('is none while no amount is typed', () => {
		expect(costOf('', chain(1n, FREE), FEES)).toBeNull();
		expect(costOf('one', chain(1n, FREE), FEES)).toBeNull();
	});

	it('finds nothing missing where the balance is not known', () => {
		expect(costOf('1', chain(null, FREE), FEES)).toMatchObject({ missing: 0n });
		expect(costOf('1', undefined, FEES)).toMatchObject({ missing: 0n });
	});
});

describe('the most that can be migrated', () => {
	it('leaves both fees in the wallet', () => {
		expect(mostOf(chain(100_000_000n, FREE), FEES)).toBe(99_980_000n);
	});

	it('is what the limit of the day leaves where that is less', () => {
		expect(mostOf(chain(100_000_000n, { count: null, amount: 30_000_000n }), FEES)).toBe(
			29_980_000n
		);
	});

	it('is not known without a balance, and none where the fees take all', () => {
		expect(mostOf(chain(null, FREE), FEES)).toBeNull();
		expect(mostOf(chain(15_000n, FREE), FEES)).toBeNull();
		expect(mostOf(undefined, FEES)).toBeNull();
	});
});
