import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { MAILS_PER_HOUR } from '#lib/server/access/notifications/mailSender.ts';
import { createMailer, readEmail } from '#lib/server/access/notifications/mailer.ts';
import type { Account } from '#lib/server/access/identity/identity.ts';
import type { Auth } from '#lib/server/access/requests/auth.ts';
import { codeOf } from '../../support/codeOf.ts';
import { describeOnBothDatabases, isWaiting } from '../../support/database.ts';
import { startMailServer, textOf } from '../../support/mailServer.ts';
import { addPerson, authOver, sessionHashOf } from '../../support/members.ts';
import { freePort } from '../../support/freePort.ts';
import { addApp } from '../second-factors/support.ts';
import { dyingDb, ORIGIN, startServer, TestClock } from './world.ts';

const HOUR = 60 * 60_000;

describeOnBothDatabases('notices by email', (database) => {
	let auth: Auth;
	const clock = new TestClock();
	let post: Awaited<ReturnType<typeof startMailServer>>;
	let server: Awaited<ReturnType<typeof startServer>>;
	let admin: Account;
	let operator: Account;
	let email: string;

	beforeAll(async () => {
		auth = await authOver(database);
		post = await startMailServer();
	});
	afterAll(() => post.stop());
	beforeEach(async () => {
		post.refuse(null);
		server = await startServer(database.db, auth, clock, { smtp: post.smtp });
		admin = await addPerson(database, 'admin');
		operator = await addPerson(database, 'operator');
		email = `${admin.name}@example.org`;
		await server.pass(2 * HOUR);
		post.mails.length = 0;
	});

	const ask = async (times = 1): Promise<void> => {
		await Promise.all(
			Array.from({ length: times }, () =>
				auth.audit.append({
					actor: operator.name,
					action: 'access.requested',
					target: operator.name,
					detail: { right: 'notary', path: '/' }
				})
			)
		);
	};
	/** Reads events, gathers mails, sends mails. */
	const deliver = async (): Promise<void> => {
		await server.pass(2_000);
		await server.pass(5_000);
	};
	const own = () => post.mails.filter(({ to }) => to.includes(email));
	const idOf = (mail: (typeof post.mails)[number]): string =>
		/^Message-ID:\s*(<.*>)/im.exec(mail.source)?.[1] ?? '';
	const linkToken = (): string => /verify=([\w-]+)/.exec(own().map(textOf).join('\n'))?.[1] ?? '';
	const session = (account: Account): Promise<string> => sessionHashOf(database, auth, account);
	const confirm = async (): Promise<void> => {
		await server.addresses.ask(admin, email);
		await server.addresses.verify(admin, linkToken(), await session(admin));
		await deliver();
		post.mails.length = 0;
	};

	test('nothing but the link goes to an address before its member has opened the link', async () => {
		await server.addresses.ask(admin, email);
		await ask();
		await deliver();
		expect(own()).toHaveLength(1);
		const token = linkToken();
		await expect(
			server.addresses.verify(operator, token, await session(operator))
		).rejects.toMatchObject({
			code: 'notice.link-unusable'
		});
		await server.addresses.verify(admin, token, await session(admin));
		await expect(server.addresses.verify(admin, token, await session(admin))).rejects.toMatchObject(
			{
				code: 'notice.link-unusable'
			}
		);
		await ask();
		await deliver();
		const text = own().map(textOf).join('\n');
		expect(text).toContain(`${operator.name} requests access`);
		expect(text).toContain(`${ORIGIN}/admin/members`);
		expect(text).toContain('Auto-Submitted: auto-generated');
	});

	test('a session that was ended since its request came neither sets nor removes an address', async () => {
		await server.addresses.ask(admin, email);
		const ended = await session(admin);
		await auth.sessions.endOthers(admin, null);
		expect(await codeOf(server.addresses.verify(admin, linkToken(), ended))).toBe(
			'account.session-ended'
		);
		expect(await server.addresses.of(admin.id)).toEqual({ email: null, pending: email });
		await server.addresses.verify(admin, linkToken(), await session(admin));
		expect(await codeOf(server.addresses.remove(admin, ended))).toBe('account.session-ended');
		expect(await server.addresses.of(admin.id)).toEqual({ email, pending: null });
	});

	test('a link expires after a day, and only five are sent within an hour', async () => {
		await server.addresses.ask(admin, email);
		const token = linkToken();
		clock.now += 25 * HOUR;
		await expect(server.addresses.verify(admin, token, await session(admin))).rejects.toMatchObject(
			{
				code: 'notice.link-unusable'
			}
		);
		for (let n = 0; n < 5; n += 1) await server.addresses.ask(admin, email);
		await expect(server.addresses.ask(admin, email)).rejects.toMatchObject({
			code: 'notice.links-throttled'
		});
		clock.now += HOUR;
		await server.addresses.ask(admin, email);
	});

	test('a member who removes their address while a mail is counted holds it up by nothing', async () => {
		await confirm();
		await ask();
		await server.pass(2_000);
		const idHash = await session(admin);
		const both = await database.db.transaction().execute(async (trx) => {
			await trx
				.selectFrom('notice_settings')
				.select('account_id')
				.$if(database.dialect !== 'SQLite', (query) => query.forUpdate())
				.execute();
			const removing = server.addresses.remove(admin, idHash);
			await isWaiting(database, trx);
			const sending = server.pass(5_000);
			await isWaiting(database, trx, 2);
			return { removing, sending };
		});
		await Promise.all([both.removing, both.sending]);
		expect(await server.addresses.of(admin.id)).toEqual({ email: null, pending: null });
	});

	test('what comes at once goes in one mail, and one notice in a mail of its own', async () => {
		await confirm();
		await ask(1);
		await deliver();
		expect(own()).toHaveLength(1);
		expect(textOf(own()[0]!)).toMatch(/^Subject: Komodeck: .*requests access/m);
		await ask(8);
		await deliver();
		expect(own()).toHaveLength(2);
		expect(textOf(own()[1]!)).toContain('Subject: Komodeck: 8 notices');
	});

	test('a member gets no more than so many mails within an hour, and the rest later in one', async () => {
		await confirm();
		await database.db
			.updateTable('notice_settings')
			.set({ mails_sent: MAILS_PER_HOUR - 2, mails_since: clock.now })
			.where('account_id', '=', admin.id)
			.execute();
		for (let n = 0; n < 4; n += 1) {
			await ask();
			await deliver();
		}
		expect(own()).toHaveLength(2);
		await server.pass(HOUR);
		expect(own()).toHaveLength(3);
	});

	/**
	 * A server whose process ends after the member's mail was accepted and this many writes were made since.
	 */
	const dyingServer = (writes: number) => {
		const db = dyingDb(database.db, () => own().length > 0, writes);
		return startServer(db, auth, clock, { smtp: post.smtp });
	};

	test('a mail whose server ends after it was taken comes at most once more, under the same id', async () => {
		await confirm();
		for (const [writes, mails] of [
			[0, 2],
			[1, 1]
		] as const) {
			post.mails.length = 0;
			await ask(8);
			await server.pass(2_000);
			const dying = await dyingServer(writes);
			await expect(dying.pass(5_000)).rejects.toThrow('has ended');
			await server.pass(60_000);
			expect(own()).toHaveLength(mails);
			expect(new Set(own().map(idOf)).size).toBe(1);
		}
	});

	test('a mail that holds more than one that was perhaps taken is another one', async () => {
		await confirm();
		await ask(8);
		await server.pass(2_000);
		await expect((await dyingServer(0)).pass(5_000)).rejects.toThrow('has ended');
		await ask();
		// The notice is created while no other server holds the queue of the server that ended.
		await server.pass(0);
		await server.pass(60_000);
		// A mailbox keeps the first of several mails with one id.
		const kept = new Map(
			own()
				.toReversed()
				.map((mail) => [idOf(mail), textOf(mail)])
		);
		expect([...kept.values()].some((text) => text.includes('9 notices'))).toBe(true);
	});

	test('a mail that the server does not take now is tried again, and one that it refuses is not', async () => {
		await confirm();
		post.refuse(451);
		await ask();
		await deliver();
		expect(own()).toEqual([]);
		post.refuse(null);
		await server.pass(60_000);
		expect(own()).toHaveLength(1);
		post.refuse(550);
		await ask();
		await deliver();
		post.refuse(null);
		await server.pass(HOUR);
		expect(own()).toHaveLength(1);
	});

	test('no mail is lost while the mail server has another password than the configuration', async () => {
		post.password('a new one');
		const smtp = { ...post.smtp, user: 'komodeck', password: 'the old one' };
		await confirm();
		server = await startServer(database.db, auth, clock, { smtp });
		await ask();
		await deliver();
		const mailer = createMailer(smtp);
		await expect(mailer.check()).rejects.toMatchObject({ code: 'notice.mail-settings' });
		mailer.close();
		expect(own()).toEqual([]);
		server = await startServer(database.db, auth, clock, {
			smtp: { ...smtp, password: 'a new one' }
		});
		await server.pass(HOUR);
		expect(own()).toHaveLength(1);
	});

	test('what a newer server has told waits until a server that can read it sends it', async () => {
		await confirm();
		await ask();
		await server.pass(2_000);
		const { id, message } = await database.db
			.selectFrom('notices')
			.select(['id', 'message'])
			.where('account_id', '=', admin.id)
			.where('kind', '=', 'needs-you')
			.executeTakeFirstOrThrow();
		const write = (text: string) =>
			database.db.updateTable('notices').set({ message: text }).where('id', '=', id).execute();
		await write(JSON.stringify({ code: 'of a newer version', params: {} }));
		await server.pass(5_000);
		expect(own()).toEqual([]);
		await write(message);
		await server.pass(60_000);
		expect(own()).toHaveLength(1);
	});

	test('a server that cannot send mails leaves them to one that can', async () => {
		await confirm();
		await ask();
		await server.pass(2_000);
		// The new setting reaches one server after the other.
		const other = await startServer(database.db, auth, clock);
		await other.pass(5_000);
		expect(own()).toEqual([]);
		await server.pass(60_000);
		expect(own()).toHaveLength(1);
		// When no server sends mails any more, none continues to look for them.
		await ask();
		await server.pass(2_000);
		await other.pass(25 * HOUR);
		const { due_at } = await database.db
			.selectFrom('notice_jobs')
			.select('due_at')
			.where('id', '=', `mail:${admin.id}`)
			.executeTakeFirstOrThrow();
		expect(due_at).toBeNull();
	});

	test('a member who is disabled before the mail goes out gets none', async () => {
		await confirm();
		await ask();
		await server.pass(2_000);
		await auth.members.disable(null, admin.id).catch(() => undefined);
		const other = await addPerson(database, 'admin');
		await auth.members.disable(other, admin.id);
		await server.pass(10_000);
		expect(own()).toEqual([]);
	});

	test('a member who lacks a required second factor is told outside of their own account alone', async () => {
		await confirm();
		const unread = await server.inbox.unread(admin.id);
		await auth.settings.change(admin, { 'factor-admin': 'required' });
		try {
			await ask();
			await deliver();
			expect(own()).toEqual([]);
			expect(await server.inbox.unread(admin.id)).toBe(unread + 1);
			const asked = () => own().filter((mail) => textOf(mail).includes(operator.name));
			await addApp(auth, admin);
			await ask();
			await deliver();
			expect(asked()).toHaveLength(1);
			const other = await addPerson(database, 'admin');
			await auth.factors.reset(other, admin.id);
			await ask();
			await deliver();
			expect(asked()).toHaveLength(1);
			expect(textOf(own().at(-1)!)).toContain(`${other.name} removed a factor from your account`);
		} finally {
			await auth.settings.change(admin, { 'factor-admin': 'optional' });
		}
	});

	test('a check of the mail server says whether it can be used, and sends nothing', async () => {
		const mailer = createMailer(post.smtp);
		await mailer.check();
		mailer.close();
		const closed = createMailer({ ...post.smtp, port: await freePort() });
		await expect(closed.check()).rejects.toMatchObject({ code: 'notice.mail-unreachable' });
		expect(post.mails).toEqual([]);
	});

	test('an address is one address: no line break, no second one, no name', () => {
		expect(readEmail(' ada@example.org ')).toBe('ada@example.org');
		for (const typed of [
			'ada@example.org\r\nBcc: eve@example.org',
			'ada@example.org, eve@example.org',
			'Ada <ada@example.org>',
			'"a\\"b"@example.org',
			'ada@[127.0.0.1]',
			'ada@localhost',
			`${'a'.repeat(65)}@example.org`,
			''
		]) {
			expect(() => readEmail(typed), typed).toThrow(/one email address/);
		}
	});

	test('what a member wrote adds no header and no markup to a mail', async () => {
		await confirm();
		await auth.audit.append({
			actor: operator.name,
			action: 'switch.thrown',
			target: 'freeze',
			detail: { reason: 'x\r\nBcc: eve@example.org\r\n\r\n<script>alert(1)</script>' }
		});
		await deliver();
		const [mail] = own();
		const [head = ''] = mail!.source.split('\r\n\r\n', 1);
		expect(head).not.toMatch(/^Bcc:/m);
		expect(mail!.to).toEqual([email]);
		expect(textOf(mail!)).not.toMatch(/<p>[^<]*<script>/);
	});
});
