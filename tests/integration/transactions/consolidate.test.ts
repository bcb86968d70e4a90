import { expect, test } from 'vitest';
import { addressOfPubkey } from '#lib/chain/address.ts';
import { describeOnBothDatabases } from '../../support/database.ts';
import { migrationsOver } from '../migration/support.ts';
import { auditOf, refusal, reviewed, sharedSender } from './support.ts';

interface Unspent {
	txid: string;
	vout: number;
	amount: number;
	address: string;
}

describeOnBothDatabases('many outputs made one', (database) => {
	const { net, proxy, gateway, sender } = sharedSender(database);

	const unspent = (): Promise<Unspent[]> => net.rpc('ALPHA', 'listunspent', 1);

	test('nothing is built for a key that the daemon was started with and its wallet does not hold', async () => {
		proxy.rewrite = (method, body) =>
			method === 'validateaddress' ? body.replace('"ismine":true', '"ismine":false') : body;
		const { code } = await refusal(net, sender.consolidate('ALPHA', 'ada'));
		expect(code).toBe('wallet-daemon.foreign-pubkey');
		proxy.rewrite = null;
		expect(proxy.count('createrawtransaction')).toBe(0);
	});

	test('the review spends the outputs of the wallet and pays its own key, and nothing is sent yet', async () => {
		const before = await unspent();
		expect(before.length).toBeGreaterThan(5);
		const id = await sender.consolidate('ALPHA', 'ada');
		const { review, pubkey } = await reviewed(sender, id);
		expect(review.inputs).toHaveLength(before.length);
		expect(review.outputs).toHaveLength(1);
		expect(review.outputs[0]!.address).toBe(addressOfPubkey(pubkey));
		expect(review.fee).toBe(10_000n);
		expect(await net.rpc('ALPHA', 'getrawmempool')).toEqual([]);
		await sender.discard(id, 'ada');
	});

	test('after it was sent and mined the wallet has one output with everything but the fee', async () => {
		const total = (await unspent()).reduce((sum, { amount }) => sum + Math.round(amount * 1e8), 0);
		const id = await sender.consolidate('ALPHA', 'ada');
		expect(await sender.send(id, 'ada')).toBe('broadcast');
		const { txid } = await reviewed(sender, id);
		await net.control.mine('ALPHA');
		expect(await sender.reconcile(id)).toBe('confirmed');
		const after = await unspent();
		expect(after.find((output) => output.txid === txid)).toMatchObject({
			vout: 0,
			amount: (total - 10_000) / 1e8
		});
	});

	test('a burn does not take outputs that a review keeps', async () => {
		const own = await net.rpc<string>('ALPHA', 'getnewaddress');
		await net.rpc('ALPHA', 'sendtoaddress', own, 10);
		await net.control.mine('ALPHA');
		const migrations = migrationsOver(database.db, gateway, { audit: auditOf(database) });
		const { myaddress: address } = await net.rpc<{ myaddress: string }>('BETA', 'tokenaddress');
		const carry = {
			source: 'ALPHA',
			destination: 'BETA',
			address,
			amount: '1',
			policy: 'ask'
		} as const;
		const id = await sender.consolidate('ALPHA', 'ada');
		const refused = await migrations.draft(carry, 'ada');
		expect(
			refused.kind === 'refused' && refused.checks.map(({ message }) => message.code)
		).toContain('utxos.locked');
		await sender.discard(id, 'ada');
		expect(await migrations.draft(carry, 'ada')).toMatchObject({ kind: 'drafted' });
	});

	test('a wallet that is locked is said to be, and nothing is kept', async () => {
		await net.control.wallet('ALPHA', { locked: true });
		try {
			await expect(sender.consolidate('ALPHA', 'ada')).rejects.toMatchObject({
				code: expect.stringMatching(/^transaction\./) as string
			});
		} finally {
			await net.control.wallet('ALPHA', { locked: false });
		}
		expect(await sender.list({ states: ['reviewed'] })).toEqual([]);
	});
});
