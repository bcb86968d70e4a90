import type * as Argon2 from '@node-rs/argon2';
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { findForSignIn, setDisabled } from '#lib/server/auth/accounts.ts';
import type { Auth } from '#lib/server/auth/auth.ts';
import { ATTEMPTS_PER_ACCOUNT, ATTEMPTS_PER_ADDRESS } from '#lib/server/auth/loginThrottle.ts';
import { describeOnBothDatabases } from '../../support/database.ts';
import { addPerson, authOver, PASSWORD, signInAs, withSession } from '../../support/people.ts';

/** The real argon2, with its calls counted. */
const argon2 = vi.hoisted(() => ({ verifications: 0, hashes: 0 }));
vi.mock('@node-rs/argon2', async (importReal) => {
	const real = await importReal<typeof Argon2>();
	return {
		...real,
		verify: (...args: Parameters<typeof real.verify>) => {
			argon2.verifications += 1;
			return real.verify(...args);
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
	/** Each test comes from an address of its own, so that counters do not meet. */
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

	const attempt = (name: string, password: string, from = elsewhere()) =>
		auth.signIn({ name, password, address: from, userAgent: null, previousSessionId: null });

	test('takes the right password, whatever the case of the name', async () => {
		const account = await addPerson(database, 'operator', 'Ada');
		await expect(attempt('  aDA ', PASSWORD)).resolves.toMatchObject({ account });
	});

	test('stores argon2id and not the password', async () => {
		const account = await addPerson(database, 'viewer');
		const stored = (await findForSignIn(database.db, account.name))?.passwordHash ?? '';
		expect(stored).toMatch(/^\$argon2id\$v=19\$m=32768,t=3,p=1\$/);
	});

	test('does the same work and says the same for an unknown name, a wrong password and a disabled account', async () => {
		const account = await addPerson(database, 'viewer');
		const disabled = await addPerson(database, 'viewer');
		await setDisabled(database.db, disabled.id, true);
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
			expect(refusal).toMatchObject({ code: 'wrong-credentials' });
			messages.add((refusal as Error).message);
			expect(argon2).toEqual({ verifications: 1, hashes: 0 });
		}
		expect(messages.size).toBe(1);
	});

	test('makes people wait after too many wrong passwords for one name, from wherever they come', async () => {
		const account = await addPerson(database, 'viewer');
		for (let i = 0; i < ATTEMPTS_PER_ACCOUNT; i += 1) {
			await expect(attempt(account.name, 'wrong password')).rejects.toMatchObject({
				code: 'wrong-credentials'
			});
		}
		argon2.verifications = 0;
		const refusal = await attempt(account.name, PASSWORD).catch((error: unknown) => error);
		expect(refusal).toMatchObject({ code: 'throttled' });
		const { retryAfter } = refusal as { retryAfter: number };
		expect(retryAfter).toBeGreaterThan(0);
		expect(retryAfter).toBeLessThanOrEqual(15 * 60);
		expect(argon2.verifications).toBe(0);

		// Another replica knows it too.
		const replica = await authOver({ ...database, db: await database.openAnother() });
		await expect(
			replica.signIn({
				name: account.name.toUpperCase(),
				password: PASSWORD,
				address: elsewhere(),
				userAgent: null,
				previousSessionId: null
			})
		).rejects.toMatchObject({ code: 'throttled' });

		vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + (retryAfter + 1) * 1000 });
		await expect(attempt(account.name, PASSWORD)).resolves.toMatchObject({ account });
	});

	test('counts an unknown name like a known one', async () => {
		for (let i = 0; i < ATTEMPTS_PER_ACCOUNT; i += 1) {
			await expect(attempt('ghost', 'wrong password')).rejects.toMatchObject({
				code: 'wrong-credentials'
			});
		}
		await expect(attempt('ghost', 'wrong password')).rejects.toMatchObject({ code: 'throttled' });
	});

	test('makes one address wait after too many wrong passwords for many names', async () => {
		const from = '2001:db8:1:2::1';
		const attempts = Array.from({ length: ATTEMPTS_PER_ADDRESS }, (_, i) =>
			attempt(`name-${i}`, 'wrong', from).catch((error: unknown) => error)
		);
		for (const refusal of await Promise.all(attempts)) {
			expect(refusal).toMatchObject({ code: 'wrong-credentials' });
		}
		const account = await addPerson(database, 'viewer');
		// The same network of 64 bits is the same household.
		await expect(attempt(account.name, PASSWORD, '2001:0db8:1:2:ffff::9')).rejects.toMatchObject({
			code: 'throttled'
		});
		await expect(attempt(account.name, PASSWORD, '2001:db8:1:3::1')).resolves.toBeTruthy();
	});

	test('guesses that are sent at the same moment are all counted', async () => {
		const account = await addPerson(database, 'viewer');
		const results = await Promise.all(
			Array.from({ length: ATTEMPTS_PER_ACCOUNT + 5 }, () =>
				attempt(account.name, 'wrong password').catch((error: { code: string }) => error.code)
			)
		);
		expect(results.filter((code) => code === 'throttled')).toHaveLength(5);
	});

	test('a right password clears the count of the name', async () => {
		const account = await addPerson(database, 'viewer');
		for (let round = 0; round < 3; round += 1) {
			for (let i = 0; i < ATTEMPTS_PER_ACCOUNT - 1; i += 1) {
				await attempt(account.name, 'wrong password').catch(() => undefined);
			}
			await expect(attempt(account.name, PASSWORD)).resolves.toBeTruthy();
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
		const identity = await auth.identify(withSession(here));
		const change = {
			account,
			next: 'a much better password',
			address: elsewhere(),
			keepIdHash: identity.via === 'session' ? identity.session.idHash : null
		};
		await expect(auth.changePassword({ ...change, current: 'wrong' })).rejects.toMatchObject({
			code: 'wrong-credentials',
			field: 'current'
		});
		await expect(
			auth.changePassword({ ...change, current: PASSWORD, next: 'short' })
		).rejects.toMatchObject({ code: 'password-too-short', field: 'password' });
		await auth.changePassword({ ...change, current: PASSWORD });
		expect((await auth.identify(withSession(here))).via).toBe('session');
		expect((await auth.identify(withSession(there))).via).toBe('public');
		await expect(attempt(account.name, PASSWORD)).rejects.toMatchObject({
			code: 'wrong-credentials'
		});
		await expect(attempt(account.name, change.next)).resolves.toBeTruthy();
	});
});
