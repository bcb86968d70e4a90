import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { keySettings, SECRET_SETTINGS, withSecretFiles } from './secretFiles.ts';

const folder = mkdtempSync(join(tmpdir(), 'komodeck-secrets-'));
afterAll(() => rmSync(folder, { recursive: true }));
const fileWith = (text: string): string => {
	const file = join(folder, String(Math.random()));
	writeFileSync(file, text);
	return file;
};

test('each secret is read from a file, without the end of its line', () => {
	for (const name of SECRET_SETTINGS) {
		const file = fileWith('the secret \n');
		expect(withSecretFiles({ [`${name}_FILE`]: file, PORT: '1' })).toMatchObject({
			[name]: 'the secret ',
			PORT: '1'
		});
	}
	const given = { KOMODECK_SECRET_KEY_FILE: fileWith('a\r\n'), KOMODECK_SECRET_KEY_PREVIOUS: 'b' };
	expect(keySettings(given)).toEqual({ secretKey: 'a', previousKey: 'b' });
});

test('both ways, no file and an empty one are refused without showing the secret', () => {
	for (const name of SECRET_SETTINGS) {
		for (const env of [
			{ [name]: 'canary', [`${name}_FILE`]: fileWith('canary') },
			{ [`${name}_FILE`]: join(folder, 'none') },
			{ [`${name}_FILE`]: fileWith('\n') }
		]) {
			expect(() => withSecretFiles(env)).toThrow(new RegExp(`${name}_FILE`));
			expect(() => withSecretFiles(env)).not.toThrow(/canary/);
		}
	}
});
