/** Finds the source files and tests that name a method. */
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');
const SOURCE = /\.(?:ts|svelte)$/;
const TEST = /\.(?:test|spec)\.ts$/;
/** Code that treats all methods alike shows nothing about a single one. */
export const GENERAL = [
	'src/lib/server/chains/daemon',
	'src/lib/server/rpc-proxy/console',
	'src/routes/console'
];

export interface SourceFile {
	/** From the project's root. */
	path: string;
	text: string;
}

function files(folder: string): SourceFile[] {
	return readdirSync(join(ROOT, folder), { withFileTypes: true, recursive: true })
		.filter((entry) => entry.isFile() && SOURCE.test(entry.name))
		.map((entry) => join(entry.parentPath, entry.name))
		.map((file) => ({ path: relative(ROOT, file), text: readFileSync(file, 'utf8') }));
}

/** All sources of the pages, without tests and without general code. */
export function pageSources(): SourceFile[] {
	return [...files('src/lib/server'), ...files('src/routes')].filter(
		({ path }) => !TEST.test(path) && !GENERAL.some((folder) => path.startsWith(`${folder}/`))
	);
}

/** All tests except those of this folder, which judges. */
export function testSources(): SourceFile[] {
	return [...files('src'), ...files('tests')].filter(
		({ path }) => TEST.test(path) && !path.startsWith('tests/interface/')
	);
}

const quoted = (name: string): string[] => [`'${name}'`, `"${name}"`, `\`${name}\``];

/** The call that begins a test, before its title or its table. */
const BEGUN = /\b(?:test|it)((?:\.\w+)*)\s*[(<]/g;
/** A test that is skipped, always or on a condition, covers nothing. */
const PUT_OFF = /\.(?:skip|skipIf|runIf|todo|fixme|fails)\b/;
const ALL_PUT_OFF = /\bdescribe(?:\.\w+)*\.(?:skip|skipIf|runIf|todo|fixme)\b/;

/** Whether a file has a test of this title; a claim is file and title, joined by ` › `. */
export function hasTest(sources: readonly SourceFile[], claim: string): boolean {
	const [file = '', title = ''] = claim.split(' › ');
	const text = withoutComments(sources.find(({ path }) => path === file)?.text ?? '');
	return (
		title !== '' &&
		!ALL_PUT_OFF.test(text) &&
		quoted(title).some((one) => {
			const at = text.indexOf(one);
			const before = text.slice(0, Math.max(0, at)).trimEnd();
			const [, modifiers] = [...before.matchAll(BEGUN)].at(-1) ?? [];
			return before.endsWith('(') && modifiers !== undefined && !PUT_OFF.test(modifiers);
		})
	);
}

/** A name in a comment covers nothing. */
const COMMENT = /\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$|<!--[\s\S]*?-->/gm;
export const withoutComments = (text: string): string => text.replace(COMMENT, '');

/**
 * The files that call a method of a daemon: `call('name'`, `call(daemon, 'name'`. A name in a list is not a
 * call.
 */
export function calling(sources: readonly SourceFile[], method: string): string[] {
	const call = new RegExp(`[cC]all\\w*\\(\\s*(?:[^,'"\`]{1,80},\\s*)?['"\`]${method}['"\`]`);
	return sources.filter(({ text }) => call.test(withoutComments(text))).map(({ path }) => path);
}

/** The files that contain the name in quotes. */
export function naming(sources: readonly SourceFile[], name: string): string[] {
	return sources
		.filter(({ text }) => quoted(name).some((one) => text.includes(one)))
		.map(({ path }) => path);
}
