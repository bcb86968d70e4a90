/** Reads the imports of the files of `src`, and finds those that violate the order of the folders. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import ts from 'typescript';
import { folderOf, MAY_IMPORT } from './layers.js';

interface Import {
	/** Both relative to `src`, with forward slashes. */
	from: string;
	to: string;
}

const SOURCE = /\.(ts|svelte)$/;
const TEST = /\.test\.ts$/;

/** The script parts of a component, which contain its imports. */
const scriptOf = (file: string, text: string): string =>
	file.endsWith('.svelte')
		? [...text.matchAll(/<script[^>]*>([\s\S]*?)<\/script>/g)].map(([, code]) => code).join('\n')
		: text;

/** The imports within `src` of each file that is not a test, type imports included. */
export function importsOf(src: string): Import[] {
	const files = readdirSync(src, { recursive: true, encoding: 'utf8' })
		.filter((file) => SOURCE.test(file) && !TEST.test(file))
		.map((file) => file.split(sep).join('/'));
	const known = new Set(files);
	return files.flatMap((from) => {
		const code = scriptOf(from, readFileSync(join(src, from), 'utf8'));
		return ts.preProcessFile(code, true, true).importedFiles.flatMap(({ fileName }) => {
			const path = fileName.startsWith('#lib/')
				? join(src, 'lib', fileName.slice('#lib/'.length))
				: fileName.startsWith('.')
					? resolve(src, dirname(from), fileName)
					: null;
			const to = path === null ? null : relative(src, path).split(sep).join('/');
			return to !== null && known.has(to) ? [{ from, to }] : [];
		});
	});
}

/** Imports that the importing folder may not have. */
export const againstOrder = (imports: readonly Import[]): Import[] =>
	imports.filter(({ from, to }) => {
		const [own, other] = [folderOf(from), folderOf(to)];
		if (own === null || own === other) return false;
		return other === null || !MAY_IMPORT[own]?.includes(other);
	});

/** Groups of files or folders that import each other, each once; type imports count too. (Tarjan's algorithm.) */
export function cyclesOf(imports: readonly Import[]): string[][] {
	const next = Map.groupBy(imports, ({ from }) => from);
	const index = new Map<string, number>();
	const low = new Map<string, number>();
	const stack: string[] = [];
	const onStack = new Set<string>();
	const cycles: string[][] = [];
	const visit = (file: string): void => {
		index.set(file, index.size);
		low.set(file, index.get(file)!);
		stack.push(file);
		onStack.add(file);
		for (const { to } of next.get(file) ?? []) {
			if (!index.has(to)) {
				visit(to);
				low.set(file, Math.min(low.get(file)!, low.get(to)!));
			} else if (onStack.has(to)) low.set(file, Math.min(low.get(file)!, index.get(to)!));
		}
		if (low.get(file) !== index.get(file)) return;
		const group = stack.splice(stack.indexOf(file));
		for (const member of group) onStack.delete(member);
		if (group.length > 1) cycles.push(group.toSorted());
	};
	for (const file of next.keys()) if (!index.has(file)) visit(file);
	return cycles;
}

/**
 * The two folders of one folder that an import joins. Null within a folder, and where a file lies directly in the
 * folder that both share: such files compose its folders, or are what these have in common.
 */
function siblingsOf({ from, to }: Import): Import | null {
	const [own, other] = [from.split('/'), to.split('/')];
	const at = own.findIndex((part, depth) => part !== other[depth]);
	if (at < 0 || at >= own.length - 1 || at >= other.length - 1) return null;
	return { from: own.slice(0, at + 1).join('/'), to: other.slice(0, at + 1).join('/') };
}

/** Groups of sibling folders, at every level, whose files import each other in a circle. */
export const siblingCirclesOf = (imports: readonly Import[]): string[][] =>
	cyclesOf(imports.map(siblingsOf).filter((pair) => pair !== null));
