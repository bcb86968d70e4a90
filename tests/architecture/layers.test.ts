/**
 * The order of the folders: the linter refuses an import against it, in either spelling, and there is none
 * today. Within each folder, its folders import each other in one direction.
 */
import { dirname, join, relative, resolve } from 'node:path';
import { ESLint } from 'eslint';
import { describe, expect, test } from 'vitest';
import { againstOrder, cyclesOf, importsOf, siblingCirclesOf } from './imports.ts';
import { COMPOSITION, FOLDERS, MAY_IMPORT } from './layers.js';

const ROOT = resolve(import.meta.dirname, '../..');
const eslint = new ESLint({ cwd: ROOT });

const fileIn = (folder: string): string =>
	folder === COMPOSITION ? `src/${folder}/app.ts` : `src/${folder}/some/place.ts`;

/** Number of complaints of `no-restricted-imports` for each specifier, if the file imported it. */
async function complaints(
	file: string,
	specifiers: readonly string[]
): Promise<Record<string, number>> {
	const lines = specifiers.map((specifier, at) => `export { x${at} } from '${specifier}';\n`);
	const [result] = await eslint.lintText(lines.join(''), { filePath: join(ROOT, file) });
	const found = (result?.messages ?? []).filter(({ ruleId }) => ruleId === 'no-restricted-imports');
	return Object.fromEntries(
		specifiers.map((specifier, at) => [
			specifier,
			found.filter(({ line }) => line === at + 1).length
		])
	);
}

function relativeTo(file: string, target: string): string {
	const path = relative(dirname(file), target);
	return path.startsWith('.') ? path : `./${path}`;
}

describe('imports between folders', () => {
	test.each(FOLDERS)('from src/%s are refused where they are against the order', async (from) => {
		const file = fileIn(from);
		const wanted: Record<string, number> = {};
		for (const to of FOLDERS.filter((folder) => folder !== from)) {
			const target = fileIn(to);
			const times = MAY_IMPORT[from]?.includes(to) ? 0 : 1;
			wanted[relativeTo(file, target)] = times;
			if (to.startsWith('lib/')) wanted[`#${target.replace(/^src\//, '')}`] = times;
		}
		expect(await complaints(file, Object.keys(wanted)), file).toEqual(wanted);
	});

	test.each([
		['src/lib/chain/bytes.ts', 'node:fs'],
		['src/lib/rpc/method.ts', 'kysely'],
		['src/lib/text/confusables.ts', 'svelte'],
		['src/lib/server/platform/net/host.ts', '@sveltejs/kit'],
		['src/lib/server/app.ts', '$app/state'],
		['src/devnet/main.ts', '../lib/ui/layout/Page.svelte']
	])('%s must not import %s', async (file, specifier) => {
		expect((await complaints(file, [specifier]))[specifier]).toBeGreaterThan(0);
	});

	test('are in order today, and go round nowhere', () => {
		const imports = importsOf(join(ROOT, 'src'));
		expect(imports.length).toBeGreaterThan(1_000);
		expect(againstOrder(imports)).toEqual([]);
		expect(cyclesOf(imports)).toEqual([]);
	});

	test('go in one direction between sibling folders', () => {
		expect(siblingCirclesOf(importsOf(join(ROOT, 'src')))).toEqual([]);
	});
});

test('an import against the order and a cycle are found', () => {
	const wrong = { from: 'lib/server/platform/a.ts', to: 'lib/server/wallet/b.ts' };
	const right = { from: 'lib/server/wallet/b.ts', to: 'lib/server/platform/a.ts' };
	expect(againstOrder([wrong, right])).toEqual([wrong]);
	expect(cyclesOf([wrong, right])).toEqual([[wrong.from, right.from]]);
	expect(cyclesOf([right])).toEqual([]);
});

describe('sibling folders', () => {
	const circle = [
		{ from: 'lib/a/one.ts', to: 'lib/b/deep/two.ts' },
		{ from: 'lib/b/three.ts', to: 'lib/c/four.ts' },
		{ from: 'lib/c/deep/five.ts', to: 'lib/a/six.ts' }
	];

	test('that import each other in a circle are found, at every level', () => {
		const found = ['lib/a', 'lib/b', 'lib/c'];
		expect(siblingCirclesOf(circle)).toEqual([found]);
		const below = circle.map(({ from, to }) => ({ from: `routes/${from}`, to: `routes/${to}` }));
		expect(siblingCirclesOf([...circle, ...below])).toEqual([
			found,
			found.map((folder) => `routes/${folder}`)
		]);
	});

	test.each(circle)('are in one direction without $from', (broken) => {
		expect(siblingCirclesOf(circle.filter((one) => one !== broken))).toEqual([]);
	});

	test('are neither a folder and its own folders, nor the files beside them', () => {
		const [first, ...others] = circle;
		const both = (from: string, to: string) => [
			{ from, to },
			{ from: to, to: from }
		];
		expect(
			siblingCirclesOf([
				...others,
				...both(first!.from, 'lib/a/deep/seven.ts'),
				...both(first!.from, 'lib/beside.ts'),
				...both('lib/b/three.ts', 'lib/beside.ts')
			])
		).toEqual([]);
	});
});
