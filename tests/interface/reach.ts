/** Finds the sources of the trading node's pages by following their imports. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { withoutComments, type SourceFile } from './sources.ts';

const ROOT = join(import.meta.dirname, '../..');
const PAGES = 'src/routes/kdf';
const IMPORT = /(?:from|import)\s*\(?\s*'([^']+)'/g;
/** Imports are not followed beyond this file, which imports the whole application. */
const END = 'src/lib/server/appTypes.ts';
/** Imports everything about activations, whichever parts a page uses. */
const HUB = 'src/lib/server/kdf/activations.ts';
/** Paths of sources that can be about single methods of the trading node. */
const ABOUT = [
	PAGES,
	'src/lib/messages/activation/',
	'src/lib/server/kdf/activation/',
	'src/lib/server/kdf/calls/',
	'src/lib/server/kdf/coins/',
	'src/lib/server/kdf/forms/',
	'src/lib/server/kdf/holdings/',
	'src/lib/server/kdf/remote-signers/',
	'src/lib/server/kdf/servers/',
	'src/lib/server/kdf/signing/',
	'src/lib/rpc/errors/kdf',
	'src/lib/ui/'
];

function target(file: string, specifier: string): string | null {
	const path = specifier.startsWith('#lib/')
		? join(ROOT, 'src/lib', specifier.slice('#lib/'.length))
		: specifier.startsWith('.')
			? join(dirname(file), specifier)
			: null;
	return path !== null && existsSync(path) ? path : null;
}

export interface Reached extends SourceFile {
	/** Imported by the pages themselves, not only through the activations. */
	directly: boolean;
}

/** The pages' own files and their imports. */
export function tradingPages(): readonly Reached[] {
	const near = new Set(reached([END, HUB]).map(({ path }) => path));
	return reached([END]).map((one) => ({ ...one, directly: near.has(one.path) }));
}

function reached(ends: readonly string[]): SourceFile[] {
	const folder = join(ROOT, PAGES);
	if (!existsSync(folder)) return [];
	const waiting = readdirSync(folder, { withFileTypes: true, recursive: true })
		.filter((entry) => entry.isFile() && /\.(?:ts|svelte)$/.test(entry.name))
		.map((entry) => join(entry.parentPath, entry.name));
	const found = new Map<string, string>();
	for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
		if (found.has(file)) continue;
		const text = readFileSync(file, 'utf8');
		found.set(file, text);
		if (ends.includes(relative(ROOT, file))) continue;
		for (const [, specifier = ''] of text.matchAll(IMPORT)) {
			const next = target(file, specifier);
			if (next !== null) waiting.push(next);
		}
	}
	return [...found]
		.map(([file, text]) => ({ path: relative(ROOT, file), text: withoutComments(text) }))
		.filter(({ path }) => ABOUT.some((one) => path.startsWith(one)));
}

const pattern = (word: string): RegExp =>
	new RegExp(`(?<![A-Za-z0-9_])${word.replaceAll(/[^A-Za-z0-9_]/g, '\\$&')}(?![A-Za-z0-9_])`);

/** Whether one of the sources contains the word. */
export const hasWord = (sources: readonly SourceFile[], word: string): boolean => {
	const wanted = pattern(word);
	return sources.some(({ text }) => wanted.test(text));
};
