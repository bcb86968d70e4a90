import { expect, it } from 'vitest';
import { LastKnown } from './memory.ts';

it('gives back the last answer with the moment it was given', () => {
	const memory = new LastKnown(2);
	memory.remember('a', 1, 10);
	memory.remember('a', 2, 20);
	expect(memory.recall('a')).toMatchObject({ data: 2, at: 20 });
	expect(memory.recall('b')).toBeUndefined();
});

it('forgets the entry that was not used for longest', () => {
	const memory = new LastKnown(2);
	memory.remember('a', 1, 0);
	memory.remember('b', 2, 0);
	memory.recall('a');
	memory.remember('c', 3, 0);
	expect(memory.recall('b')).toBeUndefined();
	expect(memory.recall('a')).toMatchObject({ data: 1, at: 0 });
	expect(memory.recall('c')).toMatchObject({ data: 3, at: 0 });
});
