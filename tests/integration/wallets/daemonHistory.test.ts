import { expect, test } from 'vitest';
import { PageClient } from '#lib/server/chains/explorer/pageClient.ts';
import { daemonHistory } from '#lib/server/wallet/overview/daemonHistory.ts';
import { describeOnBothDatabases } from '../../support/database.ts';
import { startDevnet } from '../../support/devnet.ts';
import { shared } from '../../support/shared.ts';
import { gatewayTo } from '../transactions/support.ts';

const UNKNOWN_ADDRESS = 'RPCeZmqW4Aam52DFLmMraWtu5CuXPxqk92';

interface Line {
	txid: string;
}

describeOnBothDatabases('the history that a daemon tells of its wallet', (database) => {
	const net = shared(() => startDevnet());
	const gateway = shared(() => gatewayTo(net, database));
	const history = (lines: number) =>
		daemonHistory(new PageClient(gateway, 'test'), gateway.daemon('ALPHA')!, lines);

	test('says of each transaction what it moved, also where the lines of the oldest are cut off', async () => {
		for (const amount of [1, 2, 3])
			await net.rpc('ALPHA', 'sendtoaddress', UNKNOWN_ADDRESS, amount);
		await net.control.mine('ALPHA');
		const all = await history(1_000);
		const lines = (await net.rpc<Line[]>('ALPHA', 'listtransactions', '*', 1_000)).length;
		const netOf = new Map(all.map((one) => [one.txid, one.net]));
		for (let some = 1; some <= Math.min(20, lines); some++) {
			const told = await history(some);
			expect(told.length).toBeGreaterThan(0);
			for (const { txid, net: moved } of told)
				expect([some, moved]).toEqual([some, netOf.get(txid)]);
		}
	});

	test('tells what a reorganization left nowhere as neither confirmed nor pending', async () => {
		const txid = await net.rpc<string>('ALPHA', 'sendtoaddress', UNKNOWN_ADDRESS, 5);
		await net.control.mine('ALPHA');
		expect((await history(50)).map((one) => one.txid)).toContain(txid);
		await net.control.reorg('ALPHA', 1, true, true);
		const told = new Map((await history(50)).map((one) => [one.txid, one.confirmations]));
		expect(told.get(txid)).toBe(-1);
	});
});
