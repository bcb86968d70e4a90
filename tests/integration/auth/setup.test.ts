import { afterEach, expect, test, vi } from 'vitest';
import { listAccounts } from '#lib/server/access/accounts/accounts.ts';
import { LINK_LIFETIME } from '#lib/server/access/accounts/setup.ts';
import type { Auth } from '#lib/server/access/requests/auth.ts';
import { describeOnBothDatabases, type TestDatabase } from '../../support/database.ts';
import { addPerson, authOver, PASSWORD } from '../../support/members.ts';

const first = { name: 'founder', password: PASSWORD };
const unusable = { code: 'account.link-unusable' };

/** Restores the state before the first account. */
async function withoutAccounts(database: TestDatabase): Promise<Auth> {
	await database.db.deleteFrom('setup_links').execute();
	await database.db.deleteFrom('accounts').execute();
	return authOver(database);
}

async function linkOf(auth: Auth): Promise<string> {
	const token = await auth.setup.createLink();
	if (token === null) throw new Error('There is an account already.');
	return token;
}

describeOnBothDatabases('the first account', (database) => {
	afterEach(() => {
		vi.useRealTimers();
	});

	test('comes from a link that works once', async () => {
		const auth = await withoutAccounts(database);
		const token = await linkOf(auth);
		expect(await auth.setup.isUsable(token)).toBe(true);
		expect(await auth.setup.use(token, first)).toMatchObject({ name: 'founder', role: 'admin' });
		expect(await auth.setup.isUsable(token)).toBe(false);
		await expect(auth.setup.use(token, { ...first, name: 'second' })).rejects.toMatchObject(
			unusable
		);
		// Also when the first account was deleted.
		await database.db.deleteFrom('accounts').execute();
		await expect(auth.setup.use(token, { ...first, name: 'third' })).rejects.toMatchObject(
			unusable
		);
	});

	test('is made once when the link is used twice at the same moment', async () => {
		const auth = await withoutAccounts(database);
		const replica = await authOver({ ...database, db: await database.openAnother() });
		const token = await linkOf(auth);
		const results = await Promise.allSettled([
			auth.setup.use(token, { ...first, name: 'one' }),
			replica.setup.use(token, { ...first, name: 'two' }),
			auth.setup.use(token, { ...first, name: 'three' })
		]);
		expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
		expect(await listAccounts(database.db)).toHaveLength(1);
	});

	test('a wrong name or password does not use the link up', async () => {
		const auth = await withoutAccounts(database);
		const token = await linkOf(auth);
		await expect(auth.setup.use(token, { ...first, password: 'short' })).rejects.toMatchObject({
			code: 'account.password-too-short'
		});
		await expect(auth.setup.use(token, { ...first, name: 'a:b' })).rejects.toMatchObject({
			code: 'account.name-invalid'
		});
		await expect(auth.setup.use(token, first)).resolves.toMatchObject({ name: 'founder' });
	});

	test('does not come from an old, a made-up or a stored token', async () => {
		const auth = await withoutAccounts(database);
		const token = await linkOf(auth);
		const rows = await database.db.selectFrom('setup_links').selectAll().execute();
		for (const wrong of ['', 'x', token.slice(1), `${token} `, rows[0]?.token_hash ?? '']) {
			expect(await auth.setup.isUsable(wrong)).toBe(false);
			await expect(auth.setup.use(wrong, first)).rejects.toMatchObject(unusable);
		}
		expect(JSON.stringify(rows.map((row) => row.token_hash))).not.toContain(token);
		vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + LINK_LIFETIME + 1 });
		expect(await auth.setup.isUsable(token)).toBe(false);
		await expect(auth.setup.use(token, first)).rejects.toMatchObject(unusable);
	});

	test('once it is there no link is made, and an open one is dead', async () => {
		const auth = await withoutAccounts(database);
		const token = await linkOf(auth);
		await addPerson(database, 'viewer');
		expect(await auth.setup.createLink()).toBeNull();
		expect(await auth.setup.isUsable(token)).toBe(false);
		await expect(auth.setup.use(token, first)).rejects.toMatchObject(unusable);
	});

	test('comes from the configuration while there is none, and leaves a changed password alone', async () => {
		const auth = await withoutAccounts(database);
		const configured = { name: 'root', password: PASSWORD };
		expect(await auth.setup.ensureFirstAccount(configured)).toMatchObject({
			name: 'root',
			role: 'admin'
		});
		expect(
			await auth.setup.ensureFirstAccount({ ...configured, password: 'another long password' })
		).toBeNull();
		await expect(
			auth.signIn({
				...configured,
				address: '192.0.2.1',
				userAgent: null,
				device: null,
				previousSessionId: null
			})
		).resolves.toBeTruthy();
	});

	test('from the configuration needs a good password as well', async () => {
		const auth = await withoutAccounts(database);
		await expect(
			auth.setup.ensureFirstAccount({ name: 'root', password: 'admin' })
		).rejects.toMatchObject({ code: 'account.password-too-short' });
	});
});
