import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { deriveKey, loadSecretKey } from './secretKey.ts';

const folder = mkdtempSync(join(tmpdir(), 'komodeck-key-'));
afterAll(() => rmSync(folder, { recursive: true }));

test('is made on the first run, readable by its owner only, and stays', () => {
	const dataDir = join(folder, 'first');
	const made = loadSecretKey(dataDir);
	expect(made).toHaveLength(32);
	expect(statSync(join(dataDir, 'secret.key')).mode & 0o777).toBe(0o600);
	expect(readFileSync(join(dataDir, 'secret.key'), 'utf8')).toMatch(/^[0-9a-f]{64}\n$/);
	expect(loadSecretKey(dataDir)).toEqual(made);
	expect(loadSecretKey(join(folder, 'second'))).not.toEqual(made);
});

test('comes from the environment when given, and then no file is made', () => {
	const text = 'a long enough text for a secret key';
	const key = loadSecretKey(join(folder, 'third'), text);
	expect(key).toHaveLength(32);
	expect(loadSecretKey(join(folder, 'fourth'), text)).toEqual(key);
	expect(() => statSync(join(folder, 'third'))).toThrow();
});

test('a short text or a damaged file is refused without showing it', () => {
	for (const attempt of [
		() => loadSecretKey(folder, 'canary'),
		() => {
			writeFileSync(join(folder, 'secret.key'), 'canary');
			loadSecretKey(folder);
		}
	]) {
		expect(attempt).toThrow(expect.objectContaining({ code: 'secret-key-invalid' }) as Error);
		expect(attempt).not.toThrow(/canary/);
	}
});

test('each purpose has a key of its own', () => {
	const secret = loadSecretKey(folder, 'x'.repeat(32));
	expect(deriveKey(secret, 'audit')).toEqual(deriveKey(secret, 'audit'));
	expect(deriveKey(secret, 'audit')).not.toEqual(deriveKey(secret, 'credentials'));
	expect(deriveKey(secret, 'audit')).not.toEqual(new Uint8Array(secret));
});
