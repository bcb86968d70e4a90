import { expect, test } from 'vitest';
import { describeOnSqlite } from '../../support/database.ts';
import { startDevnet } from '../../support/devnet.ts';
import { shared } from '../../support/shared.ts';
import { gatewayTo, senderOver } from './support.ts';

const WALLET = { chain: 'ALPHA', daemon: 'ALPHA' };
const TO = 'RPCeZmqW4Aam52DFLmMraWtu5CuXPxqk92';
/** Each could hit a connection that is being closed. */
const READS = 150;
const PAYMENTS = 8;

describeOnSqlite('a daemon whose connections end after each answer', (database) => {
	const net = shared(() => startDevnet());
	const gateway = shared(() => gatewayTo(net, database));
	const sender = shared(() => senderOver(database, gateway));

	test('is read, and what is sent to it goes out once and is known to have', async () => {
		await net.control.fault('ALPHA', 'close');
		for (let read = 0; read < READS; read++) {
			expect(await gateway.call('ALPHA', 'getblockcount', [])).toBeGreaterThan(0);
		}
		for (let payment = 1; payment <= PAYMENTS; payment++) {
			const payments = [{ address: TO, amount: BigInt(payment) * 1_000_000n }];
			const id = await sender.sendCoins(WALLET, { payments, utxos: [], rate: 10_000n }, 'ada');
			expect(await sender.send(id, 'ada')).toBe('broadcast');
			await net.control.mine('ALPHA');
		}
		expect(gateway.health('ALPHA').state).toBe('up');
		await net.control.fault('ALPHA', 'none');
	});
});
