import type * as Argon2 from '@node-rs/argon2';
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { findForSignIn, setDisabled } from '#lib/server/access/accounts/accounts.ts';
import {
	DEVICE_TRIES,
	FREE_TRIES,
	NAME_TRIES,
	NETWORK_TRIES
} from '#lib/server/access/credentials/loginThrottle.ts';
import { MOST_RECORDED } from '#lib/server/access/accounts/signInRefusals.ts';
import { CONFIRMED_FOR, isConfirmed } from '#lib/server/access/policy/confirmation.ts';
import type { Auth } from '#lib/server/access/requests/auth.ts';
import { describeOnBothDatabases } from '../../support/database.ts';
import {
	act,
	addPerson,
	authOver,
	HERE,
	identified,
	PASSWORD,
	signInAs,
	withSession
} from '../../support/members.ts';

/** The real argon2, with its calls counted. */
const argon2 = vi.hoisted(() => ({ verifications: 0, hashes: 0 }));
/** Runs once while a password is checked. */
const meanwhile = vi.hoisted(() => ({ act: null as (() => Promise<unknown>) | null }));
vi.mock('@node-rs/argon2', async (importReal) => {
	const real = await importReal<typeof Argon2>();
	return {
		...real,
		verify: async (...args: Parameters<typeof real.verify>) => {
			argon2.verifications += 1;
			const matches = await real.verify(...args);
			const { act } = meanwhile;
			meanwhile.act = null;
			await act?.();
			return matches;
		},
		hash: (...args: Parameters<typeof real.hash>) => {
			argon2.hashes += 1;
			return real.hash(...args);
		}
	};
});

describeOnBothDatabases('signing in', (database) => {
	let auth: Auth;
	let address = 0;
	/** Each test uses its own address, so that counters do not interfere. */
	const elsewhere = (): string => `198.51.100.${(address += 1)}`;

	beforeAll(async () => {
		auth = await authOver(database);
	});
	beforeEach(() => {
		argon2.verifications = 0;
		argon2.hashes = 0;
	});
	afterEach(() => {
		vi.useRealTimers();
	});

	const attempt = (
		name: string,
		password: string,
		from = elsewhere(),
		device: string | null = null,
		of: Auth = auth
	) =>
		of.signIn({
			name,
			password,
			address: from,
			userAgent: null,
			device,
			previousSessionId: null
		});
	/**
	 * Sends wrong passwords one after the other.
	 * @returns the results
	 */
	async function guess(
		count: number,
		name: string,
		from?: string,
		device?: string | null
	): Promise<string[]> {
		const codes: string[] = [];
		for (let i = 0; i < count; i += 1) {
			codes.push(
				await attempt(name, 'wrong password', from, device).then(
					() => 'signed in',
					(error: { code: string }) => error.code
				)
			);
		}
		return codes;
	}

	test('takes the right password, whatever the case of the name', async () => {
		const account = await addPerson(database, 'operator', 'Ada');
		await expect(attempt('  aDA ', PASSWORD)).resolves.toMatchObject({ account });
	});

	test('stores argon2id and not the password', async () => {
		const account = await addPerson(database, 'viewer');
		const stored = (await findForSignIn(database.db, account.name))?.passwordHash ?? '';
		expect(stored).toMatch(/^\$argon2id\$v=19\$/);
	});

	test('does the same work and says the same for an unknown name, a wrong password and a disabled account', async () => {
		const account = await addPerson(database, 'viewer');
		const disabled = await addPerson(database, 'viewer');
		await act(auth, database.db, (trx) => setDisabled(trx, disabled.id, true));
		const messages = new Set<string>();
		for (const [name, password] of [
			['nobody at all', PASSWORD],
			[account.name, 'wrong password'],
			[account.name, 'x'.repeat(100_000)],
			[disabled.name, PASSWORD],
			[disabled.name, 'wrong password']
		] as const) {
			argon2.verifications = 0;
			argon2.hashes = 0;
			const refusal = await attempt(name, password).catch((error: unknown) => error);
			expect(refusal).toMatchObject({ code: 'account.wrong-credentials' });
			messages.add((refusal as Error).message);
			expect(argon2).toEqual({ verifications: 1, hashes: 0 });
		}
		expect(messages.size).toBe(1);
	});

	test('makes one network wait after too many wrong passwords for one name, longer each time', async () => {
		const account = await addPerson(database, 'viewer');
		const from = '2001:db8:1:2::1';
		const start = Date.now();
		const at = (seconds: number) =>
			vi.useFakeTimers({ toFake: ['Date'], now: start + 1000 * seconds });
		at(0);
		expect(await guess(FREE_TRIES + 1, account.name, from)).not.toContain('account.throttled');
		argon2.verifications = 0;
		// The same /64 network is the same household.
		const refusal = await attempt(account.name, PASSWORD, '2001:0db8:1:2:ffff::9').catch(
			(error: unknown) => error
		);
		expect(refusal).toMatchObject({ code: 'account.throttled', retryAfter: 15 });
		expect(argon2.verifications).toBe(0);

		// Another replica knows of it too.
		const replica = await authOver({ ...database, db: await database.openAnother() });
		await expect(
			attempt(account.name.toUpperCase(), PASSWORD, from, null, replica)
		).rejects.toMatchObject({ code: 'account.throttled' });

		at(15);
		expect(await guess(2, account.name, from)).toEqual([
			'account.wrong-credentials',
			'account.throttled'
		]);
		at(30);
		expect(await guess(1, account.name, from)).toEqual(['account.throttled']);
		at(45);
		await expect(attempt(account.name, PASSWORD, from)).resolves.toMatchObject({ account });
	});

	test('whoever guesses stops neither the person elsewhere nor their known device', async () => {
		const account = await addPerson(database, 'viewer');
		const from = elsewhere();
		const codes = await guess(200, account.name, from);
		expect(codes.filter((code) => code === 'account.throttled').length).toBeGreaterThan(180);
		await expect(attempt(account.name, PASSWORD)).resolves.toMatchObject({ account });
		const cookie = auth.devices.cookie(account.name, false);
		const device = auth.devices.known(
			new Headers({ cookie: `${cookie.name}=${cookie.value}` }),
			account.name
		);
		expect(device).not.toBeNull();
		// From the attacker's own address.
		await expect(attempt(account.name, PASSWORD, from, device)).resolves.toMatchObject({ account });
	});

	test('guesses from many networks make each new one wait once, and never for good', async () => {
		const account = await addPerson(database, 'viewer');
		const start = Date.now();
		vi.useFakeTimers({ toFake: ['Date'], now: start });
		expect(await guess(NAME_TRIES, account.name)).not.toContain('account.throttled');
		expect(await guess(1, account.name)).toEqual(['account.throttled']);
		const home = elsewhere();
		const refusal = await attempt(account.name, PASSWORD, home).catch((error: unknown) => error);
		expect(refusal).toMatchObject({ code: 'account.throttled', retryAfter: 5 });
		vi.useFakeTimers({ toFake: ['Date'], now: start + 5_000 });
		await expect(attempt(account.name, PASSWORD, home)).resolves.toMatchObject({ account });
	});

	test('a known device has a number of tries, then it is like any other', async () => {
		vi.useFakeTimers({ toFake: ['Date'], now: Date.now() });
		const account = await addPerson(database, 'viewer');
		const from = elsewhere();
		const codes = await guess(DEVICE_TRIES + FREE_TRIES + 2, account.name, from, 'a device');
		expect(codes.filter((code) => code === 'account.throttled')).toHaveLength(1);
		expect(codes.at(-1)).toBe('account.throttled');
	});

	test('counts an unknown name like a known one', async () => {
		vi.useFakeTimers({ toFake: ['Date'], now: Date.now() });
		const { name } = await addPerson(database, 'viewer');
		const ghost = await guess(FREE_TRIES + 2, 'ghost', elsewhere());
		expect(ghost).toEqual(await guess(FREE_TRIES + 2, name, elsewhere()));
		expect(ghost).toContain('account.throttled');
	});

	test('many names without an account do not fill the log, which says how many were tried', async () => {
		const from = elsewhere();
		/** Says how many refused logins the network has had. */
		const refused = async (count: number): Promise<void> => {
			const { numUpdatedRows } = await database.db
				.updateTable('throttle')
				.set({ points: BigInt(count) })
				.where('key', '=', `login-refused:${from}`)
				.executeTakeFirst();
			expect(numUpdatedRows).toBe(1n);
		};
		const recorded = async (): Promise<unknown[]> =>
			(await auth.audit.list({ action: 'sign-in.refused', limit: 10 }))
				.filter(({ detail }) => detail['address'] === from)
				.map(({ actor, detail }) => [actor, detail['attempts']]);
		await guess(1, 'ghost-1', from);
		await refused(MOST_RECORDED - 1);
		for (const name of ['ghost-2', 'ghost-3', 'ghost-4']) await guess(1, name, from);
		expect(await recorded()).toEqual([
			['visitor', undefined],
			['visitor', undefined]
		]);
		await refused(4 * MOST_RECORDED - 1);
		const { name } = await addPerson(database, 'viewer');
		for (const tried of ['ghost-5', 'ghost-6', name]) await guess(1, tried, from);
		expect(await recorded()).toEqual([
			[name, 4 * MOST_RECORDED + 2],
			['visitor', 4 * MOST_RECORDED],
			['visitor', undefined],
			['visitor', undefined]
		]);
	});

	test('many names from one office stop none of its people', async () => {
		const from = elsewhere();
		expect(await guess(1, 'somebody-else', from)).toEqual(['account.wrong-credentials']);
		/** Counts this many names as tried, because a real attempt is deliberately slow. */
		const tried = async (count: number): Promise<void> => {
			const { numUpdatedRows } = await database.db
				.updateTable('throttle')
				.set({ points: BigInt(count) })
				.where('key', '=', `login-network:${from}`)
				.executeTakeFirst();
			expect(numUpdatedRows).toBe(1n);
		};
		const now = Date.now();
		vi.useFakeTimers({ toFake: ['Date'], now });
		await tried(NETWORK_TRIES - 1);
		const early = await addPerson(database, 'viewer');
		await expect(attempt(early.name, PASSWORD, from)).resolves.toBeTruthy();
		await tried(NETWORK_TRIES);
		const late = await addPerson(database, 'viewer');
		const refusal = await attempt(late.name, PASSWORD, from).catch((error: unknown) => error);
		expect(refusal).toMatchObject({ code: 'account.throttled', retryAfter: 5 });
		vi.useFakeTimers({ toFake: ['Date'], now: now + 5_000 });
		await expect(attempt(late.name, PASSWORD, from)).resolves.toBeTruthy();
	});

	test('guesses that are sent at the same moment are all counted', async () => {
		vi.useFakeTimers({ toFake: ['Date'], now: Date.now() });
		const account = await addPerson(database, 'viewer');
		const from = elsewhere();
		const results = await Promise.all(
			Array.from({ length: 3 * FREE_TRIES }, () =>
				attempt(account.name, 'wrong password', from).catch((error: { code: string }) => error.code)
			)
		);
		const tried = results.filter((code) => code === 'account.wrong-credentials');
		expect(tried).toHaveLength(FREE_TRIES + 1);
	});

	test('a right password clears the count of its network', async () => {
		const account = await addPerson(database, 'viewer');
		const from = elsewhere();
		for (let round = 0; round < 3; round += 1) {
			expect(await guess(FREE_TRIES - 1, account.name, from)).not.toContain('account.throttled');
			await expect(attempt(account.name, PASSWORD, from)).resolves.toMatchObject({ account });
		}
	});

	test('keeps no typed name in the counters and no password anywhere', async () => {
		const typed = 'my-password-typed-as-name';
		await attempt(typed, 'another-secret-word').catch(() => undefined);
		const counters = await database.db.selectFrom('throttle').selectAll().execute();
		const rows = await auth.audit.list({ limit: 1000 });
		const text = JSON.stringify([counters.map(({ key }) => key), rows]);
		expect(text).not.toContain(typed);
		expect(text).not.toContain('another-secret-word');
		expect(text).not.toContain(PASSWORD);
	});

	test('a changed password ends the other sessions and keeps this one', async () => {
		const account = await addPerson(database, 'viewer');
		const here = await signInAs(auth, account, { address: elsewhere() });
		const there = await signInAs(auth, account, { address: elsewhere() });
		const identity = await identified(auth, withSession(here));
		const change = {
			account,
			next: 'a much better password',
			address: elsewhere(),
			idHash: identity.via === 'session' ? identity.session.idHash : null,
			kept: { sessions: [], tokens: [] }
		};
		await expect(auth.changePassword({ ...change, current: 'wrong' })).rejects.toMatchObject({
			code: 'account.wrong-current-password',
			field: 'current'
		});
		await expect(
			auth.changePassword({ ...change, current: PASSWORD, next: 'short' })
		).rejects.toMatchObject({ code: 'account.password-too-short', field: 'password' });
		await auth.changePassword({ ...change, current: PASSWORD });
		expect((await identified(auth, withSession(here))).via).toBe('session');
		expect((await identified(auth, withSession(there))).via).toBe('public');
		await expect(attempt(account.name, PASSWORD)).rejects.toMatchObject({
			code: 'account.wrong-credentials'
		});
		await expect(attempt(account.name, change.next)).resolves.toBeTruthy();
	});

	test('a changed password revokes tokens and open links, apart from what was to go on', async () => {
		const account = await addPerson(database, 'viewer');
		const make = (name: string) => auth.tokens.create({ account, name, role: 'viewer' }, account);
		const [kept, lost] = [await make('kept'), await make('lost')];
		expect(await auth.tokens.verify(lost.token, { address: HERE, userAgent: null })).not.toBeNull();
		const link = await auth.links.reset(null, account.id);
		const revoked = await auth.changePassword({
			account,
			current: PASSWORD,
			next: 'a much better password',
			address: elsewhere(),
			idHash: null,
			kept: { sessions: [], tokens: [kept.id] }
		});
		expect(revoked).toEqual({ sessions: 0, tokens: 1 });
		expect(await auth.tokens.verify(lost.token, { address: HERE, userAgent: null })).toBeNull();
		expect(await auth.tokens.verify(kept.token, { address: HERE, userAgent: null })).not.toBeNull();
		expect(await auth.links.look(link.token)).toBeNull();
	});

	test('a login is refused whose account was changed while its password was checked', async () => {
		const account = await addPerson(database, 'viewer');
		const changes: Readonly<Record<string, () => Promise<unknown>>> = {
			'a new password': async () => {
				const { token } = await auth.links.reset(null, account.id);
				await auth.links.setPassword(token, 'a much better password');
			},
			'a disabled account': () => setDisabled(database.db, account.id, true)
		};
		for (const [what, change] of Object.entries(changes)) {
			meanwhile.act = change;
			const password = what === 'a new password' ? PASSWORD : 'a much better password';
			await expect(attempt(account.name, password), what).rejects.toMatchObject({
				code: 'account.wrong-credentials'
			});
			expect(await auth.sessions.list(account.id), what).toEqual([]);
		}
	});

	test('a password is not changed by one that a reset replaced while it was checked', async () => {
		const account = await addPerson(database, 'viewer');
		meanwhile.act = async () => {
			const { token } = await auth.links.reset(null, account.id);
			await auth.links.setPassword(token, 'a much better password');
		};
		await expect(
			auth.changePassword({
				account,
				current: PASSWORD,
				next: 'the password of a thief',
				address: elsewhere(),
				idHash: null,
				kept: { sessions: [], tokens: [] }
			})
		).rejects.toMatchObject({ code: 'account.wrong-current-password' });
		await expect(attempt(account.name, 'a much better password')).resolves.toBeTruthy();
	});

	test('a reset ends every session and revokes every token', async () => {
		const account = await addPerson(database, 'viewer');
		const session = await signInAs(auth, account, { address: elsewhere() });
		const { token } = await auth.tokens.create({ account, name: 'x', role: 'viewer' }, account);
		expect(await auth.tokens.verify(token, { address: HERE, userAgent: null })).not.toBeNull();
		const link = await auth.links.reset(null, account.id);
		await auth.links.setPassword(link.token, 'a much better password');
		expect((await identified(auth, withSession(session))).via).toBe('public');
		expect(await auth.tokens.verify(token, { address: HERE, userAgent: null })).toBeNull();
	});

	test('the password typed once more confirms that session and no other', async () => {
		const account = await addPerson(database, 'admin');
		const facts = async (id: string) => {
			const identity = await identified(auth, withSession(id));
			return identity.via === 'session' ? identity.session : null;
		};
		const here = await signInAs(auth, account, { address: elsewhere() });
		const there = await signInAs(auth, account, { address: elsewhere() });
		const now = Date.now();
		expect(isConfirmed((await facts(here))!, 'write', now)).toBe(true);
		vi.useFakeTimers({ toFake: ['Date'], now: now + CONFIRMED_FOR });
		expect(isConfirmed((await facts(here))!, 'write', Date.now())).toBe(false);
		const { idHash } = (await facts(here))!;
		const typed = { account, address: elsewhere(), idHash };
		await expect(auth.confirm({ ...typed, password: 'wrong' })).rejects.toMatchObject({
			code: 'account.wrong-password',
			field: 'password'
		});
		expect(isConfirmed((await facts(here))!, 'write', Date.now())).toBe(false);
		await auth.confirm({ ...typed, password: PASSWORD });
		expect(isConfirmed((await facts(here))!, 'write', Date.now())).toBe(true);
		expect(isConfirmed((await facts(there))!, 'write', Date.now())).toBe(false);
	});
});
