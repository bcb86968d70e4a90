import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Gateway } from '#lib/server/gateway/types.ts';
import type { Sender } from '#lib/server/sending/sender.ts';
import { SETTLED_DEPTH } from '#lib/server/sending/settle.ts';
import { createStore } from '#lib/server/sending/store.ts';
import { describeOnBothDatabases } from '../../support/database.ts';
import { startDevnet, type Devnet } from '../../support/devnet.ts';
import { between, creation, gatewayTo, reviewed, senderOver, type Between } from './support.ts';

describeOnBothDatabases('the round over all sent transactions', (database) => {
	let net: Devnet;
	let proxy: Between;
	let gateway: Gateway;
	let sender: Sender;
	beforeAll(async () => {
		net = await startDevnet({ seed: 'settled rounds' });
		proxy = await between(net, 'ALPHA');
		gateway = gatewayTo(net, database, { ALPHA: { url: proxy.url } });
		sender = senderOver(database, gateway);
	});
	afterAll(async () => {
		await gateway.close();
		await proxy.stop();
		await net.stop();
	});

	async function sent(name: string): Promise<string> {
		const id = await sender.createToken('ALPHA', creation({ name }), 'ada');
		expect(await sender.send(id, 'ada')).toBe('sent');
		return id;
	}
	const stateOf = async (id: string) => {
		const { state, height } = await reviewed(sender, id);
		return { state, height };
	};

	test('notices a block that was taken back, while nobody looks', async () => {
		const id = await sent('BACK');
		const { height } = await net.control.mine('ALPHA');
		await sender.settle();
		expect(await stateOf(id)).toEqual({ state: 'mined', height });
		// The new branch starts a block earlier and takes it into its first block.
		await net.control.reorg('ALPHA', 2);
		await sender.settle();
		expect(await stateOf(id)).toEqual({ state: 'mined', height: height - 1 });
	});

	test('asks for mined ones only under a new tip, and not once they are deep', async () => {
		await sent('DEEP');
		await net.control.mine('ALPHA');
		await sender.settle();
		const asked = async (): Promise<number> => {
			const before = proxy.count('getrawtransaction');
			await sender.settle();
			return proxy.count('getrawtransaction') - before;
		};
		expect(await asked()).toBe(0);
		await net.control.mine('ALPHA');
		expect(await asked()).toBeGreaterThan(0);
		for (let mined = 0; mined < SETTLED_DEPTH; mined++) await net.control.mine('ALPHA');
		expect(await asked()).toBe(0);
	});

	test('reaches the oldest of more than a hundred open ones, and asks a dead daemon once', async () => {
		const oldest = await sent('OLD');
		const { id: _id, ...row } = await reviewed(sender, oldest);
		const store = createStore(database.db);
		for (let n = 0; n < 150; n++) {
			const txid = n.toString(16).padStart(64, 'f');
			const review = { ...row.review, txid, inputs: [] };
			const id = await store.add({ ...row, txid, review }, row.createdAt + 1 + n);
			await store.move(id, ['built'], { state: 'unknown' });
		}
		await net.control.mine('ALPHA');
		await net.control.fault('ALPHA', 'drop');
		const before = proxy.count('getrawtransaction');
		await sender.settle();
		expect(proxy.count('getrawtransaction')).toBe(before);
		expect((await stateOf(oldest)).state).toBe('sent');
		await net.control.fault('ALPHA', 'none');
		await gateway.probe();
		await sender.settle();
		expect((await stateOf(oldest)).state).toBe('mined');
		expect(proxy.count('getrawtransaction')).toBe(before + 151);
	});
});
