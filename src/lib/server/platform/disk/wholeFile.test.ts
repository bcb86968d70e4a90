import { mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { createFile, replaceFile } from './wholeFile.ts';

const folder = mkdtempSync(join(tmpdir(), 'komodeck-drafts-'));
afterAll(() => rmSync(folder, { recursive: true }));

test.each([
	['replaced', replaceFile],
	['created', createFile]
])('the drafts that killed processes left beside a file go when it is %s', (name, write) => {
	const put = (suffix: string, ageMs: number): string => {
		const path = join(folder, `${name}${suffix}`);
		writeFileSync(path, 'x');
		const seconds = (Date.now() - ageMs) / 1000;
		utimesSync(path, seconds, seconds);
		return `${name}${suffix}`;
	};
	put('.0123456789ab', 2 * 60 * 60_000);
	const kept = [put('.ba9876543210', 0), put('.before', 2 * 60 * 60_000)];
	write(join(folder, name), 'whole');
	expect(readFileSync(join(folder, name), 'utf8')).toBe('whole');
	const beside = readdirSync(folder).filter((one) => one.startsWith(name));
	expect(beside.sort()).toEqual([name, ...kept].sort());
});
