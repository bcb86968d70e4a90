import { copyFileSync, cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { problems } from '#lib/messages/batch-transfers/problems.ts';
import { auditNotice } from '#lib/server/access/notifications/auditNotices.ts';
import { createLimits } from '#lib/server/access/policy/limits/limits.ts';
import { openDatabase } from '#lib/server/database.ts';
import { openRecord } from '#lib/server/platform/audit-trail/record.ts';
import { command } from '../../support/commandLine.ts';
import { describeOnBothDatabases } from '../../support/database.ts';
import { startDevnet } from '../../support/devnet.ts';
import { authOver } from '../../support/members.ts';
import { shared } from '../../support/shared.ts';
import { gatewayTo, made, unitsOf } from '../transactions/support.ts';
import { idOf, keyOf, partsOver, rowsOf } from './support.ts';

const folder = mkdtempSync(join(tmpdir(), 'komodeck-restored-'));
afterAll(() => rmSync(folder, { recursive: true }));

describeOnBothDatabases('a batch transfer that a backup brings back', (database) => {
	const net = shared(() => startDevnet());
	const gateway = shared(() => gatewayTo(net, database));

	test('stops, because what went out after the backup is not in it, and nobody is paid twice', async () => {
		const { audit } = await authOver(database);
		const { sender, batchTransfers } = partsOver(database.db, gateway, Date.now, audit);
		const token = await made(net, sender, { name: 'BACK', supply: 100n });
		const recipients = [71, 72, 73];
		const rows = rowsOf(...recipients.map((n) => [keyOf(n), '1'] as const));
		const id = idOf(await batchTransfers.review('ALPHA', token, rows, 'ada'));
		await batchTransfers.confirm(id, 'ada');
		const unsent = idOf(await batchTransfers.review('ALPHA', token, rows, 'ada'));
		const file = join(folder, `backup-${database.dialect}`);
		const { dataDir, options } = database;
		await command({ dataDir, url: options.url }, ['backup', file]);
		const paid = async (): Promise<number[]> =>
			Promise.all(recipients.map((n) => unitsOf(net, token, keyOf(n))));
		const rounds = async (one: typeof batchTransfers): Promise<void> => {
			for (let round = 0; round < 6; round++) {
				await one.round();
				await net.control.mine('ALPHA');
			}
		};
		await rounds(batchTransfers);
		expect(await paid()).toEqual([1, 1, 1]);

		const there = mkdtempSync(join(folder, 'there-'));
		copyFileSync(join(dataDir, 'secret.key'), join(there, 'secret.key'));
		const { code, out } = await command({ dataDir: there }, ['restore', file]);
		expect(code).toBe(0);
		const restored = await openDatabase({ dataDir: there });
		const auth = await authOver({ db: restored, dataDir: there });
		const after = partsOver(restored, gateway, Date.now, auth.audit);
		await rounds(after.batchTransfers);
		expect(await paid()).toEqual([1, 1, 1]);
		expect(out).toMatch(/Batch transfers stopped: 2\b/);
		const { state, problem } = (await after.batchTransfers.get(id))!.batchTransfer;
		expect(state).toBe('stopped');
		expect(problems.text(problem!)).toMatch(/backup/);
		// A batch that was only reviewed then may have been confirmed since.
		expect(await after.batchTransfers.confirm(unsent, 'ada')).toBe(false);
		expect((await after.batchTransfers.get(unsent))!.batchTransfer.state).toBe('stopped');
		const [stop] = (await auth.audit.list({ limit: 20 })).filter(
			({ action, target }) => action === 'series.stopped' && target === id
		);
		expect(auditNotice(stop!)).toMatchObject({
			message: { code: 'batch.stopped' },
			to: [{ members: ['ada'] }]
		});
		// A member who found out that all of it was sent ends it without paying again.
		for (const batch of [id, unsent]) {
			expect(await after.batchTransfers.discard(batch, 'ada')).toBe(true);
			expect(await after.batchTransfers.goOn(batch, 'ada')).toBe(false);
		}
		await rounds(after.batchTransfers);
		expect(await paid()).toEqual([1, 1, 1]);
		await restored.close();
	});

	test('leaves in force a limit that was lowered after the backup, although stopping it adds to the log', async () => {
		const { db, dataDir, options } = database;
		const { audit } = await authOver(database);
		const { sender, batchTransfers } = partsOver(db, gateway, Date.now, audit);
		const token = await made(net, sender, { name: 'LOWERED', supply: 100n });
		for (const n of [81, 82]) {
			idOf(await batchTransfers.review('ALPHA', token, rowsOf([keyOf(n), '1']), 'ada'));
		}
		const lowered = async (amount: bigint): Promise<void> => {
			const limit = { account: '*', chain: 'ALPHA', kind: 'coin-send' } as const;
			await createLimits(db, audit).set(null, { ...limit, most: { count: null, amount } });
		};
		await lowered(900n);
		const file = join(folder, `lowered-${database.dialect}`);
		await command({ dataDir, url: options.url }, ['backup', file]);
		await lowered(5n);
		await audit.keepOutside();

		const there = mkdtempSync(join(folder, 'lowered-'));
		copyFileSync(join(dataDir, 'secret.key'), join(there, 'secret.key'));
		cpSync(openRecord(dataDir).folder, openRecord(there).folder, { recursive: true });
		const { code, out } = await command({ dataDir: there }, ['restore', file]);
		expect(code).toBe(0);
		expect(out).toMatch(/Batch transfers stopped: [2-9]\b/);
		expect(out).toMatch(/spending limits.+ as before the restore, not as in the backup: 1\./);
		const restored = await openDatabase({ dataDir: there });
		const list = await createLimits(restored, audit).list();
		expect(list.map(({ most }) => most.amount)).toEqual([5n]);
		await restored.close();
	});
});
