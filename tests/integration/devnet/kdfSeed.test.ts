/** The trading node of profile `seed`: only the formats of the interface document. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startDevnet } from '../../support/devnet.ts';
import { KdfClient } from './kdfClient.ts';
import { shared } from '../../support/shared.ts';

let node: KdfClient;

const net = shared(() => startDevnet({ bare: true, profile: 'seed' }));
beforeAll(() => {
	node = new KdfClient(net, 'seed');
});
beforeEach(() => net.control.restartNode({}));

const bch = (more: object = {}) => ({
	ticker: 'BCH',
	activation_params: {
		mode: { rpc: 'Electrum', rpc_data: { servers: net.node.coins['BCH']!.electrum } },
		bchd_urls: net.node.coins['BCH']!.bchd_urls,
		slp_tokens_requests: [],
		utxo_merge_params: { merge_at: 50, check_every: 10, max_merge_at_once: 25 },
		...more
	}
});
const without = (name: string) => {
	const { [name]: _left, ...rest } = bch().activation_params as { [name: string]: unknown };
	return { ticker: 'BCH', activation_params: rest };
};
const eth = (more: object = {}) => {
	const { nodes, swap_contract_address, fallback_swap_contract } = net.node.coins['ETH']!;
	return {
		ticker: 'ETH',
		nodes,
		swap_contract_address,
		fallback_swap_contract,
		erc20_tokens_requests: [{ ticker: 'USDC-ERC20' }],
		...more
	};
};
const invalid = (data: string) => ({
	status: 400,
	body: { error_type: 'InvalidRequest', error_data: expect.stringContaining(data) }
});

test('tells of no events, and knows none of their methods: whoever waits for them asks instead', async () => {
	const stream = await fetch(`${net.node.url}/event-stream?id=7`);
	expect([stream.status, await stream.text()]).toEqual([500, 'Event streaming is disabled']);
	const { body } = await node.v2('stream::heartbeat::enable', { config: {}, client_id: 7 });
	expect(body).toMatchObject({ error_type: 'NoSuchMethod' });
	const settings = readFileSync(join(net.dir, 'MM2.json'), 'utf8');
	expect(settings).not.toContain('event_streaming');
});

describe('a node that follows the interface document', () => {
	test('wants what the document requires of BCH, and ends an activation with Finishing', async () => {
		for (const name of ['bchd_urls', 'slp_tokens_requests', 'utxo_merge_params']) {
			expect(await node.v2('task::enable_bch::init', without(name))).toMatchObject(
				invalid(`missing field \`${name}\``)
			);
		}
		await net.control.kdfTasks({ untilSeen: true });
		const id = await node.init('enable_bch', bch());
		const { seen, details } = await node.until('enable_bch', id, 'Ok');
		expect(seen).toEqual(['ActivatingCoin', 'RequestingWalletBalance', 'Finishing']);
		expect(details).toMatchObject({ ticker: 'BCH', wallet_balance: { wallet_type: 'Iguana' } });
	});

	test('holds the error of a failed task in details.result', async () => {
		const id = await node.init('enable_bch', bch({ bchd_urls: [] }));
		const { details } = await node.until('enable_bch', id, 'Failed');
		expect(details).toMatchObject({ result: { error_type: 'CoinCreationError' } });
	});

	test('waits for a device to be connected, asks for its PIN and knows no other word for it', async () => {
		const act = (id: number, action_type: string, pin: string) =>
			node.v2('task::enable_bch::user_action', { task_id: id, user_action: { action_type, pin } });
		const start = () =>
			node.init('enable_bch', bch({ priv_key_policy: { type: 'HardwareWallet' } }));
		const first = await start();
		const step = async () => (await node.status('enable_bch', first)).details;
		while ((await step()) !== 'WaitingForHardwareToConnect');
		await net.control.device({ plugged: true });
		await node.until('enable_bch', first, 'UserActionRequired');
		expect(await node.status('enable_bch', first)).toEqual({ status: 'UserActionRequired' });
		expect(await act(first, 'TrezorPin', '1')).toMatchObject(
			invalid('unknown variant `TrezorPin`')
		);
		const right = async () => (await net.control.node()).device.positions!;
		await act(first, 'HardwarePin', (await right()) === '1' ? '2' : '1');
		expect((await node.until('enable_bch', first, 'Failed')).details).toMatchObject({
			result: { error_type: 'HwError', error_data: 'InvalidPin' }
		});
		const second = await start();
		await node.until('enable_bch', second, 'UserActionRequired');
		await act(second, 'HardwarePin', await right());
		expect((await node.until('enable_bch', second, 'Ok')).details).toMatchObject({
			wallet_balance: { wallet_type: 'HD' }
		});
		await net.control.device({ plugged: false });
	});

	test('uses the words of the document for NFTs, remote signers and faults of a platform', async () => {
		const provider = (type: string) => ({
			nft_req: {
				provider: {
					type,
					info: { url: net.node.coins['ETH']!.nodes![0]!.url.replace('/ETH', '/nft') }
				}
			}
		});
		const enable = (more: object) => node.v2('enable_eth_with_tokens', eth(more));
		expect(await enable(provider('Moralis'))).toMatchObject(invalid('unknown variant `Moralis`'));
		const session = (data: string) => ({ priv_key_policy: { type: 'RemoteSigner', data } });
		expect(await enable(session('nobody'))).toMatchObject({
			body: { error_type: 'PrivKeyNotAllowed' }
		});
		expect(await enable({ rpc_mode: 'BrowserWallet' })).toMatchObject(
			invalid('unknown variant `BrowserWallet`')
		);
		expect(await enable({ fallback_swap_contract: undefined })).toMatchObject(
			invalid('missing field `fallback_swap_contract`')
		);
		await node.result('wc_new_connection', { required_namespaces: {} });
		const { topic } = await net.control.agree();
		expect(await enable(session(topic))).toMatchObject({ status: 200 });
		await net.control.restartNode({});
		expect(await enable(provider('NftIndexer'))).toMatchObject({ status: 200 });
	});

	test('names each fault of a platform by the word that the document has for it', async () => {
		const evm = net.node.coins['ETH']!.nodes![0]!.url.replace('/ETH', '');
		const nfts = (url: string) => ({
			nft_req: { provider: { type: 'NftIndexer', info: { url } } }
		});
		const faults: [object, string, unknown][] = [
			[{ ticker: 'WALDO' }, 'PlatformConfigIsNotFound', 'WALDO'],
			[
				{ swap_contract_address: `0x${'0'.repeat(40)}` },
				'PlatformCoinCreationError',
				{ ticker: 'ETH', error: "swap_contract_address can't be zero address" }
			],
			[{ priv_key_policy: { type: 'HardwareWallet' } }, 'PrivKeyNotAllowed', expect.any(String)],
			[nfts(`${evm}/nothing`), 'InternalError', expect.stringContaining('405')],
			[nfts('http://127.0.0.1:1'), 'Transport', expect.any(String)]
		];
		for (const [more, type, data] of faults) {
			expect((await node.v2('enable_eth_with_tokens', eth(more))).body).toMatchObject({
				error_type: type,
				error_data: data
			});
		}
		const quick = { ...nfts(`${evm}/nft`), get_balances: false };
		expect(await node.result('enable_eth_with_tokens', eth(quick))).toMatchObject({
			nfts_infos: [{ contract_type: 'ERC1155' }, { contract_type: 'ERC721' }]
		});
		await net.control.restartNode({ hd: true });
		expect((await node.v2('enable_eth_with_tokens', eth(quick))).body).toMatchObject({
			error_type: 'UnexpectedDerivationMethod'
		});
		await net.control.restartNode({ hd: false });
	});

	test('cannot sign with a key that a remote signer has, nor for a kind of coin that signs nothing', async () => {
		await node.result('wc_new_connection', { required_namespaces: {} });
		const { topic: data } = await net.control.agree();
		await node.result(
			'enable_eth_with_tokens',
			eth({ priv_key_policy: { type: 'RemoteSigner', data } })
		);
		const sign = async (coin: string) =>
			(await node.v2('sign_message', { coin, message: 'x' })).body;
		expect(await sign('ETH')).toMatchObject({ error_type: 'SigningError' });
		expect(await sign('ZOMBIE')).toMatchObject({ error_type: 'InvalidRequest' });
	});

	test('asks the gas station that is named, and without one tells what swaps hold', async () => {
		const { nodes, swap_contract_address, fallback_swap_contract } = net.node.coins['ETH']!;
		const urls = nodes!.map(({ url }) => url);
		const bare = { coin: 'ETH', urls, swap_contract_address, fallback_swap_contract };
		const enable = async (more: object) => (await node.legacy('enable', { ...bare, ...more })).body;
		expect(await enable({ fallback_swap_contract: undefined })).toMatchObject({
			error: expect.stringContaining('fallback_swap_contract is required')
		});
		expect(await enable({ gas_station_url: 'http://127.0.0.1:1/gas' })).toMatchObject({
			error: expect.stringContaining('Failed to get gas price from station')
		});
		expect(await enable({ urls: ['http://127.0.0.1:1'] })).toMatchObject({
			error: expect.stringContaining('Failed to get client version for all urls')
		});
		const older = await enable({});
		expect(older).toMatchObject({ locked_by_swaps: '0', mature_confirmations: 0 });
		expect(older).not.toHaveProperty('coin');
		await node.legacy('disable_coin', { coin: 'ETH' });
		const gas_station_url = urls[0]!.replace('/ETH', '/gas');
		expect(await enable({ gas_station_url })).toMatchObject({ coin: 'ETH', balance: '0.5' });
	});

	test('fails a task whose servers are dead or whose person is away, and ends one that is cancelled', async () => {
		const dead = { rpc: 'Electrum', rpc_data: { servers: [{ url: '127.0.0.1:1' }] } };
		const unreached = await node.init('enable_bch', bch({ mode: dead }));
		expect((await node.until('enable_bch', unreached, 'Failed')).details).toMatchObject({
			result: { error_type: 'CoinCreationError', error_data: { ticker: 'BCH' } }
		});
		const cancel = (task_id: number) => node.v2('task::enable_bch::cancel', { task_id });
		expect((await cancel(unreached)).body).toMatchObject({
			error_type: 'TaskFinished',
			error_data: unreached
		});
		expect((await cancel(777)).body).toMatchObject({ error_type: 'NoSuchTask', error_data: 777 });
		await net.control.device({ plugged: true });
		await net.control.kdfTasks({ untilSeen: true });
		const policy = { priv_key_policy: { type: 'HardwareWallet' } };
		const late = await node.init('enable_bch', bch(policy));
		const { seen } = await node.until('enable_bch', late, 'UserActionRequired');
		expect(seen).toEqual(['ActivatingCoin', 'FollowHwDeviceInstructions']);
		await net.control.clock(301);
		expect((await node.until('enable_bch', late, 'Failed')).details).toMatchObject({
			result: { error_type: 'TaskTimedOut', error_data: { duration: { secs: 300 } } }
		});
		await net.control.kdfTasks({ untilSeen: false });
		const held = await node.init('enable_bch', bch(policy));
		expect((await cancel(held)).body).toMatchObject({ result: 'success' });
		expect((await node.v2('task::enable_bch::status', { task_id: held })).body).toMatchObject({
			error_type: 'NoSuchTask'
		});
		await net.control.device({ plugged: false });
	});

	test('wants each option in the configuration of a daemon that it is to use', async () => {
		const conf = join(net.dir, 'GAMMA', 'GAMMA.conf');
		const whole = readFileSync(conf, 'utf8');
		const enable = async () => (await node.legacy('enable', { coin: 'GAMMA' })).body;
		for (const option of ['logevents', 'txindex', 'addressindex']) {
			writeFileSync(conf, whole.replace(`${option}=1\n`, ''));
			expect(await enable()).toEqual({
				error: expect.stringContaining(`doesn't have ${option}=1`)
			});
		}
		writeFileSync(conf, whole);
		const enabled = await enable();
		expect(enabled).toMatchObject({ result: 'success' });
		const { address } = enabled as { address: string };
		const watched = () => net.rpc('GAMMA', 'validateaddress', address);
		expect(await watched()).toMatchObject({ ismine: false, iswatchonly: false });
		expect(await net.rpc('GAMMA', 'importaddress', address, 'node', false)).toBeNull();
		expect(await watched()).toMatchObject({ ismine: false, iswatchonly: true });
		await expect(net.rpc('GAMMA', 'importaddress', 'nonsense')).rejects.toThrow('Invalid Komodo');
	});

	test('tells a coin that is in no file from one that is not active', async () => {
		const sign = (coin: string) => node.v2('sign_message', { coin, message: 'x' });
		expect((await sign('WALDO')).body).toMatchObject({ error_type: 'CoinIsNotFound' });
		expect((await sign('KMD')).body).toMatchObject({ error_type: 'InternalError' });
		const { coins } = net.node;
		expect(
			(await node.legacy('electrum', { coin: 'MORTY', servers: coins['KMD']!.electrum, mm2: 1 }))
				.body
		).toMatchObject({ result: 'success', required_confirmations: 3 });
		expect(await node.legacy('electrum', { coin: 'LTC', servers: [], mm2: 2 })).toMatchObject({
			status: 500
		});
	});
});
