import { expect, it } from 'vitest';
import { createSeal } from './encrypt.ts';

const key = (byte: number) => new Uint8Array(32).fill(byte);
const seal = createSeal([key(1)]);

it('opens what it closed, and never writes the same twice', () => {
	const closed = seal.close('grüße at https://node.example/key', 'row-1');
	expect(closed).not.toContain('node.example');
	expect(seal.open(closed, 'row-1')).toBe('grüße at https://node.example/key');
	expect(seal.close('grüße at https://node.example/key', 'row-1')).not.toBe(closed);
	expect(seal.open(seal.close('', 'row-1'), 'row-1')).toBe('');
});

it('opens nothing that was changed, moved, cut, left open, or closed under another key', () => {
	const closed = seal.close('text', 'row-1');
	const at = closed.length - 3;
	const changed = `${closed.slice(0, at)}${closed[at] === 'A' ? 'B' : 'A'}${closed.slice(at + 1)}`;
	for (const [text, place, by] of [
		[changed, 'row-1', seal],
		[closed, 'row-2', seal],
		[closed.slice(0, 20), 'row-1', seal],
		['{"ticker":"KMD"}', 'row-1', seal],
		[closed, 'row-1', createSeal([key(2)])]
	] as const) {
		expect(() => by.open(text, place)).toThrow(
			expect.objectContaining({ code: 'secret.undecryptable' }) as Error
		);
	}
});
