/**
 * Which folder of `src` may import which. The linter and `npm run layers` read this list; ARCHITECTURE.md draws it.
 */
import { readdirSync } from 'node:fs';

/** The folders of the server, in their order: each may import those before it. */
export const SERVER_ORDER = [
	'platform',
	'chains',
	'kdf',
	'access',
	'wallet',
	'cross-chain',
	'rpc-proxy',
	'api'
];

/** Folders that browsers, server and devnet share: no I/O, no components, nothing of SvelteKit. */
export const PURE = ['lib/chain', 'lib/rpc', 'lib/text', 'lib/messages'];

const serverFolder = (/** @type {string} */ name) => `lib/server/${name}`;

/** The composition, the files of `lib/server` itself, under the name that the rules use. */
export const COMPOSITION = 'lib/server';
export const FOLDERS = [
	...[...PURE, 'lib/ui'],
	...SERVER_ORDER.map(serverFolder),
	COMPOSITION,
	...['devnet', 'cli', 'start', 'routes', 'handle']
];

const LIB = FOLDERS.filter((folder) => folder.startsWith('lib/'));

/**
 * Folders that a folder may import besides itself.
 * @type {Readonly<Record<string, readonly string[]>>}
 */
export const MAY_IMPORT = {
	'lib/chain': [],
	'lib/rpc': ['lib/chain'],
	'lib/text': ['lib/chain'],
	'lib/messages': ['lib/chain', 'lib/rpc', 'lib/text'],
	'lib/ui': PURE,
	...Object.fromEntries(
		SERVER_ORDER.map((name, at) => [
			serverFolder(name),
			[...PURE, ...SERVER_ORDER.slice(0, at).map(serverFolder)]
		])
	),
	[COMPOSITION]: [...PURE, ...SERVER_ORDER.map(serverFolder)],
	devnet: ['lib/chain', 'lib/rpc'],
	routes: LIB,
	handle: LIB,
	start: [...LIB, 'devnet'],
	cli: [...LIB, 'devnet', 'start']
};

/** @param {string} text */
const literally = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** File names of the composition, as alternatives of a regular expression. */
const composed = readdirSync(new URL('../../src/lib/server', import.meta.url))
	.filter((name) => name.endsWith('.ts'))
	.map(literally)
	.join('|');

/**
 * A regular expression for import specifiers that lead into a folder: by its alias, or by relative steps.
 * @param {string} folder
 * @param {string} from the folder of the importing file
 */
export function specifierOf(folder, from) {
	const own = from.split('/');
	const parts = folder.split('/');
	let common = 0;
	while (common < own.length && own[common] === parts[common]) common += 1;
	const down = parts
		.slice(common)
		.map((part) => `${literally(part)}/`)
		.join('');
	const alias = folder.startsWith('lib/') ? `#${literally(folder)}/|` : '';
	return `^(${alias}(\\.\\./)+${down})${folder === COMPOSITION ? `(${composed})$` : ''}`;
}

/**
 * The patterns that a folder must not import, for the rule `no-restricted-imports`.
 * @param {string} folder
 */
export const forbiddenIn = (folder) =>
	FOLDERS.filter((other) => other !== folder && !MAY_IMPORT[folder]?.includes(other)).map(
		(other) => ({
			regex: specifierOf(other, folder),
			message: `src/${folder} must not import src/${other}: see tests/architecture/layers.js.`
		})
	);

/**
 * The folder that a file of `src` belongs to; null for the hooks, which may import everything.
 * @param {string} file relative to `src`, with forward slashes
 */
export function folderOf(file) {
	const found = FOLDERS.filter((folder) => folder !== COMPOSITION).find((folder) =>
		file.startsWith(`${folder}/`)
	);
	return found ?? (file.startsWith('lib/server/') ? COMPOSITION : null);
}
