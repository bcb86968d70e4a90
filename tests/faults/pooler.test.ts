/**
 * A database behind a pooler like PgBouncer with its defaults: it refuses unknown parameters at the start of a
 * connection, and accepts connections for which it has no server connection.
 */
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openIndex } from '#lib/server/chains/indexer/open.ts';
import { openAsIs, openDatabase } from '#lib/server/database.ts';
import { databaseErrorKind } from '#lib/server/platform/database/databaseError.ts';
import { createPostgresDatabase } from '../support/database.ts';

/** Start-up parameters that PgBouncer accepts (its manual, `ignore_startup_parameters`). */
const TAKEN = new Set([
	...['user', 'database', 'client_encoding', 'DateStyle', 'TimeZone'],
	...['standard_conforming_strings', 'application_name']
]);

/** Parameter names in the first message of a connection. */
function namesIn(message: Buffer): string[] {
	const texts = message.subarray(8, message.readUInt32BE(0)).toString().split('\0');
	return texts.filter((text, at) => at % 2 === 0 && text !== '');
}

function refuse(client: Socket, name: string): void {
	const text = `SFATAL\0C08P01\0Munsupported startup parameter: ${name}\0\0`;
	const head = Buffer.from([0x45, 0, 0, 0, 0]);
	head.writeUInt32BE(4 + text.length, 1);
	client.end(Buffer.concat([head, Buffer.from(text)]));
}

async function startPooler({ hostname: host, port }: URL): Promise<Server> {
	const server = createServer((client) => {
		client.on('error', () => undefined);
		client.once('data', (first: Buffer) => {
			const unknown = namesIn(first).find((name) => !TAKEN.has(name));
			if (unknown !== undefined) return refuse(client, unknown);
			const upstream = connect({ host, port: Number(port) });
			upstream.on('error', () => client.destroy());
			upstream.write(first);
			client.pipe(upstream).pipe(client);
		});
	});
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	return server;
}

/** AuthenticationOk and ReadyForQuery: a pooler's reply to a client that has to wait. */
const WAIT = Buffer.from([0x52, 0, 0, 0, 8, 0, 0, 0, 0, 0x5a, 0, 0, 0, 5, 0x49]);

describe('a database behind a pooler', () => {
	const dataDir = mkdtempSync(join(tmpdir(), 'komodeck-pooler-'));
	let store: Awaited<ReturnType<typeof createPostgresDatabase>>;
	let pooler: Server;
	beforeAll(async () => {
		store = await createPostgresDatabase();
		pooler = await startPooler(new URL(store.url ?? ''));
	});
	afterAll(async () => {
		pooler.close();
		await store.drop();
		rmSync(dataDir, { recursive: true, force: true });
	});

	test('is opened, and nothing waits longer than that for a lock', async () => {
		const address = new URL(store.url ?? '');
		address.host = `127.0.0.1:${(pooler.address() as AddressInfo).port}`;
		const place = { url: address.href, dataDir };
		const db = await openDatabase({ ...place, timeout: 3_000 });
		const index = await openIndex(place);
		for (const [one, timeout] of [
			[db, '3s'],
			[index, '5s']
		] as const) {
			const { rows } = await sql<{ lock_timeout: string }>`show lock_timeout`.execute(one);
			expect(rows).toEqual([{ lock_timeout: timeout }]);
			await one.close();
		}
	});

	test('that gives another connection for each transaction lets none wait or stand still for long', async () => {
		const db = openAsIs({ url: store.url!, dataDir, timeout: 3_000 });
		try {
			// Of another client, who has set nothing.
			await sql`reset all`.execute(db);
			const shown = await db.transaction().execute(async (trx) => {
				const { rows } = await sql<Record<string, string>>`select
					current_setting('lock_timeout') as lock,
					current_setting('idle_in_transaction_session_timeout') as idle,
					current_setting('transaction_isolation') as isolation`.execute(trx);
				return rows;
			});
			expect(shown).toEqual([{ lock: '3s', idle: '18s', isolation: 'read committed' }]);
		} finally {
			await db.close();
		}
	});

	test('that has no connection left is away for whoever asks, and no mistake of ours', async () => {
		const full = createServer((client) => {
			client.on('error', () => undefined);
			client.once('data', () => client.write(WAIT));
		});
		full.listen(0, '127.0.0.1');
		await once(full, 'listening');
		const url = `postgres://u@127.0.0.1:${(full.address() as AddressInfo).port}/d`;
		const db = openAsIs({ url, dataDir, timeout: 100 });
		try {
			const failure: unknown = await sql`select 1`.execute(db).catch((error: unknown) => error);
			expect(databaseErrorKind(failure), String(failure)).toBe('gone');
		} finally {
			await db.close();
			full.close();
		}
	});
});
