import { expect, test } from 'vitest';
import {
	addAccount,
	findByName,
	listAccounts,
	setDisabled
} from '#lib/server/access/accounts/accounts.ts';
import type { Role } from '#lib/server/access/identity/roles.ts';
import { migrate } from '#lib/server/platform/database/migrate.ts';
import { allMigrations } from '#lib/server/schemaSteps.ts';
import { describeOnBothDatabases } from '../../support/database.ts';
import { PASSWORD } from '../../support/members.ts';

describeOnBothDatabases('accounts', (database) => {
	const add = (name: string, password = PASSWORD, role: Role = 'viewer') =>
		addAccount(database.db, { name, role, password });

	test('two spellings of one name are one account', async () => {
		await add('Müller');
		for (const name of ['müller', 'MÜLLER', ' Müller ', 'Mu\u0308ller']) {
			await expect(add(name)).rejects.toMatchObject({ code: 'account.name-taken', field: 'name' });
			expect(await findByName(database.db, name)).toMatchObject({ name: 'Müller' });
		}
		expect(await findByName(database.db, 'Muller')).toBeNull();
	});

	test('a name that looks like another one is taken', async () => {
		await add('lovelace');
		for (const name of ['Iovelace', '1ovelace', 'love-lace', 'Lóvelace', 'l0velace', 'love.lace']) {
			await expect(add(name)).rejects.toMatchObject({
				code: 'account.name-confusable',
				field: 'name',
				params: { other: 'lovelace' }
			});
		}
		const results = await Promise.allSettled([add('hopper'), add('h0pper'), add('hop-per')]);
		expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
	});

	test('accounts that looked alike before the upgrade stay, and the oldest keeps the look', async () => {
		const { db } = database;
		const step = '131_account_skeletons';
		await db.schema.dropIndex('accounts_by_skeleton').execute();
		await db.schema.alterTable('accounts').dropColumn('skeleton').execute();
		await db.deleteFrom('schema_migrations').where('name', '=', step).execute();
		const old = ['grace-l', 'grace-1', 'admin', 'engine'].map((name, at) => ({
			id: `old-${name}`,
			name,
			name_key: name,
			role: 'viewer' as const,
			password_hash: 'x',
			created_at: at + 1
		}));
		await db.insertInto('accounts').values(old).execute();
		await migrate(db, allMigrations);
		const rows = await db
			.selectFrom('accounts')
			.select(['name', 'skeleton'])
			.where('id', 'like', 'old-%')
			.orderBy('created_at')
			.execute();
		expect(rows).toEqual([
			{ name: 'grace-l', skeleton: 'gracel' },
			{ name: 'grace-1', skeleton: null },
			{ name: 'admin', skeleton: 'admln' },
			{ name: 'engine', skeleton: 'englne' }
		]);
		for (const { id, name } of old) {
			expect(await findByName(db, name)).toMatchObject({ id, name });
		}
		await expect(add('gráce.1')).rejects.toMatchObject({ code: 'account.name-confusable' });
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
		await expect(add(name)).rejects.toMatchObject({ code: 'account.name-invalid', field: 'name' });
	});

	test.each([
		['', 'account.password-too-short'],
		['123456789', 'account.password-too-short'],
		['😀😀😀😀😀😀😀😀😀', 'account.password-too-short'],
		['x'.repeat(257), 'account.password-too-long'],
		['Some-Body.Long', 'account.password-is-name']
	])('the password %j is refused: %s', async (password, code) => {
		await expect(add('some-body.long', password)).rejects.toMatchObject({
			code,
			field: 'password'
		});
	});

	test('a role that does not exist is refused', async () => {
		for (const role of ['root', 'visitor', '', '__proto__', 'toString']) {
			await expect(add('r', PASSWORD, role as Role)).rejects.toMatchObject({
				code: 'account.role-unknown'
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
			code: 'account.unknown'
		});
	});
});
