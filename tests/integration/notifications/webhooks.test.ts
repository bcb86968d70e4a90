import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { checkWebhookUrl } from '#lib/server/access/notifications/webhookUrl.ts';
import { MOST_WEBHOOKS } from '#lib/server/access/notifications/webhooks.ts';
import type { Account } from '#lib/server/access/identity/identity.ts';
import type { Auth } from '#lib/server/access/requests/auth.ts';
import { readPrivateList } from '#lib/server/platform/net/ranges.ts';
import { describeOnBothDatabases, isWaiting } from '../../support/database.ts';
import { addPerson, authOver } from '../../support/members.ts';
import {
	dyingDb,
	isSigned,
	ORIGIN,
	startReceiver,
	startServer,
	TestClock,
	type Received
} from './world.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

describeOnBothDatabases('webhooks', (database) => {
	let auth: Auth;
	const clock = new TestClock();
	let receiver: Awaited<ReturnType<typeof startReceiver>>;
	let server: Awaited<ReturnType<typeof startServer>>;
	let admin: Account;
	let operator: Account;

	beforeAll(async () => {
		auth = await authOver(database);
		admin = await addPerson(database, 'admin');
		operator = await addPerson(database, 'operator');
	});
	beforeEach(async () => {
		receiver = await startReceiver();
		server = await startServer(database.db, auth, clock);
		await server.pass(2_000);
		return () => receiver.stop();
	});
	afterAll(async () => {
		for (const { id } of await server.webhooks.list()) await server.webhooks.remove(admin, id);
	});

	const add = async (kinds: Parameters<typeof server.webhooks.add>[2] = ['needs-you']) => {
		for (const { id } of await server.webhooks.list()) await server.webhooks.remove(admin, id);
		return server.webhooks.add(admin, receiver.url, kinds);
	};
	const ask = (): Promise<void> =>
		auth.audit.append({
			actor: operator.name,
			action: 'access.requested',
			target: operator.name,
			detail: { right: 'notary', path: '/' }
		});
	const idOf = ({ headers }: Received): string => String(headers['komodeck-id']);

	test('a delivery says what happened and is signed with the secret that was shown once', async () => {
		const { secret } = await add();
		await ask();
		await server.pass(2_000);
		expect(receiver.received).toHaveLength(1);
		const [first] = receiver.received;
		expect(isSigned(secret, first!)).toBe(true);
		expect(JSON.parse(first!.body)).toMatchObject({
			id: idOf(first!),
			kind: 'needs-you',
			code: 'access.requested',
			params: { by: operator.name, right: 'notary' },
			link: `${ORIGIN}/admin/members`
		});
		expect(first?.path).toBe('/hook?key=in-the-path');
	});

	test('the receiver of the documents takes a delivery once, and nothing that is forged', async () => {
		const text = readFileSync(resolve(import.meta.dirname, '../../../docs/notices.md'), 'utf8');
		const [, code = ''] = /```js\n([\s\S]*?)```/.exec(text) ?? [];
		const { isFromKomodeck } = (await import(
			`data:text/javascript,${encodeURIComponent(code)}`
		)) as {
			isFromKomodeck(
				secret: string,
				headers: Received['headers'],
				body: string,
				seen: Set<string>
			): boolean;
		};
		clock.now = Math.max(clock.now, Date.now());
		const ahead = clock.now - Date.now();
		const { secret } = await add();
		await ask();
		await server.pass(2_000);
		const { headers, body } = receiver.received[0]!;
		vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + ahead });
		try {
			const seen = new Set<string>();
			expect(isFromKomodeck('another secret', headers, body, seen)).toBe(false);
			expect(isFromKomodeck(secret, headers, `${body} `, seen)).toBe(false);
			expect(isFromKomodeck(secret, {}, body, seen)).toBe(false);
			expect(isFromKomodeck(secret, headers, body, seen)).toBe(true);
			expect(isFromKomodeck(secret, headers, body, seen)).toBe(false);
		} finally {
			vi.useRealTimers();
		}
	});

	test('a secret is not stored as it is, and no list, log or event holds it', async () => {
		const { id, secret } = await add();
		const next = await server.webhooks.rotate(admin, id);
		const rows = await database.db.selectFrom('webhooks').selectAll().execute();
		const events = await auth.audit.list({ limit: 20 });
		const everything = JSON.stringify(
			[rows, events, await server.webhooks.list(), await server.webhooks.deliveries(50)],
			(_, value: unknown) => (typeof value === 'bigint' ? String(value) : value)
		);
		expect(everything).not.toContain(secret);
		expect(everything).not.toContain(next);
		expect(JSON.stringify(events)).not.toContain('in-the-path');
	});

	test('after a rotation both secrets are good for a day, then the new one alone', async () => {
		const { id, secret } = await add();
		const next = await server.webhooks.rotate(admin, id);
		await server.webhooks.test(admin, id);
		await server.pass(0);
		clock.now += DAY + MINUTE;
		await server.webhooks.test(admin, id);
		await server.pass(0);
		const [during, after] = receiver.received;
		expect([isSigned(secret, during!), isSigned(next, during!)]).toEqual([true, true]);
		expect([isSigned(secret, after!), isSigned(next, after!)]).toEqual([false, true]);
	});

	test('a change takes back nothing that another admin has changed since the form was made', async () => {
		const { id } = await add(['needs-you', 'stuck']);
		const now = async () => (await server.webhooks.list()).find((one) => one.id === id);
		const { url = '', kinds = [] } = (await now()) ?? {};
		const shown = { url, kinds };
		const moved = 'https://hooks.example/new';
		await server.webhooks.change(admin, id, { url: moved, kinds: ['needs-you'] }, shown);
		await server.webhooks.change(admin, id, { url, kinds: [...kinds, 'audit'] }, shown);
		expect(await now()).toMatchObject({ url: moved, kinds: ['needs-you', 'audit'] });
		const [event] = await auth.audit.list({ limit: 1 });
		expect(event?.detail).toMatchObject({ server: 'hooks.example', kinds: ['needs-you', 'audit'] });
	});

	test('kinds of a newer release outlive a change that is made at a server without them', async () => {
		const { id } = await add(['needs-you']);
		const row = database.db.selectFrom('webhooks').select('kinds').where('id', '=', id);
		await database.db
			.updateTable('webhooks')
			.set({ kinds: JSON.stringify(['needs-you', 'of a newer version']) })
			.where('id', '=', id)
			.execute();
		const [shown] = await server.webhooks.list();
		expect(shown?.kinds).toEqual(['needs-you']);
		await server.webhooks.change(admin, id, { ...shown!, kinds: ['audit'] }, shown!);
		const { kinds } = await row.executeTakeFirstOrThrow();
		expect(JSON.parse(kinds)).toEqual(['of a newer version', 'audit']);
	});

	test('what a newer server has told waits until a server that can read it sends it', async () => {
		const { id } = await add();
		const destination = `webhook:${id}`;
		receiver.answer(503);
		await ask();
		await server.pass(2_000);
		receiver.answer(204);
		receiver.received.length = 0;
		const told = database.db.selectFrom('deliveries').select('body');
		const { body } = await told.where('destination', '=', destination).executeTakeFirstOrThrow();
		const write = (text: string) =>
			database.db
				.updateTable('deliveries')
				.set({ body: text })
				.where('destination', '=', destination)
				.execute();
		await write(body.replace('access.requested', 'of.a-newer-version'));
		await server.pass(10_000);
		expect(receiver.received).toEqual([]);
		await write(body);
		await server.pass(60_000);
		expect(receiver.received).toHaveLength(1);
		const [webhook] = await server.webhooks.list();
		expect(webhook?.failingSince).toBeNull();
	});

	test('of two rotations at once the second follows the first, whose secret still signs', async () => {
		const { id } = await add();
		const made = await Promise.all([
			server.webhooks.rotate(admin, id),
			server.webhooks.rotate(admin, id)
		]);
		await server.webhooks.test(admin, id);
		await server.pass(0);
		const [delivery] = receiver.received;
		expect(made.map((secret) => isSigned(secret, delivery!))).toEqual([true, true]);
	});

	test('what a server does not take is tried again later under the same id, with the same body', async () => {
		await add();
		receiver.answer(503);
		await ask();
		await server.pass(2_000);
		expect((await server.webhooks.deliveries(1))[0]).toMatchObject({
			state: 'waiting',
			status: 503,
			attempts: 1,
			failure: 'The server answered with status 503.'
		});
		await server.pass(1_000);
		expect(receiver.received).toHaveLength(1);
		receiver.answer(200);
		await server.pass(MINUTE);
		const [one, two] = receiver.received;
		expect([idOf(two!), two!.body]).toEqual([idOf(one!), one!.body]);
		expect((await server.webhooks.deliveries(1))[0]).toMatchObject({
			state: 'delivered',
			attempts: 2
		});
		await server.pass(HOUR);
		expect(receiver.received).toHaveLength(2);
	});

	test('a delivery has arrived once the status says so, however long the answer goes on', async () => {
		await add();
		receiver.answer(200);
		receiver.endless();
		await ask();
		await server.pass(2_000);
		expect((await server.webhooks.deliveries(1))[0]).toMatchObject({
			state: 'delivered',
			status: 200,
			attempts: 1
		});
		await server.pass(HOUR);
		expect(receiver.received).toHaveLength(1);
	});

	test('what waits for a webhook that is disabled does not go out once it is enabled again', async () => {
		const { id } = await add();
		receiver.answer(503);
		await ask();
		await server.pass(2_000);
		await server.webhooks.setEnabled(admin, id, false);
		await server.webhooks.setEnabled(admin, id, true);
		receiver.answer(200);
		await server.pass(HOUR);
		expect(receiver.received).toHaveLength(1);
		expect((await server.webhooks.deliveries(1))[0]).toMatchObject({ state: 'failed' });
		await ask();
		await server.pass(2_000);
		expect(receiver.received).toHaveLength(2);
	});

	test('what a killed server had not delivered goes out from the next one, and nothing is lost', async () => {
		await add();
		// The notice is created and queued, and then the process ends before anything was sent.
		receiver.answer(500);
		for (let n = 0; n < 3; n += 1) await ask();
		await server.pass(2_000);
		receiver.received.length = 0;
		receiver.answer(204);
		const next = await startServer(await database.openAnother(), auth, clock);
		for (let n = 0; n < 4; n += 1) await next.pass(MINUTE);
		const ids = receiver.received.map(idOf);
		expect(new Set(ids).size).toBe(3);
	});

	test('a redirect is not followed, and what stands behind it is not asked', async () => {
		await add();
		receiver.answer(302, { location: `http://127.0.0.1:${receiver.port}/behind` });
		await ask();
		await server.pass(2_000);
		expect(receiver.received.map(({ path }) => path)).toEqual(['/hook?key=in-the-path']);
		expect((await server.webhooks.deliveries(1))[0]).toMatchObject({ status: 302 });
	});

	test('a private network is not reached unless it is listed, whatever a name leads to', async () => {
		await add();
		const closed = await startServer(database.db, auth, clock, { listed: '10.9.9.9' });
		await ask();
		await closed.pass(2_000);
		expect(receiver.received).toEqual([]);
		expect((await closed.webhooks.deliveries(1))[0]?.failure).toContain('private network');
		const listed = readPrivateList('10.0.0.0/8,hooks.lan', 'a test');
		expect(checkWebhookUrl('http://10.1.2.3:8080/x', listed)).toBe('http://10.1.2.3:8080/x');
		expect(checkWebhookUrl('http://hooks.lan/x', listed)).toBe('http://hooks.lan/x');
		for (const [typed, code] of [
			['http://hooks.example.org/', 'notice.https-needed'],
			['http://127.0.0.1/', 'notice.https-needed'],
			['ftp://hooks.example.org/', 'notice.url-invalid'],
			['https://user:secret@hooks.example.org/', 'notice.url-invalid'],
			['hooks.example.org', 'notice.url-invalid'],
			[`https://hooks.example.org/${'x'.repeat(600)}`, 'notice.url-invalid']
		] as const) {
			expect(() => checkWebhookUrl(typed, listed), typed).toThrow(
				expect.objectContaining({ code })
			);
		}
	});

	test('a webhook that fails for days is disabled, admins are told, and enabling begins anew', async () => {
		const { id } = await add();
		receiver.answer(500);
		for (let days = 0; days < 4; days += 1) {
			await ask();
			await server.pass(DAY);
			await server.pass(HOUR);
		}
		await server.pass(2_000);
		const [webhook] = await server.webhooks.list();
		expect(webhook?.disabledAt).not.toBeNull();
		const { rows } = await server.inbox.list(admin.id, 1);
		expect(rows.map(({ message }) => message?.code)).toContain('webhook.disabled');
		receiver.received.length = 0;
		await ask();
		await server.pass(2_000);
		expect(receiver.received).toEqual([]);
		receiver.answer(204);
		await server.webhooks.setEnabled(admin, id, true);
		await ask();
		await server.pass(2_000);
		expect(receiver.received).toHaveLength(1);
	});

	test('a delivery that fails by a clock days ahead is retried, and its webhook stays enabled', async () => {
		await add();
		receiver.answer(503);
		await ask();
		await server.pass(2_000);
		clock.ahead = 5 * DAY;
		for (let n = 0; n < 3; n += 1) await server.pass(MINUTE);
		// The same at a server that starts by that clock.
		server = await startServer(await database.openAnother(), auth, clock);
		await server.pass(10 * MINUTE);
		expect((await server.webhooks.deliveries(1))[0]).toMatchObject({ state: 'waiting' });
		expect((await server.webhooks.list())[0]?.disabledAt).toBeNull();
		receiver.answer(204);
		await server.pass(HOUR);
		expect((await server.webhooks.deliveries(1))[0]).toMatchObject({ state: 'delivered' });
		clock.ahead = 0;
		clock.now += 5 * DAY;
	});

	test('a webhook whose secret cannot be read says so in the log, and works again once it is replaced', async () => {
		const { id } = await add();
		await database.db
			.updateTable('webhooks')
			.set({ secret: 'sealed:1:none' })
			.where('id', '=', id)
			.execute();
		await ask();
		await server.pass(2_000);
		expect(receiver.received).toHaveLength(0);
		const [delivery] = await server.webhooks.deliveries(1);
		expect(delivery).toMatchObject({ state: 'waiting', attempts: 1 });
		expect(delivery?.failure).toContain('cannot be read');
		expect((await server.webhooks.list())[0]?.failingSince).toBe(clock.now);
		await server.webhooks.rotate(admin, id);
		await server.pass(10_000);
		expect(receiver.received).toHaveLength(1);
	});

	test('a webhook that took a delivery a moment ago is not disabled for failures of days before', async () => {
		await add();
		receiver.answer(500);
		await ask();
		await server.pass(2_000);
		await server.pass(DAY);
		await server.pass(2 * DAY);
		receiver.answerInTurn(204, 500);
		await ask();
		await ask();
		await server.pass(2_000);
		const [webhook] = await server.webhooks.list();
		expect(webhook).toMatchObject({ failingSince: clock.now, disabledAt: null });
		receiver.answer(204);
		await server.pass(HOUR);
		expect((await server.webhooks.deliveries(2)).map(({ state }) => state)).toEqual([
			...['delivered', 'delivered']
		]);
		expect((await server.webhooks.list())[0]?.failingSince).toBeNull();
	});

	test('a webhook is not disabled for one failure after days in which nothing was sent', async () => {
		await add();
		receiver.answer(500);
		await ask();
		await server.pass(2_000);
		await server.pass(DAY);
		await server.pass(4 * DAY);
		receiver.answerInTurn(500, 204);
		await ask();
		await server.pass(2_000);
		await server.pass(10_000);
		expect((await server.webhooks.list())[0]).toMatchObject({
			failingSince: null,
			disabledAt: null
		});
	});

	test('a webhook that has failed for days begins anew with another URL', async () => {
		const { id } = await add();
		receiver.answer(503);
		for (let day = 0; day < 4; day += 1) {
			await ask();
			await server.pass(2_000);
			if (day < 3) await server.pass(DAY - HOUR);
		}
		const [failing] = await server.webhooks.list();
		expect(failing).toMatchObject({ disabledAt: null });
		const shown = { url: failing!.url, kinds: failing!.kinds };
		const url = receiver.url.replace('/hook', '/moved');
		await server.webhooks.change(admin, id, { ...shown, url }, shown);
		await server.pass(4 * HOUR);
		expect((await server.webhooks.list())[0]).toMatchObject({ disabledAt: null });
		receiver.answer(204);
		await server.pass(2 * HOUR);
		expect(receiver.received.at(-1)?.path).toContain('/moved');
		expect((await server.webhooks.list())[0]).toMatchObject({
			failingSince: null,
			disabledAt: null
		});
	});

	/**
	 * A webhook whose deliveries have failed for almost as long as it takes to be disabled, with one delivery
	 * waiting.
	 */
	const failingForDays = async (): Promise<string> => {
		const { id } = await add();
		receiver.answer(503);
		for (let day = 0; day < 4; day += 1) {
			await ask();
			await server.pass(2_000);
			if (day < 3) await server.pass(DAY - HOUR);
		}
		return id;
	};

	test('an admin who enables a webhook while a delivery is under way is not overruled by how that ends', async () => {
		const id = await failingForDays();
		receiver.meanwhile(async () => {
			await server.webhooks.setEnabled(admin, id, false);
			await server.webhooks.setEnabled(admin, id, true);
		});
		await server.pass(4 * HOUR);
		expect((await server.webhooks.list())[0]).toMatchObject({ disabledAt: null });
		receiver.received.length = 0;
		receiver.answer(204);
		await ask();
		await server.pass(2_000);
		expect(receiver.received).toHaveLength(1);
	});

	test('an admin who disables a webhook while the end of a delivery is noted waits for that, and holds it up by nothing', async () => {
		const { id } = await add();
		await ask();
		let both: Promise<{ disabling: Promise<void> }> | undefined;
		receiver.meanwhile(async () => {
			const locked = Promise.withResolvers<null>();
			both = database.db.transaction().execute(async (trx) => {
				await trx
					.selectFrom('deliveries')
					.select('id')
					.$if(database.dialect !== 'SQLite', (query) => query.forUpdate())
					.execute();
				locked.resolve(null);
				await isWaiting(database, trx);
				const disabling = server.webhooks.setEnabled(admin, id, false);
				await isWaiting(database, trx, 2);
				return { disabling };
			});
			await locked.promise;
		});
		await server.pass(2_000);
		await (
			await both
		)?.disabling;
		expect((await server.webhooks.list())[0]?.disabledAt).not.toBeNull();
		expect((await server.webhooks.deliveries(1))[0]).toMatchObject({ state: 'delivered' });
	});

	test('nothing more goes to a URL that an admin has replaced while a delivery was under way', async () => {
		const { id } = await add();
		const [shown] = await server.webhooks.list();
		const moved = { ...shown!, url: receiver.url.replace('/hook', '/moved') };
		receiver.meanwhile(() => server.webhooks.change(admin, id, moved, shown!));
		await ask();
		await ask();
		await server.pass(2_000);
		expect(receiver.received.map(({ path }) => path.split('?')[0])).toEqual(['/hook', '/moved']);
	});

	test('a server that ends after it noted a delivery leaves no failures from before it', async () => {
		const id = await failingForDays();
		receiver.received.length = 0;
		receiver.answer(204);
		const db = dyingDb(database.db, () => receiver.received.length > 0, 1);
		const dying = await startServer(db, auth, clock);
		await expect(dying.pass(HOUR)).rejects.toThrow('has ended');
		const noted = (await server.webhooks.deliveries(9)).filter(
			({ state }) => state === 'delivered'
		);
		expect(noted).toHaveLength(1);
		expect((await server.webhooks.list()).find((one) => one.id === id)?.failingSince).toBeNull();
	});

	test('who is an admin no more sends no test, and neither enables, disables nor removes a webhook', async () => {
		const { id } = await add();
		const former = await addPerson(database, 'admin');
		await auth.members.setRole(null, former.id, 'viewer');
		const { webhooks } = server;
		for (const change of [
			() => webhooks.test(former, id),
			() => webhooks.setEnabled(former, id, false),
			() => webhooks.setEnabled(former, id, true),
			() => webhooks.remove(former, id)
		]) {
			await expect(change()).rejects.toMatchObject({ code: 'account.not-admin' });
		}
		expect(await webhooks.list()).toMatchObject([{ id, disabledAt: null }]);
		expect(await webhooks.deliveries(5)).not.toContainEqual(
			expect.objectContaining({ webhook: id })
		);
	});

	test('there are no more webhooks than so many, and one takes at least one kind', async () => {
		await add();
		for (let n = 1; n < MOST_WEBHOOKS; n += 1) {
			await server.webhooks.add(admin, receiver.url, ['audit']);
		}
		await expect(server.webhooks.add(admin, receiver.url, ['audit'])).rejects.toMatchObject({
			code: 'notice.too-many-webhooks'
		});
		await expect(server.webhooks.add(admin, receiver.url, [])).rejects.toMatchObject({
			code: 'notice.no-kind'
		});
	});
});
