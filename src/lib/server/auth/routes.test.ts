import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { routes, type RouteAccess } from './routes.ts';

const FOLDER = join(import.meta.dirname, '../../../routes');

interface RouteFiles {
	id: string;
	methods: Set<string>;
}

/** SvelteKit's route id of a folder: groups such as `(app)` are part of the id as well. */
function walk(folder: string, id: string, found: RouteFiles[]): RouteFiles[] {
	const entries = readdirSync(folder, { withFileTypes: true });
	const methods = new Set<string>();
	for (const entry of entries) {
		const path = join(folder, entry.name);
		if (entry.isDirectory())
			walk(path, id === '/' ? `/${entry.name}` : `${id}/${entry.name}`, found);
		else if (entry.name === '+page.svelte') methods.add('GET');
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

const table: Readonly<Record<string, RouteAccess>> = routes;

test('each page and endpoint is in the table with exactly the methods that it has', () => {
	const inFiles = walk(FOLDER, '/', [])
		.map(({ id, methods }) => `${id}: ${[...methods].sort().join(' ')}`)
		.sort();
	const inTable = Object.entries(table)
		.filter(([, entry]) => Object.keys(entry).length > 0)
		.map(([id, entry]) => `${id}: ${Object.keys(entry).sort().join(' ')}`)
		.sort();
	expect(inFiles).toEqual(inTable);
});
