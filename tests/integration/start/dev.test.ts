/** `npm run dev` without configuration: the whole product from the sources, which picks up changes. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freePort } from '../../support/freePort.ts';

const ROOT = resolve(import.meta.dirname, '../../..');

let child: ChildProcess;
let url = '';
let said = '';
const folder = mkdtempSync(join(tmpdir(), 'komodeck-dev-'));

/** Waits until the process has printed a text, `from` a position in its log. */
async function hears(what: string, from = 0): Promise<void> {
	while (!said.slice(from).includes(what)) {
		if (child.exitCode !== null) throw new Error(`It ended with ${child.exitCode}:\n${said}`);
		await new Promise((done) => setTimeout(done, 50));
	}
}

/**
 * Saves a file unchanged, which file watchers see as a change.
 * @returns the position in the log before it
 */
function save(path: string): number {
	utimesSync(join(ROOT, path), new Date(), new Date());
	return said.length;
}

beforeAll(async () => {
	const home = join(folder, 'home');
	mkdirSync(home);
	const port = await freePort();
	url = `http://localhost:${port}`;
	const inherited = Object.entries(process.env).filter(
		([name]) => !/^(?:KOMOD|DATABASE_URL|VITEST|NODE_ENV)/.test(name)
	);
	child = spawn(process.execPath, ['src/start/dev.ts'], {
		cwd: ROOT,
		env: {
			...Object.fromEntries(inherited),
			PORT: String(port),
			KOMODECK_DATA: join(folder, 'data'),
			KOMODO_HOME: home
		},
		stdio: ['ignore', 'pipe', 'pipe']
	});
	// Vite colors its output if `CI` is set.
	const hear = (part: Buffer): void => void (said += stripVTControlCharacters(part.toString()));
	child.stdout?.on('data', hear);
	child.stderr?.on('data', hear);
	await hears('Create the first account: ');
});
afterAll(async () => {
	const gone = once(child, 'exit');
	child.kill('SIGTERM');
	await gone;
	rmSync(folder, { recursive: true, force: true });
});

test('devnet, pages and the RPC API answer', async () => {
	const page = await fetch(url, { headers: { accept: 'text/html' } });
	expect(page.status).toBe(200);
	expect(await page.text()).toContain('<title>Overview');
	const call = await fetch(`${url}/api/rpc/ALPHA`, { method: 'POST', body: '{}' });
	expect(call.status).toBe(401);
	expect(await (await fetch(`${url}/readyz`)).text()).toBe('ready\n');
	const blocks = await fetch(`${url}/api/v1/chains/ALPHA/blocks`);
	expect(blocks.status).toBe(200);
});

test('a page whose code changed is sent to the browsers that show it', async () => {
	for (const path of ['src/routes/+page.svelte', 'src/lib/messages/overview.ts']) {
		await (await fetch(`${url}/${path}`)).text();
	}
	const before = save('src/lib/messages/overview.ts');
	await hears('hmr update /src/routes/+page.svelte', before);
});

test('changed code of the server is the one that answers next', async () => {
	const before = save('src/lib/server/rpc-proxy/rpcApi.ts');
	await hears('page reload src/lib/server/rpc-proxy/rpcApi.ts', before);
	expect((await fetch(url, { headers: { accept: 'text/html' } })).status).toBe(200);
	expect(await (await fetch(`${url}/readyz`)).text()).toBe('ready\n');
	const call = await fetch(`${url}/api/rpc/ALPHA`, { method: 'POST', body: '{}' });
	expect(call.status).toBe(401);
});
