import { expect, test } from 'vitest';
import { addressOfPubkey } from '#lib/chain/address.ts';
import { walletForm } from '#lib/messages/walletForm.ts';
import { PageClient } from '#lib/server/chains/explorer/pageClient.ts';
import { formWallet } from '#lib/server/wallet/transactions/formWallet.ts';
import { describeOnBothDatabases } from '../../support/database.ts';
import { startDevnet } from '../../support/devnet.ts';
import { permissiveRights } from '../../support/permissive.ts';
import { shared } from '../../support/shared.ts';
import { gatewayTo, senderOver } from './support.ts';

const COIN = 100_000_000n;

interface Unspent {
	txid: string;
	vout: number;
	amount: number;
}

const satoshi = (outputs: readonly Unspent[]): bigint =>
	outputs.reduce((sum, { amount }) => sum + BigInt(Math.round(amount * 1e8)), 0n);

describeOnBothDatabases('the wallet beside a form', (database) => {
	const net = shared(() => startDevnet());
	const gateway = shared(() => gatewayTo(net, database));
	const sender = shared(() => senderOver(database, gateway));

	const shown = async () => {
		const client = new PageClient(gateway, 'test');
		const rights = permissiveRights(gateway);
		const wallet = await formWallet(client, 'ALPHA', { rights, sender }, 'ada');
		if (!wallet.usable) throw new Error(wallet.sentence);
		return wallet;
	};

	test.each(['addressIndex', 'spentIndex'])(
		'of a daemon without its %s is offered for coins, and refused for tokens before anything is built',
		async (index) => {
			const client = new PageClient(gateway, 'test');
			const parts = { rights: permissiveRights(gateway), sender };
			await net.control.buildingIndexes('ALPHA', { [index]: false });
			try {
				expect(await formWallet(client, 'ALPHA', parts, 'ada')).toMatchObject({ usable: true });
				const tokens = await formWallet(client, 'ALPHA', parts, 'ada', 'tokens');
				expect(tokens).toEqual({ usable: false, sentence: walletForm.noTokens('ALPHA') });
			} finally {
				await net.control.buildingIndexes('ALPHA', { [index]: true });
			}
			const again = await formWallet(client, 'ALPHA', parts, 'ada', 'tokens');
			expect(again).toMatchObject({ usable: true });
		}
	);

	test('offers what is locked neither by a review nor by somebody at the daemon', async () => {
		const own = addressOfPubkey(net.chains.get('ALPHA')!.pubkey);
		await net.rpc('ALPHA', 'sendtoaddress', own, 3);
		await net.control.mine('ALPHA');
		const all = await net.rpc<Unspent[]>('ALPHA', 'listunspent', 1);
		expect(await shown()).toMatchObject({ balance: satoshi(all), locked: 0n });

		const three = all.find(({ amount }) => amount === 3)!;
		const kept = [{ txid: three.txid, vout: three.vout }];
		expect(await net.rpc('ALPHA', 'lockunspent', false, kept)).toBe(true);
		expect(await net.rpc('ALPHA', 'listlockunspent')).toEqual(kept);
		const { balance } = await net.rpc<{ balance: number }>('ALPHA', 'getinfo');
		expect(BigInt(Math.round(balance * 1e8))).toBe(satoshi(all));
		expect(await shown()).toMatchObject({ balance: satoshi(all) - 3n * COIN, locked: 0n });

		const wish = { payments: [{ address: own, amount: COIN }], rate: 10_000n, utxos: [] };
		const id = await sender.sendCoins({ chain: 'ALPHA', daemon: 'ALPHA' }, wish, 'ada');
		const { review } = (await sender.get(id))!;
		const reviewed = review.inputs.reduce((sum, { value }) => sum + value, 0n);
		const free = satoshi(all) - 3n * COIN - reviewed;
		expect(await shown()).toMatchObject({ balance: free, locked: reviewed });

		expect(await net.rpc('ALPHA', 'lockunspent', true, kept)).toBe(true);
		expect(await shown()).toMatchObject({ balance: free + 3n * COIN, locked: reviewed });
		await sender.discard(id, 'ada');
	});
});
