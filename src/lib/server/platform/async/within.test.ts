import { expect, test } from 'vitest';
import { within } from './within.ts';

const late = (): Error => new Error('late');

test('work that ends in time gives its result, or its error', async () => {
	expect(await within(Promise.resolve('done'), 1_000, late)).toBe('done');
	await expect(within(Promise.reject(new Error('broken')), 1_000, late)).rejects.toThrow('broken');
});

test('work that takes too long is not waited for, and may still fail', async () => {
	let fail = (_: Error): void => undefined;
	const work = new Promise<never>((_, reject) => (fail = reject));
	await expect(within(work, 1, late)).rejects.toThrow('late');
	fail(new Error('broken'));
	await expect(within(new Promise(() => undefined), -1, late)).rejects.toThrow('late');
});
