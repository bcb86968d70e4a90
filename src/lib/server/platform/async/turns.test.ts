import { expect, test } from 'vitest';
import { createTurns } from './turns.ts';

test('as many tasks as allowed run at a time, in the order of their calls', async () => {
	const inTurn = createTurns(2);
	const begun: number[] = [];
	let running = 0;
	let most = 0;
	const results = await Promise.all(
		[0, 1, 2, 3, 4].map((item) =>
			inTurn(async () => {
				begun.push(item);
				most = Math.max(most, ++running);
				await new Promise(setImmediate);
				running -= 1;
				return item * 10;
			})
		)
	);
	expect(results).toEqual([0, 10, 20, 30, 40]);
	expect(begun).toEqual([0, 1, 2, 3, 4]);
	expect(most).toBe(2);
});

test('a task that fails passes its turn on', async () => {
	const inTurn = createTurns(1);
	const failed = inTurn(() => Promise.reject(new Error('broken')));
	const next = inTurn(() => Promise.resolve('done'));
	await expect(failed).rejects.toThrow('broken');
	expect(await next).toBe('done');
	expect(await inTurn(() => Promise.resolve('free'))).toBe('free');
});
