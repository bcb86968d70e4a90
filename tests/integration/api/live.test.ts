import { createServer, get, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pipeline, Readable } from 'node:stream';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { describeOnBothDatabases } from '../../support/database.ts';
import {
	addPerson,
	authOver,
	identified,
	signInAs,
	withSession,
	withToken
} from '../../support/members.ts';
import { VISITOR, type Identity } from '#lib/server/access/identity/identity.ts';
import { createSafetyControls } from '#lib/server/access/policy/safety-controls/safetyControls.ts';
import { openIndex, type Index } from '#lib/server/chains/indexer/open.ts';
import { seqOf } from '#lib/server/chains/indexer/tables.ts';
import { RecentEvents } from '#lib/server/api/live/events.ts';
import { createFrameReader } from '#lib/server/api/live/frame.ts';
import { createAccessRequests } from '#lib/server/access/access-requests/accessRequests.ts';
import { createWallets } from '#lib/server/access/policy/wallets/wallets.ts';
import { createWaiting } from '#lib/server/cross-chain/open-work/waiting.ts';
import { createLive, type Live } from '#lib/server/api/live/live.ts';
import { Watch } from '#lib/server/api/live/watch.ts';
import { factorsOptional, unlimitedToken } from '../../support/permissive.ts';
import { indexedChain } from '../../support/indexedChain.ts';

/** Columns of a migration that no event is about. */
const DRAFT = {
	path: 'notarized',
	source: 'ALPHA',
	destination: 'BETA',
	ccid: 1,
	source_daemon: '',
	destination_daemon: '',
	kmd_daemon: '',
	address: '',
	amount: 1,
	import_scan_from: 0,
	created_by: '',
	policy: 'ask',
	state: 'draft',
	fencing_token: 0,
	state_since: 0,
	created_at: 0
} as const;

describe('the recent events', () => {
	const block = (height: number) =>
		({ type: 'block', chain: 'ALPHA', height, hash: '', time: 0 }) as const;

	it('are given from any id of this run on, as long as they are kept', () => {
		const recent = new RecentEvents(3, 'run');
		expect(recent.after('run.0')).toEqual([]);
		for (let height = 1; height <= 10; height++) recent.add(block(height));
		expect(recent.position).toBe('run.10');
		expect(recent.after('run.8')?.map(({ n }) => n)).toEqual([9, 10]);
		expect(recent.after('run.7')).toHaveLength(3);
		for (const id of ['run.6', 'run.11', 'other.8', 'run', 'run.x', 'run.-1', '', '..']) {
			expect(recent.after(id)).toBeNull();
		}
	});
});

const MEMBER: Identity = {
	via: 'token',
	account: { id: 'm1', name: 'mia', role: 'viewer' },
	role: 'viewer',
	token: unlimitedToken('t1', 'all')
};

interface Message {
	event: string;
	id: string;
	data: Record<string, unknown>;
}

/** A reader of the stream over HTTP, like a browser. */
class Reader {
	readonly messages: Message[] = [];
	response: IncomingMessage | null = null;
	ended = false;
	#wake: () => void = () => undefined;

	constructor(url: string) {
		const request = get(url, (response) => {
			this.response = response;
			let text = '';
			response.setEncoding('utf8').on('data', (part: string) => {
				text += part;
				const blocks = text.split('\n\n');
				text = blocks.pop() ?? '';
				for (const one of blocks) {
					const fields = new Map(
						one.split('\n').map((line) => {
							const at = line.indexOf(': ');
							return [line.slice(0, at), line.slice(at + 2)] as const;
						})
					);
					this.messages.push({
						event: fields.get('event') ?? '',
						id: fields.get('id') ?? '',
						data: JSON.parse(fields.get('data') ?? '{}') as Record<string, unknown>
					});
				}
				this.#wake();
			});
			const over = (): void => {
				this.ended = true;
				this.#wake();
			};
			response.on('error', over).on('close', over);
		});
		request.on('error', () => {
			this.ended = true;
			this.#wake();
		});
	}

	/** The messages without keep-alives, once there are `count` of them. */
	async news(count: number): Promise<Message[]> {
		for (;;) {
			const news = this.messages.filter(({ event }) => event !== 'beat');
			if (news.length >= count) return news;
			if (this.ended) throw new Error('The stream ended.');
			await this.#change();
		}
	}

	async until(condition: () => boolean): Promise<void> {
		while (!condition()) await this.#change();
	}

	#change(): Promise<void> {
		return new Promise((resolve) => {
			this.#wake = resolve;
		});
	}

	close(): void {
		this.response?.destroy();
	}
}

describeOnBothDatabases('live pages', (database) => {
	let index: Index;
	let server: Server;
	let live: Live;
	let identity: Identity = VISITOR;
	const readers: Reader[] = [];

	const begin = async (options: Partial<Parameters<typeof createLive>[0]> = {}): Promise<void> => {
		live?.stop();
		live = await createLive({
			index,
			db: database.db,
			pollMs: 10,
			sessionRule: () => Promise.resolve({ idleHours: 12, mostDays: 7 }),
			settings: () => Promise.resolve(factorsOptional),
			...options
		});
	};
	const url = (after: string | null = null): string => {
		const { port } = server.address() as AddressInfo;
		return `http://127.0.0.1:${port}/${after === null ? '' : `?after=${after}`}`;
	};
	const read = async (after: string | null = null): Promise<Reader> => {
		const reader = new Reader(url(after));
		readers.push(reader);
		await reader.until(() => reader.messages.length > 0 || reader.ended);
		return reader;
	};

	async function mine(height: number, hash = height, state = 'current'): Promise<void> {
		// A single byte cannot distinguish the many heights of a flood.
		const bytes = Buffer.alloc(32, hash < 256 ? hash : `block ${hash}`);
		await index.transaction().execute(async (trx) => {
			await trx.deleteFrom('ix_blocks').where('height', '>=', BigInt(height)).execute();
			await trx
				.insertInto('ix_blocks')
				.values({ chain: 1, height, hash: bytes, time: 1_000 + height, size: 1, txs: 1 })
				.execute();
			await trx.updateTable('ix_chains').set({ height, hash: bytes, state }).execute();
		});
	}

	beforeAll(async () => {
		index = await openIndex(database.options);
		await index.insertInto('ix_chains').values(indexedChain()).execute();
		await mine(1);
		server = createServer((request, response) => {
			const after = new URL(request.url ?? '', 'http://host').searchParams.get('after');
			const body = live.open({ identity, address: '192.0.2.7', after });
			if ('full' in body) {
				response.writeHead(429).end();
				return;
			}
			response.writeHead(200, { 'content-type': 'text/event-stream' });
			pipeline(Readable.fromWeb(body as never), response, () => undefined);
		});
		await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	});
	afterEach(() => {
		for (const reader of readers.splice(0)) reader.close();
		identity = VISITOR;
	});
	afterAll(async () => {
		live.stop();
		server.closeAllConnections();
		await new Promise((resolve) => server.close(resolve));
		await index.close();
	});

	it('are told of a block, of one in the place of another, and of a notarization in it', async () => {
		await begin();
		const reader = await read();
		await mine(2);
		await reader.news(1);
		await mine(2, 77);
		await reader.news(2);
		await index
			.insertInto('ix_notarizations')
			.values({
				chain: 1,
				seq: seqOf(3, 0),
				txid: Buffer.alloc(32),
				form: 'kmd',
				symbol: 'BETA',
				time: 1,
				height: 40,
				hash: Buffer.alloc(32),
				signers: '1',
				signer_count: 1
			})
			.execute();
		await mine(3);
		expect((await reader.news(4)).map(({ event, data }) => ({ event, ...data }))).toEqual([
			{ event: 'block', chain: 'ALPHA', height: 2, hash: '02'.repeat(32), time: 1002 },
			{ event: 'block', chain: 'ALPHA', height: 2, hash: '4d'.repeat(32), time: 1002 },
			{ event: 'block', chain: 'ALPHA', height: 3, hash: '03'.repeat(32), time: 1003 },
			{ event: 'notarization', chain: 'ALPHA', symbol: 'BETA', height: 40 }
		]);
	});

	it('are told of a change of the state of a chain', async () => {
		await begin();
		const reader = await read();
		await index.updateTable('ix_chains').set({ state: 'stopped' }).execute();
		expect((await reader.news(1))[0]).toMatchObject({
			event: 'chain',
			data: { chain: 'ALPHA', state: 'stopped' }
		});
		await index.updateTable('ix_chains').set({ state: 'current' }).execute();
		await reader.news(2);
	});

	it('are told once a second of a chain that is far behind', async () => {
		let now = 0;
		const watch = new Watch({ index, db: database.db, now: () => now });
		await watch.look();
		const behind = async (height: number): Promise<unknown[]> => {
			await mine(height, height, 'behind');
			return (await watch.look()).map((event) => [event.type, 'height' in event && event.height]);
		};
		expect(await behind(31)).toEqual([
			['block', 31],
			['chain', 31]
		]);
		expect(await behind(32)).toEqual([]);
		expect(await behind(33)).toEqual([]);
		now += 1_000;
		expect(await behind(34)).toEqual([
			...[32, 33, 34].map((height) => ['block', height]),
			['chain', 34]
		]);
		await mine(35);
		expect((await watch.look()).map(({ type }) => type)).toEqual(['block', 'chain']);
	});

	it('are told of what a poll found that failed later on', async () => {
		const faults = [new Error('The database is away.')];
		const frame = () => {
			const fault = height < 38 ? undefined : faults.pop();
			if (fault !== undefined) return Promise.reject(fault);
			return Promise.resolve({ everyone: '', team: '' });
		};
		let height = 37;
		const watch = new Watch({ index, db: database.db, frame });
		await watch.look();
		height = 38;
		await mine(height);
		await expect(watch.look()).rejects.toThrow('The database is away.');
		expect(await watch.look()).toMatchObject([{ type: 'block', height }]);
		expect(await watch.look()).toEqual([]);
	});

	it('are told of each step of a migration once', async () => {
		await begin();
		const visitor = await read();
		identity = MEMBER;
		const reader = await read();
		await database.db
			.insertInto('migrations')
			.values({
				id: 'one',
				...DRAFT,
				updated_at: 1_000
			})
			.execute();
		await reader.news(1);
		await database.db
			.updateTable('migrations')
			.set({ state: 'burn-pending', updated_at: 900 })
			.execute();
		expect((await reader.news(2)).map(({ data }) => data)).toEqual([
			{ id: 'one', state: 'draft' },
			{ id: 'one', state: 'burn-pending' }
		]);
		await mine(40);
		expect((await visitor.news(1)).map(({ event }) => event)).toEqual(['block']);
	});

	it('are told of each step of an activation once, also of two within a millisecond', async () => {
		await begin();
		const visitor = await read();
		identity = MEMBER;
		const reader = await read();
		const text = '';
		await database.db
			.insertInto('activations')
			.values({
				id: 'a1',
				node: text,
				coin: 'KMD',
				method: 'task::enable_utxo',
				params: '{}',
				state: 'starting',
				attempt: 1,
				begun_by: text,
				fencing_token: 0,
				attempt_since: 0,
				state_since: 0,
				created_at: 0,
				updated_at: 1_000
			})
			.execute();
		await reader.news(1);
		await database.db.updateTable('activations').set({ state: 'running' }).execute();
		await reader.news(2);
		await database.db.updateTable('activations').set({ step: '"ActivatingCoin"' }).execute();
		expect((await reader.news(3)).map(({ event, data }) => ({ event, ...data }))).toEqual([
			{ event: 'activation', id: 'a1', state: 'starting' },
			{ event: 'activation', id: 'a1', state: 'running' },
			{ event: 'activation', id: 'a1', state: 'running' }
		]);
		await mine(41);
		expect((await visitor.news(1)).map(({ event }) => event)).toEqual(['block']);
	});

	it('are told of what happens after a clock was ahead and is right again, and by one that is behind', async () => {
		const watch = new Watch({ index, db: database.db });
		const rowsAt = async (id: string, at: number): Promise<void> => {
			const text = '';
			await database.db
				.insertInto('migrations')
				.values({
					id,
					...DRAFT,
					updated_at: at
				})
				.execute();
			await database.db
				.insertInto('activations')
				.values({
					id,
					node: text,
					coin: id,
					method: 'task::enable_utxo',
					params: '{}',
					state: 'starting',
					attempt: 1,
					begun_by: text,
					fencing_token: 0,
					attempt_since: 0,
					state_since: 0,
					created_at: 0,
					updated_at: at
				})
				.execute();
			await database.db
				.insertInto('notice_inboxes')
				.values({ account_id: id, unread: 1, changed_at: at })
				.execute();
		};
		const told = async (): Promise<unknown[]> =>
			(await watch.look()).map((event) => [
				event.type,
				'account' in event ? event.account : 'id' in event && event.id
			]);
		const all = (id: string) => ['migration', 'activation', 'notices'].map((type) => [type, id]);
		await watch.look();
		const ahead = await addPerson(database, 'viewer');
		await rowsAt(ahead.id, Date.now() + 3_600_000);
		expect(await told()).toEqual(all(ahead.id));
		const right = await addPerson(database, 'viewer');
		await rowsAt(right.id, Date.now());
		expect(await told()).toEqual(all(right.id));
		// Another server's clock is minutes behind.
		const late = await addPerson(database, 'viewer');
		await rowsAt(late.id, Date.now() - 300_000);
		expect(await told()).toEqual(all(late.id));
		expect(await told()).toEqual([]);
	});

	it('lose nothing when they come back, also what happened while nobody listened', async () => {
		await begin();
		const first = await read();
		await mine(10);
		const [told] = await first.news(1);
		first.close();
		await mine(11);
		await mine(12);
		const second = await read(told!.id);
		expect((await second.news(1)).map(({ data }) => data['height'])).toContain(12);
		second.close();
		const third = await read(told!.id);
		expect((await third.news(1)).at(-1)?.data['height']).toBe(12);
	});

	it('are made again when what they missed is not known any more', async () => {
		await begin();
		const before = live.position();
		await begin();
		for (const id of [before, 'nonsense', `${live.position()}9`]) {
			const reader = await read(id);
			expect(reader.messages[0]).toMatchObject({ event: 'reset', id: live.position() });
		}
	});

	it('see a sign of life while nothing happens', async () => {
		await begin({ beatMs: 1 });
		const reader = await read();
		await reader.until(() => reader.messages.length >= 4);
		expect(reader.messages.every(({ event }) => event === 'beat')).toBe(true);
	});

	it('of visitors are limited by address, and a place is free again when a reader goes', async () => {
		await begin({ limits: { visitorsOfAddress: 2 } });
		const [one] = [await read(), await read()];
		const refused = await read();
		expect(refused.response?.statusCode).toBe(429);
		one!.close();
		while (live.readers > 1) await new Promise((resolve) => setImmediate(resolve));
		expect((await read()).response?.statusCode).toBe(200);
	});

	it('of a member are limited for that member alone, who loses the oldest', async () => {
		const auth = await authOver(database, { publicBrowsing: true });
		const of = async (): Promise<Identity> =>
			identified(auth, withSession(await signInAs(auth, await addPerson(database, 'viewer'))));
		const [greedy, other] = [await of(), await of()];
		await begin({ limits: { member: 2, visitorsOfAddress: 1 } });
		const visitor = await read();
		identity = greedy;
		const [first, second] = [await read(), await read()];
		identity = other;
		const colleague = await read();
		identity = greedy;
		const third = await read();
		await first.until(() => first.ended);
		expect([visitor, second, third, colleague].map(({ ended }) => ended)).not.toContain(true);
		expect(live.readers).toBe(4);
	});

	it('begin anew for a reader who missed more than fits', async () => {
		await begin();
		const position = live.position();
		const reader = await read();
		let height = 1_000;
		while (reader.messages.length < 260) {
			const told = reader.messages.length;
			for (let more = 0; more < 20; more++) await mine((height += 1));
			await reader.until(() => reader.messages.length > told);
		}
		expect((await read(position)).messages[0]).toMatchObject({ event: 'reset' });
	});

	it.each(['role', 'disabled', 'expired', 'revoked'] as const)(
		'of a token end by themselves when it is changed: %s',
		async (change) => {
			const auth = await authOver(database, { publicBrowsing: true });
			const person = await addPerson(database, 'operator');
			const made = await auth.tokens.create(
				{ account: person, name: 'x', role: 'operator' },
				person
			);
			identity = await identified(auth, {
				get: (name) => (name === 'authorization' ? `Bearer ${made.token}` : null)
			});
			await begin();
			const reader = await read();
			const { db } = database;
			// Written like by another replica.
			if (change === 'revoked') await auth.tokens.revoke(person.id, made.id, null);
			else if (change === 'expired') {
				const expired = { expires_at: Date.now() - 1 };
				await db.updateTable('api_tokens').set(expired).where('id', '=', made.id).execute();
			} else {
				const changed =
					change === 'role' ? { role: 'viewer' as const } : { disabled_at: Date.now() };
				await db.updateTable('accounts').set(changed).where('id', '=', person.id).execute();
			}
			await reader.until(() => reader.ended);
		}
	);

	it('end within a moment when their session ends', async () => {
		const auth = await authOver(database, { publicBrowsing: true });
		const person = await addPerson(database, 'viewer');
		const id = await signInAs(auth, person);
		identity = await identified(auth, withSession(id));
		await begin();
		const [own, other] = [await read(), await read()];
		identity = VISITOR;
		const visitor = await read();
		await auth.sessions.end(id);
		await own.until(() => own.ended);
		await other.until(() => other.ended);
		await mine(20);
		expect(await visitor.news(1)).toHaveLength(1);
	});

	it('end within a moment when a second factor is required that their member lacks', async () => {
		const auth = await authOver(database, { publicBrowsing: true });
		const settings = () => auth.settings.values();
		const person = await addPerson(database, 'viewer');
		const { token } = await auth.tokens.create(
			{ account: person, name: 'x', role: 'viewer' },
			person
		);
		const [bySession, byToken] = [
			await identified(auth, withSession(await signInAs(auth, person))),
			await identified(auth, withToken(token))
		];
		const change = (wanted: Parameters<typeof auth.settings.change>[1]): Promise<unknown> =>
			auth.settings.change(null, wanted);
		await begin({ settings });
		identity = bySession;
		const own = await read();
		identity = byToken;
		const script = await read();
		identity = VISITOR;
		const visitor = await read();
		await change({ 'factor-viewer': 'required', 'factor-tokens': 'accepted' });
		await own.until(() => own.ended);
		expect(script.ended).toBe(false);
		await change({ 'factor-tokens': 'refused' });
		await script.until(() => script.ended);
		await mine(21);
		expect(await visitor.news(1)).toHaveLength(1);
		await change({ 'factor-viewer': 'optional' });
	});

	it('are told when what a page was made with stood only between two looks', async () => {
		const { audit } = await authOver(database);
		const safetyControls = createSafetyControls(database.db, audit);
		const nothing = () => Promise.resolve('');
		const frame = createFrameReader({
			gateway: { daemons: () => [] },
			safetyControls,
			waiting: { shownStamp: nothing },
			accessRequests: { shownStamp: nothing },
			approvals: { shownStamp: nothing },
			proposals: { shownStamp: nothing }
		});
		await begin({ frame, pollMs: 60_000 });
		const reader = await read();
		await safetyControls.turnOn('freeze', 'a test', 'ada');
		const page = await safetyControls.shown();
		expect(page.status.freeze).not.toBeNull();
		await safetyControls.turnOff('freeze', null);
		live.nudge();
		expect((await reader.news(1))[0]?.event).toBe('frame');
	});

	it('are told when what waits was more or less only between two looks', async () => {
		const { audit, members } = await authOver(database);
		const accessRequests = createAccessRequests({ db: database.db, audit, members });
		const waiting = createWaiting(database.db, createWallets(database.db, audit));
		const nothing = () => Promise.resolve('');
		const frame = createFrameReader({
			gateway: { daemons: () => [] },
			safetyControls: createSafetyControls(database.db, audit),
			waiting,
			accessRequests,
			approvals: { shownStamp: nothing },
			proposals: { shownStamp: nothing }
		});
		await begin({ frame, pollMs: 60_000 });
		identity = MEMBER;
		const reader = await read();
		const member = await addPerson(database, 'viewer');
		const before = await accessRequests.shownCount();
		await accessRequests.ask(member, 'build', '/wallets');
		expect(await accessRequests.shownCount()).toBe(before + 1);
		const { id } = (await accessRequests.open()).find((one) => one.member.id === member.id)!;
		await accessRequests.dismiss(null, id);
		live.nudge();
		expect((await reader.news(1))[0]?.event).toBe('team');
		const { migrations } = await waiting.shown(member.name);
		await database.db.updateTable('migrations').set({ state: 'stuck' }).execute();
		expect((await waiting.shown(member.name)).migrations).toBeGreaterThan(migrations);
		await database.db.updateTable('migrations').set({ state: 'draft' }).execute();
		live.nudge();
		expect((await reader.news(2))[1]?.event).toBe('team');
	});

	it('stay open when they are opened while it is asked whose session has ended', async () => {
		const auth = await authOver(database);
		const memberOf = async (): Promise<Identity> =>
			identified(auth, withSession(await signInAs(auth, await addPerson(database, 'viewer'))));
		const second = await memberOf();
		const askedAgain = Promise.withResolvers<null>();
		let late: Reader | null = null;
		identity = await memberOf();
		await begin({
			sessionRule: async () => {
				if (late === null) {
					identity = second;
					late = await read();
				} else askedAgain.resolve(null);
				return { idleHours: 12, mostDays: 7 };
			}
		});
		await read();
		await askedAgain.promise;
		expect(live.readers).toBe(2);
	});

	it('cut off a reader that does not read, and go on for the others', async () => {
		await begin();
		const body = live.open({ identity, address: '192.0.2.9', after: null });
		if ('full' in body) throw new Error(`No stream: ${body.full} is full.`);
		const reader = await read();
		let height = 100;
		while (live.readers > 1) {
			const told = reader.messages.length;
			for (let more = 0; more < 20; more++) await mine((height += 1));
			await reader.until(() => reader.messages.length > told);
		}
		await expect(body.getReader().read()).rejects.toThrow('too slow');
		expect(reader.ended).toBe(false);
	});
});
