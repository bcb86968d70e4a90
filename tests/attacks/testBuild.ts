import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { editsOf, type Edit } from './controls/control.ts';
import { controls } from './controls/index.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const TAKEN = [
	'src',
	'static',
	'package.json',
	'package-lock.json',
	'svelte.config.js',
	'tsconfig.json',
	'vite.config.ts'
];
/** The global name under which `preload.ts` keeps the names of the disabled controls. */
export const SWITCH = 'komodeck.controls-off';
/** An adapter that serves the server build unbundled, because bundling again takes a third of the time. */
const UNBUNDLED = `{
	name: 'unbundled',
	adapt(builder) {
		builder.writeClient('build/client');
		builder.copy('node_modules/@sveltejs/adapter-node/files', 'build', {
			replace: {
				SERVER: '../.svelte-kit/output/server/index.js',
				MANIFEST: '../.svelte-kit/output/server/manifest.js',
				BASE: '""',
				ENV_PREFIX: '""',
				PRECOMPRESS: 'false',
				PRERENDERED: 'new Set()'
			}
		});
	}
}`;
/** Edits that leave out work for browsers and stack traces, which takes half of the build time. */
const LEFT_OUT: readonly Edit[] = [
	{
		file: 'vite.config.ts',
		text: 'sourcemap: true',
		replacement: 'sourcemap: false, minify: false'
	},
	{ file: 'svelte.config.js', text: 'adapter({ precompress: true })', replacement: UNBUNDLED },
	{ file: 'src/start/build.ts', text: 'joinSourceMaps(ROOT);', replacement: '' }
];
const STANDS = `const stands = (control: string): boolean => !(globalThis as Record<symbol, Set<string> | undefined>)[Symbol.for('${SWITCH}')]?.has(control);\n`;

/** The unchanged program, except that `preload.ts` can turn each of its controls off. */
export interface TestBuild {
	/** Root of the build. */
	root: string;
	remove(): void;
}

/**
 * Applies edits to a file's text.
 * @throws {Error} unless the text of each control occurs exactly once
 */
function edited(
	file: string,
	source: string,
	edits: readonly Pick<Edit, 'text' | 'replacement'>[]
): string {
	let now = source;
	for (const { text, replacement } of edits) {
		const times = source.split(text).length - 1;
		if (times !== 1) throw new Error(`${file} has this ${times} times, not once:\n${text}`);
		const parts = now.split(text);
		if (parts.length !== 2)
			throw new Error(`Two controls change the same text of ${file}:\n${text}`);
		now = parts.join(replacement);
	}
	return now;
}

/** The texts of the files with their edits applied, each after the line `first`. */
function* changed(edits: readonly Edit[], first: string): Generator<[file: string, text: string]> {
	for (const [file, own] of Map.groupBy(edits, (edit) => edit.file)) {
		yield [file, first + edited(file, readFileSync(join(ROOT, file), 'utf8'), own)];
	}
}

/** Copies the sources, adds the switches, and builds the copy. */
export function makeTestBuild(): TestBuild {
	const switches = controls.flatMap(editsOf);
	const files = [...changed(switches, STANDS), ...changed(LEFT_OUT, '')];
	const root = mkdtempSync(join(tmpdir(), 'komodeck-attacks-'));
	for (const name of TAKEN) cpSync(join(ROOT, name), join(root, name), { recursive: true });
	symlinkSync(join(ROOT, 'node_modules'), join(root, 'node_modules'));
	for (const [file, text] of files) writeFileSync(join(root, file), text);
	const { status, stdout, stderr } = spawnSync(process.execPath, ['src/start/build.ts'], {
		cwd: root,
		encoding: 'utf8',
		env: { ...process.env, NODE_ENV: 'production' }
	});
	const remove = (): void => rmSync(root, { recursive: true, force: true });
	if (status !== 0) {
		remove();
		throw new Error(`The test build failed:\n${stdout}\n${stderr}`);
	}
	return { root, remove };
}
