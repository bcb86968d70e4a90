import { expect, test } from 'vitest';
import { decodeResult } from '#lib/rpc/codec.ts';
import type { DaemonMethod } from '#lib/rpc/daemon/index.ts';
import { isJsonObject, parseJson } from '#lib/rpc/json.ts';
import { startDevnet } from '../../support/devnet.ts';
import { shared } from '../../support/shared.ts';

const net = shared(() => startDevnet());

/** Calls a method and decodes its response as strictly as the product does. */
async function strictly(daemon: string, method: DaemonMethod, ...params: unknown[]): Promise<void> {
	const reply = await net.post(daemon, JSON.stringify({ id: 1, method, params }));
	const body = parseJson(reply.text);
	if (!isJsonObject(body)) throw new Error('no object');
	expect(body.error).toBeNull();
	decodeResult(method, body.result!);
}

test('every answer fits the registry', async () => {
	const rpc = <T>(daemon: string, method: string, ...params: unknown[]): Promise<T> =>
		net.rpc<T>(daemon, method, ...params);
	const hash = await rpc<string>('ALPHA', 'getbestblockhash');
	const tokens = await rpc<string[]>('ALPHA', 'tokenlist');
	const [burn] = await rpc<{ txid: string }[]>('ALPHA', 'getwalletburntransactions');
	const height = await rpc<number>('BETA', 'getblockcount');
	const { address } = (await net.control.state()).daemons.find((d) => d.id === 'ALPHA')!;
	const calls: [string, DaemonMethod, ...unknown[]][] = [
		['BETA-notary-1', 'getinfo'],
		['ALPHA', 'getblockhash', 3],
		['ALPHA', 'getbestblockhash'],
		['ALPHA', 'getblock', hash, 0],
		['ALPHA', 'getblock', hash],
		['ALPHA', 'getblock', hash, 2],
		['ALPHA', 'getblock', '0'],
		['ALPHA', 'getblockheader', hash],
		['ALPHA', 'getblockheader', hash, false],
		['ALPHA', 'getrawtransaction', burn!.txid],
		['ALPHA', 'getrawtransaction', burn!.txid, 1],
		['ALPHA', 'gettransaction', burn!.txid],
		['ALPHA', 'gettxout', tokens[0], 0],
		['ALPHA', 'gettxout', burn!.txid, 99],
		['ALPHA', 'gettxoutproof', [burn!.txid]],
		['ALPHA', 'getblockhashes', 2147483647, 0],
		['ALPHA', 'getblockhashes', 2147483647, 0, { noOrphans: true, logicalTimes: true }],
		['ALPHA', 'tokeninfo', tokens[0]],
		['ALPHA', 'tokenbalance', tokens[0]],
		['ALPHA', 'migrate_checkburntransactionsource', burn!.txid],
		['ALPHA', 'assetchainproof', burn!.txid],
		['ALPHA', 'validateaddress', address],
		['ALPHA', 'validateaddress', 'nope'],
		['ALPHA', 'getaddressutxos', { addresses: [address] }],
		['ALPHA', 'getaddressutxos', { addresses: [address], chainInfo: true }],
		['ALPHA', 'getaddressbalance', { addresses: [address] }],
		['ALPHA', 'getaddresstxids', { addresses: [address] }],
		['ALPHA', 'notaries', '-1'],
		['ALPHA', 'calc_MoM', '10', '4'],
		['ALPHA', 'height_MoM', '10'],
		['ALPHA', 'txnotarizedconfirmed', burn!.txid],
		['KMD', 'scanNotarisationsDB', '0', 'BETA'],
		['BETA', 'scanNotarisationsDB', '0', 'BETA'],
		['BETA', 'scanNotarisationsDB', '0', 'NOSUCH'],
		['KMD', 'MoMoMdata', 'BETA', String(await rpc<number>('KMD', 'getblockcount')), '777'],
		['KMD', 'MoMoMdata', 'NOSUCH', '10', '777'],
		['SELF', 'selfimport', address, '1'],
		['ALPHA', 'migrate_createburntransaction', 'BETA', address, '1'],
		['ALPHA', 'tokencreate', 'FIT', '0.00000010'],
		['ALPHA', 'createrawtransaction', [], { [address]: 1 }]
	];
	for (const daemon of ['KMD', 'ALPHA', 'BETA', 'GAMMA', 'SELF']) {
		const plain: DaemonMethod[] = [
			'getinfo',
			'getblockchaininfo',
			'getblockcount',
			'getrawmempool',
			'getmempoolinfo',
			'getpeerinfo',
			'getnetworkinfo',
			'getconnectioncount',
			'listunspent',
			'getbalance',
			'getwalletinfo',
			'getmininginfo',
			'coinsupply',
			'listtransactions',
			'getwalletburntransactions',
			'help',
			'getchaintips',
			'getdifficulty'
		];
		for (const method of plain) calls.push([daemon, method]);
		if (daemon !== 'KMD') calls.push([daemon, 'tokenlist'], [daemon, 'tokenaddress']);
	}
	for (let at = 1; at <= height; at++) {
		calls.push(['BETA', 'getimports', String(at)], ['BETA', 'getNotarisationsForBlock', at]);
		calls.push(['BETA', 'getblock', String(at), 2]);
	}
	const mismatches: string[] = [];
	for (const [daemon, method, ...params] of calls) {
		await strictly(daemon, method, ...params).catch((cause: unknown) =>
			mismatches.push(
				`${daemon} ${method} ${JSON.stringify(params).slice(0, 60)}: ${String(cause)}`
			)
		);
	}
	expect(mismatches).toEqual([]);
});

test('a spent output is looked up by its index, in blocks and in the mempool', async () => {
	const { address } = (await net.control.state()).daemons.find((d) => d.id === 'ALPHA')!;
	const txid = await net.rpc<string>('ALPHA', 'sendtoaddress', address, 1);
	const { vin } = await net.rpc<{ vin: { txid: string; vout: number }[] }>(
		'ALPHA',
		'getrawtransaction',
		txid,
		1
	);
	const output = { txid: vin[0]!.txid, index: vin[0]!.vout };
	expect(await net.rpc('ALPHA', 'getspentinfo', output)).toEqual({ txid, index: 0, height: -1 });
	const { height } = await net.control.mine('ALPHA');
	expect(await net.rpc('ALPHA', 'getspentinfo', output)).toEqual({ txid, index: 0, height });

	const refusals: [unknown, object][] = [
		[
			{ txid, index: 99 },
			{ code: -5, message: 'Unable to get spent info' }
		],
		[{ txid }, { code: -5, message: 'Invalid txid or index' }],
		[
			{ txid, index: '0' },
			{ code: -5, message: 'Invalid txid or index' }
		],
		[
			{ txid: 'nope', index: 0 },
			{ code: -8, message: /^txid must be hexadecimal string/ }
		],
		[
			{ txid, index: 0.5 },
			{ code: -1, message: 'JSON integer out of range' }
		],
		[txid, { code: -1, message: /^getspentinfo/ }]
	];
	for (const [params, { code, message }] of refusals as [
		unknown,
		{ code: number; message: string }
	][])
		await expect(net.rpc('ALPHA', 'getspentinfo', params)).rejects.toMatchObject({
			code,
			message: expect.stringMatching(message) as string
		});
});

test('blocks are listed from a time on and before another, with those that were taken back', async () => {
	const { removed, added } = await net.control.reorg('GAMMA', 1);
	const all = await net.rpc<string[]>('GAMMA', 'getblockhashes', 2147483647, 0);
	expect(all).toEqual(expect.arrayContaining([...removed, ...added]));
	const active = await net.rpc<{ blockhash: string; logicalts: number }[]>(
		'GAMMA',
		'getblockhashes',
		2147483647,
		0,
		{ noOrphans: true, logicalTimes: true }
	);
	// The genesis block is in no index.
	expect(active).toHaveLength(await net.rpc<number>('GAMMA', 'getblockcount'));
	expect(active.map(({ blockhash }) => blockhash)).not.toContain(removed[0]);

	const { blockhash, logicalts } = active[1]!;
	const between = (high: number, low: number): Promise<string[]> =>
		net.rpc<string[]>('GAMMA', 'getblockhashes', high, low);
	expect(await between(logicalts + 1, logicalts)).toEqual([blockhash]);
	expect(await between(logicalts, logicalts)).toEqual([]);
	await expect(net.rpc('GAMMA', 'getblockhashes', 1)).rejects.toMatchObject({
		code: -1,
		message: 'getblockhashes timestamp\n'
	});
	await expect(net.rpc('GAMMA', 'getblockhashes', '2', 1)).rejects.toMatchObject({
		code: -1,
		message: 'JSON value is not an integer as expected'
	});
});
