import { expect, test } from 'vitest';
import { STATE_NAMES } from './states.ts';

test('each state of a migration has a name of its own, so that no filter offers one twice', () => {
	const names = Object.values(STATE_NAMES);
	expect(new Set(names).size).toBe(names.length);
});
