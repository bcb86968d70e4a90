import { beforeAll, expect, test } from 'vitest';
import type { Account } from '#lib/server/access/identity/identity.ts';
import type { Auth } from '#lib/server/access/requests/auth.ts';
import { readSection, shownSection } from '#lib/server/access/security-settings/form.ts';
import { createSecuritySettings } from '#lib/server/access/accounts/securitySettings.ts';
import { differenceSentence } from '#lib/messages/auditLog.ts';
import { describeOnBothDatabases } from '../../support/database.ts';
import { addPerson, authOver } from '../../support/members.ts';

describeOnBothDatabases('security settings', (database) => {
	let auth: Auth;
	let admin: Account;
	beforeAll(async () => {
		auth = await authOver(database);
		admin = await addPerson(database, 'admin');
	});

	test('hold on every server from the change on, which is on record; what is so already is no change', async () => {
		const elsewhere = createSecuritySettings(await database.openAnother(), auth.audit);
		expect(await elsewhere.values()).toMatchObject({
			'factor-admin': 'optional',
			'factor-tokens': 'refused'
		});
		const wanted = { 'factor-admin': 'required', 'factor-viewer': 'optional' } as const;
		expect(await auth.settings.change(admin, wanted)).toMatchObject({ done: 1 });
		expect(await auth.settings.change(admin, wanted)).toMatchObject({ done: 0 });
		expect(await elsewhere.values()).toMatchObject(wanted);
		const events = await auth.audit.list({ action: 'security.changed' });
		expect(events).toMatchObject([
			{
				actor: admin.name,
				kind: 'settings',
				target: 'factor-admin',
				detail: { from: 'optional', to: 'required' }
			}
		]);
	});

	test('that another admin changed since the form was made stay as they are by now', async () => {
		const page = shownSection('second-factor', await auth.settings.values());
		const form = new FormData();
		for (const { name, shownField, value } of page) {
			form.append(shownField, value);
			form.append(name, name === 'factor-tokens' ? 'accepted' : value);
		}
		await auth.settings.change(admin, { 'factor-operator': 'required' });
		const { wanted, errors } = readSection('second-factor', form);
		expect(errors).toEqual({});
		await auth.settings.change(admin, wanted);
		expect(await auth.settings.values()).toMatchObject({
			'factor-operator': 'required',
			'factor-tokens': 'accepted'
		});
		await auth.settings.change(admin, { 'factor-tokens': 'refused' });
	});

	test('that were written by hand differ from the log, and what cannot be read is the strictest', async () => {
		const { db } = database;
		await auth.settings.change(admin, { 'factor-operator': 'optional' });
		await db
			.insertInto('security_settings')
			.values({ name: 'factor-notary', value: 'never', changed_by: 'nobody', changed_at: 1 })
			.execute();
		expect(await auth.settings.values()).toMatchObject({ 'factor-notary': 'required' });
		const found = (await auth.audit.recorded.differences()).map(differenceSentence);
		expect(found).toEqual([
			expect.stringMatching(/security setting factor-notary was added outside/)
		]);
		await db.deleteFrom('security_settings').where('name', '=', 'factor-notary').execute();
	});
});
