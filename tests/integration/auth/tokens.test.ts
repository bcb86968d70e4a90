import { afterEach, beforeAll, expect, test, vi } from 'vitest';
import { setDisabled, setRole } from '#lib/server/access/accounts/accounts.ts';
import { ROLES, type Role } from '#lib/server/access/identity/roles.ts';
import { MOST_TOKENS } from '#lib/server/access/api-tokens/newToken.ts';
import type { Auth } from '#lib/server/access/requests/auth.ts';
import { touch } from '#lib/server/platform/audit-trail/recorded.ts';
import { describeOnBothDatabases } from '../../support/database.ts';
import { unlimitedToken } from '../../support/permissive.ts';
import {
	act,
	addPerson,
	authOver,
	identified,
	signInAs,
	withSession,
	withToken
} from '../../support/members.ts';

const basic = (text: string): Headers =>
	new Headers({ authorization: `Basic ${Buffer.from(text).toString('base64')}` });

describeOnBothDatabases('API tokens', (database) => {
	let auth: Auth;
	beforeAll(async () => {
		auth = await authOver(database);
	});
	afterEach(() => {
		vi.useRealTimers();
	});
	const refused = { code: 'account.token-invalid' };

	test('a token acts for its person by Bearer and by Basic', async () => {
		const account = await addPerson(database, 'operator', 'Grace');
		const { token, id } = await auth.tokens.create(
			{
				account,
				name: 'cron',
				role: 'viewer',
				methods: ['getinfo', 'tokenlist', 'getinfo'],
				daemons: ['ALPHA']
			},
			account
		);
		const identity = {
			via: 'token',
			account,
			role: 'viewer',
			token: {
				...unlimitedToken(id, 'cron'),
				methods: ['getinfo', 'tokenlist'],
				daemons: ['ALPHA']
			}
		};
		expect(await identified(auth, withToken(token))).toEqual(identity);
		expect(await identified(auth, new Headers({ authorization: `bearer  ${token}` }))).toEqual(
			identity
		);
		expect(await identified(auth, basic(`Grace:${token}`))).toEqual(identity);
		expect(await identified(auth, basic(`grace:${token}`))).toEqual(identity);
	});

	test('what another process changes counts a moment later', async () => {
		const account = await addPerson(database, 'operator');
		const { token, id } = await auth.tokens.create(
			{ account, name: 'x', role: 'operator' },
			account
		);
		const elsewhere = await database.openAnother();
		const seen = async (): Promise<string> => (await identified(auth, withToken(token))).role;
		expect(await seen()).toBe('operator');
		expect(await seen()).toBe('operator');
		await act(auth, elsewhere, (trx) => setRole(trx, account.id, 'viewer'));
		await expect.poll(seen).toBe('viewer');
		await act(auth, elsewhere, async (trx) => {
			await trx.updateTable('api_tokens').set({ revoked_at: 1 }).where('id', '=', id).execute();
			touch(trx, 'api_tokens', [id], ['revoked_at']);
		});
		await vi.waitFor(() => expect(seen()).rejects.toMatchObject(refused));
	});

	test('what this process changes counts with the next call, inside a transaction too', async () => {
		const account = await addPerson(database, 'operator');
		const { token } = await auth.tokens.create({ account, name: 'x', role: 'operator' }, account);
		const seen = async (): Promise<string> => (await identified(auth, withToken(token))).role;
		expect(await seen()).toBe('operator');
		await act(auth, database.db, (trx) => setRole(trx, account.id, 'viewer'));
		expect(await seen()).toBe('viewer');
		await act(auth, database.db, (trx) => setRole(trx, account.id, 'operator'));
		expect(await seen()).toBe('operator');
	});

	test('Basic with another name, or with a wrong token, is refused', async () => {
		const account = await addPerson(database, 'operator');
		const { token } = await auth.tokens.create({ account, name: 'x', role: 'viewer' }, account);
		for (const headers of [
			basic(`somebody:${token}`),
			basic(`:${token}`),
			basic(token),
			basic(`${account.name}:${token}x`),
			basic(`${account.name}:`),
			withToken(`${token}x`),
			withToken('kdk_'),
			new Headers({ authorization: 'Bearer' }),
			new Headers({ authorization: `Token ${token}` }),
			new Headers({ authorization: 'Basic !!!' })
		]) {
			await expect(identified(auth, headers)).rejects.toMatchObject(refused);
		}
	});

	test('the database holds nothing that works as a token', async () => {
		const account = await addPerson(database, 'admin');
		const { token } = await auth.tokens.create({ account, name: 'x', role: 'admin' }, account);
		const rows = await database.db.selectFrom('api_tokens').selectAll().execute();
		expect(rows.map((row) => Object.values(row).join(' ')).join(' ')).not.toContain(token.slice(4));
		for (const row of rows) {
			await expect(identified(auth, withToken(row.token_hash))).rejects.toMatchObject(refused);
		}
	});

	test('who was disabled or given another role since the request came makes no token of before', async () => {
		const account = await addPerson(database, 'operator');
		const set = (changed: { role?: Role; disabled_at?: number | null }) =>
			database.db.updateTable('accounts').set(changed).where('id', '=', account.id).execute();
		const made = () => auth.tokens.create({ account, name: 'x', role: 'operator' }, account);
		await set({ role: 'viewer' });
		await expect(made()).rejects.toMatchObject({ code: 'account.token-role-too-high' });
		await set({ role: 'operator', disabled_at: 1 });
		await expect(made()).rejects.toMatchObject({ code: 'account.disabled' });
		await set({ disabled_at: null });
		await expect(made()).resolves.toBeTruthy();
	});

	test('a session that was ended since its request came makes no token', async () => {
		const person = await addPerson(database, 'operator');
		const identity = await identified(auth, withSession(await signInAs(auth, person)));
		if (identity.via !== 'session') throw new Error('There is no session.');
		const wanted = { account: person, name: 'cron', role: 'viewer' } as const;
		const session = identity.session.idHash;
		await auth.tokens.create({ ...wanted, session }, wanted.account);
		const { token } = await auth.links.reset(null, person.id);
		await auth.links.setPassword(token, 'another correct horse battery');
		const ended = { code: 'account.session-ended' };
		await expect(auth.tokens.create({ ...wanted, session }, wanted.account)).rejects.toMatchObject(
			ended
		);
		expect(await auth.tokens.list(person.id)).toEqual([]);
		// A token that survives the end of sessions is not passed on to whoever had one of them.
		const kept = await auth.tokens.create(wanted, wanted.account);
		for (const when of ['now', 'in-an-hour'] as const) {
			await expect(auth.tokens.replace(person, kept.id, when, session)).rejects.toMatchObject(
				ended
			);
		}
		expect(await auth.tokens.list(person.id)).toMatchObject([{ id: kept.id, nearEnd: false }]);
	});

	test('nobody makes a token beyond the own role', async () => {
		const allowed: Record<string, string[]> = {
			viewer: ['viewer'],
			operator: ['viewer', 'operator'],
			notary: ['viewer', 'notary'],
			admin: ['viewer', 'operator', 'notary', 'admin']
		};
		for (const own of ROLES) {
			const account = await addPerson(database, own);
			for (const role of ROLES) {
				const made = auth.tokens.create({ account, name: 'x', role }, account);
				if (allowed[own]?.includes(role)) await expect(made).resolves.toBeTruthy();
				else
					await expect(made).rejects.toMatchObject({
						code: 'account.token-role-too-high',
						field: 'role'
					});
			}
		}
	});

	test('a token is at most what its person is today', async () => {
		const account = await addPerson(database, 'admin');
		const token = (await auth.tokens.create({ account, name: 'x', role: 'operator' }, account))
			.token;
		const roleNow = async (): Promise<string> => (await identified(auth, withToken(token))).role;
		expect(await roleNow()).toBe('operator');
		await act(auth, database.db, (trx) => setRole(trx, account.id, 'viewer'));
		expect(await roleNow()).toBe('viewer');
		// Neither role includes the other: both may only read.
		await act(auth, database.db, (trx) => setRole(trx, account.id, 'notary'));
		expect(await roleNow()).toBe('viewer');
		await act(auth, database.db, (trx) => setRole(trx, account.id, 'admin'));
		expect(await roleNow()).toBe('operator');
	});

	test('a token ends at its end, when revoked, and when its person is disabled', async () => {
		const account = await addPerson(database, 'operator');
		const make = async (expiresAt?: number): Promise<{ id: string; token: string }> =>
			auth.tokens.create(
				{
					account,
					name: 'x',
					role: 'viewer',
					...(expiresAt === undefined ? {} : { expiresAt })
				},
				account
			);

		const now = Date.now();
		const short = await make(now + 60_000);
		expect((await identified(auth, withToken(short.token))).via).toBe('token');
		vi.useFakeTimers({ toFake: ['Date'], now: now + 60_001 });
		await expect(identified(auth, withToken(short.token))).rejects.toMatchObject(refused);
		vi.useRealTimers();

		const revoked = await make();
		expect(await auth.tokens.revoke(account.id, revoked.id, null)).toBe(true);
		await expect(identified(auth, withToken(revoked.token))).rejects.toMatchObject(refused);
		expect(await auth.tokens.revoke(account.id, revoked.id, null)).toBe(false);

		const idle = await make();
		await act(auth, database.db, (trx) => setDisabled(trx, account.id, true));
		await expect(identified(auth, withToken(idle.token))).rejects.toMatchObject(refused);
		await act(auth, database.db, (trx) => setDisabled(trx, account.id, false));
		await expect(identified(auth, withToken(idle.token))).rejects.toMatchObject(refused);
		expect((await identified(auth, withToken((await make()).token))).via).toBe('token');
	});

	test('nobody revokes somebody else’s token', async () => {
		const account = await addPerson(database, 'viewer');
		const admin = await addPerson(database, 'admin');
		const { id, token } = await auth.tokens.create({ account, name: 'x', role: 'viewer' }, account);
		expect(await auth.tokens.revoke(admin.id, id, null)).toBe(false);
		expect((await identified(auth, withToken(token))).via).toBe('token');
	});

	test('events of tokens name the token, its id and its member, by whichever way it was made and revoked', async () => {
		const account = await addPerson(database, 'viewer');
		const admin = await addPerson(database, 'admin');
		const wanted = { account, name: 'cron', role: 'viewer' } as const;
		const ids = [];
		for (const by of [account, null]) ids.push((await auth.tokens.create(wanted, by)).id);
		const told = { account: account.name, token: 'cron' };
		const made = await auth.audit.list({ action: 'token.created', limit: 2 });
		expect(made.toReversed()).toMatchObject([
			{ actor: account.name, target: ids[0], detail: told },
			{ actor: 'command line', target: ids[1], detail: told }
		]);
		expect(await auth.tokens.revoke(account.id, ids[0]!, account)).toBe(true);
		expect(await auth.tokens.revoke(account.id, ids[1]!, admin)).toBe(true);
		expect(await auth.tokens.revoke(account.id, ids[1]!, admin)).toBe(false);
		const revoked = await auth.audit.list({ action: 'token.revoked', limit: 2 });
		expect(revoked.toReversed()).toMatchObject([
			{ actor: account.name, target: ids[0], detail: told },
			{ actor: admin.name, target: ids[1], detail: told }
		]);
	});

	test('a member who is no admin revokes no token of another account', async () => {
		const account = await addPerson(database, 'viewer');
		const other = await addPerson(database, 'operator');
		const { id, token } = await auth.tokens.create({ account, name: 'x', role: 'viewer' }, account);
		await expect(auth.tokens.revoke(account.id, id, other)).rejects.toMatchObject({
			code: 'account.not-admin'
		});
		expect((await identified(auth, withToken(token))).via).toBe('token');
	});

	test('an end in the past and an empty name are refused at their field', async () => {
		const account = await addPerson(database, 'viewer');
		const wanted = { account, name: 'x', role: 'viewer' } as const;
		for (const expiresAt of [Date.now() - 1, Number.NaN, 1.5]) {
			await expect(
				auth.tokens.create({ ...wanted, expiresAt }, wanted.account)
			).rejects.toMatchObject({
				code: 'account.token-expiry-past',
				field: 'expires'
			});
		}
		for (const name of ['', '   ', 'x'.repeat(81)]) {
			await expect(auth.tokens.create({ ...wanted, name }, wanted.account)).rejects.toMatchObject({
				code: 'account.token-name-invalid',
				field: 'name'
			});
		}
	});

	test('the list shows when a token was last used, and no token', async () => {
		const account = await addPerson(database, 'viewer');
		const { token } = await auth.tokens.create({ account, name: 'x', role: 'viewer' }, account);
		expect((await auth.tokens.list(account.id))[0]?.lastUsedAt).toBeNull();
		await identified(auth, withToken(token));
		const [listed] = await auth.tokens.list(account.id);
		expect(listed?.lastUsedAt).toBeGreaterThan(Date.now() - 60_000);
		expect(JSON.stringify(listed)).not.toContain(token);
	});

	test('a token has an end, and admins say how far away it may be', async () => {
		const account = await addPerson(database, 'viewer');
		const admin = await addPerson(database, 'admin');
		const wanted = { account, name: 'x', role: 'viewer' } as const;
		const DAY = 24 * 60 * 60 * 1000;
		const endOfNewest = async (): Promise<number | null> =>
			(await auth.tokens.list(account.id))[0]?.expiresAt ?? null;
		const now = Date.now();
		vi.useFakeTimers({ toFake: ['Date'], now });
		await auth.tokens.create(wanted, wanted.account);
		expect(await endOfNewest()).toBe(now + 90 * DAY);
		const endless = { code: 'account.token-endless', field: 'expires' };
		await expect(
			auth.tokens.create({ ...wanted, expiresAt: null }, wanted.account)
		).rejects.toMatchObject(endless);
		await auth.settings.change(admin, { 'token-days': 30, 'token-endless': 'allowed' });
		const far = auth.tokens.create({ ...wanted, expiresAt: now + 30 * DAY + 1 }, wanted.account);
		await expect(far).rejects.toMatchObject({ code: 'account.token-expiry-far', field: 'expires' });
		vi.setSystemTime(now + 1);
		await auth.tokens.create(wanted, wanted.account);
		expect(await endOfNewest()).toBe(now + 1 + 30 * DAY);
		vi.setSystemTime(now + 2);
		await auth.tokens.create({ ...wanted, expiresAt: null }, wanted.account);
		expect(await endOfNewest()).toBeNull();
		// The log tells a token without an end from one with the usual end.
		const made = await auth.audit.list({ action: 'token.created', limit: 3 });
		const toText = (time: number) => new Date(time).toISOString();
		const told = { account: account.name, token: 'x', role: 'viewer' };
		expect(made.map(({ detail }) => detail)).toEqual([
			{ ...told, ends: null },
			{ ...told, ends: toText(now + 1 + 30 * DAY) },
			{ ...told, ends: toText(now + 90 * DAY) }
		]);
		await auth.settings.change(admin, { 'token-days': 365, 'token-endless': 'refused' });
	});

	test('a token for some networks is refused from everywhere else, and the use shows from where', async () => {
		const account = await addPerson(database, 'viewer');
		const { token } = await auth.tokens.create(
			{
				account,
				name: 'x',
				role: 'viewer',
				addresses: ['10.0.0.0/8', '2001:db8::/32']
			},
			account
		);
		for (const address of ['10.9.8.7', '::ffff:10.0.0.1', '2001:db8::1']) {
			expect((await identified(auth, withToken(token), address)).via).toBe('token');
		}
		const elsewhere = { code: 'account.token-elsewhere' };
		const session = withSession(await signInAs(auth, account), {
			authorization: `Bearer ${token}`
		});
		for (const address of ['11.0.0.1', '::1', 'unknown', '2001:db9::1']) {
			await expect(identified(auth, withToken(token), address)).rejects.toMatchObject(elsewhere);
			await expect(identified(auth, session, address)).rejects.toMatchObject(elsewhere);
		}
		expect(await auth.tokens.list(account.id)).toMatchObject([
			{ lastUsedAddress: '10.9.8.7', lastUsedAgent: null }
		]);
		vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 11_000 });
		const agent = withToken(token, { 'user-agent': 'curl/8.5.0' });
		await identified(auth, agent, '10.1.1.1');
		expect(await auth.tokens.list(account.id)).toMatchObject([
			{ lastUsedAddress: '10.1.1.1', lastUsedAgent: 'curl/8.5.0' }
		]);
	});

	test('a replaced token hands its limits on, and ends at once or after an hour', async () => {
		const account = await addPerson(database, 'operator');
		const stranger = await addPerson(database, 'operator');
		const limits = {
			methods: ['getinfo'],
			daemons: ['ALPHA'],
			addresses: ['192.0.2.0/24'],
			wallets: ['ALPHA'],
			amounts: [{ chain: 'ALPHA', each: 1n, day: 2n }],
			recipients: ['RXL3YXG2ceaB6C5hfJcN4fvmLH2C34knhA']
		};
		const now = Date.now();
		vi.useFakeTimers({ toFake: ['Date'], now });
		const first = await auth.tokens.create(
			{ account, name: 'x', role: 'viewer', ...limits },
			account
		);
		expect(await auth.tokens.replace(stranger, first.id, 'now')).toBeNull();
		vi.setSystemTime(now + 1_000);
		const second = await auth.tokens.replace(account, first.id, 'in-an-hour');
		expect(await auth.tokens.replace(account, first.id, 'in-an-hour')).toBeNull();
		const [listed] = await auth.tokens.list(account.id);
		expect(listed).toMatchObject({ id: second?.id, name: 'x', role: 'viewer', ...limits });
		expect(listed?.nearEnd).toBe(false);
		expect((await auth.tokens.list(account.id))[1]).toMatchObject({ id: first.id, nearEnd: true });
		for (const { token } of [first, second!]) {
			const identity = await identified(auth, withToken(token));
			expect(identity).toMatchObject({ token: { countedAs: first.id } });
		}
		vi.setSystemTime(now + 1_000 + 60 * 60_000);
		await expect(identified(auth, withToken(first.token))).rejects.toMatchObject(refused);
		const third = await auth.tokens.replace(account, second!.id, 'now');
		await expect(identified(auth, withToken(second!.token))).rejects.toMatchObject(refused);
		expect((await identified(auth, withToken(third!.token))).via).toBe('token');
		expect(await auth.tokens.replace(account, first.id, 'now')).toBeNull();
		const ends = (id: string | undefined) =>
			database.db
				.selectFrom('api_tokens')
				.select('expires_at')
				.where('id', '=', id!)
				.executeTakeFirstOrThrow()
				.then(({ expires_at: at }) => (at === null ? null : new Date(Number(at)).toISOString()));
		const events = await auth.audit.list({ action: 'token.replaced' });
		expect(events).toMatchObject([
			{ actor: account.name, detail: { by: third?.id, by_ends: await ends(third?.id) } },
			{ actor: account.name, detail: { by: second?.id } }
		]);
		expect(await auth.audit.recorded.differences()).toEqual([]);
	});

	test('a token is replaced although the one before it was replaced twice', async () => {
		const account = await addPerson(database, 'operator');
		const now = Date.now();
		vi.useFakeTimers({ toFake: ['Date'], now });
		const first = await auth.tokens.create({ account, name: 'x', role: 'viewer' }, account);
		vi.setSystemTime(now + 1_000);
		const second = await auth.tokens.replace(account, first.id, 'in-an-hour');
		vi.setSystemTime(now + 2_000);
		// Earlier releases created another one here.
		const third = await auth.tokens.create({ account, name: 'x', role: 'viewer' }, account);
		await database.db
			.updateTable('api_tokens')
			.set({ counted_as: first.id })
			.where('id', '=', third.id)
			.execute();
		vi.setSystemTime(now + 3 * 60 * 60_000);
		expect(await auth.tokens.replace(account, second!.id, 'now')).not.toBeNull();
	});

	test('a token wins over a cookie, and a foreign Authorization header leaves a session alone', async () => {
		const person = await addPerson(database, 'admin');
		const other = await addPerson(database, 'viewer');
		const id = await signInAs(auth, person);
		const { token } = await auth.tokens.create(
			{ account: other, name: 'x', role: 'viewer' },
			other
		);
		expect(
			await identified(auth, withSession(id, { authorization: `Bearer ${token}` }))
		).toMatchObject({ via: 'token', account: other });
		expect(
			await identified(auth, withSession(id, { authorization: 'Basic cHJveHk6cHJveHk=' }))
		).toMatchObject({ via: 'session', account: person });
	});

	test('a member has no more of them than their page can show, and keeps the ability to replace one', async () => {
		const account = await addPerson(database, 'operator');
		const make = (n: number) =>
			auth.tokens.create({ account, name: `token ${n}`, role: 'viewer' }, account).then(
				({ id }) => id,
				(error: unknown) => error
			);
		const made = await Promise.all(Array.from({ length: MOST_TOKENS + 10 }, (_, n) => make(n)));
		const ids = made.filter((one) => typeof one === 'string');
		expect(ids).toHaveLength(MOST_TOKENS);
		const tooMany = { code: 'account.too-many-tokens', params: { most: MOST_TOKENS } };
		expect(await make(1)).toMatchObject(tooMany);
		await expect(auth.tokens.replace(account, ids[0]!, 'in-an-hour')).rejects.toMatchObject(
			tooMany
		);
		expect(await auth.tokens.replace(account, ids[0]!, 'now')).not.toBe(null);
		expect(await auth.tokens.list(account.id)).toHaveLength(MOST_TOKENS);
		// Other members' tokens do not count, and a revoked one makes room.
		const other = await addPerson(database, 'operator');
		expect(
			await auth.tokens.create({ account: other, name: 'x', role: 'viewer' }, other)
		).toBeDefined();
		expect(await auth.tokens.revoke(account.id, ids[1]!, null)).toBe(true);
		expect(await make(2)).toEqual(expect.any(String));
	});
});
