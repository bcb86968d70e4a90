import { expect, test } from 'vitest';
import { addressOfPubkey } from '#lib/chain/address.ts';
import { describeOnBothDatabases } from '../../support/database.ts';
import { startDevnet } from '../../support/devnet.ts';
import { shared } from '../../support/shared.ts';
import { gatewayTo, reviewed, senderOver, sharedSender } from './support.ts';

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

describeOnBothDatabases('a daemon that is back with another wallet', (database) => {
	const OTHER = 'BETA-notary-1';
	const net = shared(() => startDevnet());
	const own = shared(() => gatewayTo(net, database));
	const exchanged = shared(() => {
		const { url, user, password } = net.daemons.find(({ id }) => id === OTHER)!;
		const credentials = { kind: 'password', user, password } as const;
		const expect = { ccid: null, pubkey: null };
		return gatewayTo(net, database, { BETA: { url, credentials, expect } });
	});

	test('takes no transaction for dead that itself spends its inputs in a block', async () => {
		const sender = senderOver(database, own);
		const { pubkey } = net.daemons.find(({ id }) => id === OTHER)!;
		// The change is spent with the rest; the payment stays, so that this daemon finds the transaction.
		await net.rpc('BETA', 'sendtoaddress', addressOfPubkey(pubkey), 2);
		await net.control.mine('BETA');
		const id = await sender.consolidate('BETA', 'ada');
		expect(await sender.send(id, 'ada')).toBe('broadcast');
		await net.control.mine('BETA');
		const { txid, review } = await reviewed(sender, id);
		const coins = Number(review.outputs[0]!.value) / 1e8;
		const paid = { [TO]: (coins - 0.001).toFixed(8) };
		const spend = await net.rpc('BETA', 'createrawtransaction', [{ txid, vout: 0 }], paid);
		const { hex } = await net.rpc<{ hex: string }>('BETA', 'signrawtransaction', spend);
		await net.rpc('BETA', 'sendrawtransaction', hex);
		await net.control.mine('BETA');
		await net.control.txIndex(OTHER, false);
		await net.control.buildingIndexes(OTHER, { spentIndex: false });
		await expect(net.rpc(OTHER, 'getrawtransaction', txid, 1)).rejects.toThrow(/No information/);

		const back = senderOver(database, exchanged);
		await back.reconcileAll();
		expect((await reviewed(back, id)).state).not.toBe('confirmed');
		// Its expiry height, and the block that spends its inputs, are final.
		await net.control.mine('BETA', 230);
		for (let n = 0; n < 2; n++) {
			await net.control.notarize('BETA');
			await net.control.mine('KMD');
		}
		for (const spentIndex of [false, true]) {
			await net.control.buildingIndexes(OTHER, { spentIndex });
			await net.control.mine('BETA', 2);
			await back.reconcileAll();
			expect((await reviewed(back, id)).finalAt).toBeNull();
			expect(await back.isCertainlyAbsent(id)).toBe(false);
		}
		await sender.reconcileAll();
		expect(await reviewed(sender, id)).toMatchObject({ state: 'confirmed', rejection: null });
	});
});
