import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { routeDifferences } from '../../../start/routeTable.ts';
import { routes } from './routes.ts';

const made: string[] = [];
afterEach(() => {
	for (const folder of made.splice(0)) rmSync(folder, { recursive: true });
});

test('each page and endpoint is in the table with exactly the methods that it has', () => {
	expect(routeDifferences(join(import.meta.dirname, '../../../routes'), routes)).toEqual([]);
});

test('a page, an action, an endpoint or an entry that the other side does not have is named', () => {
	const folder = mkdtempSync(join(tmpdir(), 'komodeck-routes-'));
	made.push(folder);
	mkdirSync(join(folder, 'form'));
	writeFileSync(join(folder, '+page.svelte'), '<h1>Home</h1>');
	writeFileSync(join(folder, 'form', '+page.server.ts'), 'export const actions = {};');
	mkdirSync(join(folder, 'hook'));
	writeFileSync(join(folder, 'hook', '+server.ts'), 'export const PUT = () => new Response();');
	const table = {
		'/': { GET: 'read' },
		'/form': { GET: 'read' },
		'/gone': { GET: 'read' }
	} as const;
	const differences = routeDifferences(folder, table);
	expect(differences).toHaveLength(4);
	expect(differences.join('\n')).toMatch(/"\/form: GET POST"[^]*"\/hook: PUT"[^]*"\/gone: GET"/);
});
