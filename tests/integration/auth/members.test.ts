import { beforeAll, expect, test } from 'vitest';
import { setDisabled, setRole } from '#lib/server/access/accounts/accounts.ts';
import { createAccessRequests } from '#lib/server/access/access-requests/accessRequests.ts';
import { createAdminRecord } from '#lib/server/access/identity/formerAdmin.ts';
import type { Account } from '#lib/server/access/identity/identity.ts';
import { createSafetyControls } from '#lib/server/access/policy/safety-controls/safetyControls.ts';
import type { Auth } from '#lib/server/access/requests/auth.ts';
import { codeOf } from '../../support/codeOf.ts';
import { describeOnBothDatabases } from '../../support/database.ts';
import {
	addPerson,
	authOver,
	identified,
	signInAs,
	withSession,
	withToken
} from '../../support/members.ts';

describeOnBothDatabases('people', (database) => {
	let auth: Auth;
	let replica: Auth;
	let admin: Account;
	beforeAll(async () => {
		auth = await authOver(database);
		replica = await authOver({ ...database, db: await database.openAnother() });
		admin = await addPerson(database, 'admin', 'root');
	});
	const lastAdmin = { code: 'account.last-admin' };

	test('a new role counts in a session that is open', async () => {
		const person = await addPerson(database, 'viewer');
		const session = await signInAs(auth, person);
		const role = async (): Promise<string> => (await identified(auth, withSession(session))).role;
		expect(await role()).toBe('viewer');
		await auth.members.setRole(admin, person.id, 'operator');
		expect(await role()).toBe('operator');
		await auth.members.setRole(admin, person.id, 'viewer');
		expect(await role()).toBe('viewer');
		expect((await auth.audit.list({ limit: 1 }))[0]).toMatchObject({
			actor: 'root',
			action: 'account.role-changed',
			target: person.name,
			detail: { from: 'operator', to: 'viewer' }
		});
		await expect(auth.members.setRole(admin, person.id, 'king' as never)).rejects.toMatchObject({
			code: 'account.role-unknown'
		});
		await expect(auth.members.setRole(admin, 'nobody', 'viewer')).rejects.toMatchObject({
			code: 'account.unknown'
		});
	});

	test('who is disabled is out at once, with every token, also after being enabled again', async () => {
		const person = await addPerson(database, 'operator');
		const session = await signInAs(auth, person);
		const { token } = await auth.tokens.create(
			{ account: person, name: 't', role: 'viewer' },
			person
		);
		await auth.members.disable(admin, person.id);
		expect((await identified(auth, withSession(session))).via).toBe('public');
		await expect(identified(auth, withToken(token))).rejects.toMatchObject({
			code: 'account.token-invalid'
		});
		await expect(signInAs(auth, person, { address: '192.0.2.9' })).rejects.toMatchObject({
			code: 'account.wrong-credentials'
		});
		await auth.members.enable(admin, person.id);
		expect((await identified(auth, withSession(session))).via).toBe('public');
		await expect(identified(auth, withToken(token))).rejects.toMatchObject({
			code: 'account.token-invalid'
		});
		expect(await auth.tokens.list(person.id)).toEqual([]);
	});

	test('the last admin stays one', async () => {
		await expect(auth.members.setRole(admin, admin.id, 'viewer')).rejects.toMatchObject(lastAdmin);
		await expect(auth.members.disable(null, admin.id)).rejects.toMatchObject(lastAdmin);
		// An admin who cannot log in does not count as the last admin.
		const other = await addPerson(database, 'admin');
		await auth.members.disable(admin, other.id);
		await expect(auth.members.disable(admin, admin.id)).rejects.toMatchObject(lastAdmin);
		await auth.members.setRole(admin, other.id, 'viewer');
	});

	test('two admins cannot remove each other at the same moment', async () => {
		const other = await addPerson(database, 'admin');
		const results = await Promise.allSettled([
			auth.members.setRole(admin, other.id, 'viewer'),
			replica.members.setRole(other, admin.id, 'viewer')
		]);
		expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
		const admins = (await auth.members.list()).filter(({ role }) => role === 'admin');
		expect(admins).toHaveLength(1);
		const [left] = admins;
		const back = left?.id === admin.id ? other : admin;
		await auth.members.setRole(left ?? null, back.id, 'admin');
	});

	test('an admin who is disabled or demoted changes nothing any more, also by what waited for its turn', async () => {
		const person = await addPerson(database, 'viewer');
		const record = createAdminRecord(database.db, auth.audit);
		const invited = await auth.links.invite(admin, { role: 'viewer' });
		const { audit, members } = replica;
		const requests = createAccessRequests({ db: database.db, audit, members });
		await requests.ask(person, 'build', '/transactions');
		const [asked] = await requests.open();
		const controls = createSafetyControls(database.db, audit);
		const linked = { issuer: 'https://login.example', subject: 'person' };
		const { signOn } = await authOver(database, {
			signOn: {
				config: {
					issuer: linked.issuer,
					clientId: 'komodeck',
					clientSecret: null,
					scopes: 'openid',
					roleClaim: null,
					roles: [],
					accounts: 'invitation',
					label: null,
					domains: []
				},
				origin: 'https://komodeck.example',
				privateServers: []
			}
		});
		const changes: Readonly<Record<string, (eve: Account) => Promise<unknown>>> = {
			'a role': (eve) => replica.members.setRole(eve, person.id, 'admin'),
			'an invitation': (eve) => replica.links.invite(eve, { role: 'admin' }),
			'a setting': (eve) => replica.settings.change(eve, { 'session-idle-hours': 9 }),
			'another account': (eve) => replica.members.disable(eve, person.id),
			'an order for the index': (eve) =>
				record(eve, { actor: eve.name, action: 'index.paused', target: 'ALPHA' }),
			'an invitation that is taken back': (eve) => replica.links.revoke(eve, invited.id),
			'a request for access': (eve) => requests.dismiss(eve, asked!.id),
			'a link to single sign-on': (eve) => signOn!.unlinkOf(eve, person, linked),
			'a safety control': (eve) => controls.turnOn('freeze', 'a reason', eve)
		};
		for (const [what, change] of Object.entries(changes)) {
			for (const isDisabled of [true, false]) {
				const eve = await addPerson(database, 'admin');
				let changing: Promise<string> | undefined;
				await database.db.transaction().execute(async (trx) => {
					await auth.audit.lock(trx);
					changing = codeOf(change(eve));
					if (isDisabled) await setDisabled(trx, eve.id, true);
					else await setRole(trx, eve.id, 'operator');
					await auth.audit.append({ actor: 'a test', action: 'account.disabled' }, trx);
				});
				expect(await changing, what).toBe('account.not-admin');
			}
		}
		expect((await auth.members.list()).find(({ id }) => id === person.id)).toMatchObject({
			role: 'viewer',
			disabledAt: null
		});
	});

	test('are listed without sessions that a shorter limit has ended, as on their own page', async () => {
		const person = await addPerson(database, 'viewer');
		await signInAs(auth, person);
		await database.db
			.updateTable('sessions')
			.set({ last_seen_at: Date.now() - 2 * 3_600_000 })
			.where('account_id', '=', person.id)
			.execute();
		const listed = async () => (await auth.members.list()).find((one) => one.id === person.id);
		expect(await listed()).toMatchObject({ sessions: 1 });
		await auth.settings.change(admin, { 'session-idle-hours': 1 });
		expect(await auth.sessions.list(person.id)).toEqual([]);
		expect(await listed()).toMatchObject({ sessions: 0, lastSeenAt: null });
		await auth.settings.change(admin, { 'session-idle-hours': 12 });
	});

	test('are listed with what they have open, which an admin can end', async () => {
		const person = await addPerson(database, 'viewer');
		await signInAs(auth, person);
		await signInAs(auth, person);
		const { id } = await auth.tokens.create({ account: person, name: 't', role: 'viewer' }, person);
		const listed = async () => (await auth.members.list()).find((one) => one.id === person.id);
		expect(await listed()).toMatchObject({ sessions: 2, tokens: 1, disabledAt: null });
		await auth.members.endSessions(admin, person.id);
		expect(await auth.tokens.revoke(person.id, id, admin)).toBe(true);
		expect(await auth.tokens.revoke(person.id, id, admin)).toBe(false);
		expect(await auth.tokens.revoke(admin.id, id, admin)).toBe(false);
		expect(await listed()).toMatchObject({ sessions: 0, tokens: 0, lastSeenAt: null });
	});
});
