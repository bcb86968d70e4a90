/** A server that is told to end before it is ready. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { configOfNowhere } from '../../support/product.ts';

test('ends by itself, as it must where it is the first process of a container', async () => {
	const folder = mkdtempSync(join(tmpdir(), 'komodeck-signal-'));
	// A database that never responds blocks the start.
	const database = createServer();
	await once(database.listen(0, '127.0.0.1'), 'listening');
	const { port } = database.address() as AddressInfo;
	const child = spawn(process.execPath, ['src/start/main.ts'], {
		cwd: resolve(import.meta.dirname, '../../..'),
		env: {
			...process.env,
			KOMODECK_DATA: folder,
			KOMODECK_CONFIG: configOfNowhere(folder),
			PORT: '0',
			DATABASE_URL: `postgres://nobody@127.0.0.1:${port}/none`
		},
		stdio: 'ignore'
	});
	const ended = once(child, 'exit');
	try {
		await once(database, 'connection');
		child.kill('SIGTERM');
		expect(await ended).toEqual([143, null]);
	} finally {
		child.kill('SIGKILL');
		database.close();
		rmSync(folder, { recursive: true, force: true });
	}
}, 240_000);
