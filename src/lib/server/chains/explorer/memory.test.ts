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

const MEBIBYTE = 1024 * 1024;

it('keeps at most 32 MiB, however few the answers are', () => {
	const memory = new LastKnown(1_000);
	const keys = Array.from({ length: 50 }, (_, at) => `transaction ${at}`);
	for (const key of keys) memory.remember(key, { hex: 'ab'.repeat(MEBIBYTE / 2) }, 0);
	const kept = keys.filter((key) => memory.recall(key) !== undefined);
	expect(kept).toEqual(keys.slice(-31));
});

it('keeps no answer that would take more than an eighth of that, and forgets the one before it', () => {
	const memory = new LastKnown(1_000);
	memory.remember('other', 1, 0);
	memory.remember('block', { txs: ['a'.repeat(MEBIBYTE)] }, 1);
	expect(memory.recall('block')).toMatchObject({ at: 1 });
	memory.remember('block', { txs: ['a'.repeat(5 * MEBIBYTE)] }, 2);
	expect(memory.recall('block')).toBeUndefined();
	expect(memory.recall('other')).toMatchObject({ data: 1 });
});
