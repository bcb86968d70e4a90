import { expect, test } from 'vitest';
import { startDevnet } from '../../support/devnet.ts';
import { shared } from '../../support/shared.ts';

const net = shared(() => startDevnet({ profile: 'daemon-0.9.0' }));

test('a description that does not fit the relay limit is built but refused on sending', async () => {
	const { hex } = await net.rpc<{ hex: string }>(
		'ALPHA',
		'tokencreate',
		'LONGD',
		'0.00000005',
		'd'.repeat(163)
	);
	await expect(net.rpc('ALPHA', 'sendrawtransaction', hex)).rejects.toMatchObject({
		code: -26,
		message: '64: scriptpubkey'
	});
});

test('token burns are built towards LABS only', async () => {
	const [tokenid] = await net.rpc<string[]>('ALPHA', 'tokenlist');
	const dest = net.chains.get('BETA')!.pubkey;
	await expect(
		net.rpc('ALPHA', 'migrate_createburntransaction', 'BETA', dest, '1', tokenid)
	).rejects.toMatchObject({ code: -3, message: 'There is no tokens support on LABS.' });
});

test('the chains are past Sapling and the wallets are funded', async () => {
	for (const id of ['KMD', 'ALPHA', 'BETA', 'GAMMA', 'SELF']) {
		const info = await net.rpc<{ sapling: number; blocks: number; balance: number }>(id, 'getinfo');
		expect(info.sapling).toBe(61);
		expect(info.blocks).toBeGreaterThan(61);
		expect(info.balance).toBeGreaterThan(1_000_000);
	}
});
