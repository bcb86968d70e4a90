/** The order of the folders: the linter stops an import against it, however it is written, and there is none. */
import { dirname, join, relative, resolve } from 'node:path';
import { ESLint } from 'eslint';
import { describe, expect, test } from 'vitest';
import { againstOrder, cyclesOf, importsOf } from './imports.ts';
import { COMPOSITION, FOLDERS, MAY_IMPORT } from './layers.js';

const ROOT = resolve(import.meta.dirname, '../..');
const eslint = new ESLint({ cwd: ROOT });

const fileIn = (folder: string): string =>
	folder === COMPOSITION ? `src/${folder}/app.ts` : `src/${folder}/some/place.ts`;

/** Messages of the rule about imports for a file that would import this. */
async function complaints(file: string, specifier: string): Promise<string[]> {
	const [result] = await eslint.lintText(`export { x } from '${specifier}';\n`, {
		filePath: join(ROOT, file)
	});
	return (result?.messages ?? [])
		.filter(({ ruleId }) => ruleId === 'no-restricted-imports')
		.map(({ message }) => message);
}

function relativeTo(file: string, target: string): string {
	const path = relative(dirname(file), target);
	return path.startsWith('.') ? path : `./${path}`;
}

describe('imports between folders', () => {
	test.each(FOLDERS)('from src/%s are refused where they are against the order', async (from) => {
		const file = fileIn(from);
		for (const to of FOLDERS.filter((folder) => folder !== from)) {
			const target = fileIn(to);
			const wanted = MAY_IMPORT[from]?.includes(to) ? 0 : 1;
			const written = [
				relativeTo(file, target),
				...(to.startsWith('lib/') ? [`#${target.replace(/^src\//, '')}`] : [])
			];
			for (const specifier of written) {
				expect(await complaints(file, specifier), `${file} imports ${specifier}`).toHaveLength(
					wanted
				);
			}
		}
	});

	test.each([
		['src/lib/chain/bytes.ts', 'node:fs'],
		['src/lib/rpc/method.ts', 'kysely'],
		['src/lib/text/confusables.ts', 'svelte'],
		['src/lib/server/platform/http/host.ts', '@sveltejs/kit'],
		['src/lib/server/app.ts', '$app/state'],
		['src/devnet/main.ts', '../lib/ui/Page.svelte']
	])('%s must not import %s', async (file, specifier) => {
		expect(await complaints(file, specifier)).not.toEqual([]);
	});

	test('are in order today, and go round nowhere', () => {
		const imports = importsOf(join(ROOT, 'src'));
		expect(imports.length).toBeGreaterThan(1_000);
		expect(againstOrder(imports)).toEqual([]);
		expect(cyclesOf(imports)).toEqual([]);
	});
});

test('an import against the order and a cycle are found', () => {
	const wrong = { from: 'lib/server/platform/a.ts', to: 'lib/server/wallet/b.ts' };
	const right = { from: 'lib/server/wallet/b.ts', to: 'lib/server/platform/a.ts' };
	expect(againstOrder([wrong, right])).toEqual([wrong]);
	expect(cyclesOf([wrong, right])).toEqual([[wrong.from, right.from]]);
	expect(cyclesOf([right])).toEqual([]);
});
