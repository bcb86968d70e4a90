import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { Health } from './health.ts';

const HOUR = 3_600_000;

test('a daemon that does not answer is away after its time, whatever the wall clock is set to', async () => {
	let wall = Date.UTC(2026, 10, 26, 12);
	const health = new Health(() => wall, 50);
	health.good();
	health.enter('down', null);
	wall += HOUR;
	expect(health.isAway).toBe(false);
	wall -= 2 * HOUR;
	await sleep(60);
	expect(health.isAway).toBe(true);
});
