/** The source maps of the built application refer to the sources. */
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { expect, test } from '@playwright/test';

const ROOT = resolve(import.meta.dirname, '../..');

test('the source maps of the built server lead to files of the project', () => {
	const sources = globSync('build/server/**/*.js.map', { cwd: ROOT }).flatMap((name) => {
		const file = resolve(ROOT, name);
		const map = JSON.parse(readFileSync(file, 'utf8')) as { sources: string[] };
		return map.sources.map((source) => resolve(dirname(file), source));
	});
	const own = sources.filter((source) => source.startsWith(`${ROOT}/src/`));
	expect(own.length).toBeGreaterThan(100);
	expect(own.filter((source) => !existsSync(source))).toEqual([]);
});
