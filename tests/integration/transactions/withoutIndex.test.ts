import { expect, test } from 'vitest';
import { describeOnBothDatabases } from '../../support/database.ts';
import { reviewed, sharedSender } from './support.ts';

const WALLET = { chain: 'ALPHA', daemon: 'ALPHA' };
const TO = 'RPCeZmqW4Aam52DFLmMraWtu5CuXPxqk92';

describeOnBothDatabases('a daemon that keeps no index of transactions', (database) => {
	const { net, proxy, sender } = sharedSender(database);

	test('takes no payment for lost whose outputs were all spent', async () => {
		await net.control.txIndex('ALPHA', false);
		const merged = await sender.consolidate('ALPHA', 'ada');
		expect(await sender.send(merged, 'ada')).toBe('broadcast');
		const { height } = await net.control.mine('ALPHA');
		await sender.reconcileAll();
		expect(await reviewed(sender, merged)).toMatchObject({ state: 'confirmed', height });
		const { txid } = await reviewed(sender, merged);

		const payments = [{ address: TO, amount: 100_000_000n }];
		const wish = { payments, utxos: [`${txid}:0`], rate: 10_000n };
		const paid = await sender.sendCoins(WALLET, wish, 'ada');
		expect(await sender.send(paid, 'ada')).toBe('broadcast');
		await net.control.mine('ALPHA');
		await expect(net.rpc('ALPHA', 'getrawtransaction', txid, 1)).rejects.toThrow(/No information/);
		const sends = proxy.count('sendrawtransaction');
		await sender.reconcileAll();
		expect(await reviewed(sender, merged)).toMatchObject({ state: 'confirmed', height });
		expect(await reviewed(sender, paid)).toMatchObject({ state: 'confirmed' });
		expect(proxy.count('sendrawtransaction')).toBe(sends);
	});
});
