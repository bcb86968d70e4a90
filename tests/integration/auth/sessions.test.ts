import { afterEach, beforeAll, expect, test, vi } from 'vitest';
import { setDisabled, setRole } from '#lib/server/access/accounts/accounts.ts';
import { MOST_SESSIONS } from '#lib/server/access/accounts/sessions/begin.ts';
import { MOST_TOKENS } from '#lib/server/access/api-tokens/newToken.ts';
import { SMALL_BODY } from '#lib/server/platform/http/bodyLimits.ts';
import { hostCookieName } from '#lib/server/platform/http/cookies.ts';
import { SESSION_COOKIE } from '#lib/server/access/accounts/sessions/sessionCookie.ts';
import type { Auth } from '#lib/server/access/requests/auth.ts';
import { describeOnBothDatabases } from '../../support/database.ts';
import {
	act,
	addPerson,
	authOver,
	identified,
	signInAs,
	withSession
} from '../../support/members.ts';

const HOST_COOKIE = hostCookieName(SESSION_COOKIE, true);
const HOUR = 60 * 60 * 1000;
/** Defaults without an admin's decision. */
const IDLE_HOURS = 12;
const ABSOLUTE_DAYS = 7;

describeOnBothDatabases('sessions', (database) => {
	let auth: Auth;
	beforeAll(async () => {
		auth = await authOver(database);
	});
	afterEach(() => {
		vi.useRealTimers();
	});
	const at = (time: number): void => {
		vi.useFakeTimers({ toFake: ['Date'], now: time });
	};
	const via = async (id: string): Promise<string> => (await identified(auth, withSession(id))).via;

	test('a signed-in browser is its account', async () => {
		const account = await addPerson(database, 'notary');
		const id = await signInAs(auth, account);
		expect(await identified(auth, withSession(id))).toMatchObject({
			via: 'session',
			account,
			role: 'notary'
		});
	});

	test('the database holds nothing that works as a cookie', async () => {
		const account = await addPerson(database, 'viewer');
		const id = await signInAs(auth, account);
		const rows = await database.db.selectFrom('sessions').selectAll().execute();
		for (const row of rows) {
			for (const value of Object.values(row)) {
				if (typeof value !== 'string') continue;
				expect(value).not.toContain(id);
				expect(await via(value)).toBe('public');
			}
		}
	});

	test('a member has no more of them than fit into the form of a new password: the one unused longest ends', async () => {
		const account = await addPerson(database, 'operator');
		const other = await signInAs(auth, await addPerson(database, 'operator'));
		const now = Date.now();
		const ids: string[] = [];
		for (let n = 0; n < MOST_SESSIONS + 5; n += 1) {
			at(now + n * 1000);
			ids.push(await signInAs(auth, account));
			// The first session is in constant use.
			if (n % 50 === 0) {
				const hash = (await auth.sessions.list(account.id)).at(-1)!.idHash;
				await database.db
					.updateTable('sessions')
					.set({ last_seen_at: now + 3_600_000 })
					.where('id_hash', '=', hash)
					.where('created_at', '=', BigInt(now))
					.execute();
			}
		}
		expect(await auth.sessions.list(account.id)).toHaveLength(MOST_SESSIONS);
		expect(await via(ids[0]!)).toBe('session');
		for (const ended of ids.slice(1, 6)) expect(await via(ended)).toBe('public');
		for (const open of [ids[6]!, ids.at(-1)!, other]) expect(await via(open)).toBe('session');
		// Each session and each token is two fields of that form.
		expect(2 * (MOST_SESSIONS + MOST_TOKENS)).toBeLessThan(SMALL_BODY.fields / 2);
	});

	test('signing in never adopts an id that the browser brought (fixation)', async () => {
		const victim = await addPerson(database, 'operator');
		const attacker = await addPerson(database, 'viewer');
		const planted = await signInAs(auth, attacker);
		const invented = 'a'.repeat(40);
		for (const previousSessionId of [planted, invented]) {
			const id = await signInAs(auth, victim, { previousSessionId });
			expect(id).not.toBe(previousSessionId);
			expect(await via(previousSessionId)).toBe('public');
			expect(await identified(auth, withSession(id))).toMatchObject({ account: victim });
		}
	});

	test('each sign-in has another id, and the one before ends', async () => {
		const account = await addPerson(database, 'viewer');
		const first = await signInAs(auth, account);
		const second = await signInAs(auth, account, { previousSessionId: first });
		expect(second).not.toBe(first);
		expect(await via(first)).toBe('public');
		expect(await via(second)).toBe('session');
	});

	test('the cookie is worth nothing after the log-out', async () => {
		const account = await addPerson(database, 'viewer');
		const id = await signInAs(auth, account);
		await auth.sessions.end(id);
		expect(await via(id)).toBe('public');
	});

	test('a disabled account has no session, also not after it is enabled again', async () => {
		const account = await addPerson(database, 'admin');
		const id = await signInAs(auth, account);
		await act(auth, database.db, (trx) => setDisabled(trx, account.id, true));
		expect(await via(id)).toBe('public');
		await act(auth, database.db, (trx) => setDisabled(trx, account.id, false));
		expect(await via(id)).toBe('public');
	});

	test('a session of an account that was disabled behind our back is refused', async () => {
		const account = await addPerson(database, 'admin');
		const id = await signInAs(auth, account);
		await database.db
			.updateTable('accounts')
			.set({ disabled_at: 1 })
			.where('id', '=', account.id)
			.execute();
		expect(await via(id)).toBe('public');
	});

	test('a session that began by a clock far ahead ends when the clock is set back', async () => {
		const account = await addPerson(database, 'admin');
		const now = Date.now();
		at(now + 400 * 24 * HOUR);
		const id = await signInAs(auth, account);
		expect(await via(id)).toBe('session');
		at(now);
		expect(await auth.sessions.list(account.id)).toEqual([]);
		expect(await via(id)).toBe('public');
		at(now + (IDLE_HOURS - 1) * HOUR);
		const near = await signInAs(auth, account);
		at(now);
		expect(await via(near)).toBe('session');
	});

	test('another role counts from the next request on', async () => {
		const account = await addPerson(database, 'admin');
		const id = await signInAs(auth, account);
		await act(auth, database.db, (trx) => setRole(trx, account.id, 'viewer'));
		expect((await identified(auth, withSession(id))).role).toBe('viewer');
	});

	test('ends when it was not used', async () => {
		const account = await addPerson(database, 'viewer');
		const start = Date.now();
		at(start);
		const id = await signInAs(auth, account);
		at(start + IDLE_HOURS * HOUR - 1000);
		expect(await via(id)).toBe('session');
		at(start + IDLE_HOURS * HOUR - 1000 + IDLE_HOURS * HOUR + 1000);
		expect(await via(id)).toBe('public');
	});

	test('goes on while it is used, and ends at its last day all the same', async () => {
		const account = await addPerson(database, 'viewer');
		const start = Date.now();
		at(start);
		const id = await signInAs(auth, account);
		const end = start + ABSOLUTE_DAYS * 24 * HOUR;
		for (let time = start; time < end; time += (IDLE_HOURS / 2) * HOUR) {
			at(time);
			expect(await via(id)).toBe('session');
		}
		at(end + 1);
		expect(await via(id)).toBe('public');
	});

	test('end by shorter limits at once, and by longer ones no later than they were to', async () => {
		const account = await addPerson(database, 'viewer');
		const admin = await addPerson(database, 'admin');
		const start = Date.now();
		at(start);
		const [idle, used] = [await signInAs(auth, account), await signInAs(auth, account)];
		at(start + 2 * HOUR);
		expect(await via(used)).toBe('session');
		await auth.settings.change(admin, { 'session-idle-hours': 1 });
		expect([await via(idle), await via(used)]).toEqual(['public', 'session']);
		expect(auth.sessions.cookie('x', true).attributes.maxAge).toBe(3_600);
		expect(await auth.sessions.list(account.id)).toMatchObject([{ endsAt: start + 3 * HOUR }]);
		await auth.settings.change(admin, { 'session-idle-hours': 720, 'session-days': 1 });
		at(start + 3 * HOUR - 1);
		expect(await via(used)).toBe('session');
		at(start + 24 * HOUR - 1);
		expect(await via(used)).toBe('session');
		at(start + 24 * HOUR);
		expect(await via(used)).toBe('public');
		await auth.settings.change(admin, { 'session-idle-hours': IDLE_HOURS, 'session-days': 90 });
		at(start + 24 * HOUR + 1);
		const id = await signInAs(auth, account);
		await database.db
			.updateTable('sessions')
			.set({ ends_at: BigInt(start + 1_000 * 24 * HOUR) })
			.where('account_id', '=', account.id)
			.execute();
		// The MAC over the row's end no longer matches.
		expect(await via(id)).toBe('public');
		await auth.settings.change(admin, { 'session-days': ABSOLUTE_DAYS });
	});

	test('begun in a network that is new for the member are marked, the first one of all not', async () => {
		const account = await addPerson(database, 'viewer');
		for (const address of ['192.0.2.10', '198.51.100.7', '192.0.2.10']) {
			await signInAs(auth, account, { address });
		}
		const listed = await auth.sessions.list(account.id);
		expect(listed.filter(({ newPlace }) => newPlace).map(({ address }) => address)).toEqual([
			'198.51.100.7'
		]);
	});

	test('networks are remembered up to a number, the latest ones', async () => {
		const account = await addPerson(database, 'viewer');
		const networks = Array.from({ length: 600 }, (_, n) => ({
			account_id: account.id,
			network: `old ${n}`,
			since: BigInt(n)
		}));
		await database.db.insertInto('session_places').values(networks).execute();
		await signInAs(auth, account, { address: '192.0.2.10' });
		const left = await database.db
			.selectFrom('session_places')
			.select('network')
			.where('account_id', '=', account.id)
			.orderBy('since', 'desc')
			.execute();
		expect(left).toHaveLength(500);
		expect(left.map(({ network }) => network)).not.toContain('old 0');
	});

	test('what ended is removed', async () => {
		const account = await addPerson(database, 'viewer');
		const start = Date.now();
		at(start);
		await signInAs(auth, account);
		at(start + 2 * IDLE_HOURS * HOUR);
		await auth.sessions.clearExpired();
		at(start);
		expect(await auth.sessions.list(account.id)).toEqual([]);
	});

	test('people see and end their own sessions and nobody else’s', async () => {
		const account = await addPerson(database, 'viewer');
		const other = await addPerson(database, 'admin');
		const first = await signInAs(auth, account, { address: '192.0.2.10' });
		const second = await signInAs(auth, account, { address: '192.0.2.11' });
		const listed = await auth.sessions.list(account.id);
		expect(listed.map(({ address }) => address).sort()).toEqual(['192.0.2.10', '192.0.2.11']);
		const hashOfFirst = listed.find(({ address }) => address === '192.0.2.10')?.idHash ?? '';
		expect(await auth.sessions.endOne(other, hashOfFirst)).toBe(false);
		expect(await via(first)).toBe('session');
		expect(await auth.sessions.endOne(account, hashOfFirst)).toBe(true);
		expect(await via(first)).toBe('public');
		expect(await via(second)).toBe('session');
	});

	test('the cookie is out of reach for scripts, same-site, and secure exactly under https', () => {
		expect(auth.sessions.cookie('x', true)).toEqual({
			name: HOST_COOKIE,
			value: 'x',
			attributes: {
				path: '/',
				httpOnly: true,
				sameSite: 'lax',
				secure: true,
				maxAge: IDLE_HOURS * 3600
			}
		});
		expect(auth.sessions.cookie('x', false)).toMatchObject({
			name: SESSION_COOKIE,
			attributes: { secure: false }
		});
		expect(auth.sessions.blankCookie(false)).toMatchObject({
			value: '',
			attributes: { maxAge: 0 }
		});
	});

	test('at a public address under https only the cookie counts that no other host could set', async () => {
		const account = await addPerson(database, 'viewer');
		const secure = await authOver(database, { origin: 'https://deck.example.org' });
		const id = await signInAs(secure, account);
		const asked = async (host: string, cookie: string): Promise<string> =>
			(await identified(secure, new Headers({ host, cookie: `${cookie}=${id}` }))).via;
		expect(await asked('deck.example.org', HOST_COOKIE)).toBe('session');
		expect(await asked('Deck.example.org', SESSION_COOKIE)).toBe('public');
		// Without the proxy in front, in the same network, there is no https.
		expect(await asked('192.0.2.7:3000', SESSION_COOKIE)).toBe('session');
		expect(await asked('192.0.2.7:3000', HOST_COOKIE)).toBe('public');
	});

	test.each([
		'',
		'komodeck_session',
		'komodeck_session=',
		'komodeck_session=%',
		'komodeck_session=%E0%A4%A',
		'komodeck_session=../../etc/passwd',
		"komodeck_session=' or 1=1 --",
		`komodeck_session=${'a'.repeat(5000)}`,
		`xkomodeck_session=${'a'.repeat(40)}`,
		`komodeck_session=${'a'.repeat(40)}`,
		';;;===;;'
	])('the cookie header %j is nobody', async (cookie) => {
		expect(await identified(auth, new Headers({ cookie }))).toEqual({
			via: 'public',
			account: null,
			role: 'visitor'
		});
	});
});
