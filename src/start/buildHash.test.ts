import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { sourceHash } from './buildHash.ts';

const ROOT = join(import.meta.dirname, '../..');
const PARTS = [
	'package-lock.json',
	'svelte.config.js',
	'tsconfig.json',
	'vite.config.ts',
	'src',
	'static'
];

test('a change of what shapes the build counts as a change, and one of what only starts it does not', () => {
	const folder = mkdtempSync(join(tmpdir(), 'komodeck-hash-'));
	try {
		for (const part of PARTS) cpSync(join(ROOT, part), join(folder, part), { recursive: true });
		const before = sourceHash(folder);
		writeFileSync(join(folder, 'src/start/port.ts'), '');
		expect(sourceHash(folder)).toBe(before);
		for (const file of ['routeTable', 'sharedScripts', 'sourceMaps']) {
			const last = sourceHash(folder);
			writeFileSync(join(folder, `src/start/${file}.ts`), '// changed');
			expect(sourceHash(folder), file).not.toBe(last);
		}
	} finally {
		rmSync(folder, { recursive: true, force: true });
	}
});
