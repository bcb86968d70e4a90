import { describe, expect, test } from 'vitest';
import { startDevnet } from '../../support/devnet.ts';
import { shared } from '../../support/shared.ts';

const net = shared(() => startDevnet());

/** An amount text that is parsed exactly: half a satoshi more than intended. */
const exact = (coins: string): string => `${coins}5`;

interface Decoded {
	vout: { valueZat: number; scriptPubKey: { addresses?: string[] } }[];
}

async function migrate(coins: string, satoshi: number): Promise<void> {
	const state = await net.control.state();
	const to = state.daemons.find((daemon) => daemon.id === 'BETA')!.address;
	const { payouts, BurnTxHex } = await net.rpc<{ payouts: string; BurnTxHex: string }>(
		'ALPHA',
		'migrate_createburntransaction',
		'BETA',
		to,
		exact(coins)
	);
	await net.rpc('ALPHA', 'sendrawtransaction', BurnTxHex);
	await net.control.mine('ALPHA');
	await expect(
		net.rpc('ALPHA', 'migrate_createimporttransaction', BurnTxHex, payouts)
	).rejects.toMatchObject({ code: -1, message: 'backnotarisation not yet confirmed' });
	await net.control.notarize('ALPHA');
	await net.control.mine('ALPHA');
	const first = await net.rpc<{ ImportTxHex: string }>(
		'ALPHA',
		'migrate_createimporttransaction',
		BurnTxHex,
		payouts
	);
	await expect(
		net.rpc('KMD', 'migrate_completeimporttransaction', first.ImportTxHex)
	).rejects.toMatchObject({
		code: -1,
		message: 'Cannot find notarisation for target inclusive of source'
	});
	await net.control.notarize('BETA');
	await net.control.mine('KMD', 5);
	const { ImportTxHex } = await net.rpc<{ ImportTxHex: string }>(
		'KMD',
		'migrate_completeimporttransaction',
		first.ImportTxHex
	);
	await expect(net.rpc('BETA', 'sendrawtransaction', ImportTxHex)).rejects.toMatchObject({
		code: -26,
		message: '0: invalid-coin-import'
	});
	await net.control.mine('BETA');
	await net.control.notarize('BETA');
	await net.control.mine('BETA');
	const txid = await net.rpc<string>('BETA', 'sendrawtransaction', ImportTxHex);
	const { height } = await net.control.mine('BETA');
	const { imports } = await net.rpc<{ imports: { txid: string }[] }>(
		'BETA',
		'getimports',
		String(height)
	);
	expect(imports.map((one) => one.txid)).toEqual([txid]);
	const decoded = await net.rpc<Decoded>('BETA', 'decoderawtransaction', ImportTxHex);
	expect(decoded.vout[0]).toMatchObject({
		valueZat: satoshi,
		scriptPubKey: { addresses: [to] }
	});
	await expect(net.rpc('BETA', 'sendrawtransaction', ImportTxHex)).rejects.toMatchObject({
		code: -27
	});
	// The coins can be spent: the wallet lists and sends them.
	const unspent = await net.rpc<{ txid: string; spendable: boolean }[]>('BETA', 'listunspent');
	expect(unspent).toContainEqual(expect.objectContaining({ txid, spendable: true }));
}

describe('coins from ALPHA to BETA over the notarized route', () => {
	test('1.15 coins arrive to the satoshi', () => migrate('1.15000000', 115_000_000));
	test('a single satoshi arrives', () => migrate('0.00000001', 1));
	test('999999.99999999 coins arrive to the satoshi', () =>
		migrate('999999.99999999', 99_999_999_999_999));
});

describe('a transaction whose block was lost', () => {
	test('is known to the index of transactions only, and building from it ends the daemon', async () => {
		const { daemons } = await net.control.state();
		const to = daemons.find(({ id }) => id === 'BETA')!.address;
		const burn = await net.rpc<{ payouts: string; BurnTxHex: string }>(
			'ALPHA',
			'migrate_createburntransaction',
			'BETA',
			to,
			'0.5'
		);
		const txid = await net.rpc<string>('ALPHA', 'sendrawtransaction', burn.BurnTxHex);
		await net.control.mine('ALPHA');
		const { removed } = await net.control.reorg('ALPHA', 1, false, true);
		expect(await net.rpc('ALPHA', 'getrawmempool')).toEqual([]);
		const found = await net.rpc<Record<string, unknown>>('ALPHA', 'getrawtransaction', txid, 1);
		expect(found).toMatchObject({ blockhash: removed[0], height: -1, confirmations: 0 });
		expect(found).not.toHaveProperty('blocktime');
		const build = (): Promise<unknown> =>
			net.rpc('ALPHA', 'migrate_createimporttransaction', burn.BurnTxHex, burn.payouts);
		await expect(build()).rejects.toThrow('fetch failed');
		await expect(build()).rejects.toThrow('fetch failed');
		await net.control.fault('ALPHA', 'none');
		expect(await net.rpc('ALPHA', 'sendrawtransaction', burn.BurnTxHex)).toBe(txid);
		await net.control.mine('ALPHA');
		await expect(build()).rejects.toMatchObject({ code: -1 });
	});
});
