import { expect, test, vi } from 'vitest';
import { locks } from '#lib/server/locks.ts';
import { AppError } from '#lib/server/platform/errors/appError.ts';
import { createSender } from '#lib/server/wallet/transactions/sender.ts';
import { createStore } from '#lib/server/wallet/transactions/store.ts';
import { describeOnBothDatabases } from '../../support/database.ts';
import { startDevnet } from '../../support/devnet.ts';
import { noApprovals, permissiveRights } from '../../support/permissive.ts';
import { shared } from '../../support/shared.ts';
import { auditOf, gatewayTo, reviewed } from './support.ts';

const WALLET = { chain: 'ALPHA', daemon: 'ALPHA' };
const PLACES = 4;

describeOnBothDatabases('a payment that waits for its place at the daemon', (database) => {
	const net = shared(() => startDevnet());
	const gateway = shared(() => gatewayTo(net, database));

	test('stays here once its sender was disabled, uncounted, and can go out when that is over', async () => {
		const permissive = permissiveRights(gateway);
		let isDisabled = false;
		let others: Promise<unknown>[] = [];
		const takePlaces = async (): Promise<void> => {
			const slow = { ms: 1_500, method: 'getblockhash', count: PLACES };
			await net.control.fault('ALPHA', 'latency', slow);
			others = Array.from({ length: PLACES }, (_, n) =>
				gateway.call('ALPHA', 'getblockhash', [n + 1])
			);
			await vi.waitFor(() => expect(gateway.health('ALPHA').inFlight).toBe(PLACES));
			setTimeout(() => (isDisabled = true), 300);
		};
		const giveBack = vi.fn(permissive.giveBack);
		const sender = createSender({
			locks,
			db: database.db,
			gateway,
			audit: auditOf(database),
			approvals: noApprovals,
			rights: {
				...permissive,
				giveBack,
				sendRefusal: async () => {
					if (!isDisabled) return null;
					// It waited so long that it counted as abandoned.
					await createStore(database.db, locks).leaveBehind(Date.now() + 180_000, 120_000);
					return new AppError('wallet.account-closed');
				},
				// The last check before the bytes go to the daemon.
				recordSpend: async (...spend) => {
					if (others.length === 0) await takePlaces();
					return permissive.recordSpend(...spend);
				}
			}
		});
		const payments = [{ address: 'RPCeZmqW4Aam52DFLmMraWtu5CuXPxqk92', amount: 100_000_000n }];
		const id = await sender.sendCoins(WALLET, { payments, utxos: [], rate: 10_000n }, 'ada');
		await expect(sender.send(id, 'ada')).rejects.toMatchObject({ code: 'work.denied' });
		await Promise.all(others);
		expect(await net.rpc('ALPHA', 'getrawmempool')).toEqual([]);
		expect(await reviewed(sender, id)).toMatchObject({ state: 'reviewed' });
		expect(giveBack).toHaveBeenCalledOnce();

		isDisabled = false;
		expect(await sender.send(id, 'ada')).toBe('broadcast');
	});
});
