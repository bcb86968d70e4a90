/** Servers over one PostgreSQL database notify each other of their writes. */
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer, type Server, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, inject, test, vi } from 'vitest';
import { createLive, type Live } from '#lib/server/api/live/live.ts';
import { VISITOR } from '#lib/server/access/identity/identity.ts';
import { openIndex, type Index } from '#lib/server/chains/indexer/open.ts';
import { openAsIs, openDatabase, type Db } from '#lib/server/database.ts';
import {
	CHANNEL,
	createListener,
	createNotifier,
	isTold,
	type Listener
} from '#lib/server/platform/database/writeNotices.ts';
import { createSharedBudgets } from '#lib/server/platform/rate-limits/budgets.ts';
import { factorsOptional } from '../../support/permissive.ts';
import { createPostgresDatabase } from '../../support/database.ts';
import { indexedChain } from '../../support/indexedChain.ts';

/** A wait this long means that no notification came: the test then hangs and fails. */
const NEVER_MS = 3_600_000;

const SWITCH = { name: 'freeze', reason: 'r', thrown_by: 'b', since: 1 } as const;

/** The relevant behavior of a pooler: messages of type `A`, which the server sends unasked, reach no client. */
async function startPooler(target: URL): Promise<{ url: string; server: Server }> {
	const server = createServer((client) => {
		const upstream = connect(Number(target.port), target.hostname);
		let held = Buffer.alloc(0);
		client.pipe(upstream);
		upstream.on('data', (part) => {
			held = Buffer.concat([held, part]);
			while (held.length >= 5) {
				const length = 1 + held.readUInt32BE(1);
				if (held.length < length) return;
				if (held[0] !== 'A'.charCodeAt(0)) client.write(held.subarray(0, length));
				held = held.subarray(length);
			}
		});
		for (const [one, other] of [
			[client, upstream],
			[upstream, client]
		] as const) {
			one.on('error', () => other.destroy()).on('close', () => other.destroy());
		}
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const url = new URL(target);
	url.port = String((server.address() as AddressInfo).port);
	return { url: url.href, server };
}

describe('servers over one PostgreSQL database', () => {
	const dataDir = mkdtempSync(join(tmpdir(), 'komodeck-replicas-'));
	let store: { url?: string; drop(): Promise<void> };
	let url: string;
	let writer: Db;
	let reader: Db;
	let writerIndex: Index;
	let index: Index;
	const listeners: Listener[] = [];
	let live: Live | undefined;

	beforeAll(async () => {
		store = await createPostgresDatabase(inject('empty').postgres);
		url = store.url!;
		writer = await openDatabase({ url, dataDir });
		reader = await openDatabase({ url, dataDir });
		writerIndex = await openIndex({ url, dataDir });
		index = await openIndex({ url, dataDir });
	});
	afterEach(async () => {
		live?.stop();
		for (const listener of listeners.splice(0)) await listener.stop();
	});
	afterAll(async () => {
		for (const one of [writer, reader, writerIndex, index]) await one.close();
		await store.drop();
		rmSync(dataDir, { recursive: true, force: true });
	});

	const listen = (options: Partial<Parameters<typeof createListener>[0]> = {}): Listener => {
		const listener = createListener({ url, db: reader, pause: () => 10, ...options });
		listeners.push(listener);
		return listener;
	};
	const hearing = (listener: Listener): Promise<void> =>
		vi.waitFor(() => expect(listener.isHearing).toBe(true), { timeout: 30_000, interval: 5 });

	/**
	 * Follows the hub of the reading server until this message.
	 * @returns the messages
	 */
	async function follow(
		writes: Listener,
		pollMs: number
	): Promise<(wanted: string) => Promise<string>> {
		live = await createLive({
			index,
			db: reader,
			writes,
			pollMs,
			quietMs: NEVER_MS,
			sessionRule: () => Promise.resolve({ idleHours: 12, mostDays: 7 }),
			settings: () => Promise.resolve(factorsOptional),
			onError: () => undefined
		});
		const body = live.open({ identity: VISITOR, address: '192.0.2.7', after: null });
		if ('full' in body) throw new Error('No stream.');
		const chunks = body.pipeThrough(new TextDecoderStream() as never).getReader();
		let said = '';
		return async (wanted) => {
			while (!said.includes(wanted)) {
				const { value, done } = (await chunks.read()) as { value?: string; done: boolean };
				if (done) throw new Error(`The stream ended: ${said}`);
				said += value;
			}
			return said;
		};
	}

	test('what a caller takes at one server is taken at the others, too', async () => {
		const [one, other] = [listen(), listen({ db: writer })];
		await hearing(one);
		await hearing(other);
		const budgets = [one, other].map(({ budgets: wire }) =>
			createSharedBudgets(wire, { tellEveryMs: 10 })
		);
		const [here, there] = budgets.map(({ open }) => open('calls', 100, 600));
		expect(await here!.take('ada', 100)).toBeNull();
		await vi.waitFor(async () => expect(await there!.wait('ada')).not.toBeNull(), {
			timeout: 30_000,
			interval: 5
		});
		expect(await there!.wait('ben')).toBeNull();
		for (const { stop } of budgets) stop();
	});

	const chain = async (height: number): Promise<void> => {
		const hash = Buffer.alloc(32, height);
		await writerIndex.transaction().execute(async (trx) => {
			await trx
				.insertInto('ix_blocks')
				.values({ chain: 1, height, hash, time: 1_000 + height, size: 1, txs: 1 })
				.execute();
			await trx
				.insertInto('ix_chains')
				.values(indexedChain({ height, hash }))
				.onConflict((conflict) => conflict.column('id').doUpdateSet({ height, hash }))
				.execute();
		});
	};

	test('a reader at one is told of what another wrote without any look for it', async () => {
		const listener = listen();
		await hearing(listener);
		const said = await follow(listener, NEVER_MS);
		await chain(1);
		await said('"height":1,');
		await chain(2);
		await said('"height":2,');
	});

	test('what is written of a chain is told, and is no news of what people own', async () => {
		const listener = listen();
		await hearing(listener);
		const [heard, ofOwn] = [listener.heard, listener.heardOfOwn];
		await chain(5);
		await vi.waitFor(() => expect(listener.heard).toBeGreaterThan(heard), { interval: 5 });
		expect(listener.heardOfOwn).toBe(ofOwn);
		await sql`update installation set mark = mark`.execute(writer);
		await vi.waitFor(() => expect(listener.heardOfOwn).toBeGreaterThan(ofOwn), { interval: 5 });
	});

	test('a server whose listening connection is lost looks by itself, listens again, and misses nothing', async () => {
		const listener = listen({ pause: () => 50 });
		await hearing(listener);
		const said = await follow(listener, NEVER_MS);
		for (const height of [11, 12]) {
			await sql`select pg_terminate_backend(pid) from pg_stat_activity
				where query like ${`listen ${CHANNEL}%`} and datname = current_database()`.execute(writer);
			await vi.waitFor(() => expect(listener.isHearing).toBe(false), { interval: 1 });
			// Without any notification.
			await chain(height);
			await said(`"height":${height},`);
			await hearing(listener);
		}
	});

	test('behind a pooler that forwards nothing a server asks for news as before', async () => {
		const pooler = await startPooler(new URL(url));
		const changes: boolean[] = [];
		const listener = listen({
			url: pooler.url,
			proofWithin: 50,
			onChange: (hears) => changes.push(hears)
		});
		try {
			const said = await follow(listener, 10);
			await chain(21);
			await said('"height":21,');
			await chain(22);
			await said('"height":22,');
			expect([listener.isHearing, listener.heard]).toEqual([false, 0]);
			await vi.waitFor(() => expect(changes).toEqual([false]), { timeout: 30_000, interval: 5 });
		} finally {
			await listener.stop();
			pooler.server.close();
		}
	});

	test('a server whose LISTEN is never answered listens anew', async () => {
		const { hostname: host, port } = new URL(url);
		let connections = 0;
		const network = createServer((client) => {
			const isSilent = (connections += 1) === 1;
			const upstream = connect(Number(port), host);
			client.on('error', () => upstream.destroy()).on('close', () => upstream.destroy());
			upstream.on('error', () => client.destroy());
			client.on('data', (part) => {
				if (isSilent && part.includes('tcp_keepalives')) upstream.unpipe(client);
				upstream.write(part);
			});
			upstream.pipe(client);
		});
		await new Promise<void>((resolve) => network.listen(0, '127.0.0.1', resolve));
		const through = new URL(url);
		through.port = String((network.address() as AddressInfo).port);
		try {
			await hearing(listen({ url: through.href, proofWithin: 200 }));
			expect(connections).toBeGreaterThan(1);
		} finally {
			for (const listener of listeners.splice(0)) await listener.stop();
			network.close();
		}
	});

	test('what is told says nothing, comes after the commit, and not of what was taken back', async () => {
		// A database in which no other test writes.
		const own = await createPostgresDatabase(inject('empty').postgres);
		const db = openAsIs({ url: own.url!, dataDir });
		const client = new pg.Client({ connectionString: own.url });
		await client.connect();
		await client.query(`listen ${CHANNEL}`);
		const heard: (string | undefined)[] = [];
		client.on('notification', ({ payload }) => heard.push(payload));
		try {
			const undone = db.transaction().execute(async (trx) => {
				await trx.insertInto('safety_controls').values(SWITCH).execute();
				throw new Error('no');
			});
			await expect(undone).rejects.toThrow('no');
			await db.insertInto('throttle').values({ key: 'k', points: 0, expires_at: 0 }).execute();
			await db.updateTable('migrations').set({ state: 'draft' }).execute();
			await db.transaction().execute(async (trx) => {
				await trx.insertInto('safety_controls').values(SWITCH).execute();
				await client.query('select 1');
				expect(heard).toEqual([]);
			});
			await vi.waitFor(() => expect(heard).toEqual(['']), { timeout: 30_000, interval: 5 });
		} finally {
			await client.end();
			await db.close();
			await own.drop();
		}
	});
});

test('a burst of writes is told at once and then together, and what is left when it ends', async () => {
	let told = 0;
	const teller = createNotifier(() => Promise.resolve((told += 1)));
	for (let n = 0; n < 100; n++) teller.written();
	expect(told).toBe(1);
	await vi.waitFor(() => expect(told).toBe(2), { timeout: 10_000, interval: 5 });
	teller.written();
	await teller.end();
	expect(told).toBe(3);
	teller.written();
	expect(told).toBe(3);
});

test.each([
	['insert into "throttle" ("key") values ($1)', false],
	['update sessions set last_seen_at = $1', false],
	['delete from "ix_lease"', false],
	['insert into ix_chains (id) values ($1)', true],
	['update "migrations" set "state" = $1', true],
	['with moved as (select 1) update "migrations" set "state" = $1', true]
])('%s is worth a word: %s', (statement, told) => {
	expect(isTold(statement)).toBe(told);
});
