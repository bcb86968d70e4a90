import { describe, expect, it } from 'vitest';
import { costOf, mostOf } from './cost.ts';

const FORM = { importFee: 10_000n, most: 100_000_000_000_000n };
const chain = (balance: bigint | null, left: { count: bigint | null; amount: bigint | null }) => ({
	name: 'ALPHA',
	ccid: 777,
	wallet: { daemon: 'ALPHA', address: 'R', balance },
	networkFee: 0n,
	left
});
const FREE = { count: null, amount: null };

describe('the cost of a migration', () => {
	it('is the amount with the import fee where the burn itself costs nothing', () => {
		expect(costOf('1.15', chain(200_000_000n, FREE), FORM.importFee)).toEqual({
			amount: 115_000_000n,
			total: 115_010_000n,
			missing: 0n,
			over: 0n,
			noneLeft: false
		});
	});

	it('says what the wallet has not and what the limit of the day does not leave', () => {
		const poor = chain(100_000_000n, { count: 0n, amount: 50_000_000n });
		expect(costOf('1', poor, FORM.importFee)).toMatchObject({
			missing: 10_000n,
			over: 50_010_000n,
			noneLeft: true
		});
	});

	it('is none while no amount is typed', () => {
		expect(costOf('', chain(1n, FREE), FORM.importFee)).toBeNull();
		expect(costOf('one', chain(1n, FREE), FORM.importFee)).toBeNull();
	});

	it('finds nothing missing where the balance is not known', () => {
		expect(costOf('1', chain(null, FREE), FORM.importFee)).toMatchObject({ missing: 0n });
		expect(costOf('1', undefined, FORM.importFee)).toMatchObject({ missing: 0n });
	});
});

describe('the most that can be migrated', () => {
	it('leaves the fees in the wallet', () => {
		expect(mostOf(chain(100_000_000n, FREE), FORM)).toBe(99_990_000n);
		const others = { ...chain(100_000_000n, FREE), networkFee: 5_000n };
		expect(mostOf(others, FORM)).toBe(99_985_000n);
	});

	it('is never more than one migration can have', () => {
		expect(mostOf(chain(146_129_573_706_588n, FREE), FORM)).toBe(FORM.most);
	});

	it('is what the limit of the day leaves where that is less', () => {
		expect(mostOf(chain(100_000_000n, { count: null, amount: 30_000_000n }), FORM)).toBe(
			29_990_000n
		);
	});

	it('is not known without a balance, and none where the fees take all', () => {
		expect(mostOf(chain(null, FREE), FORM)).toBeNull();
		expect(mostOf(chain(10_000n, FREE), FORM)).toBeNull();
		expect(mostOf(undefined, FORM)).toBeNull();
	});
});
