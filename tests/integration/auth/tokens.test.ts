import { afterEach, beforeAll, expect, test, vi } from 'vitest';
import { setDisabled, setRole } from '#lib/server/access/accounts/accounts.ts';
import { ROLES } from '#lib/server/access/policy/roles.ts';
import type { Auth } from '#lib/server/access/requests/auth.ts';
import { describeOnBothDatabases } from '../../support/database.ts';
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
		const { token, id } = await auth.tokens.create({
			account,
			name: 'cron',
			role: 'viewer',
			methods: ['getinfo', 'tokenlist', 'getinfo'],
			daemons: ['ALPHA']
		});
		const identity = {
			via: 'token',
			account,
			role: 'viewer',
			token: { id, name: 'cron', methods: ['getinfo', 'tokenlist'], daemons: ['ALPHA'] }
		};
		expect(await identified(auth, withToken(token))).toEqual(identity);
		expect(await identified(auth, new Headers({ authorization: `bearer  ${token}` }))).toEqual(
			identity
		);
		expect(await identified(auth, basic(`Grace:${token}`))).toEqual(identity);
		expect(await identified(auth, basic(`grace:${token}`))).toEqual(identity);
	});

	test('what another process changes counts with the next call', async () => {
		const account = await addPerson(database, 'operator');
		const { token, id } = await auth.tokens.create({ account, name: 'x', role: 'operator' });
		const elsewhere = await database.openAnother();
		const seen = async (): Promise<string> => (await identified(auth, withToken(token))).role;
		expect(await seen()).toBe('operator');
		expect(await seen()).toBe('operator');
		await act(auth, elsewhere, (trx) => setRole(trx, account.id, 'viewer'));
		expect(await seen()).toBe('viewer');
		await act(auth, elsewhere, (trx) => auth.tokens.revoke(account.id, id, trx));
		await expect(seen()).rejects.toMatchObject(refused);
	});

	test('what this process changes counts with the next call, inside a transaction too', async () => {
		const account = await addPerson(database, 'operator');
		const { token } = await auth.tokens.create({ account, name: 'x', role: 'operator' });
		const seen = async (): Promise<string> => (await identified(auth, withToken(token))).role;
		expect(await seen()).toBe('operator');
		await act(auth, database.db, (trx) => setRole(trx, account.id, 'viewer'));
		expect(await seen()).toBe('viewer');
		await act(auth, database.db, (trx) => setRole(trx, account.id, 'operator'));
		expect(await seen()).toBe('operator');
	});

	test('Basic with another name, or with a wrong token, is refused', async () => {
		const account = await addPerson(database, 'operator');
		const { token } = await auth.tokens.create({ account, name: 'x', role: 'viewer' });
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
		const { token } = await auth.tokens.create({ account, name: 'x', role: 'admin' });
		const rows = await database.db.selectFrom('api_tokens').selectAll().execute();
		expect(rows.map((row) => Object.values(row).join(' ')).join(' ')).not.toContain(token.slice(4));
		for (const row of rows) {
			await expect(identified(auth, withToken(row.token_hash))).rejects.toMatchObject(refused);
		}
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
				const made = auth.tokens.create({ account, name: 'x', role });
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
		const token = (await auth.tokens.create({ account, name: 'x', role: 'operator' })).token;
		const roleNow = async (): Promise<string> => (await identified(auth, withToken(token))).role;
		expect(await roleNow()).toBe('operator');
		await act(auth, database.db, (trx) => setRole(trx, account.id, 'viewer'));
		expect(await roleNow()).toBe('viewer');
		// Neither role holds the other: what both may do is reading.
		await act(auth, database.db, (trx) => setRole(trx, account.id, 'notary'));
		expect(await roleNow()).toBe('viewer');
		await act(auth, database.db, (trx) => setRole(trx, account.id, 'admin'));
		expect(await roleNow()).toBe('operator');
	});

	test('a token ends at its end, when revoked, and when its person is disabled', async () => {
		const account = await addPerson(database, 'operator');
		const make = async (expiresAt: number | null = null): Promise<{ id: string; token: string }> =>
			auth.tokens.create({ account, name: 'x', role: 'viewer', expiresAt });

		const now = Date.now();
		const short = await make(now + 60_000);
		expect((await identified(auth, withToken(short.token))).via).toBe('token');
		vi.useFakeTimers({ toFake: ['Date'], now: now + 60_001 });
		await expect(identified(auth, withToken(short.token))).rejects.toMatchObject(refused);
		vi.useRealTimers();

		const revoked = await make();
		expect(await auth.tokens.revoke(account.id, revoked.id)).toBe(true);
		await expect(identified(auth, withToken(revoked.token))).rejects.toMatchObject(refused);
		expect(await auth.tokens.revoke(account.id, revoked.id)).toBe(false);

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
		const { id, token } = await auth.tokens.create({ account, name: 'x', role: 'viewer' });
		expect(await auth.tokens.revoke(admin.id, id)).toBe(false);
		expect((await identified(auth, withToken(token))).via).toBe('token');
	});

	test('an end in the past and an empty name are refused at their field', async () => {
		const account = await addPerson(database, 'viewer');
		const wanted = { account, name: 'x', role: 'viewer' } as const;
		for (const expiresAt of [Date.now() - 1, Number.NaN, 1.5]) {
			await expect(auth.tokens.create({ ...wanted, expiresAt })).rejects.toMatchObject({
				code: 'account.token-expiry-past',
				field: 'expires'
			});
		}
		for (const name of ['', '   ', 'x'.repeat(81)]) {
			await expect(auth.tokens.create({ ...wanted, name })).rejects.toMatchObject({
				code: 'account.token-name-invalid',
				field: 'name'
			});
		}
	});

	test('the list shows when a token was last used, and no token', async () => {
		const account = await addPerson(database, 'viewer');
		const { token } = await auth.tokens.create({ account, name: 'x', role: 'viewer' });
		expect((await auth.tokens.list(account.id))[0]?.lastUsedAt).toBeNull();
		await identified(auth, withToken(token));
		const [listed] = await auth.tokens.list(account.id);
		expect(listed?.lastUsedAt).toBeGreaterThan(Date.now() - 60_000);
		expect(JSON.stringify(listed)).not.toContain(token);
	});

	test('a token wins over a cookie, and a foreign Authorization header leaves a session alone', async () => {
		const person = await addPerson(database, 'admin');
		const other = await addPerson(database, 'viewer');
		const id = await signInAs(auth, person);
		const { token } = await auth.tokens.create({ account: other, name: 'x', role: 'viewer' });
		expect(
			await identified(auth, withSession(id, { authorization: `Bearer ${token}` }))
		).toMatchObject({ via: 'token', account: other });
		expect(
			await identified(auth, withSession(id, { authorization: 'Basic cHJveHk6cHJveHk=' }))
		).toMatchObject({ via: 'session', account: person });
	});
});
