import { expect, test } from 'vitest';
import { lookAfterAll, lookUp, sendInTime } from '#lib/server/wallet/transactions/lookUp.ts';
import { describeOnBothDatabases } from '../../support/database.ts';
import { creation, reviewed, sharedSender } from './support.ts';

describeOnBothDatabases('a page of a transaction', (database) => {
	const { net, proxy, sender } = sharedSender(database);

	const build = (name: string): Promise<string> =>
		sender.createToken('ALPHA', creation({ name }), 'ada');
	const mined = async (name: string): Promise<string> => {
		const id = await build(name);
		await sender.send(id, 'ada');
		await net.control.mine('ALPHA');
		expect(await lookUp(sender, [await reviewed(sender, id)])).toBeNull();
		expect((await reviewed(sender, id)).state).toBe('confirmed');
		return id;
	};

	test('does not name the block any more that was taken back', async () => {
		const id = await mined('PAGE');
		await net.control.reorg('ALPHA', 2, true);
		expect(await lookUp(sender, [await reviewed(sender, id)])).toBeNull();
		expect(await reviewed(sender, id)).toMatchObject({ state: 'broadcast', height: null });
		await net.control.mine('ALPHA');
	});

	test('nor does a list of them', async () => {
		const id = await mined('LIST');
		await net.control.reorg('ALPHA', 2, true);
		await lookAfterAll(sender);
		expect(await reviewed(sender, id)).toMatchObject({ state: 'broadcast', height: null });
		await net.control.mine('ALPHA');
	});

	test('whose daemon hangs says what is known, and learns the rest by itself', async () => {
		const id = await build('HANGS');
		let go = (): void => undefined;
		const held = new Promise<void>((resolve) => {
			go = resolve;
		});
		proxy.rewrite = async (method, body) => {
			if (method === 'sendrawtransaction') await held;
			return body;
		};
		const before = proxy.count('sendrawtransaction');
		const sending = sender.send(id, 'ada');
		await expect.poll(() => proxy.count('sendrawtransaction')).toBe(before + 1);
		await sendInTime(sending, 0);
		expect(await reviewed(sender, id)).toMatchObject({ state: 'broadcasting', height: null });
		go();
		expect(await sending).toBe('broadcast');
		expect((await reviewed(sender, id)).state).toBe('broadcast');
		proxy.rewrite = null;
	});
});
