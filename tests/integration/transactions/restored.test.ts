import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { addressOfPubkey } from '#lib/chain/address.ts';
import { openDatabase } from '#lib/server/database.ts';
import { USUAL_FEE_RATE } from '#lib/server/wallet/transactions/selectUtxos.ts';
import { command } from '../../support/commandLine.ts';
import { describeOnBothDatabases } from '../../support/database.ts';
import { startDevnet } from '../../support/devnet.ts';
import { authOver } from '../../support/members.ts';
import { shared } from '../../support/shared.ts';
import { keyOf, partsOver } from '../batch-transfers/support.ts';
import { gatewayTo } from './support.ts';

const folder = mkdtempSync(join(tmpdir(), 'komodeck-restored-'));
afterAll(() => rmSync(folder, { recursive: true }));

describeOnBothDatabases('reviews that a backup brings back', (database) => {
	const net = shared(() => startDevnet());
	const gateway = shared(() => gatewayTo(net, database));

	test('are not called unsent before their chain was asked: one went out after the backup, whose clock was ahead', async () => {
		const { audit } = await authOver(database);
		const behind = (): number => Date.now() - 3_600_000;
		const { sender } = partsOver(database.db, gateway, behind, audit);
		const review = (chain: string): Promise<string> => {
			const payments = [{ address: addressOfPubkey(keyOf(81)), amount: 100_000_000n }];
			const wish = { payments, utxos: [], rate: USUAL_FEE_RATE };
			return sender.sendCoins({ chain, daemon: chain }, wish, 'ada');
		};
		const [sent, kept] = [await review('ALPHA'), await review('BETA')];
		const file = join(folder, `backup-${database.dialect}`);
		const { dataDir, options } = database;
		await command({ dataDir, url: options.url }, ['backup', file]);
		expect(await sender.send(sent, 'ada')).toBe('broadcast');
		await net.control.mine('ALPHA');

		const there = mkdtempSync(join(folder, 'there-'));
		copyFileSync(join(dataDir, 'secret.key'), join(there, 'secret.key'));
		const { code, out } = await command({ dataDir: there }, ['restore', file]);
		expect(code).toBe(0);
		expect(out).toMatch(/may have been sent after the backup: 2\b/);
		const restored = await openDatabase({ dataDir: there });
		const after = partsOver(restored, gateway);
		await after.sender.reconcileAll();
		expect((await after.sender.get(sent))?.state).toBe('confirmed');
		expect((await after.sender.get(kept))?.state).toBe('unknown');
		await restored.close();
	});
});
