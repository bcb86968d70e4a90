import { expect, it } from 'vitest';
import { createFinalBytes } from './finalBytes.ts';
import type { RawAnswer } from '../upstream/rawAnswer.ts';

const LIMIT = 800;

const answerOf = (bytes: number): RawAnswer => ({
	status: 200,
	contentType: 'application/json',
	body: Buffer.alloc(bytes),
	id: null
});

it('keeps answers up to its limit, and then forgets the one that was not used for longest', () => {
	const kept = createFinalBytes(LIMIT);
	const keys = Array.from({ length: 8 }, (_, at) => `block ${at}`);
	for (const key of keys) kept.set(key, answerOf(LIMIT / 8));
	expect(keys.filter((key) => kept.get(key) !== undefined)).toEqual(keys);
	kept.get(keys[0]!);
	kept.set('another', answerOf(1));
	expect(keys.filter((key) => kept.get(key) === undefined)).toEqual([keys[1]]);
	expect(kept.get('another')?.body).toHaveLength(1);
});

it('does not keep an answer of more than an eighth of its limit, and keeps what it had', () => {
	const kept = createFinalBytes(LIMIT);
	kept.set('small', answerOf(LIMIT / 8));
	kept.set('large', answerOf(LIMIT / 8 + 1));
	expect(kept.get('large')).toBeUndefined();
	expect(kept.get('small')?.body).toHaveLength(LIMIT / 8);
});

it('keeps an answer without a body', () => {
	const kept = createFinalBytes(LIMIT);
	kept.set('empty', answerOf(0));
	expect(kept.get('empty')?.body).toHaveLength(0);
});
