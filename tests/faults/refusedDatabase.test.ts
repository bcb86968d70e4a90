/** A PostgreSQL server that is reached over TLS, and whose certificate is not accepted any more. */
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TLSSocket } from 'node:tls';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { databaseErrorMessage } from '#lib/messages/database.ts';
import { openIndex } from '#lib/server/chains/indexer/open.ts';
import { openAsIs, openDatabase, type Db } from '#lib/server/database.ts';
import { databaseErrorKind } from '#lib/server/platform/database/databaseError.ts';
import { createReadiness } from '#lib/server/readiness.ts';
import { selfSigned } from '../../src/devnet/electrum/certificate.ts';
import { describeOnPostgres } from '../support/database.ts';

/** Speaks TLS in front of a PostgreSQL server that speaks none. */
async function startTls({ hostname: host, port }: URL) {
	const trusted = selfSigned();
	const sockets = new Set<Socket>();
	let shown = trusted;
	const server = createServer((near) => {
		sockets.add(near);
		near.on('error', () => undefined);
		// The request for TLS, which the server grants with one byte.
		near.once('data', () => {
			near.write('S');
			const secure = new TLSSocket(near, { isServer: true, cert: shown.cert, key: shown.key });
			const far = connect({ host, port: Number(port) });
			for (const [from, into] of [
				[secure, far],
				[far, secure]
			] as const) {
				from.on('error', () => undefined);
				from.on('close', () => into.destroy());
				from.pipe(into);
			}
		});
	});
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	const end = (): void => {
		for (const socket of sockets) socket.destroy();
		sockets.clear();
	};
	return {
		port: (server.address() as AddressInfo).port,
		certificate: trusted.cert,
		/** Shows the trusted certificate, or another one, from now on. */
		show(isTrusted: boolean) {
			shown = isTrusted ? trusted : selfSigned();
			end();
		},
		stop() {
			end();
			server.close();
		}
	};
}

describeOnPostgres('a database whose certificate is not accepted any more', (database) => {
	const folder = mkdtempSync(join(tmpdir(), 'komodeck-refused-'));
	let tls: Awaited<ReturnType<typeof startTls>>;
	let db: Db;

	beforeAll(async () => {
		const url = new URL(database.options.url!);
		tls = await startTls(url);
		url.host = `127.0.0.1:${tls.port}`;
		const authority = join(folder, 'authority.pem');
		writeFileSync(authority, tls.certificate);
		url.search = new URLSearchParams({
			uselibpqcompat: 'true',
			sslmode: 'verify-ca',
			sslrootcert: authority
		}).toString();
		db = openAsIs({ url: url.href, dataDir: folder });
	});
	afterAll(async () => {
		await db.close();
		tls.stop();
		rmSync(folder, { recursive: true, force: true });
	});

	test('is named with what to do next, and is used again once its certificate is valid', async () => {
		const { url = '', dataDir } = database.options;
		const index = await openIndex({ url, dataDir });
		const readiness = createReadiness(db, index, () => Infinity);
		const kind = (): Promise<unknown> =>
			sql`select 1`.execute(db).then(() => null, databaseErrorKind);
		expect(await readiness()).toBeNull();
		tls.show(false);
		await vi.waitFor(async () => expect(await kind()).toBe('refused'));
		expect(await readiness()).toBe('the database refuses the connection');
		expect(databaseErrorMessage('refused').next).toMatch(/check .+ certificates/);
		tls.show(true);
		await vi.waitFor(async () => expect(await kind()).toBeNull());
		expect(await readiness()).toBeNull();
		await index.close();
	});

	test('is refused at start with the settings that decide it', async () => {
		tls.show(false);
		const url = new URL(database.options.url!);
		url.host = `127.0.0.1:${tls.port}`;
		url.search = 'sslmode=verify-full';
		const { dataDir } = database;
		await expect(openDatabase({ url: url.href, dataDir })).rejects.toThrow(/look at sslmode/);
	});
});
