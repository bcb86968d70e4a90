import {
	createDecipheriv,
	createECDH,
	createPublicKey,
	hkdfSync,
	randomBytes,
	verify
} from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import { join } from 'node:path';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Account } from '#lib/server/access/identity/identity.ts';
import type { Auth } from '#lib/server/access/requests/auth.ts';
import { codeOf } from '../../support/codeOf.ts';
import { describeOnBothDatabases, isWaiting } from '../../support/database.ts';
import { addPerson, authOver, sessionHashOf } from '../../support/members.ts';
import { startServer, TestClock } from './world.ts';
import { listening } from '../../support/listening.ts';
import { closeAtOnce } from '../../../src/devnet/loopback.ts';

/** A certificate for `electrum.example`. */
const testdata = (name: string): string =>
	readFileSync(join(import.meta.dirname, '../egress/testdata', name), 'utf8');

/** A browser from the push service's view: its keys, and the decryption of messages (RFC 8291). */
class Browser {
	readonly #keys = createECDH('prime256v1');
	readonly #auth = randomBytes(16);
	readonly #public = this.#keys.generateKeys();

	subscription(endpoint: string): string {
		return JSON.stringify({
			endpoint,
			expirationTime: null,
			keys: { p256dh: this.#public.toString('base64url'), auth: this.#auth.toString('base64url') }
		});
	}

	/** One record of aes128gcm (RFC 8188). */
	read(body: Buffer): Record<string, string> {
		const salt = body.subarray(0, 16);
		const length = body.readUInt8(20);
		const sender = body.subarray(21, 21 + length);
		const shared = this.#keys.computeSecret(sender);
		const info = Buffer.concat([Buffer.from('WebPush: info\0'), this.#public, sender]);
		const ikm = Buffer.from(hkdfSync('sha256', shared, this.#auth, info, 32));
		const derived = (what: string, bytes: number): Buffer =>
			Buffer.from(hkdfSync('sha256', ikm, salt, `Content-Encoding: ${what}\0`, bytes));
		const record = body.subarray(21 + length);
		const key = createDecipheriv('aes-128-gcm', derived('aes128gcm', 16), derived('nonce', 12));
		key.setAuthTag(record.subarray(-16));
		const padded = Buffer.concat([key.update(record.subarray(0, -16)), key.final()]);
		return JSON.parse(padded.subarray(0, padded.lastIndexOf(2)).toString('utf8')) as Record<
			string,
			string
		>;
	}
}

describeOnBothDatabases('browser notifications', (database) => {
	let auth: Auth;
	const clock = new TestClock();
	const service = createServer(
		{ cert: testdata('localhost.cert.pem'), key: testdata('localhost.key.pem') },
		(request, response) => {
			const chunks: Buffer[] = [];
			request.on('data', (chunk: Buffer) => chunks.push(chunk));
			request.on('end', () => {
				const { authorization = '' } = request.headers;
				received.push({ body: Buffer.concat(chunks), authorization });
				response.writeHead(status).end();
			});
		}
	);
	const received: { body: Buffer; authorization: string }[] = [];
	let status = 201;
	let endpoint = '';
	const usual = getCACertificates('default');
	let server: Awaited<ReturnType<typeof startServer>>;
	let admin: Account;
	let session: string;
	let idHash: string;

	beforeAll(async () => {
		setDefaultCACertificates([...usual, testdata('localhost.cert.pem')]);
		endpoint = `https://electrum.example:${await listening(service)}/push/`;
		auth = await authOver(database);
	});
	afterAll(async () => {
		setDefaultCACertificates(usual);
		await closeAtOnce(service);
	});
	beforeEach(async () => {
		server = await startServer(database.db, auth, clock, { address: '127.0.0.1' });
		admin = await addPerson(database, 'admin');
		session = await auth.sessions.begin(admin.id, { address: null, userAgent: null });
		const row = await database.db
			.selectFrom('sessions')
			.select('id_hash')
			.where('account_id', '=', admin.id)
			.executeTakeFirstOrThrow();
		idHash = row.id_hash;
		await server.pass(5_000);
		received.length = 0;
		status = 201;
	});

	const ask = async (): Promise<void> => {
		await auth.audit.append({
			actor: 'grace',
			action: 'access.requested',
			target: 'grace',
			detail: { right: 'notary', path: '/' }
		});
		await server.pass(2_000);
	};
	const turnOn = async (browser: Browser): Promise<void> =>
		server.browsers.add(admin, idHash, browser.subscription(endpoint + admin.id));

	test('a session that was ended since its request came turns no notifications on', async () => {
		await auth.sessions.endOthers(admin, null);
		expect(await codeOf(turnOn(new Browser()))).toBe('account.session-ended');
		expect(await server.browsers.of(admin.id, idHash)).toEqual({ count: 0, isOn: false });
	});

	test('a session that was ended since its request came silences no browser and no kind of notice', async () => {
		const other = await sessionHashOf(database, auth, admin);
		await server.browsers.add(admin, other, new Browser().subscription(endpoint + admin.id));
		await auth.sessions.endOthers(admin, other);
		const nothing = { isAsked: () => true, has: () => false, pushDetails: false };
		expect([
			await codeOf(server.browsers.remove(admin, idHash, true)),
			await codeOf(server.preferences.save(admin, nothing, idHash))
		]).toEqual(['account.session-ended', 'account.session-ended']);
		expect(await server.browsers.of(admin.id, other)).toEqual({ count: 1, isOn: true });
		expect((await server.preferences.of(admin.id))('audit', 'bell')).toBe(true);
		await server.browsers.remove(admin, other, true);
	});

	test('only the browser can read what is sent, and it says no more than the kind unless its member chose', async () => {
		const browser = new Browser();
		await turnOn(browser);
		await ask();
		expect(browser.read(received[0]!.body)).toMatchObject({
			title: 'Needs you',
			body: 'Open Komodeck to read it.',
			path: '/notifications'
		});
		expect(received[0]!.body.toString('latin1')).not.toContain('Needs you');
		expect(() => new Browser().read(received[0]!.body)).toThrow();
		const all = { isAsked: () => true, has: () => true, pushDetails: true };
		await server.preferences.save(admin, all, idHash);
		await ask();
		expect(browser.read(received[1]!.body)).toMatchObject({ path: '/admin/members' });
		expect(browser.read(received[1]!.body)['body']).toMatch(/^grace requests access/);
	});

	test('a browser hears nothing once a shorter limit has ended its session', async () => {
		const browser = new Browser();
		await turnOn(browser);
		const heard = (): number =>
			received.filter(({ body }) => {
				try {
					return browser.read(body)['title'] === 'Needs you';
				} catch {
					return false;
				}
			}).length;
		clock.now = Date.now() + 3 * 3_600_000;
		await ask();
		expect(heard()).toBe(1);
		await auth.settings.change(admin, { 'session-idle-hours': 2 });
		await ask();
		await auth.settings.change(admin, { 'session-idle-hours': 12 });
		expect(heard()).toBe(1);
		expect(await server.browsers.of(admin.id, idHash)).toEqual({ count: 0, isOn: false });
	});

	test('the push service knows the installation by its key, which another server has too', async () => {
		const other = await startServer(await database.openAnother(), auth, clock);
		expect(other.pushKey).toBe(server.pushKey);
		await turnOn(new Browser());
		await ask();
		const [, token = '', key] =
			/^vapid t=([\w.-]+), ?k=([\w-]+)$/.exec(received[0]!.authorization) ?? [];
		expect(key).toBe(server.pushKey);
		const [head = '', claims = '', signature = ''] = token.split('.');
		const point = Buffer.from(server.pushKey, 'base64url');
		const jwk = {
			kty: 'EC',
			crv: 'P-256',
			x: point.subarray(1, 33).toString('base64url'),
			y: point.subarray(33).toString('base64url')
		};
		const publicKey = createPublicKey({ key: jwk, format: 'jwk' });
		const given = Buffer.from(signature, 'base64url');
		const isRight = verify(
			'sha256',
			Buffer.from(`${head}.${claims}`),
			{ key: publicKey, dsaEncoding: 'ieee-p1363' },
			given
		);
		expect(isRight).toBe(true);
		const { aud } = JSON.parse(Buffer.from(claims, 'base64url').toString()) as { aud: string };
		expect(aud).toBe(new URL(endpoint).origin);
		const rows = await database.db.selectFrom('vapid_keys').selectAll().execute();
		expect(rows).toHaveLength(1);
		expect(rows[0]?.encrypted).toMatch(/^sealed:/);
	});

	test('a subscription that is gone is removed, and one whose session ended hears no more', async () => {
		await turnOn(new Browser());
		status = 410;
		await ask();
		expect(await server.browsers.of(admin.id, idHash)).toEqual({ count: 0, isOn: false });
		status = 201;
		received.length = 0;
		await turnOn(new Browser());
		await auth.sessions.end(session);
		await ask();
		expect(received).toEqual([]);
	});

	test('a member who turns them off while a subscription that is gone is removed holds that up by nothing', async () => {
		await turnOn(new Browser());
		status = 503;
		await ask();
		status = 410;
		const both = await database.db.transaction().execute(async (trx) => {
			await trx
				.selectFrom('push_subscriptions')
				.select('id')
				.$if(database.dialect !== 'SQLite', (query) => query.forUpdate())
				.execute();
			const removing = server.browsers.remove(admin, idHash, false);
			await isWaiting(database, trx);
			const sending = server.pass(60_000);
			await isWaiting(database, trx, 2);
			return { removing, sending };
		});
		await Promise.all([both.removing, both.sending]);
		expect(await server.browsers.of(admin.id, idHash)).toEqual({ count: 0, isOn: false });
	});

	test('a subscription that cannot be read any more is removed', async () => {
		await turnOn(new Browser());
		await database.db
			.updateTable('push_subscriptions')
			.set({ subscription: 'sealed:1:none' })
			.execute();
		await ask();
		expect(await server.browsers.of(admin.id, idHash)).toEqual({ count: 0, isOn: false });
	});

	test('what a newer server has told waits until a server that can read it sends it', async () => {
		await turnOn(new Browser());
		status = 503;
		await ask();
		received.length = 0;
		status = 201;
		const told = database.db.selectFrom('notices').select(['id', 'kind']);
		const { id, kind } = await told.where('account_id', '=', admin.id).executeTakeFirstOrThrow();
		const write = (name: string) =>
			database.db
				.updateTable('notices')
				.set({ kind: name as typeof kind })
				.where('id', '=', id)
				.execute();
		await write('of a newer version');
		await server.pass(10_000);
		expect(received).toEqual([]);
		await write(kind);
		await server.pass(60_000);
		expect(received).toHaveLength(1);
		await auth.sessions.end(session);
	});

	test('a disabled member is sent nothing, although the notice was made before', async () => {
		await turnOn(new Browser());
		status = 503;
		await ask();
		received.length = 0;
		status = 201;
		await auth.members.disable(await addPerson(database, 'admin'), admin.id);
		await server.pass(60_000);
		expect(received).toEqual([]);
	});

	test('a browser of a member who lacks a required second factor is sent nothing until they have one', async () => {
		await turnOn(new Browser());
		await auth.settings.change(admin, { 'factor-admin': 'required' });
		await ask();
		await auth.settings.change(admin, { 'factor-admin': 'optional' });
		expect(received).toEqual([]);
		await ask();
		expect(received).toHaveLength(1);
		await auth.sessions.end(session);
	});

	test('an endpoint in a private network is not reached, and none without https is taken', async () => {
		const closed = await startServer(database.db, auth, clock, {
			address: '127.0.0.1',
			listed: '10.9.9.9'
		});
		await turnOn(new Browser());
		await auth.audit.append({ actor: 'grace', action: 'access.requested', target: 'grace' });
		await closed.pass(2_000);
		expect(received).toEqual([]);
		for (const given of [
			new Browser().subscription('http://127.0.0.1/'),
			new Browser().subscription('https://user:secret@push.example/'),
			'{"endpoint":"https://push.example/"}',
			// A key of the right length that is no point on the curve: nothing could be encrypted for it.
			JSON.stringify({
				endpoint: `${endpoint}${admin.id}`,
				keys: {
					p256dh: Buffer.alloc(65, 4).toString('base64url'),
					auth: Buffer.alloc(16).toString('base64url')
				}
			}),
			'no json'
		]) {
			await expect(server.browsers.add(admin, idHash, given)).rejects.toMatchObject({
				code: 'notice.browser-invalid'
			});
		}
	});
});
