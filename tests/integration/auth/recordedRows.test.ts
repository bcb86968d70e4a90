import { hashPassword } from '#lib/server/access/accounts/password.ts';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { createBearer } from '#lib/server/access/credentials/bearer.ts';
import { closeRestored } from '#lib/server/access/restore/closeRestored.ts';
import { differenceSentence } from '#lib/messages/auditLog.ts';
import { createApprovalRequester } from '#lib/server/access/approvals/approvalRequester.ts';
import { createOpenRequests } from '#lib/server/access/approvals/open.ts';
import { createLimits } from '#lib/server/access/policy/limits/limits.ts';
import { createPolicies } from '#lib/server/access/policy/rules/policies.ts';
import { createSafetyControls } from '#lib/server/access/policy/safety-controls/safetyControls.ts';
import { createWallets } from '#lib/server/access/policy/wallets/wallets.ts';
import type { Auth } from '#lib/server/access/requests/auth.ts';
import { factorsOf } from '#lib/server/access/second-factors/factorRows.ts';
import { enqueue } from '#lib/server/access/notifications/queue.ts';
import { restoreBackup } from '#lib/server/backups.ts';
import { writeBackup } from '#lib/server/platform/backup/write.ts';
import { openAsIs, openDatabase, type Db } from '#lib/server/database.ts';
import { openRecord } from '#lib/server/platform/audit-trail/record.ts';
import { sha256Hex } from '#lib/server/platform/secrets/digest.ts';
import { describeOnBothDatabases } from '../../support/database.ts';
import {
	addPerson,
	authOver,
	identified,
	PASSWORD,
	signInAs,
	withSession,
	withToken
} from '../../support/members.ts';
import { tamper } from '../audit/support.ts';
import { addApp, codeAt } from '../second-factors/support.ts';
import { askedBytes, ruleOf } from '../../support/ruledRights.ts';

const folder = mkdtempSync(join(tmpdir(), 'komodeck-recorded-'));
const OPERATOR = { role: 'operator', enabled: true } as const;

afterAll(() => rmSync(folder, { recursive: true }));

const differing = async ({ audit }: Auth): Promise<string[]> =>
	(await audit.recorded.differences()).map(differenceSentence);

describeOnBothDatabases('rows that give rights', (database) => {
	test('of an account are confirmed as they were shown, and not as they are at the click', async () => {
		const auth = await authOver(database);
		const { db } = database;
		const ada = await addPerson(database, 'admin');
		const mallory = await addPerson(database, 'viewer');
		const write = (role: 'notary' | 'admin') =>
			db.updateTable('accounts').set({ role }).where('id', '=', mallory.id).execute();
		await write('notary');
		const seen = (await auth.members.stateOf(mallory.id)) ?? '';
		await write('admin');
		await expect(auth.members.confirm(ada, mallory.id, seen)).rejects.toMatchObject({
			code: 'account.changed-since'
		});
		expect(await differing(auth)).toHaveLength(1);
		await write('notary');
		await auth.members.confirm(ada, mallory.id, seen);
		expect(await differing(auth)).toEqual([]);
	});

	test('that were inserted, changed or deleted by hand are each named', async () => {
		const auth = await authOver(database);
		const { db } = database;
		const ada = await addPerson(database, 'admin');
		const eve = await addPerson(database, 'viewer', 'eve');
		const limits = createLimits(db, auth.audit);
		const key = { account: '*', chain: '*', kind: 'coin-send' } as const;
		await limits.set(ada, { ...key, most: { count: 3n, amount: null } });
		await createWallets(db, auth.audit).set(ada, ada.id, { every: false, daemons: ['ALPHA'] });
		const token = await auth.tokens.create({ account: eve, name: 'cron', role: 'viewer' }, eve);
		expect(await differing(auth)).toEqual([]);

		await db.updateTable('accounts').set({ role: 'admin' }).where('id', '=', eve.id).execute();
		expect(await differing(auth)).toEqual([
			'The account eve was changed outside of Komodeck: role expected viewer, found admin.'
		]);
		await expect(identified(auth, withToken(token.token))).rejects.toMatchObject({
			code: 'account.token-invalid'
		});
		await expect(signInAs(auth, eve)).rejects.toMatchObject({ code: 'account.changed-outside' });
		await auth.members.confirm(ada, eve.id);
		expect(await differing(auth)).toEqual([]);

		await db.insertInto('wallet_grants').values({ account_id: eve.id, daemon: '*' }).execute();
		await db.updateTable('spending_limits').set({ most_count: 9n }).execute();
		await db.updateTable('api_tokens').set({ account_id: ada.id }).execute();
		await db
			.updateTable('accounts')
			.set({ password_hash: await hashPassword('what only eve knows') })
			.where('id', '=', ada.id)
			.execute();
		const four = (await differing(auth)).join('\n');
		expect(four).toMatch(/wallet grant \* of eve was added/);
		expect(four).toMatch(/limit \* coin-send of everyone .*most_count expected 3, found 9/);
		expect(four).toMatch(/API token "\S+" of admin-\d+ was changed.*account_id expected/);
		expect(four).toMatch(/account admin-\d+ .*password_hash was replaced/);
		expect(await auth.audit.confirmAll('a test')).toHaveLength(4);
		expect(await differing(auth)).toEqual([]);
	});

	test('that limit fees are named, and those that were set before they were recorded are right', async () => {
		const auth = await authOver(database);
		const { db } = database;
		const limits = createLimits(db, auth.audit);
		await limits.setFeeCap(null, 'ALPHA', 5_000n);
		expect(await differing(auth)).toEqual([]);
		await db.updateTable('fee_caps').set({ most: 9_000n }).execute();
		expect(await differing(auth)).toEqual([
			expect.stringMatching(/fee limit ALPHA .*most expected 5000, found 9000/)
		]);
		await db.updateTable('fee_caps').set({ most: 5_000n }).execute();

		// Set by an earlier version, whose event describes the change but records no row.
		const detail = { from: 'none', to: '0.00007000 coins' };
		for (const [chain, target, most] of [
			['*', 'every chain', 7_000n],
			['BETA', 'BETA', 7_000n],
			['GAMMA', 'GAMMA', 8_000n]
		] as const) {
			await db.insertInto('fee_caps').values({ chain, most }).execute();
			const event = { actor: 'ada', action: 'limit.fee-changed', target, detail } as const;
			await auth.audit.append(event);
		}
		expect(await differing(auth)).toHaveLength(3);
		await auth.audit.beginRecording(() => Promise.resolve());
		expect(await differing(auth)).toEqual([expect.stringMatching(/fee limit GAMMA .*was added/)]);
		await db.deleteFrom('fee_caps').where('chain', '=', 'GAMMA').execute();
		for (const chain of ['ALPHA', 'BETA', '*']) await limits.setFeeCap(null, chain, null);
		expect(await differing(auth)).toEqual([]);
	});

	test('are named after their deletion; with the event of them, the log says that it is missing', async () => {
		const auth = await authOver(database);
		const { db } = database;
		const limits = createLimits(db, auth.audit);
		const key = { account: '*', chain: 'ALPHA', kind: 'sign' } as const;
		await limits.set(null, { ...key, most: { count: 1n, amount: null } });
		const { last } = await auth.audit.status();
		await auth.audit.append({ actor: 'a test', action: 'rpc.test' });
		await db.deleteFrom('spending_limits').where('chain', '=', 'ALPHA').execute();
		expect(await differing(auth)).toEqual([expect.stringMatching(/ALPHA sign .*was deleted/)]);
		await auth.audit.confirmAll('a test');
		expect((await auth.audit.verify()).ok).toBe(true);
		await tamper(database, (trx) =>
			trx.deleteFrom('audit_events').where('seq', '=', BigInt(last)).execute()
		);
		expect(await auth.audit.verify()).toMatchObject({ ok: false, reason: 'missing', seq: last });
	});
});

describeOnBothDatabases('recorded rows', (database) => {
	test('are still known after the events of them were dropped', async () => {
		const auth = await authOver(database);
		const eve = await addPerson(database, 'viewer');
		await auth.audit.checkpointOlderThan(Date.now() + 1000);
		expect(
			(await auth.audit.dropOlderThan(Date.now() + 1000, 'a test', null)).rows
		).toBeGreaterThan(0);
		const fresh = await authOver(database);
		expect(await differing(fresh)).toEqual([]);
		await database.db
			.updateTable('accounts')
			.set({ role: 'admin' })
			.where('id', '=', eve.id)
			.execute();
		expect(await differing(fresh)).toHaveLength(1);
		await fresh.audit.confirmAll('a test');
	});

	test('are those of the log that is there now, after another database took its place without the last events', async () => {
		const auth = await authOver(database);
		const { db } = database;
		const eve = await addPerson(database, 'viewer');
		const tip = await db.selectFrom('audit_tip').selectAll().executeTakeFirstOrThrow();
		for (const role of ['operator', 'notary'] as const)
			await auth.members.setRole(null, eve.id, role);
		expect(await differing(auth)).toEqual([]);
		await tamper(database, async (trx) => {
			await trx.deleteFrom('audit_events').where('seq', '>', tip.seq).execute();
			await trx.updateTable('audit_tip').set(tip).execute();
		});
		await db.updateTable('accounts').set({ role: 'viewer' }).where('id', '=', eve.id).execute();
		expect(await differing(auth)).toEqual([]);
		for (const role of ['operator', 'viewer', 'operator'] as const) {
			await (await authOver(database)).members.setRole(null, eve.id, role);
		}
		expect(await differing(auth)).toEqual([]);
	});

	test('are known as before where the last event of one was removed from the log', async () => {
		const auth = await authOver(database);
		const { db } = database;
		const eve = await addPerson(database, 'admin');
		await auth.members.setRole(null, eve.id, 'viewer');
		expect(await differing(auth)).toEqual([]);
		const { last } = await auth.audit.status();
		await tamper(database, (trx) =>
			trx.deleteFrom('audit_events').where('seq', '=', BigInt(last)).execute()
		);
		await db.updateTable('accounts').set({ role: 'admin' }).where('id', '=', eve.id).execute();
		expect(await differing(auth)).toHaveLength(1);
	});

	test('of an earlier version are taken over once; a plain hash that comes later is none', async () => {
		const auth = await authOver(database);
		const account = await addPerson(database, 'operator');
		const bearer = createBearer(auth.keys.derive('bearer'));
		expect(bearer.fromSha256('link', sha256Hex('x'))).toBe(bearer.hash('link', 'x'));
		const id = 'planted';
		await database.db
			.insertInto('api_tokens')
			.values({
				id,
				account_id: account.id,
				name: 'x',
				token_hash: sha256Hex('kdk_known'),
				role: 'operator',
				created_at: 1
			})
			.execute();
		const restarted = await authOver(database);
		await expect(identified(restarted, withToken('kdk_known'))).rejects.toMatchObject({
			code: 'account.token-invalid'
		});
		await database.db.deleteFrom('api_tokens').where('id', '=', id).execute();
	});
});

describeOnBothDatabases('another secret key', (database) => {
	const open = (secretKey: string, previousKey?: string) =>
		authOver(database, { secretKey, previousKey });
	const FIRST = 'the first key of this installation 1';
	const SECOND = 'the second key of this installation 2';

	test('takes over what was written with the one before, which is not needed afterwards', async () => {
		const first = await open(FIRST);
		await first.setup.ensureFirstAccount({ name: 'ada', password: PASSWORD });
		const ada = (await first.members.list())[0]!;
		const { token } = await first.tokens.create({ account: ada, name: 'x', role: 'viewer' }, ada);
		const link = await first.links.invite(ada, { role: 'viewer' });
		const session = await signInAs(first, ada);
		await first.audit.checkpointOlderThan(Date.now() + 1000);
		await first.audit.keepOutside();

		await expect(open(SECOND)).rejects.toMatchObject({ code: 'secret.key-of-another' });
		await expect(open(SECOND, 'some other text')).rejects.toMatchObject({
			code: 'secret.key-of-another'
		});
		await open(SECOND, FIRST);
		const second = await open(SECOND);
		await expect(open(FIRST)).rejects.toMatchObject({ code: 'secret.key-of-another' });
		expect((await identified(second, withToken(token))).via).toBe('token');
		expect(await second.links.look(link.token)).toMatchObject({ kind: 'invitation' });
		expect((await identified(second, withSession(session))).via).toBe('public');
		expect(await differing(second)).toEqual([]);
		await second.audit.append({ actor: 'a test', action: 'rpc.test' });
		await second.audit.keepOutside();
		expect(await second.audit.verify()).toMatchObject({ ok: true, checked: { copies: 1 } });
		// A process with the previous key cannot write.
		await expect(first.audit.append({ actor: 'a', action: 'rpc.b' })).rejects.toMatchObject({
			code: 'secret.key-changed'
		});
		expect((await second.audit.verify()).ok).toBe(true);
	});

	test('that is missing is asked for, and no new one is made', async () => {
		const dataDir = mkdtempSync(join(folder, 'empty-'));
		await expect(authOver({ db: database.db, dataDir })).rejects.toMatchObject({
			code: 'secret.key-missing'
		});
	});
});

describeOnBothDatabases('the copy in a folder that servers share', (database) => {
	test('holds the rights that the log holds, whichever server wrote it last', async () => {
		const ada = await addPerson(database, 'admin');
		const eve = await addPerson(database, 'viewer');
		const first = await authOver(database);
		const second = await authOver({ db: await database.openAnother(), dataDir: database.dataDir });
		const copy = openRecord(database.dataDir);
		const roleInCopy = () => copy.accounts()?.accounts[eve.id]?.['role'];
		await second.audit.append({ actor: 'a test', action: 'rpc.test' });
		await second.audit.keepOutside();
		expect(roleInCopy()).toBe('viewer');
		await first.members.setRole(ada, eve.id, 'admin');
		await first.audit.keepOutside();
		const raised = copy.accounts()!;
		expect(roleInCopy()).toBe('admin');
		await second.members.setRole(ada, eve.id, 'viewer');
		await second.audit.keepOutside();
		expect(roleInCopy()).toBe('viewer');
		// The first server had read the rights earlier, and writes them later.
		copy.setAccounts(raised);
		await second.audit.keepOutside();
		expect(roleInCopy()).toBe('viewer');
		for (const { audit } of [first, second]) await audit.stop();
	});
});

describeOnBothDatabases('a restore', (database) => {
	test('of an old backup gives nobody back what they lost since', async () => {
		const { db, dataDir } = database;
		const auth = await authOver(database);
		const ada = await addPerson(database, 'admin', 'ada');
		const out = await addPerson(database, 'operator', 'out');
		const less = await addPerson(database, 'admin', 'less');
		const same = await addPerson(database, 'operator', 'same');
		const safer = await addPerson(database, 'operator', 'safer');
		const poorer = await addPerson(database, 'operator', 'poorer');
		const wallets = createWallets(db, auth.audit);
		await wallets.set(null, poorer.id, { every: false, daemons: ['ALPHA', 'BETA'] });
		const robbed = await addPerson(database, 'operator', 'robbed');
		const { idHash } = await addApp(auth, robbed);
		const stolen = (await factorsOf(db, robbed.id))[0]!;
		const { token } = await auth.tokens.create({ account: out, name: 'x', role: 'operator' }, out);
		await auth.links.invite(ada, { role: 'admin' });
		await auth.settings.change(null, { 'change-approvals': 1 });
		const { proposal } = await auth.members.setRole(ada, same.id, 'admin');
		await auth.settings.change(null, { 'change-approvals': 0 });
		const open = createOpenRequests(auth.audit, Date.now);
		const ask = createApprovalRequester({ db, audit: auth.audit, open, clock: Date.now });
		const request = await ask(askedBytes(out));
		const file = join(folder, `backup-${db.dialect}`);
		const key = auth.keys.derive('backup')[0];
		await writeBackup(db, key, file);
		await auth.members.disable(ada, out.id);
		await auth.members.setRole(ada, less.id, 'viewer');
		await addApp(auth, safer);
		await wallets.set(null, poorer.id, { every: false, daemons: ['BETA'] });
		// A new phone replaces a stolen one.
		const { id, secret } = await auth.factors.beginTotp(robbed, idHash);
		const code = codeAt(secret, Date.now());
		const from = { address: '192.0.2.1', device: null };
		await auth.factors.addTotp(robbed, { idHash, id, name: 'new phone', code, from });
		await auth.factors.remove(robbed, stolen.id, idHash);
		const controls = createSafetyControls(db, auth.audit);
		await controls.turnOn('freeze', 'a lost laptop', ada.name);
		await auth.audit.keepOutside();

		for (const known of [true, false]) {
			const there = mkdtempSync(join(folder, 'there-'));
			cpSync(join(dataDir, 'secret.key'), join(there, 'secret.key'));
			const bare = openAsIs({ dataDir: there });
			const restored = await restoreBackup(bare, [key], file);
			await bare.close();
			const fresh = await openDatabase({ dataDir: there, isRestoring: true });
			const after = await authOver({ db: fresh, dataDir: there });
			const outside = openRecord(dataDir);
			const kept = {
				accounts: known ? outside.accounts() : null,
				isLater: BigInt(outside.read().end?.seq ?? 0) > restored.lastSeq
			};
			const event = { target: 'file', madeAt: restored.madeAt, rows: restored.rows };
			const closed = await closeRestored(fresh, after.audit, kept, event);
			expect(closed.known).toBe(known);
			expect(closed.toConfirm.map(({ name }) => name)).toEqual(
				known
					? ['less', 'out', 'poorer', 'robbed', 'safer']
					: ['out', 'poorer', 'robbed', 'safer', 'same']
			);
			const lastKnown = Object.fromEntries(
				closed.toConfirm.map((one) => [one.name, one.lastKnown])
			);
			expect(lastKnown).toMatchObject(
				known
					? {
							out: { ...OPERATOR, enabled: false, lost: null },
							less: { role: 'viewer', enabled: true, lost: null },
							safer: { ...OPERATOR, lost: { what: 'other-factor' } },
							poorer: { ...OPERATOR, lost: { what: 'wallet', wallet: 'ALPHA' } },
							robbed: { ...OPERATOR, lost: { what: 'factor' } }
						}
					: { safer: null, poorer: null, robbed: null }
			);
			expect(closed.tokens).toBe(1);
			// Whatever was stopped since the backup stays stopped.
			expect(closed.controls).toEqual(known ? ['freeze'] : []);
			const { freeze } = await createSafetyControls(fresh, after.audit).status();
			if (known) expect(freeze).toMatchObject({ reason: 'a lost laptop', by: ada.name });
			else expect(freeze).toBeNull();
			const proposals = await fresh.selectFrom('change_proposals').selectAll().execute();
			expect(proposals).toMatchObject([{ id: proposal, state: 'voided' }]);
			const requests = await fresh.selectFrom('approval_requests').selectAll().execute();
			expect(requests).toMatchObject([{ id: request, state: 'voided', open_key: null }]);
			await expect(identified(after, withToken(token))).rejects.toMatchObject({
				code: 'account.token-invalid'
			});
			await expect(signInAs(after, out)).rejects.toMatchObject({
				code: 'account.wrong-credentials'
			});
			await signInAs(after, ada);
			if (known) await signInAs(after, same);
			expect(await differing(after)).toEqual([]);
			expect(
				(await after.members.list()).find(({ id }) => id === out.id)?.toConfirm
			).not.toBeNull();
			const disabled = await after.audit.list({ action: 'account.disabled' });
			const detail = disabled.find(
				({ target, detail }) => target === out.name && 'backup' in detail
			);
			expect(detail?.detail).toMatchObject({
				backup: 'operator, enabled',
				lastKnown: known ? 'operator, disabled' : null
			});
			await after.members.enable(ada, out.id);
			await signInAs(after, out);
			expect((await after.members.list()).find(({ id }) => id === out.id)?.toConfirm).toBeNull();
			await fresh.close();
		}
		// The outside copy counts only with the key.
		const forged = { accounts: {}, mac: '0'.repeat(64) };
		expect(auth.audit.isOurs(forged)).toBe(false);
	});

	test('of an old backup loosens nothing that was decided since, and no code works twice', async () => {
		const { db, dataDir } = database;
		const auth = await authOver(database);
		const ada = await addPerson(database, 'admin');
		const { codes } = await addApp(auth, ada);
		const limits = createLimits(db, auth.audit);
		const policies = createPolicies(db, auth.audit);
		const limit = { account: '*', chain: 'ALPHA', kind: 'coin-send' } as const;
		const most = async (within: Db) =>
			(await createLimits(within, auth.audit).list())
				.filter(({ chain }) => chain === limit.chain)
				.map((one) => one.most.amount);
		await limits.set(null, { ...limit, most: { count: null, amount: 900n } });
		await limits.setFeeCap(null, 'ALPHA', 900_000n);
		await auth.settings.change(null, { 'session-days': 30 });
		await db
			.insertInto('webhooks')
			.values({
				id: `hook-${db.dialect}`,
				url: 'https://hooks.example/',
				kinds: '["stuck"]',
				secret: 'sealed',
				created_by: ada.name,
				created_at: 1
			})
			.execute();
		await db
			.insertInto('notice_settings')
			.values({ account_id: ada.id, email: 'ada@example.org', pending_email: 'next@example.org' })
			.execute();
		const toMail = { destination: `mail:${ada.id}`, source: 'audit:1', body: { notice: 'n' } };
		await db.transaction().execute((trx) => enqueue(trx, toMail, Date.now()));
		const file = join(folder, `decided-${db.dialect}`);
		const [key] = auth.keys.derive('backup');
		await writeBackup(db, key, file);
		await limits.set(null, { ...limit, most: { count: null, amount: 5n } });
		await limits.setFeeCap(null, 'ALPHA', 1_000n);
		await auth.settings.change(null, { 'session-days': 1 });
		await policies.change(null, { change: 'add', body: ruleOf({}) });
		const shown = await auth.factors.show(
			ada,
			{ code: codes[0] ?? '' },
			{ address: '192.0.2.1', device: null }
		);
		await db.transaction().execute((trx) => shown.use(trx));
		await auth.audit.keepOutside();

		const outside = openRecord(dataDir);
		const end = outside.read().end?.seq ?? 0;
		for (const seq of [end, 1]) {
			const there = mkdtempSync(join(folder, 'decided-'));
			cpSync(join(dataDir, 'secret.key'), join(there, 'secret.key'));
			const bare = openAsIs({ dataDir: there });
			const restored = await restoreBackup(bare, [key], file);
			await bare.close();
			const fresh = await openDatabase({ dataDir: there, isRestoring: true });
			const after = await authOver({ db: fresh, dataDir: there });
			const isLater = BigInt(seq) > restored.lastSeq;
			const known = { accounts: outside.accounts(), isLater };
			const closed = await closeRestored(fresh, after.audit, known, {
				target: 'file',
				madeAt: restored.madeAt,
				rows: restored.rows
			});
			const isKnown = seq === end;
			expect(await most(fresh)).toEqual([isKnown ? 5n : 900n]);
			expect(await createLimits(fresh, after.audit).feeCap('ALPHA')).toBe(
				isKnown ? 1_000n : 900_000n
			);
			expect((await after.settings.values())['session-days']).toBe(isKnown ? 1 : 30);
			expect(await createPolicies(fresh, after.audit).list()).toHaveLength(isKnown ? 1 : 0);
			expect((await after.factors.of(ada)).codesLeft).toBe(isKnown ? 9 : 10);
			expect(closed).toMatchObject({ decided: isKnown ? 5 : 0, webhooks: 1, addresses: 1 });
			const [address] = await fresh.selectFrom('notice_settings').selectAll().execute();
			expect(address).toMatchObject({ email: null, pending_email: null });
			expect(await fresh.selectFrom('deliveries').selectAll().execute()).toEqual([]);
			const [webhook] = await fresh.selectFrom('webhooks').selectAll().execute();
			expect(webhook?.disabled_at).not.toBeNull();
			expect(await differing(after)).toEqual([]);
			await fresh.close();
		}
		await db.deleteFrom('webhooks').execute();
		await db.deleteFrom('deliveries').execute();
	});
});
