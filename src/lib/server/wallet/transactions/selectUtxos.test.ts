import { expect, test } from 'vitest';
import { feeFor, planPayment, selectUtxos } from './selectUtxos.ts';

const utxos = (...amounts: number[]) => amounts.map((amount) => ({ amount: BigInt(amount) }));
const to = (amount: bigint | null, address = 'R') => ({ address, amount });
const RATE = 10_000n;

test('the smallest output that suffices is taken, so that the larger ones stay free', () => {
	expect(selectUtxos(utxos(900, 100, 300), () => 200n)).toEqual(utxos(300));
});

test('the largest outputs are taken together where no single one suffices', () => {
	expect(selectUtxos(utxos(100, 900, 300), () => 1_100n)).toEqual(utxos(900, 300));
	expect(selectUtxos(utxos(100, 900), () => 1_100n)).toBeNull();
});

test('what is paid, the change and the fee are what the inputs hold', () => {
	const planned = planPayment({
		payments: [to(50_000n), to(20_000n, 'S')],
		free: utxos(200_000, 90_000),
		isChosen: false,
		rate: RATE
	});
	if (!planned.ok) throw new Error('no plan');
	const { inputs, payments, change, fee } = planned.plan;
	expect(inputs).toEqual(utxos(90_000));
	expect(payments.map(({ amount }) => amount)).toEqual([50_000n, 20_000n]);
	expect(fee).toBe(feeFor(1, 3, RATE));
	expect(change).toBe(90_000n - 70_000n - fee);
});

test('what one transaction reaches is said of outputs that hold enough in too many', () => {
	// Small ones first, as a daemon may list them.
	const free = utxos(...Array<number>(60).fill(10_000), ...Array<number>(60).fill(50_000));
	for (const payments of [[to(3_450_000n)], [to(3_450_000n), to(null, 'S')]]) {
		expect(planPayment({ payments, free, isChosen: false, rate: 100n })).toMatchObject({
			ok: false,
			reach: 3_400_000n
		});
	}
});

test('outputs that hold exactly the payment and the fee of no change suffice', () => {
	const fee = feeFor(2, 1, RATE);
	const exact = { free: utxos(60_000, 40_000), isChosen: false, rate: RATE };
	expect(planPayment({ ...exact, payments: [to(100_000n - fee)] })).toMatchObject({
		ok: true,
		plan: { change: 0n, fee }
	});
	expect(planPayment({ ...exact, payments: [to(100_001n - fee)] })).toMatchObject({
		ok: false,
		needed: 100_001n
	});
});

test('change that would be dust goes to the fee', () => {
	const fee = feeFor(1, 2, RATE);
	const planned = planPayment({
		payments: [to(50_000n)],
		free: [{ amount: 50_000n + fee + 999n }],
		isChosen: false,
		rate: RATE
	});
	expect(planned).toMatchObject({ ok: true, plan: { change: 0n, fee: fee + 999n } });
});

test('one recipient gets what the others and the fee leave, out of all outputs', () => {
	const planned = planPayment({
		payments: [to(null), to(10_000n, 'S')],
		free: utxos(60_000, 40_000),
		isChosen: false,
		rate: RATE
	});
	const fee = feeFor(2, 2, RATE);
	expect(planned).toMatchObject({
		ok: true,
		plan: { fee, change: 0n, payments: [{ amount: 90_000n - fee }, { amount: 10_000n }] }
	});
});

test('outputs chosen by hand are all spent, and too few of them are no plan', () => {
	const chosen = { free: utxos(60_000, 40_000), isChosen: true, rate: RATE };
	expect(planPayment({ ...chosen, payments: [to(10_000n)] })).toMatchObject({
		ok: true,
		plan: { inputs: utxos(60_000, 40_000) }
	});
	expect(planPayment({ ...chosen, payments: [to(100_000n)] })).toMatchObject({ ok: false });
	expect(planPayment({ ...chosen, free: [], payments: [to(null)] })).toMatchObject({ ok: false });
});
