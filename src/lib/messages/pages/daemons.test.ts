import { expect, test } from 'vitest';
import { DAEMON } from './daemons.ts';

test.each([
	[100, 250, '100 of 250'],
	[100, 100, '100 of 100'],
	// No peer reports a height, or peers do not have the tip yet.
	[100, 0, '100'],
	[101, 100, '101']
])('a daemon with %s blocks whose peers tell of %s has %s', (blocks, longest, words) => {
	expect(DAEMON.health.blocksOf(blocks, longest, true)).toBe(words);
});
