import { describe, expect, it } from 'vitest';
import { Limiter } from './limiter.ts';

/** A task that runs until it is told to end. */
function task(): { run: () => Promise<void>; end: () => void; started: () => boolean } {
	const { promise, resolve } = Promise.withResolvers<undefined>();
	let started = false;
	return {
		run: async () => {
			started = true;
			await promise;
		},
		end: () => resolve(undefined),
		started: () => started
	};
}

describe('the limit of calls to one daemon', () => {
	it('starts no more than its concurrency and lets people go before background work', async () => {
		const limiter = new Limiter({ maxConcurrency: 1, maxQueued: 5 });
		const order: string[] = [];
		const first = task();
		const done = [
			limiter.run('interactive', 1000, first.run),
			limiter.run('background', 1000, async () => void order.push('background')),
			limiter.run('interactive', 1000, async () => void order.push('person'))
		];
		expect([limiter.running, limiter.queued]).toEqual([1, 2]);
		first.end();
		await Promise.all(done);
		expect(order).toEqual(['person', 'background']);
		expect([limiter.running, limiter.queued]).toEqual([0, 0]);
	});

	it('serves a background call after three interactive ones, however many of these wait', async () => {
		const limiter = new Limiter({ maxConcurrency: 1, maxQueued: 20 });
		const order: string[] = [];
		const first = task();
		const call = (priority: 'interactive' | 'background') =>
			limiter.run(priority, 1000, async () => void order.push(priority));
		const done = [limiter.run('interactive', 1000, first.run)];
		for (let n = 0; n < 2; n += 1) done.push(call('background'));
		for (let n = 0; n < 10; n += 1) done.push(call('interactive'));
		first.end();
		await Promise.all(done);
		const places = order.flatMap((priority, at) => (priority === 'background' ? [at] : []));
		expect(places).toEqual([3, 7]);
	});

	it('refuses at once when the queue is full, and when a call waited too long', async () => {
		const limiter = new Limiter({ maxConcurrency: 1, maxQueued: 1 });
		const first = task();
		const running = limiter.run('interactive', 1000, first.run);
		const late = task();
		const waiting = limiter.run('interactive', 20, late.run);
		await expect(limiter.run('interactive', 1000, late.run)).rejects.toMatchObject({
			code: 'queue.full'
		});
		await expect(waiting).rejects.toMatchObject({ code: 'queue.timeout' });
		first.end();
		await running;
		expect(late.started()).toBe(false);
		expect(limiter.running).toBe(0);
	});

	it('gives the place free when a task fails', async () => {
		const limiter = new Limiter({ maxConcurrency: 1, maxQueued: 1 });
		await expect(
			limiter.run('interactive', 1000, () => Promise.reject(new Error('broken')))
		).rejects.toThrow('broken');
		expect(await limiter.run('interactive', 1000, () => Promise.resolve(1))).toBe(1);
	});
});
