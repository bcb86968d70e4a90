/** Compares the files in src/routes with the table of access rights. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RouteAccess } from '#lib/server/access/policy/routes.ts';

interface RouteFiles {
	id: string;
	methods: Set<string>;
}

/** Collects route ids as SvelteKit forms them: groups such as `(app)` are part of the id. */
function walk(folder: string, id: string, found: RouteFiles[]): RouteFiles[] {
	const entries = readdirSync(folder, { withFileTypes: true });
	const methods = new Set<string>();
	for (const entry of entries) {
		const path = join(folder, entry.name);
		if (entry.isDirectory()) {
			walk(path, id === '/' ? `/${entry.name}` : `${id}/${entry.name}`, found);
		} else if (entry.name === '+page.svelte') methods.add('GET');
		else if (entry.name === '+page.server.ts') {
			methods.add('GET');
			if (/export const actions\b/.test(readFileSync(path, 'utf8'))) methods.add('POST');
		} else if (entry.name === '+server.ts') {
			const text = readFileSync(path, 'utf8');
			for (const [, method] of text.matchAll(/export (?:const|(?:async )?function) ([A-Z]+)\b/g)) {
				if (method && method !== 'HEAD') methods.add(method);
			}
		}
	}
	if (methods.size > 0) found.push({ id, methods });
	return found;
}

const lineOf = (id: string, methods: Iterable<string>): string =>
	`${id}: ${[...methods].sort().join(' ')}`;

/**
 * Returns a sentence for each route whose methods differ between files and table; empty when all match.
 * @param folder path of src/routes
 */
export function routeDifferences(
	folder: string,
	table: Readonly<Record<string, RouteAccess>>
): string[] {
	const inFiles = new Set(walk(folder, '/', []).map(({ id, methods }) => lineOf(id, methods)));
	const inTable = new Set(
		Object.entries(table)
			.filter(([, entry]) => Object.keys(entry).length > 0)
			.map(([id, entry]) => lineOf(id, Object.keys(entry)))
	);
	return [
		...[...inFiles]
			.filter((line) => !inTable.has(line))
			.map(
				(line) =>
					`The files have "${line}", and access/policy/routes.ts does not say who may use it.`
			),
		...[...inTable]
			.filter((line) => !inFiles.has(line))
			.map((line) => `access/policy/routes.ts has "${line}", and there is no such file.`)
	];
}
