import { expect, test } from 'vitest';
import { chainGlance } from '#lib/server/chains/explorer/overview.ts';
import { PageClient } from '#lib/server/chains/explorer/pageClient.ts';
import { formWallet } from '#lib/server/wallet/transactions/formWallet.ts';
import { describeOnBothDatabases } from '../../support/database.ts';
import { startDevnet } from '../../support/devnet.ts';
import { permissiveRights } from '../../support/permissive.ts';
import { shared } from '../../support/shared.ts';
import { gatewayTo, senderOver } from '../transactions/support.ts';

const UNKNOWN_ADDRESS = 'RPCeZmqW4Aam52DFLmMraWtu5CuXPxqk92';

describeOnBothDatabases('the balance of a KMD wallet', (database) => {
	const net = shared(() => startDevnet());
	const gateway = shared(() => gatewayTo(net, database));
	const sender = shared(() => senderOver(database, gateway));
	const satoshiOf = async (method: string): Promise<bigint> => {
		const { balance } = await net.rpc<{ balance: number }>('KMD', method);
		return BigInt(Math.round(balance * 1e8));
	};

	test('is without what was paid since the last block, which the daemon counts on', async () => {
		const before = await satoshiOf('getinfo');
		await net.rpc(
			'KMD',
			'sendtoaddress',
			UNKNOWN_ADDRESS,
			before > 2_000_000_000_000n ? 10_000 : 10
		);
		expect(await satoshiOf('getinfo')).toBe(before);
		const now = await satoshiOf('getwalletinfo');
		expect(now).toBeLessThan(before);

		const client = new PageClient(gateway, 'test');
		const recency = { tip: null, ofMany: false };
		const glance = await chainGlance(client, 'KMD', false, () => Promise.resolve(null), recency);
		expect(glance.data?.balance).toBe(now);
		const rights = permissiveRights(gateway);
		const form = await formWallet(client, 'KMD', { rights, sender }, 'ada');
		expect(form).toMatchObject({ usable: true });
		expect(form.usable && form.balance).toBeLessThanOrEqual(now);
	});
});
