/** Which source files name a method: the application's own, and tests. */
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');
const SOURCE = /\.(?:ts|svelte)$/;
const TEST = /\.(?:test|spec)\.ts$/;
/** Code that treats all methods alike says nothing about one of them. */
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

/** Everything that pages stand on, without tests and without what treats all methods alike. */
export function pageSources(): SourceFile[] {
	return [...files('src/lib/server'), ...files('src/routes')].filter(
		({ path }) => !TEST.test(path) && !GENERAL.some((folder) => path.startsWith(`${folder}/`))
	);
}

/** Every test but this folder's, which judges. */
export function testSources(): SourceFile[] {
	return [...files('src'), ...files('tests')].filter(
		({ path }) => TEST.test(path) && !path.startsWith('tests/interface/')
	);
}

const quoted = (name: string): string[] => [`'${name}'`, `"${name}"`, `\`${name}\``];

/** A test that is put off does nothing. */
const PUT_OFF = /\.(?:skip|todo|fixme|fails)\s*\($/;

/** Whether a file has a test of this title; a claim is both, with ` › ` between. */
export function hasTest(sources: readonly SourceFile[], claim: string): boolean {
	const [file = '', title = ''] = claim.split(' › ');
	const text = withoutComments(sources.find(({ path }) => path === file)?.text ?? '');
	return (
		title !== '' &&
		quoted(title).some((one) => {
			const at = text.indexOf(one);
			const before = text.slice(0, Math.max(0, at)).trimEnd();
			return before.endsWith('(') && !PUT_OFF.test(before);
		})
	);
}

/** A word in a comment does nothing. */
const COMMENT = /\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$|<!--[\s\S]*?-->/gm;
export const withoutComments = (text: string): string => text.replace(COMMENT, '');

/** The files that call a method of a daemon: `call('name'`, `call(daemon, 'name'`. To name it in a list is no call. */
export function calling(sources: readonly SourceFile[], method: string): string[] {
	const call = new RegExp(`[cC]all\\w*\\(\\s*(?:[^,'"\`]{1,80},\\s*)?['"\`]${method}['"\`]`);
	return sources.filter(({ text }) => call.test(withoutComments(text))).map(({ path }) => path);
}

/** The files that have the name between quotes. */
export function naming(sources: readonly SourceFile[], name: string): string[] {
	return sources
		.filter(({ text }) => quoted(name).some((one) => text.includes(one)))
		.map(({ path }) => path);
}
