import { beforeAll, beforeEach, expect, test } from 'vitest';
import { notices } from '#lib/messages/notices/catalogue.ts';
import type { NoticeKind } from '#lib/messages/notices/kinds.ts';
import type { Level } from '#lib/server/access/notifications/watchesJob.ts';
import type { NoticeEvent } from '#lib/server/access/notifications/noticeEvent.ts';
import { auditNotice } from '#lib/server/access/notifications/auditNotices.ts';
import { MOST_OF_A_MEMBER } from '#lib/server/access/notifications/cleaningJob.ts';
import { createInbox } from '#lib/server/access/notifications/inbox.ts';
import { kindsOf } from '#lib/server/access/notifications/kinds.ts';
import type { Preferences } from '#lib/server/access/notifications/preferences.ts';
import type { Account } from '#lib/server/access/identity/identity.ts';
import { createWallets } from '#lib/server/access/policy/wallets/wallets.ts';
import type { Auth } from '#lib/server/access/requests/auth.ts';
import { describeOnBothDatabases, isWaiting } from '../../support/database.ts';
import { heldResult } from '../../support/heldResult.ts';
import { addPerson, authOver, sessionHashOf } from '../../support/members.ts';
import { startServer, TestClock } from './world.ts';

const MINUTE = 60_000;

describeOnBothDatabases('notices', (database) => {
	let auth: Auth;
	const clock = new TestClock();
	let server: Awaited<ReturnType<typeof startServer>>;
	let admin: Account;
	let operator: Account;

	beforeAll(async () => {
		auth = await authOver(database);
	});
	beforeEach(async () => {
		server = await startServer(database.db, auth, clock);
		admin = await addPerson(database, 'admin');
		operator = await addPerson(database, 'operator');
		// Notices for everything so far are created, so that a test sees only its own.
		await server.pass(5_000);
	});

	const codes = async ({ id }: Account): Promise<string[]> =>
		(await server.inbox.list(id, 1)).rows.map(({ message }) => message?.code ?? '');
	const ask = (account: Account, path = '/transactions'): Promise<void> =>
		auth.audit.append({
			actor: account.name,
			action: 'access.requested',
			target: account.name,
			detail: { right: 'notary', path }
		});

	test('an event is told once to those whom it concerns, although two servers look at the same time', async () => {
		const other = await startServer(await database.openAnother(), auth, clock);
		for (let n = 0; n < 5; n += 1) await ask(operator);
		clock.now += 2_000;
		await Promise.all([server.advanceDue(), other.advanceDue()]);
		await server.pass(2_000);
		await other.pass(2_000);
		expect(await codes(admin)).toEqual(Array(5).fill('access.requested'));
		expect(await server.inbox.unread(admin.id)).toBe(5);
		expect(await codes(operator)).toEqual([]);
	});

	test('a server that starts again repeats nothing, and tells what happened while it was away', async () => {
		await ask(operator);
		await server.pass(2_000);
		await ask(operator);
		const again = await startServer(database.db, auth, clock);
		await again.pass(2_000);
		expect(await codes(admin)).toHaveLength(2);
	});

	test('an event of another release is left to a server of that one, and holds up the others for minutes only', async () => {
		clock.now = Date.now();
		await server.pass(0);
		await ask(operator);
		await auth.audit.append({ actor: operator.name, action: 'of.another-release' as 'sign-in' });
		await ask(operator);
		await server.pass(2_000);
		expect(await codes(admin)).toEqual(['access.requested']);
		const { position } = await database.db
			.selectFrom('notice_jobs')
			.select('position')
			.where('id', '=', 'events')
			.executeTakeFirstOrThrow();
		const next = await database.db
			.selectFrom('audit_events')
			.select('action')
			.where('seq', '>', position)
			.orderBy('seq')
			.executeTakeFirst();
		expect(next?.action).toBe('of.another-release');
		// No server of that release is running any more.
		await server.pass(10 * 60_000);
		expect(await codes(admin)).toEqual(Array(2).fill('access.requested'));
	});

	test('a disabled member is told nothing, and who cannot see a thing hears nothing of it', async () => {
		const gone = await addPerson(database, 'admin');
		const viewer = await addPerson(database, 'viewer');
		await auth.members.disable(admin, gone.id);
		await ask(operator);
		await auth.audit.append({
			actor: operator.name,
			action: 'migration.published',
			target: 'm1',
			detail: { txid: 'ab' }
		});
		await server.pass(2_000);
		expect(await codes(gone)).toEqual([]);
		expect(await codes(viewer)).toEqual([]);
		expect(await codes(admin)).toContain('migration.published');
	});

	test('who may not use a wallet hears nothing that is for its users', async () => {
		const with_ = await addPerson(database, 'operator');
		await createWallets(database.db, auth.audit).set(null, with_.id, {
			every: false,
			daemons: ['ALPHA']
		});
		const params = { amount: '1', unit: 'ALPHA', source: 'ALPHA', destination: 'BETA' };
		const event: NoticeEvent = {
			source: 'migration:w1:approval:1',
			message: { code: 'migration.needs-approval', params },
			path: '/migrations/w1',
			to: [{ right: 'broadcast', wallet: 'ALPHA' }],
			at: clock.now
		};
		const source = { name: 'wallet-test', changes: () => Promise.resolve([event]) };
		const watching = await startServer(database.db, auth, clock, { changes: [source] });
		await watching.pass(2_000);
		await watching.pass(2_000);
		expect(await codes(with_)).toEqual(['migration.needs-approval']);
		expect(await codes(operator)).toEqual([]);
		expect(await codes(admin)).toEqual(['migration.needs-approval']);
	});

	test('nobody reads or marks the notice of another member', async () => {
		await ask(operator);
		await server.pass(2_000);
		const { rows } = await server.inbox.list(admin.id, 1);
		const { id = '' } = rows[0] ?? {};
		expect(await server.inbox.read(operator.id, id)).toBeNull();
		expect(await server.inbox.unread(admin.id)).toBe(1);
		expect(await server.inbox.read(admin.id, id)).toBe('/admin/members');
		expect(await server.inbox.unread(admin.id)).toBe(0);
		await ask(operator);
		await server.pass(2_000);
		await server.inbox.readAll(operator.id);
		expect(await server.inbox.unread(admin.id)).toBe(1);
	});

	test('a notice that arrives while all are marked as read is counted', async () => {
		await ask(operator);
		await server.pass(2_000);
		await ask(operator);
		const held = heldResult(database.db, (_rows, statement) =>
			/^select count\(\*\) as "n" from "notices"/.test(statement)
		);
		const reading = createInbox(held.db, clock.read).readAll(admin.id);
		await held.isHeld;
		const telling = server.pass(2_000);
		await Promise.race([telling, isWaiting(database, database.db)]);
		held.release();
		await Promise.all([reading, telling]);
		expect((await server.inbox.list(admin.id, 1)).rows.map(({ isRead }) => isRead)).toEqual([
			false,
			true
		]);
		expect(await server.inbox.unread(admin.id)).toBe(1);
	});

	const save = async (chosen: Parameters<Preferences['save']>[1]): Promise<void> =>
		server.preferences.save(admin, chosen, await sessionHashOf(database, auth, admin));

	test('a kind that a member does not want is not told, and the choice is theirs alone', async () => {
		await save({
			isAsked: () => true,
			has: (kind) => kind === 'audit',
			pushDetails: true
		});
		const other = await addPerson(database, 'admin');
		await ask(operator);
		await server.pass(2_000);
		expect(await codes(admin)).toEqual([]);
		expect(await codes(other)).toContain('access.requested');
		const wants = await server.preferences.of(admin.id);
		expect([wants('audit', 'bell'), wants('needs-you', 'bell')]).toEqual([true, false]);
		expect(await server.preferences.pushDetails(admin.id)).toBe(true);
	});

	test('a form that was made before a role gave more kinds says nothing of those', async () => {
		const shown = kindsOf('viewer');
		const isAsked = (kind: NoticeKind): boolean => shown.includes(kind);
		const nothing = { isAsked, has: () => false, pushDetails: false };
		await save(nothing);
		const wants = await server.preferences.of(admin.id);
		expect([wants('needs-you', 'bell'), wants('audit', 'bell')]).toEqual([false, true]);
		await ask(operator);
		await server.pass(2_000);
		expect(await codes(admin)).toEqual([]);
		await save({ ...nothing, isAsked: () => false });
		expect((await server.preferences.of(admin.id))('needs-you', 'bell')).toBe(false);
	});

	test('a daemon that is offline for a minute is told once, and once more when it is back', async () => {
		let isBad = true;
		const level = (): Level => {
			const params = { daemon: 'ALPHA', chain: 'ALPHA' };
			const common = { path: '/daemons/ALPHA', to: [{ right: 'read' }] } as const;
			return {
				key: `daemon:${admin.id}`,
				isBad,
				holdMs: MINUTE,
				bad: { ...common, message: { code: 'daemon.offline', params } },
				good: { ...common, message: { code: 'daemon.online', params } }
			};
		};
		const options = { levels: [() => Promise.resolve([level()])] };
		const watching = await startServer(database.db, auth, clock, options);
		const passMinute = async (by = watching): Promise<void> => {
			for (let n = 0; n < 7; n += 1) await by.pass(10_000);
		};
		await watching.pass(6_000);
		expect(await codes(admin)).toEqual([]);
		// A short interruption creates no notice.
		isBad = false;
		await watching.pass(6_000);
		isBad = true;
		await watching.pass(50_000);
		expect(await codes(admin)).toEqual([]);
		await passMinute();
		expect(await codes(admin)).toEqual(['daemon.offline']);
		const restarted = await startServer(await database.openAnother(), auth, clock, options);
		await passMinute(restarted);
		await passMinute();
		expect(await codes(admin)).toEqual(['daemon.offline']);
		isBad = false;
		await passMinute();
		expect(await codes(admin)).toEqual(['daemon.online', 'daemon.offline']);
	});

	test('a new admin, a first login from a browser and a freeze are told to whom they concern', async () => {
		await auth.members.setRole(admin, operator.id, 'admin');
		await auth.audit.append({
			actor: admin.name,
			action: 'sign-in',
			detail: { address: '192.0.2.7', browser: 'new' }
		});
		await auth.audit.append({
			actor: operator.name,
			action: 'switch.thrown',
			target: 'freeze',
			detail: { reason: 'keys are lost' }
		});
		await server.pass(2_000);
		expect((await codes(admin)).toSorted()).toEqual([
			'admin.added',
			'freeze.on',
			'sign-in.new-browser'
		]);
		expect(await codes(operator)).toEqual(['admin.added']);
	});

	test('whatever becomes a way into an account, or ceases to be one, is told to its member', async () => {
		const made = await auth.tokens.create(
			{ account: operator, name: 'cron', role: 'viewer' },
			operator
		);
		await auth.tokens.replace(operator, made.id, 'in-an-hour');
		const detail = { issuer: 'https://id.example', subject: 's', label: 'ada' };
		for (const action of ['identity.linked', 'identity.unlinked'] as const) {
			const target = operator.name;
			await auth.audit.append({ actor: admin.name, action, target, detail });
		}
		await server.pass(2_000);
		expect((await codes(operator)).toSorted()).toEqual([
			'identity.linked',
			'identity.unlinked',
			'token.created',
			'token.replaced'
		]);
		expect(await codes(admin)).toEqual([]);
	});

	test('approvals are told to those who may approve, and what became of one to who asked', async () => {
		const approver = await addPerson(database, 'operator');
		const event = (action: string, actor: string, detail: Record<string, unknown>) =>
			auditNotice({
				seq: 1,
				time: 1,
				actor,
				action,
				kind: 'other',
				target: 'r1',
				targetCode: null,
				place: null,
				outcome: 'done',
				request: null,
				detail,
				deniedBy: null
			});
		const asked = event('approval.requested', operator.name, { approvers: [approver.name] });
		expect(asked).toMatchObject({
			path: '/approvals/r1',
			to: [{ members: [approver.name] }],
			except: operator.name
		});
		const rejected = event('approval.rejected', approver.name, {
			author: operator.name,
			reason: 'not this week'
		});
		expect(rejected?.to).toMatchObject([{ members: [operator.name] }]);
		expect(rejected && notices.text(rejected.message)).toContain('not this week');
		const voided = event('approval.voided', 'policies', { author: operator.name });
		expect(voided?.to).toMatchObject([{ members: [operator.name] }]);
		expect(voided && notices.text(voided.message)).toContain('without a decision');
		expect(event('approval.unheard-of', admin.name, {})).toBeNull();
	});

	test('a proposed change is told to admins, what became of one to its author, and one without approval to all', async () => {
		const event = (action: string, actor: string, detail: Record<string, unknown>) =>
			auditNotice({
				seq: 1,
				time: 1,
				actor,
				action,
				kind: 'other',
				target: 'c1',
				targetCode: null,
				place: null,
				outcome: 'done',
				request: null,
				detail,
				deniedBy: null
			});
		const change = 'Role of ivo';
		const proposed = event('change.proposed', admin.name, { change });
		expect(proposed).toMatchObject({
			path: '/approvals/changes/c1',
			to: [{ right: 'admin' }],
			except: admin.name
		});
		expect(proposed && notices.text(proposed.message)).toContain(change);
		for (const [action, words] of [
			['change.carried-out', 'has taken effect'],
			['change.rejected', 'not this week'],
			['change.expired', 'without a decision'],
			['change.voided', 'without a decision']
		] as const) {
			const told = event(action, 'eve', { change, author: admin.name, reason: 'not this week' });
			expect(told?.to).toMatchObject([{ members: [admin.name] }]);
			expect(told && notices.text(told.message)).toContain(words);
		}
		const unapproved = event('change.unapproved', 'command line', { change });
		expect(unapproved?.to).toEqual([{ right: 'admin' }]);
	});

	test('who is not in the role any more in which they began a thing hears nothing of what its page refuses them', async () => {
		for (const [role, event, code] of [
			['admin', { action: 'change.voided', actor: 'engine' }, 'change.ended'],
			['operator', { action: 'series.stopped', actor: null }, 'batch.stopped']
		] as const) {
			const still = await addPerson(database, role);
			const before = await addPerson(database, role);
			await auth.members.setRole(admin, before.id, 'viewer');
			for (const { name } of [still, before]) {
				await auth.audit.append({
					action: event.action,
					actor: event.actor ?? name,
					target: 'c1',
					detail: {
						author: name,
						change: 'Role of ivo',
						chain: 'ALPHA',
						tokenid: 'ab',
						why: 'role'
					}
				});
			}
			await server.pass(2_000);
			expect(await codes(still)).toContain(code);
			expect(await codes(before)).not.toContain(code);
		}
	});

	test('of one member only so many notices are kept, and the count of unread ones is right', async () => {
		const rows = Array.from({ length: MOST_OF_A_MEMBER + 20 }, (_, n) => ({
			id: `${admin.id}-${n}`,
			account_id: admin.id,
			source: `filler:${n}`,
			kind: 'finished' as const,
			message: '{"code":"batch.done","params":{}}',
			path: '/',
			bell: 1n,
			created_at: clock.now
		}));
		for (let at = 0; at < rows.length; at += 50) {
			await database.db
				.insertInto('notices')
				.values(rows.slice(at, at + 50))
				.execute();
		}
		await server.pass(2 * MINUTE);
		expect(await server.inbox.unread(admin.id)).toBe(MOST_OF_A_MEMBER);
		const { pages } = await server.inbox.list(admin.id, 99);
		expect(pages).toBe(MOST_OF_A_MEMBER / 25);
	});
});
