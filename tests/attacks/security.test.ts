/** SECURITY.md names every attack class and every attack, and refers only to existing files. */
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { attacks } from './all.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const text = readFileSync(join(ROOT, 'SECURITY.md'), 'utf8');
const quoted = [...text.matchAll(/`([^`\n]+)`/g)].map(([, inner]) => inner ?? '');

test('SECURITY.md has a title for each class of attack', () => {
	const titles = [...text.matchAll(/^### (.+)$/gm)].map(([, title]) => title?.toLowerCase() ?? '');
	const missing = [...attacks.values()]
		.map((attack) => attack.class.toLowerCase())
		.filter((title) => !titles.some((one) => one.includes(title)));
	expect([...new Set(missing)]).toEqual([]);
});

test('SECURITY.md names each attack, or the file that holds it with others of its kind', () => {
	const byFile = ['tests/attacks/traps.ts', 'tests/attacks/money.ts'].map((file) =>
		readFileSync(join(ROOT, file), 'utf8')
	);
	const unnamed = [...attacks.keys()].filter(
		(name) => !quoted.includes(name) && !byFile.some((source) => source.includes(`'${name}'`))
	);
	expect(unnamed).toEqual([]);
});

test('SECURITY.md points to files that are there', () => {
	const paths = quoted
		.filter((one) => /^(?:src|tests)\/[\w./{},-]+$/.test(one))
		.flatMap((one) => {
			const [, before, choices, after] = /^(.*)\{(.*)\}(.*)$/.exec(one) ?? [];
			return choices ? choices.split(',').map((name) => `${before}${name}${after}`) : [one];
		});
	expect(paths.length).toBeGreaterThan(10);
	expect(paths.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
});
