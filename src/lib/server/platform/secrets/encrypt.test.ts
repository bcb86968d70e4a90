import { expect, it } from 'vitest';
import { createCipher } from './encrypt.ts';

const key = (byte: number) => new Uint8Array(32).fill(byte);
const cipher = createCipher([key(1)]);

it('opens what it encrypted, and never writes the same twice', () => {
	const encrypted = cipher.encrypt('grüße at https://node.example/key', 'row-1');
	expect(encrypted).not.toContain('node.example');
	expect(cipher.decrypt(encrypted, 'row-1')).toBe('grüße at https://node.example/key');
	expect(cipher.encrypt('grüße at https://node.example/key', 'row-1')).not.toBe(encrypted);
	expect(cipher.decrypt(cipher.encrypt('', 'row-1'), 'row-1')).toBe('');
});

it('opens nothing that was changed, moved, cut, left open, or encrypted under another key', () => {
	const encrypted = cipher.encrypt('text', 'row-1');
	const at = encrypted.length - 3;
	const changed = `${encrypted.slice(0, at)}${encrypted[at] === 'A' ? 'B' : 'A'}${encrypted.slice(at + 1)}`;
	for (const [text, place, by] of [
		[changed, 'row-1', cipher],
		[encrypted, 'row-2', cipher],
		[encrypted.slice(0, 20), 'row-1', cipher],
		['{"ticker":"KMD"}', 'row-1', cipher],
		[encrypted, 'row-1', createCipher([key(2)])]
	] as const) {
		expect(() => by.decrypt(text, place)).toThrow(
			expect.objectContaining({ code: 'secret.undecryptable' }) as Error
		);
	}
});
