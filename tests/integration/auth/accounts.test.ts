import { expect, test } from 'vitest';
import { addAccount, findByName, listAccounts, setDisabled } from '#lib/server/auth/accounts.ts';
import type { Role } from '#lib/server/auth/roles.ts';
import { describeOnBothDatabases } from '../../support/database.ts';
import { PASSWORD } from '../../support/people.ts';

describeOnBothDatabases('accounts', (database) => {
	const add = (name: string, password = PASSWORD, role: Role = 'viewer') =>
		addAccount(database.db, { name, role, password });

	test('two spellings of one name are one account', async () => {
		await add('Müller');
		for (const name of ['müller', 'MÜLLER', ' Müller ', 'Mu\u0308ller']) {
			await expect(add(name)).rejects.toMatchObject({ code: 'name-taken', field: 'name' });
			expect(await findByName(database.db, name)).toMatchObject({ name: 'Müller' });
		}
		expect(await findByName(database.db, 'Muller')).toBeNull();
	});

	test('one of two that come at once gets the name', async () => {
		const results = await Promise.allSettled([add('twin'), add('Twin'), add('TWIN')]);
		expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
	});

	test.each([
		'',
		' ',
		'Engine',
		'visitor',
		'a b',
		'a:b',
		'-a',
		'.a',
		'a/b',
		'a\nb',
		'<b>',
		'x'.repeat(65),
		'\u202ea'
	])('the name %j is refused', async (name) => {
		await expect(add(name)).rejects.toMatchObject({ code: 'name-invalid', field: 'name' });
	});

	test.each([
		['', 'password-too-short'],
		['123456789', 'password-too-short'],
		['😀😀😀😀😀😀😀😀😀', 'password-too-short'],
		['x'.repeat(257), 'password-too-long'],
		['Some-Body.Long', 'password-is-name']
	])('the password %j is refused: %s', async (password, code) => {
		await expect(add('some-body.long', password)).rejects.toMatchObject({
			code,
			field: 'password'
		});
	});

	test('a role that does not exist is refused', async () => {
		for (const role of ['root', 'visitor', '', '__proto__', 'toString']) {
			await expect(add('r', PASSWORD, role as Role)).rejects.toMatchObject({
				code: 'role-invalid'
			});
		}
	});

	test('the list has no password hashes, and says who is disabled', async () => {
		const { id } = await add('leaver');
		await setDisabled(database.db, id, true);
		const listed = await listAccounts(database.db);
		expect(JSON.stringify(listed)).not.toContain('argon2');
		expect(listed.find(({ name }) => name === 'leaver')?.disabledAt).toBeGreaterThan(0);
		await expect(setDisabled(database.db, 'nobody', true)).rejects.toMatchObject({
			code: 'account-unknown'
		});
	});
});
