import { expect, test } from 'vitest';
import { someAtATime } from './someAtATime.ts';

test('as many as were asked for are under way, and the results are in order', async () => {
	let running = 0;
	let most = 0;
	const results = await someAtATime([3, 1, 2, 0], 2, async (item) => {
		most = Math.max(most, ++running);
		for (let turn = 0; turn < item; turn++) await Promise.resolve();
		running -= 1;
		return item * 10;
	});
	expect(results).toEqual([30, 10, 20, 0]);
	expect(most).toBe(2);
});

test('once one fails, no further item is begun', async () => {
	const begun: number[] = [];
	const working = someAtATime([0, 1, 2, 3, 4, 5, 6, 7], 2, async (item) => {
		begun.push(item);
		await new Promise((resolve) => setTimeout(resolve, 5));
		if (item === 0) throw new Error('refused');
	});
	await expect(working).rejects.toThrow('refused');
	await new Promise((resolve) => setTimeout(resolve, 50));
	expect(begun.length).toBeLessThanOrEqual(3);
});
