import { expect, test } from 'vitest';
import { Faults } from './fault.ts';

test('a counted fault hits so many calls of its method and no other', () => {
	const faults = new Faults();
	faults.set({ kind: 'drop', ms: 0, method: 'getinfo', count: 2, phase: 'before' });
	expect(faults.take(['getblock'])).toEqual([]);
	expect(faults.take(['getinfo'])).toHaveLength(1);
	expect(faults.take(['getblock', 'getinfo'])).toHaveLength(1);
	expect(faults.take(['getinfo'])).toEqual([]);
	expect(faults.list()).toEqual([]);
});

test('none disarms all faults', () => {
	const faults = new Faults();
	faults.set({ kind: 'latency', ms: 5, phase: 'before' });
	faults.set({ kind: 'truncate', ms: 0, phase: 'before' });
	expect(faults.take([])).toHaveLength(2);
	faults.set({ kind: 'none', ms: 0, phase: 'before' });
	expect(faults.take(['getinfo'])).toEqual([]);
});
