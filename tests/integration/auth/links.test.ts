import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { listAccounts, setDisabled } from '#lib/server/access/accounts/accounts.ts';
import { INVITATION_LIFETIME } from '#lib/server/access/accounts/links/invite.ts';
import { RESET_LIFETIME } from '#lib/server/access/accounts/links/reset.ts';
import type { Account } from '#lib/server/access/identity/identity.ts';
import type { Auth } from '#lib/server/access/requests/auth.ts';
import type { Db } from '#lib/server/database.ts';
import { codeOf } from '../../support/codeOf.ts';
import { describeOnBothDatabases, isWaiting } from '../../support/database.ts';
import {
	addPerson,
	authOver,
	identified,
	PASSWORD,
	signInAs,
	withSession
} from '../../support/members.ts';
import { QueryRecorder } from '../../support/queryRecorder.ts';

const unusable = { code: 'account.link-unusable' };
const NEW = 'another quite long password';

describeOnBothDatabases('one-time links', (database) => {
	let auth: Auth;
	let replica: Auth;
	let admin: Account;
	beforeAll(async () => {
		auth = await authOver(database);
		replica = await authOver({ ...database, db: await database.openAnother() });
		admin = await addPerson(database, 'admin', 'root');
	});
	afterEach(() => {
		vi.useRealTimers();
	});
	const later = (ms: number): void => {
		vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + ms });
	};

	describe('an invitation', () => {
		test('makes one account of its role, once', async () => {
			const { token } = await auth.links.invite(admin, { role: 'notary' });
			expect(await auth.links.look(token)).toMatchObject({ kind: 'invitation', role: 'notary' });
			const made = await auth.links.accept(token, { name: 'Nora', password: PASSWORD });
			expect(made).toMatchObject({ name: 'Nora', role: 'notary' });
			expect(await auth.links.look(token)).toBeNull();
			await expect(
				auth.links.accept(token, { name: 'Second', password: PASSWORD })
			).rejects.toMatchObject(unusable);
			expect((await auth.audit.list({ action: 'account.added', limit: 1 }))[0]).toMatchObject({
				actor: 'Nora',
				detail: { role: 'notary', by: 'invitation' }
			});
		});

		test('makes one account when it is used twice at the same moment', async () => {
			const { token } = await auth.links.invite(admin, { role: 'viewer' });
			const results = await Promise.allSettled(
				[auth, replica, auth].map(({ links }, n) =>
					links.accept(token, { name: `twin-${n}`, password: PASSWORD })
				)
			);
			expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
			const twins = (await listAccounts(database.db)).filter(({ name }) =>
				name.startsWith('twin-')
			);
			expect(twins).toHaveLength(1);
		});

		test('for a name keeps that name, whatever is typed', async () => {
			const { token } = await auth.links.invite(admin, { role: 'viewer', name: 'Otto' });
			expect(await auth.links.accept(token, { name: 'root2', password: PASSWORD })).toMatchObject({
				name: 'Otto'
			});
			await expect(
				auth.links.invite(admin, { role: 'viewer', name: 'OTTO' })
			).rejects.toMatchObject({
				code: 'account.name-taken',
				field: 'name'
			});
		});

		test('stays when name or password are refused', async () => {
			const { token } = await auth.links.invite(admin, { role: 'viewer' });
			const tries = [
				[{ name: 'a:b', password: PASSWORD }, 'account.name-invalid'],
				[{ name: 'root', password: PASSWORD }, 'account.name-taken'],
				[{ name: 'Wim', password: 'short' }, 'account.password-too-short']
			] as const;
			for (const [person, code] of tries) {
				await expect(auth.links.accept(token, person)).rejects.toMatchObject({ code });
			}
			await expect(
				auth.links.accept(token, { name: 'Wim', password: PASSWORD })
			).resolves.toMatchObject({ name: 'Wim' });
		});

		test('ends with its time, when it is taken back, and with its maker’s rights', async () => {
			const old = await auth.links.invite(admin, { role: 'viewer' });
			const back = await auth.links.invite(admin, { role: 'viewer' });
			expect(await auth.links.revoke(admin, back.id)).toBe(true);
			expect(await auth.links.revoke(admin, back.id)).toBe(false);
			const deputy = await addPerson(database, 'admin');
			const orphan = await auth.links.invite(deputy, { role: 'admin' });
			await auth.members.setRole(admin, deputy.id, 'viewer');
			for (const token of [back.token, orphan.token]) {
				expect(await auth.links.look(token)).toBeNull();
				await expect(
					auth.links.accept(token, { name: 'Late', password: PASSWORD })
				).rejects.toMatchObject(unusable);
			}
			const works = new Map(
				(await auth.links.openInvitations()).map((open) => [open.id, open.works])
			);
			expect([old.id, back.id, orphan.id].map((id) => works.get(id))).toEqual([
				true,
				undefined,
				false
			]);
			later(INVITATION_LIFETIME + 1);
			await expect(
				auth.links.accept(old.token, { name: 'Late', password: PASSWORD })
			).rejects.toMatchObject(unusable);
			expect(await auth.links.openInvitations()).toEqual([]);
		});

		test('is listed with as many questions to the database, however many there are', async () => {
			const recorder = new QueryRecorder();
			const db = database.db.withPlugin(recorder) as Db;
			const { links } = await authOver({ ...database, db });
			const asked = async (): Promise<number> => {
				recorder.queries.length = 0;
				await links.openInvitations();
				return recorder.queries.length;
			};
			await auth.links.invite(admin, { role: 'viewer' });
			const few = await asked();
			for (let n = 0; n < 5; n += 1) await auth.links.invite(admin, { role: 'operator' });
			expect(await asked()).toBeLessThanOrEqual(few);
		});

		test('is no reset, and a made-up or stored text is no link', async () => {
			const { token } = await auth.links.invite(admin, { role: 'viewer' });
			await expect(auth.links.setPassword(token, NEW)).rejects.toMatchObject(unusable);
			const rows = await database.db.selectFrom('account_links').selectAll().execute();
			expect(JSON.stringify(rows, (_, value: unknown) => String(value))).not.toContain(token);
			for (const wrong of ['', 'x', `${token} `, token.slice(1), rows[0]?.token_hash ?? '']) {
				expect(await auth.links.look(wrong)).toBeNull();
			}
		});
	});

	describe('an invitation whose maker is disabled at the same moment', () => {
		test('makes no account behind that', async () => {
			const deputy = await addPerson(database, 'admin');
			const { token } = await auth.links.invite(deputy, { role: 'admin' });
			let accepting: Promise<string> | undefined;
			await database.db.transaction().execute(async (trx) => {
				await auth.audit.lock(trx);
				accepting = codeOf(
					replica.links
						.accept(token, { name: 'Mallory', password: PASSWORD })
						.then(({ name }) => name)
				);
				await isWaiting(database, trx);
				await setDisabled(trx, deputy.id, true);
				await auth.audit.append({ actor: 'root', action: 'account.disabled' }, trx);
			});
			expect(await accepting).toBe('account.link-unusable');
		});
	});

	describe('a reset', () => {
		test('gives the account a new password once, and ends its sessions', async () => {
			const person = await addPerson(database, 'operator');
			const session = await signInAs(auth, person);
			const { token } = await auth.links.reset(admin, person.id);
			expect(await auth.links.look(token)).toMatchObject({ kind: 'reset', name: person.name });
			expect((await identified(auth, withSession(session))).via).toBe('session');
			await auth.links.setPassword(token, NEW);
			expect((await identified(auth, withSession(session))).via).toBe('public');
			await expect(signInAs(auth, person, { address: '192.0.2.7' })).rejects.toMatchObject({
				code: 'account.wrong-credentials'
			});
			await expect(signInAs(auth, person, { password: NEW })).resolves.toBeTypeOf('string');
			await expect(auth.links.setPassword(token, PASSWORD)).rejects.toMatchObject(unusable);
		});

		test('stays when the password is refused, and ends with the next reset and with its time', async () => {
			const person = await addPerson(database, 'operator');
			const first = await auth.links.reset(null, person.id);
			await expect(auth.links.setPassword(first.token, person.name)).rejects.toMatchObject({
				field: 'password'
			});
			const second = await auth.links.reset(null, person.id);
			await expect(auth.links.setPassword(first.token, NEW)).rejects.toMatchObject(unusable);
			later(RESET_LIFETIME + 1);
			await expect(auth.links.setPassword(second.token, NEW)).rejects.toMatchObject(unusable);
		});

		test('is not for a disabled account, also when it was made before', async () => {
			const person = await addPerson(database, 'operator');
			const { token } = await auth.links.reset(admin, person.id);
			await auth.members.disable(admin, person.id);
			await expect(auth.links.setPassword(token, NEW)).rejects.toMatchObject(unusable);
			await expect(auth.links.reset(admin, person.id)).rejects.toMatchObject({
				code: 'account.disabled'
			});
			await expect(auth.links.reset(admin, 'nobody')).rejects.toMatchObject({
				code: 'account.unknown'
			});
		});

		test('is in the audit log without what opens the account', async () => {
			const person = await addPerson(database, 'operator');
			const { token } = await auth.links.reset(null, person.id);
			await auth.links.setPassword(token, NEW);
			const rows = await auth.audit.list({ limit: 2 });
			expect(rows.map(({ action, actor }) => `${actor} ${action}`)).toEqual([
				`${person.name} password.reset`,
				'command line password.reset-made'
			]);
			expect(JSON.stringify(rows)).not.toContain(token);
			expect(JSON.stringify(rows)).not.toContain(NEW);
		});
	});
});
