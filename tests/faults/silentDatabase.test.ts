/** A PostgreSQL server that disappears silently: connections are not refused, and no data arrives. */
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openAsIs, type Db } from '#lib/server/database.ts';
import { databaseErrorKind } from '#lib/server/platform/database/databaseError.ts';
import { createPostgresDatabase } from '../support/database.ts';

const TIMEOUT_MS = 1_000;

/** The network in front of a server: it can drop all data, or forget existing connections. */
async function startNetwork({ hostname: host, port }: URL) {
	const sockets = new Set<Socket>();
	const forgotten = new WeakSet<Socket>();
	let isSilent = false;
	const server = createServer((near) => {
		const far = connect({ host, port: Number(port) });
		for (const [from, into] of [
			[near, far],
			[far, near]
		] as const) {
			sockets.add(from);
			const isCut = (): boolean => isSilent || forgotten.has(from);
			from.on('data', (chunk) => void (isCut() || into.write(chunk)));
			from.on('error', () => undefined);
			from.on('close', () => void (isCut() || into.destroy()));
		}
	});
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	return {
		port: (server.address() as AddressInfo).port,
		silence(silent: boolean) {
			isSilent = silent;
		},
		forget() {
			for (const socket of sockets) forgotten.add(socket);
		},
		stop() {
			for (const socket of sockets) socket.destroy();
			server.close();
		}
	};
}

test('a process that is gone without a word in the middle of a transaction keeps its locks for a while only', async () => {
	const dataDir = mkdtempSync(join(tmpdir(), 'komodeck-stopped-'));
	const store = await createPostgresDatabase();
	const network = await startNetwork(new URL(store.url ?? ''));
	const url = new URL(store.url ?? '');
	url.host = `127.0.0.1:${network.port}`;
	const [stopped, other] = [url.href, store.url].map((each) =>
		openAsIs({ url: each, dataDir, timeout: 200 })
	) as [Db, Db];
	try {
		await sql`create table tip (at int)`.execute(other);
		await sql`insert into tip values (1)`.execute(other);
		const isLocked = Promise.withResolvers<null>();
		const goesOn = Promise.withResolvers<null>();
		const lost = stopped.transaction().execute(async (trx) => {
			await sql`update tip set at = 2`.execute(trx);
			network.silence(true);
			isLocked.resolve(null);
			await goesOn.promise;
			await sql`update tip set at = 3`.execute(trx);
		});
		const failed = lost.catch((error: unknown) => databaseErrorKind(error));
		await isLocked.promise;
		await other.transaction().execute(async (trx) => {
			await sql`set local lock_timeout = 0`.execute(trx);
			await sql`update tip set at = at + 10`.execute(trx);
		});
		goesOn.resolve(null);
		expect(await failed).toBe('gone');
		const { rows } = await sql<{ at: bigint }>`select at from tip`.execute(other);
		expect(rows).toEqual([{ at: 11n }]);
	} finally {
		network.stop();
		await Promise.all([stopped.close(), other.close()]);
		await store.drop();
		rmSync(dataDir, { recursive: true, force: true });
	}
});

describe('a database whose server is gone without a word', () => {
	const dataDir = mkdtempSync(join(tmpdir(), 'komodeck-silent-'));
	let store: Awaited<ReturnType<typeof createPostgresDatabase>>;
	let network: Awaited<ReturnType<typeof startNetwork>>;
	let db: Db;
	beforeAll(async () => {
		store = await createPostgresDatabase();
		const url = new URL(store.url ?? '');
		network = await startNetwork(url);
		url.host = `127.0.0.1:${network.port}`;
		db = openAsIs({ url: url.href, dataDir, timeout: TIMEOUT_MS });
	});
	afterAll(async () => {
		network.stop();
		await db.close();
		await store.drop();
		rmSync(dataDir, { recursive: true, force: true });
	});
	const read = () => sql`select 1`.execute(db);

	test('is noticed by whoever waits for it, and holds no place once it is back', async () => {
		await Promise.all(Array.from({ length: 10 }, read));
		network.silence(true);
		const waiting = Array.from({ length: 10 }, read);
		const failures = await Promise.all(
			waiting.map((each) => each.catch((error: unknown) => error))
		);
		expect(failures.map((failure) => databaseErrorKind(failure))).toEqual(Array(10).fill('gone'));
		network.silence(false);
		await expect(read()).resolves.toBeTruthy();
	});

	test('behind a network that forgot its connections is noticed by whoever waits, and reached anew', async () => {
		await Promise.all(Array.from({ length: 10 }, read));
		network.forget();
		const waiting = Array.from({ length: 10 }, read);
		const failures = await Promise.all(
			waiting.map((each) => each.catch((error: unknown) => error))
		);
		expect(failures.map((failure) => databaseErrorKind(failure))).toEqual(Array(10).fill('gone'));
		await expect(read()).resolves.toBeTruthy();
	});

	test('is not taken for gone while a transaction waits for something else', async () => {
		await db.transaction().execute(async (trx) => {
			await sql`select 1`.execute(trx);
			await sleep(5 * TIMEOUT_MS);
			await expect(sql`select 1`.execute(trx)).resolves.toBeTruthy();
		});
	});

	test('is not taken for gone because it is slow', async () => {
		const slow = sql`select pg_sleep(${(5 * TIMEOUT_MS) / 1000})`.execute(db);
		await expect(slow).resolves.toBeTruthy();
	});
});
