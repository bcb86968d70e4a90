import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { routeDifferences } from '../../../../start/routeTable.ts';
import { methodsOf } from './allow.ts';
import { confirmedActions, routes, type RouteAccess, type Who } from './routes.ts';

const made: string[] = [];
afterEach(() => {
	for (const folder of made.splice(0)) rmSync(folder, { recursive: true });
});

test('each page and endpoint is in the table with exactly the methods that it has', () => {
	expect(routeDifferences(join(import.meta.dirname, '../../../../routes'), routes)).toEqual([]);
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

const entries = Object.entries<RouteAccess>(routes);

test('administration is for confirmed sessions, all of it', () => {
	const open = entries.filter(
		([id, { GET, POST }]) =>
			id.startsWith('/admin') &&
			[GET, POST].some((who) => who !== undefined && who !== 'administer')
	);
	expect(open.map(([id]) => id)).toEqual([]);
});

test('an API token administers nothing: what an admin’s may read, and what others may change, is this', () => {
	const SESSION_ONLY: readonly (Who | undefined)[] = [
		undefined,
		'own-session',
		'label',
		'administer'
	];
	const readByAdmins = entries.filter(([, { GET }]) => GET === 'admin').map(([id]) => id);
	expect(readByAdmins).toEqual(['/metrics']);
	const changed = entries.filter(([, { POST }]) => !SESSION_ONLY.includes(POST)).map(([id]) => id);
	expect(changed.toSorted()).toEqual([
		'/api/notary-approvals/[txid]',
		'/chains/[chain]/proof',
		'/chains/[chain]/self-import',
		'/chains/[chain]/self-import/[id]',
		'/chains/[chain]/token/[tokenid]/batch-transfer',
		'/chains/[chain]/token/[tokenid]/batch-transfer/[id]',
		'/chains/[chain]/token/[tokenid]/burn',
		'/chains/[chain]/token/[tokenid]/transfer',
		'/chains/[chain]/tokens/new',
		'/decode',
		'/join',
		'/kdf',
		'/kdf/[coin]',
		'/kdf/sign',
		'/kdf/tasks/[id]',
		'/kdf/verify',
		'/login',
		'/login/factor',
		'/login/passkey',
		'/login/provider',
		'/login/provider/logout',
		'/logout',
		'/migrations',
		'/migrations/[id]',
		'/migrations/new',
		'/migrations/new/custom',
		'/migrations/new/token',
		'/migrations/recover',
		'/notary-approvals/[txid]',
		'/notary-approvals/[txid]/approve',
		'/notary-approvals/queue',
		'/notary-approvals/queue/[id]',
		'/setup',
		'/theme',
		'/transactions/[id]',
		'/wallets/[id]',
		'/wallets/[id]/consolidate',
		'/wallets/[id]/send',
		'/wallets/[id]/split'
	]);
});

test('each action that has to be confirmed is one that its page has', () => {
	for (const [id, actions] of Object.entries(confirmedActions)) {
		const page = readFileSync(
			join(import.meta.dirname, '../../../../routes', id, '+page.server.ts'),
			'utf8'
		);
		for (const action of Object.keys(actions)) {
			expect(page).toMatch(new RegExp(`^\\t${action}(?:: |,|\\()`, 'm'));
		}
	}
});

test('the methods that a route takes are named with HEAD, where it is read', () => {
	expect(methodsOf(routes, '/metrics')).toEqual(['GET', 'HEAD']);
	expect(methodsOf(routes, '/logout')).toEqual(['POST']);
	expect(methodsOf(routes, '/login')).toEqual(['GET', 'HEAD', 'POST']);
	expect(methodsOf(routes, '/nowhere')).toEqual([]);
});
