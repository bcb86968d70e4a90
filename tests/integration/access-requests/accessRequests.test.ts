import { beforeAll, beforeEach, expect, test } from 'vitest';
import {
	createAccessRequests,
	type AccessRequests
} from '#lib/server/access/access-requests/accessRequests.ts';
import type { Account } from '#lib/server/access/identity/identity.ts';
import type { Auth } from '#lib/server/access/requests/auth.ts';
import { describeOnBothDatabases } from '../../support/database.ts';
import { addPerson, authOver } from '../../support/members.ts';

const DAY = 24 * 60 * 60 * 1000;
const START = Date.UTC(2026, 10, 21, 12);

describeOnBothDatabases('requests for access', (database) => {
	let auth: Auth;
	let admin: Account;
	let member: Account;
	let requests: AccessRequests;
	let elsewhere: AccessRequests;
	let now = START;

	beforeAll(async () => {
		auth = await authOver(database);
		admin = await addPerson(database, 'admin');
		const parts = { audit: auth.audit, members: auth.members, clock: () => now };
		requests = createAccessRequests({ db: database.db, ...parts });
		elsewhere = createAccessRequests({ db: await database.openAnother(), ...parts });
	});
	beforeEach(async () => {
		now = START;
		member = await addPerson(database, 'viewer');
	});

	const openOf = async ({ id }: Account) =>
		(await requests.open()).filter((request) => request.member.id === id);
	const roleOf = async ({ id }: Account) =>
		(await auth.members.list()).find((one) => one.id === id)?.role;

	test('a member asks once for a right within a day, also at two servers at once', async () => {
		const asked = await Promise.all([
			requests.ask(member, 'build', '/transactions'),
			elsewhere.ask(member, 'build', '/chains/ALPHA/tokens/new')
		]);
		expect(asked.toSorted()).toEqual(['open', 'requested']);
		expect(await requests.ask(member, 'notary', '/notary-approvals')).toBe('requested');
		expect(await openOf(member)).toHaveLength(2);
		now += DAY;
		expect(await requests.ask(member, 'build', '/transactions')).toBe('requested');
		const events = (await auth.audit.list({ actor: member.name, action: 'access.requested' })).map(
			({ detail }) => detail['right']
		);
		expect(events).toEqual(['build', 'notary', 'build']);
	});

	test('what nobody waits for any more, and what is asked day after day, hides no other request', async () => {
		const other = await addPerson(database, 'viewer');
		for (let day = 0; day < 60; day += 1) {
			for (const one of [member, other]) await requests.ask(one, 'build', '/transactions');
			now += DAY;
		}
		await auth.members.setRole(admin, other.id, 'operator');
		const late = await addPerson(database, 'viewer');
		await requests.ask(late, 'notary', '/notary-approvals');
		expect(await openOf(late)).toHaveLength(1);
		expect(await openOf(other)).toEqual([]);
		const [asked, ...again] = await openOf(member);
		expect(again).toEqual([]);
		expect(await requests.dismiss(admin, asked!.id)).toBe(true);
		expect(await openOf(member)).toEqual([]);
	});

	test('a grant gives the least role that has the right, once, on record', async () => {
		await requests.ask(member, 'broadcast', '/migrations/new');
		const [request] = await openOf(member);
		expect(request).toMatchObject({
			right: 'broadcast',
			path: '/migrations/new',
			role: 'operator'
		});
		const granted = await Promise.all([
			requests.grant(admin, request!.id, 'operator'),
			elsewhere.grant(admin, request!.id, 'operator')
		]);
		expect(granted.filter(({ done }) => done)).toHaveLength(1);
		expect(await roleOf(member)).toBe('operator');
		expect(await openOf(member)).toEqual([]);
		expect(await requests.of(member.id)).toMatchObject([
			{ right: 'broadcast', outcome: 'granted' }
		]);
		expect(await auth.audit.list({ action: 'access.granted', limit: 1 })).toMatchObject([
			{ actor: admin.name, target: member.name, detail: { right: 'broadcast', role: 'operator' } }
		]);
	});

	test('a grant takes nothing away: who signs as an operator and asks to approve becomes an admin', async () => {
		const operator = await addPerson(database, 'operator');
		await requests.ask(operator, 'notary', '/notary-approvals');
		expect(await openOf(operator)).toMatchObject([{ role: 'admin' }]);
		await requests.ask(member, 'notary', '/notary-approvals');
		expect(await openOf(member)).toMatchObject([{ role: 'notary' }]);
	});

	test('a grant gives no other role than the page has said, whatever role was given meanwhile', async () => {
		await requests.ask(member, 'activate', '/kdf');
		const [request] = await openOf(member);
		expect(request).toMatchObject({ role: 'operator' });
		await auth.members.setRole(admin, member.id, 'notary');
		await expect(requests.grant(admin, request!.id, 'operator')).rejects.toMatchObject({
			code: 'account.role-moved'
		});
		expect(await roleOf(member)).toBe('notary');
		expect(await openOf(member)).toMatchObject([{ role: 'admin' }]);
		expect(await requests.grant(admin, request!.id, 'admin')).toMatchObject({ done: true });
		expect(await roleOf(member)).toBe('admin');
		await auth.members.setRole(admin, member.id, 'viewer');
	});

	test('a dismissed request changes no role and stays dismissed', async () => {
		await requests.ask(member, 'admin', '/admin/audit');
		const [request] = await openOf(member);
		expect(await requests.dismiss(admin, request!.id)).toBe(true);
		expect(await requests.dismiss(admin, request!.id)).toBe(false);
		expect(await requests.grant(admin, request!.id, 'admin')).toMatchObject({ done: false });
		expect(await roleOf(member)).toBe('viewer');
		expect(await auth.audit.list({ action: 'access.dismissed', limit: 1 })).toMatchObject([
			{ actor: admin.name, target: member.name, detail: { right: 'admin', path: '/admin/audit' } }
		]);
	});

	test('a member who asks again on the same day learns what became of the request', async () => {
		await requests.ask(member, 'admin', '/admin/audit');
		const [first] = await openOf(member);
		await requests.dismiss(admin, first!.id);
		expect(await requests.ask(member, 'admin', '/admin/audit')).toBe('dismissed');
		expect(await openOf(member)).toEqual([]);
		await requests.ask(member, 'build', '/transactions');
		const [second] = await openOf(member);
		await requests.grant(admin, second!.id, second!.role);
		expect(await requests.ask(member, 'build', '/transactions')).toBe('granted');
		now += DAY;
		expect(await requests.ask(member, 'admin', '/admin/audit')).toBe('requested');
	});

	test('nobody waits who has the right by now, or may not log in any more', async () => {
		await requests.ask(member, 'build', '/transactions');
		await auth.members.setRole(admin, member.id, 'operator');
		expect(await openOf(member)).toEqual([]);
		const gone = await addPerson(database, 'viewer');
		await requests.ask(gone, 'build', '/transactions');
		await auth.members.disable(admin, gone.id);
		expect(await openOf(gone)).toEqual([]);
	});
});
