import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { deriveKey, readSecretKey } from './secretKey.ts';

const folder = mkdtempSync(join(tmpdir(), 'komodeck-key-'));
afterAll(() => rmSync(folder, { recursive: true }));

test('is made on the first run, readable by its owner only, and stays', () => {
	const dataDir = join(folder, 'first');
	const made = readSecretKey({ dataDir }, true);
	expect(made).toHaveLength(32);
	expect(statSync(join(dataDir, 'secret.key')).mode & 0o777).toBe(0o600);
	expect(readFileSync(join(dataDir, 'secret.key'), 'utf8')).toMatch(/^[0-9a-f]{64}\n$/);
	expect(readSecretKey({ dataDir }, false)).toEqual(made);
	expect(readSecretKey({ dataDir: join(folder, 'second') }, true)).not.toEqual(made);
});

test('comes from the environment when given, and then no file is made', () => {
	const text = 'a long enough text for a secret key';
	const key = readSecretKey({ dataDir: join(folder, 'third'), secretKey: text }, true);
	expect(key).toHaveLength(32);
	expect(readSecretKey({ dataDir: join(folder, 'fourth'), secretKey: text }, true)).toEqual(key);
	expect(() => statSync(join(folder, 'third'))).toThrow();
});

test('a short text or a damaged file is refused without showing it', () => {
	for (const attempt of [
		() => readSecretKey({ dataDir: folder, secretKey: 'canary' }, true),
		() => readSecretKey({ dataDir: folder, secretKey: 'canary'.repeat(9) }, true),
		() => readSecretKey({ dataDir: join(folder, 'none') }, false),
		() => {
			writeFileSync(join(folder, 'secret.key'), 'canary');
			readSecretKey({ dataDir: folder }, true);
		}
	]) {
		expect(attempt).toThrow(
			expect.objectContaining({ code: expect.stringMatching(/^secret\.key-/) as string }) as Error
		);
		expect(attempt).not.toThrow(/canary/);
	}
});

test('each purpose has a key of its own', () => {
	const secret = readSecretKey(
		{ dataDir: folder, secretKey: 'a long enough text for a secret key' },
		true
	);
	expect(deriveKey(secret, 'audit')).toEqual(deriveKey(secret, 'audit'));
	expect(deriveKey(secret, 'audit')).not.toEqual(deriveKey(secret, 'credentials'));
	expect(deriveKey(secret, 'audit')).not.toEqual(new Uint8Array(secret));
});
