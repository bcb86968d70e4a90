import bitcoinMessage from 'bitcoinjs-message';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { recoverMessageAddress } from 'viem';
import { beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { kdfMethods, kdfDefinition, type KdfMethod } from '#lib/rpc/kdf/index.ts';
import { startDevnet } from '../../support/devnet.ts';
import { KdfClient } from './kdfClient.ts';
import { shared } from '../../support/shared.ts';

/** Methods of the registry that devnet's trading node does not have. */
const NOT_SERVED: readonly string[] = [
	'task::account_balance::user_action',
	'task::scan_for_new_addresses::user_action'
];

let node: KdfClient;

const net = shared(() => startDevnet({ bare: true }));
beforeAll(() => {
	node = new KdfClient(net, 'kdf');
});

const servers = (ticker: string) => net.node.coins[ticker]!.electrum!;
const electrum = (ticker: string, more: object = {}) => ({
	rpc: 'Electrum',
	rpc_data: { servers: servers(ticker), ...more }
});
const utxo = (ticker: string, more: object = {}, from = ticker) => ({
	ticker,
	activation_params: { mode: electrum(from), ...more }
});
const evm = (ticker: string, more: object = {}) => {
	const { nodes, swap_contract_address, fallback_swap_contract } = net.node.coins[ticker]!;
	return {
		ticker,
		nodes,
		swap_contract_address,
		fallback_swap_contract,
		erc20_tokens_requests: [],
		...more
	};
};
const dead = [{ url: '127.0.0.1:1' }];

/** The PIN of the device, as positions on the displayed grid. */
const pressed = async (): Promise<string> => (await net.control.node()).device.positions!;

describe('a fresh node', () => {
	beforeEach(async () => {
		await net.control.restartNode({ hd: false });
	});

	test('leaves its configuration where a real one keeps it, for its owner only', () => {
		const file = join(net.dir, 'MM2.json');
		const conf = JSON.parse(readFileSync(file, 'utf8')) as { [name: string]: unknown };
		expect(conf).toMatchObject({
			rpc_password: net.node.password,
			rpcport: Number(new URL(net.node.url).port),
			enable_hd: false
		});
		expect(String(conf['passphrase']).split(' ')).toHaveLength(12);
		expect(statSync(file).mode & 0o077).toBe(0);
		expect(existsSync(join(net.dir, 'coins'))).toBe(true);
		expect(net.node.password).not.toMatch(/(.)\1\1|password/i);
	});

	test('serves what the registry knows', async () => {
		const refused: string[] = [];
		for (const key of Object.keys(kdfMethods) as KdfMethod[]) {
			const { name, envelope, access } = kdfDefinition(key);
			if (access === 'never') continue;
			const mmrpc = envelope === 'v2' ? { mmrpc: '2.0', params: {} } : {};
			const { text } = await node.post({ userpass: net.node.password, method: name, ...mmrpc });
			if (text.includes('NoSuchMethod')) refused.push(key);
		}
		expect(refused.sort()).toEqual([...NOT_SERVED].sort());
	});

	test('gives an address, a balance and a signature that another library takes', async () => {
		const { body } = await node.legacy('electrum', { coin: 'ALPHA', servers: servers('ALPHA') });
		const { address } = body as { address: string };
		expect(body).toEqual({
			result: 'success',
			address: expect.stringMatching(/^R/),
			balance: '7.62',
			unspendable_balance: '0',
			coin: 'ALPHA',
			required_confirmations: 1,
			requires_notarization: false,
			mature_confirmations: 100
		});
		await net.rpc('ALPHA', 'sendtoaddress', address, 1.5);
		expect((await node.legacy('my_balance', { coin: 'ALPHA' })).body).toMatchObject({
			balance: '9.12'
		});
		const message = 'grüße €';
		const { signature } = await node.result<{ signature: string }>('sign_message', {
			coin: 'ALPHA',
			message
		});
		const prefix = '\u0017Komodo Signed Message:\n';
		// The library knows Bitcoin addresses only, so it is asked for the key's hash.
		const { hash } = (await import('#lib/chain/address.ts')).decodeAddress(address);
		const bitcoin = (await import('#lib/chain/address.ts')).encodeAddress(hash, 0);
		expect(bitcoinMessage.verify(message, bitcoin, signature, prefix)).toBe(true);
		const verify = (more: object) =>
			node.v2('verify_message', { coin: 'ALPHA', message, signature, address, ...more });
		expect((await verify({})).body).toMatchObject({ result: { is_valid: true } });
		expect((await verify({ message: 'other' })).body).toMatchObject({
			result: { is_valid: false }
		});
		expect(await verify({ signature: 'AAAA' })).toMatchObject({
			status: 400,
			body: { error_type: 'SignatureDecodingError' }
		});
		expect(await verify({ address: 'b0gus' })).toMatchObject({
			status: 400,
			body: { error_type: 'AddressDecodingError' }
		});
		expect(await verify({ coin: 'LTC' })).toMatchObject({
			status: 400,
			body: { error_type: 'CoinIsNotFound', error_data: 'No such coin: LTC' }
		});
		expect((await node.legacy('validateaddress', { coin: 'ALPHA', address })).body).toEqual({
			result: { is_valid: true }
		});
	});

	test('finds a dead server dead, one good beside it enough, and a stranger’s certificate bad', async () => {
		const call = (list: object[]) => node.legacy('electrum', { coin: 'BETA', servers: list });
		const [plain, tls] = servers('BETA');
		expect(await call(dead)).toMatchObject({
			status: 500,
			body: { error: expect.stringContaining('Connection refused') }
		});
		expect(await call([{ ...tls, disable_cert_verification: false }])).toMatchObject({
			status: 500,
			body: { error: expect.stringContaining('UnknownIssuer') }
		});
		expect(await call([...dead, tls!])).toMatchObject({ status: 200, body: { balance: '7.62' } });
		// Its server goes offline, then another one of its servers comes back.
		await net.control.electrum('BETA', { up: false });
		expect(await node.legacy('my_balance', { coin: 'BETA' })).toMatchObject({ status: 500 });
		await net.control.electrum('BETA', { up: true });
		expect((await node.legacy('my_balance', { coin: 'BETA' })).body).toMatchObject({
			balance: '7.62'
		});
		expect(plain).toMatchObject({ protocol: 'TCP' });
	});

	test('waits five seconds for a slow server and no longer', async () => {
		await net.control.electrum('BETA', { latency: 60_000 });
		const call = node.legacy('electrum', { coin: 'BETA', servers: servers('BETA') });
		const isAsking = async (): Promise<boolean> => (await net.control.node()).coins.length > 0;
		while (!(await isAsking()));
		await net.control.clock(6);
		expect(await call).toMatchObject({
			status: 500,
			body: { error: expect.stringContaining('Err(TimeoutError { duration: 5s })') }
		});
		await net.control.electrum('BETA', { latency: 0 });
		expect((await node.v2('get_enabled_coins')).body).toMatchObject({ result: { coins: [] } });
	});

	test('acts before it is slow when told so, and takes no fault that only daemons show', async () => {
		const { control } = net;
		for (const kind of ['warm-up', 'work-queue-full', 'close', 'flood', 'other-id'] as const) {
			await expect(control.kdfFault(kind)).rejects.toThrow('400 kind must be one of none, latency');
		}
		expect((await control.node()).faults).toEqual([]);
		await control.kdfFault('latency', { method: 'electrum', ms: 60_000, phase: 'after' });
		const call = node
			.legacy('electrum', { coin: 'BETA', servers: servers('BETA') })
			.catch((error: unknown) => error);
		await vi.waitFor(
			async () => expect((await control.node()).coins).toMatchObject([{ ticker: 'BETA' }]),
			{ timeout: 20_000, interval: 50 }
		);
		await control.kdfFault('down');
		expect(await call).toBeInstanceOf(TypeError);
		await control.kdfFault('none');
	});

	test('uses the daemon of a coin where it finds its configuration', async () => {
		expect((await node.legacy('enable', { coin: 'GAMMA' })).body).toMatchObject({
			result: 'success',
			balance: '7.62'
		});
		expect(await node.legacy('enable', { coin: 'GAMMA' })).toMatchObject({
			status: 500,
			body: { error: expect.stringMatching(/lp_coins:\d+\] Coin GAMMA already initialized$/) }
		});
		expect(await node.legacy('enable', { coin: 'MORTY' })).toMatchObject({
			status: 500,
			body: { error: expect.stringContaining('Error parsing the native wallet configuration') }
		});
		expect(
			(await node.legacy('set_required_confirmations', { coin: 'GAMMA', confirmations: 5 })).body
		).toEqual({ result: { coin: 'GAMMA', confirmations: 5 } });
		const notarized = { coin: 'GAMMA', requires_notarization: true };
		expect((await node.legacy('set_requires_notarization', notarized)).body).toEqual({
			result: notarized
		});
		expect((await node.legacy('disable_coin', { coin: 'GAMMA' })).body).toEqual({
			result: { coin: 'GAMMA', cancelled_orders: [], passivized: false }
		});
		expect((await node.legacy('disable_coin', { coin: 'GAMMA' })).body).toEqual({
			error: 'No such coin: GAMMA',
			orders: { matching: [], cancelled: [] },
			active_swaps: []
		});
	});

	test('shuts an address out after ten wrong passwords until it is restarted', async () => {
		const wrong = (left: number) => ({
			status: 403,
			body: { error_type: 'UserpassIsInvalid', error_data: { error_data: left } }
		});
		const body = { mmrpc: '2.0', userpass: 'wrong', method: 'get_enabled_coins' };
		for (let left = 9; left >= 0; left--) expect(await node.post(body)).toMatchObject(wrong(left));
		expect(await node.v2('get_enabled_coins')).toMatchObject({
			status: 403,
			body: { error_type: 'Banned' }
		});
		expect(await node.post({ method: 'version' })).toMatchObject({ status: 500 });
		await net.control.restartNode({});
		expect(await node.v2('get_enabled_coins')).toMatchObject({ status: 200 });
	});

	test('goes through the steps of an activation, keeps its result until it is read, and forgets it then', async () => {
		await net.control.kdfTasks({ untilSeen: true });
		const id = await node.init('enable_utxo', utxo('KMD'));
		expect(id).toBe(0);
		const { details, seen } = await node.until('enable_utxo', id, 'Ok');
		expect(seen).toEqual(['ActivatingCoin', 'RequestingWalletBalance', 'ActivatingCoin']);
		expect(details).toMatchObject({
			ticker: 'KMD',
			wallet_balance: {
				wallet_type: 'Iguana',
				balance: { KMD: { spendable: '7.62', unspendable: '0' } }
			}
		});
		expect(await node.v2('task::enable_utxo::cancel', { task_id: id })).toMatchObject({
			status: 409,
			body: { error_type: 'TaskFinished', error_data: id }
		});
		const read = { task_id: id };
		expect(await node.v2('task::enable_utxo::status', read)).toMatchObject({ status: 200 });
		expect(await node.v2('task::enable_utxo::status', read)).toMatchObject({
			status: 400,
			body: { error_type: 'NoSuchTask', error_data: id }
		});
		// The largest possible id is returned with every digit.
		const largest = '18446744073709551615';
		const { text } = await node.post(
			`{"mmrpc":"2.0","userpass":"${net.node.password}","method":"task::enable_utxo::cancel","params":{"task_id":${largest}}}`
		);
		expect(text).toContain(`"error_data":${largest},`);
		expect(await node.v2('task::enable_utxo::init', utxo('KMD'))).toMatchObject({
			status: 400,
			body: { error_type: 'CoinIsAlreadyActivated', error_data: { ticker: 'KMD' } }
		});
	});

	test('lets one of two tasks for a coin win, and cancels a task at once', async () => {
		await net.control.kdfTasks({ hold: true, untilSeen: false });
		const first = await node.init('enable_utxo', utxo('KMD'));
		const second = await node.init('enable_utxo', utxo('KMD'));
		const third = await node.init('enable_utxo', utxo('SELF'));
		const cancel = () => node.v2('task::enable_utxo::cancel', { task_id: third });
		expect((await cancel()).body).toMatchObject({ result: 'success' });
		expect(await cancel()).toMatchObject({ status: 404, body: { error_type: 'NoSuchTask' } });
		await net.control.kdfTasks({ hold: false });
		const ends = await Promise.all(
			[first, second].map((id) => node.until('enable_utxo', id, 'Ok', 'Error'))
		);
		expect(ends.map(({ status }) => status).sort()).toEqual(['Error', 'Ok']);
		expect(ends.find(({ status }) => status === 'Error')!.details).toMatchObject({
			error_type: 'CoinIsAlreadyActivated'
		});
		// A restart makes every task id void, and counts from 0 again.
		await net.control.restartNode({});
		expect(await node.v2('task::enable_utxo::status', { task_id: first })).toMatchObject({
			status: 400,
			body: { error_type: 'NoSuchTask' }
		});
	});

	test('ends a task with what went wrong', async () => {
		const failed = async (family: string, params: object) => {
			const id = await node.init(family, { ...params });
			return (await node.until(family, id, 'Error')).details;
		};
		const deadMode = { rpc: 'Electrum', rpc_data: { servers: dead } };
		expect(
			await failed('enable_utxo', { ticker: 'KMD', activation_params: { mode: deadMode } })
		).toMatchObject({ error_type: 'Transport' });
		expect(
			await failed('enable_utxo', {
				ticker: 'KMD',
				activation_params: { mode: electrum('KMD', { min_connected: 0 }) }
			})
		).toMatchObject({ error_type: 'Internal', error: expect.stringContaining('greater than 0') });
		expect(await failed('enable_bch', utxo('BCH', { bchd_urls: [] }))).toMatchObject({
			error_type: 'CoinCreationError',
			error_data: { ticker: 'BCH', error: 'Using empty bchd_urls is unsafe for SLP users!' }
		});
		const zombie = { ticker: 'ZOMBIE', activation_params: {} };
		await net.control.zcashParams(false);
		expect(await failed('enable_z_coin', zombie)).toMatchObject({
			error: 'Error on platform coin ZOMBIE creation: ZCashParamsNotFound'
		});
		await net.control.zcashParams(true);
		expect(await failed('enable_utxo', utxo('KMD', { priv_key_policy: 'Trezor' }))).toMatchObject({
			error_data: { error: 'Hardware Wallet context is not initialized' }
		});
		// The current public coins file lists it as a UTXO coin.
		expect(
			await node.v2('task::enable_bch::init', utxo('tBCH', { bchd_urls: [] }, 'BCH'))
		).toMatchObject({
			status: 400,
			body: { error_type: 'UnexpectedCoinProtocol', error_data: { protocol: { type: 'UTXO' } } }
		});
		expect(
			await node.v2('task::enable_utxo::init', utxo('KMD', { priv_key_policy: { type: 'Trezor' } }))
		).toMatchObject({ status: 400, body: { error_type: 'InvalidRequest' } });
	});

	test('reads the chain of a shielded coin from where it is told, through both kinds of servers', async () => {
		const { electrum: electrum_servers, light_wallet_d_servers } = net.node.coins['ZOMBIE']!;
		const light = (data: object) => ({
			ticker: 'ZOMBIE',
			activation_params: {
				mode: {
					rpc: 'Light',
					rpc_data: { electrum_servers, light_wallet_d_servers, ...data }
				}
			}
		});
		const ended = async (data: object, state: 'Ok' | 'Error') => {
			const id = await node.init('enable_z_coin', light(data));
			return (await node.until('enable_z_coin', id, state)).details;
		};
		expect(await ended({ light_wallet_d_servers: [] }, 'Error')).toMatchObject({
			error_type: 'CoinCreationError',
			error_data: { ticker: 'ZOMBIE', error: 'EmptyLightwalletdUris' }
		});
		await net.control.lightwalletd(false);
		expect(await ended({}, 'Error')).toMatchObject({
			error_type: 'CoinCreationError',
			error: expect.stringMatching(/iterating lightwalletd urls \[ConnectionFailure\(.*refused/)
		});
		await net.control.lightwalletd(true);
		expect(await ended({ electrum_servers: dead }, 'Error')).toMatchObject({
			error_type: 'Transport'
		});

		const names = (seen: readonly unknown[]): string[] => [
			...new Set(
				seen.map((step) => (typeof step === 'string' ? step : Object.keys(step as object)[0]!))
			)
		];
		await net.control.kdfTasks({ untilSeen: true });
		const id = await node.init('enable_z_coin', light({ sync_params: { height: 3 } }));
		const { seen, details } = await node.until('enable_z_coin', id, 'Ok');
		expect(names(seen)).toEqual([
			'ActivatingCoin',
			'UpdatingBlocksCache',
			'BuildingWalletDb',
			'RequestingWalletBalance'
		]);
		expect(seen).toContainEqual({
			UpdatingBlocksCache: { current_scanned_block: 3, latest_block: expect.any(Number) as number }
		});
		expect(details).toMatchObject({
			ticker: 'ZOMBIE',
			wallet_balance: {
				wallet_type: 'Iguana',
				address: expect.stringMatching(/^zs1/) as string,
				balance: { spendable: '0', unspendable: '0' }
			},
			first_sync_block: { requested: 3, is_pre_sapling: false, actual: 3 }
		});
		expect(await node.v2('task::enable_z_coin::init', light({}))).toMatchObject({
			status: 400,
			body: { error_type: 'CoinIsAlreadyActivated' }
		});
		await node.legacy('disable_coin', { coin: 'ZOMBIE' });

		// The task waits for servers that go offline while it reads.
		const later = await node.init('enable_z_coin', light({ sync_params: 'earliest' }));
		const shows = async (name: string): Promise<void> => {
			for (;;) {
				const { details: step } = await node.status('enable_z_coin', later);
				if (names([step]).includes(name)) return;
			}
		};
		await shows('UpdatingBlocksCache');
		await net.control.lightwalletd(false);
		await shows('TemporaryError');
		await net.control.lightwalletd(true);
		expect((await node.until('enable_z_coin', later, 'Ok')).details).toMatchObject({
			first_sync_block: { requested: 1, actual: 1 }
		});
		await net.control.kdfTasks({ untilSeen: false });
		await node.legacy('disable_coin', { coin: 'ZOMBIE' });
	});

	test('activates BCH with its own addresses and keeps a history', async () => {
		const bchd_urls = net.node.coins['BCH']!.bchd_urls;
		const id = await node.init('enable_bch', utxo('BCH', { bchd_urls, tx_history: true }));
		const { details } = await node.until('enable_bch', id, 'Ok');
		const { address } = (details as { wallet_balance: { address: string } }).wallet_balance;
		expect(address).toMatch(/^bitcoincash:q/);
		expect(await node.result('my_tx_history', { coin: 'BCH', limit: 5 })).toMatchObject({
			total: 1,
			transactions: [{ to: expect.arrayContaining([address]), my_balance_change: '0.11398301' }]
		});
		const { signature } = await node.result<{ signature: string }>('sign_message', {
			coin: 'BCH',
			message: 'x'
		});
		expect(
			await node.result('verify_message', { coin: 'BCH', message: 'x', signature, address })
		).toEqual({ is_valid: true });
		const converted = async (from: string, to_address_format: object): Promise<string> => {
			const { body } = await node.legacy('convertaddress', {
				coin: 'BCH',
				from,
				to_address_format
			});
			return (body as { result: { address: string } }).result.address;
		};
		const older = await converted(address, { format: 'standard' });
		expect(older).toMatch(/^1/);
		expect(await converted(older, { format: 'cashaddress', network: 'bitcoincash' })).toBe(address);
	});

	test('wants the PIN of a hardware wallet by positions, takes the right one and ends on a wrong one', async () => {
		const setUp = await node.init('init_trezor', {});
		await node.until('init_trezor', setUp, 'UserActionRequired');
		const act = (family: string, id: number, pin: string) =>
			node.v2(`task::${family}::user_action`, {
				task_id: id,
				user_action: { action_type: 'TrezorPin', pin }
			});
		expect((await act('init_trezor', setUp, await pressed())).body).toMatchObject({
			result: 'success'
		});
		expect((await node.until('init_trezor', setUp, 'Ok')).details).toMatchObject({
			type: 'Trezor',
			device_pubkey: expect.stringMatching(/^[0-9a-f]{40}$/)
		});
		const withDevice = utxo('KMD', { priv_key_policy: 'Trezor' });
		for (let wrong = 1; wrong <= 3; wrong++) {
			const id = await node.init('enable_utxo', withDevice);
			await node.until('enable_utxo', id, 'UserActionRequired');
			const right = await pressed();
			await act('enable_utxo', id, right === '1111' ? '2222' : '1111');
			expect((await node.until('enable_utxo', id, 'Error')).details).toMatchObject({
				error_type: 'CoinCreationError',
				error_data: { error: 'InvalidPin' }
			});
			expect((await net.control.node()).device.wrongPins).toBe(wrong);
		}
		const id = await node.init('enable_utxo', withDevice);
		await node.until('enable_utxo', id, 'UserActionRequired');
		await act('enable_utxo', id, await pressed());
		const { details } = await node.until('enable_utxo', id, 'Ok');
		expect(details).toMatchObject({ wallet_balance: { wallet_type: 'HD' } });
		expect(await node.v2('sign_message', { coin: 'KMD', message: 'x' })).toMatchObject({
			status: 500,
			body: { error_type: 'InternalError', error: expect.stringContaining('Unsupported method') }
		});
		await net.control.device({ plugged: false });
		expect(await node.result('trezor_connection_status', {})).toEqual({ status: 'Unreachable' });
		await net.control.device({ plugged: true });
	});

	test('gives up on a person who does not answer, by the clock of the network', async () => {
		await net.control.device({ plugged: false });
		const waiting = await node.init('init_trezor', {});
		const step = async (): Promise<unknown> => (await node.status('init_trezor', waiting)).details;
		while ((await step()) !== 'WaitingForTrezorToConnect');
		await net.control.clock(601);
		expect((await node.until('init_trezor', waiting, 'Error')).details).toMatchObject({
			error_type: 'Timeout',
			error_data: { secs: 600, nanos: 0 }
		});
		await net.control.device({ plugged: true });
		const setUp = await node.init('init_trezor', {});
		await node.until('init_trezor', setUp, 'UserActionRequired');
		await node.v2('task::init_trezor::user_action', {
			task_id: setUp,
			user_action: { action_type: 'TrezorPin', pin: await pressed() }
		});
		await node.until('init_trezor', setUp, 'Ok');
		const asked = await node.init('enable_utxo', utxo('KMD', { priv_key_policy: 'Trezor' }));
		await node.until('enable_utxo', asked, 'UserActionRequired');
		await net.control.clock(301);
		expect((await node.until('enable_utxo', asked, 'Error')).details).toMatchObject({
			error_type: 'TaskTimedOut',
			error_data: { duration: { secs: 300, nanos: 0 } }
		});
	});

	test('activates a platform with its tokens and NFTs, and signs as on Ethereum', async () => {
		const nft = {
			provider: {
				type: 'Moralis',
				info: { url: net.node.coins['ETH']!.nodes![0]!.url.replace('/ETH', '/nft') }
			}
		};
		const tokens = [{ ticker: 'USDC-ERC20', required_confirmations: 4 }, { ticker: 'USDT-ERC20' }];
		const result = await node.result<{
			eth_addresses_infos: { [address: string]: { balances: unknown } };
			erc20_addresses_infos: { [address: string]: { balances: unknown } };
			nfts_infos: object;
		}>('enable_eth_with_tokens', evm('ETH', { erc20_tokens_requests: tokens, nft_req: nft }));
		const [address] = Object.keys(result.eth_addresses_infos) as `0x${string}`[];
		expect(await node.result('get_my_address', { coin: 'MATIC' })).toEqual({
			coin: 'MATIC',
			wallet_address: address
		});
		expect(result.eth_addresses_infos[address!]!.balances).toEqual({
			spendable: '0.5',
			unspendable: '0'
		});
		expect(result.erc20_addresses_infos[address!]!.balances).toEqual({
			'USDC-ERC20': { spendable: '12.5', unspendable: '0' },
			'USDT-ERC20': { spendable: '300', unspendable: '0' }
		});
		expect(Object.keys(result.nfts_infos)).toHaveLength(2);
		for (const coin of ['ETH', 'USDC-ERC20']) {
			const { signature } = await node.result<{ signature: `0x${string}` }>('sign_message', {
				coin,
				message: 'grüße €'
			});
			expect(await recoverMessageAddress({ message: 'grüße €', signature })).toBe(address);
		}
		expect(await node.v2('enable_eth_with_tokens', evm('ETH'))).toMatchObject({
			status: 400,
			body: { error_type: 'PlatformIsAlreadyActivated', error_data: 'ETH' }
		});
		// The call and the task for a token return the same in their own formats.
		const again = { ticker: 'USDC-ERC20', activation_params: {} };
		expect((await node.v2('enable_erc20', again)).body).toMatchObject({
			error: 'Token USDC-ERC20 is already activated',
			error_data: 'USDC-ERC20'
		});
		expect((await node.v2('task::enable_erc20::init', again)).body).toMatchObject({
			error: 'Token USDC-ERC20 is activated already',
			error_type: 'TokenIsAlreadyActivated',
			error_data: { ticker: 'USDC-ERC20' }
		});
		expect(await node.v2('get_my_address', { coin: 'KMD' })).toMatchObject({
			status: 400,
			body: { error_type: 'CoinIsNotSupported', error_data: "KMD doesn't support get_my_address" }
		});
		expect(await node.v2('get_my_address', { coin: 'WALDO' })).toMatchObject({
			status: 400,
			body: { error_type: 'CoinsConfCheckError' }
		});
		expect((await node.legacy('disable_coin', { coin: 'ETH' })).body).toMatchObject({
			result: { passivized: true }
		});
		expect(await node.v2('enable_eth_with_tokens', evm('ETH'))).toMatchObject({ status: 200 });
	});

	test('names each fault of a platform, and registers nothing then', async () => {
		const refusals: [object, number, string][] = [
			[evm('ETH', { nodes: [] }), 400, 'AtLeastOneNodeRequired'],
			[evm('ETH', { nodes: [{ url: 'ftp://x' }] }), 400, 'InvalidPayload'],
			[evm('ETH', { nodes: [{ url: 'http://127.0.0.1:1' }] }), 502, 'Transport'],
			[evm('ETH', { swap_contract_address: `0x${'0'.repeat(40)}` }), 400, 'InvalidPayload'],
			[evm('ETH', { erc20_tokens_requests: [{ ticker: 'WALDO' }] }), 400, 'TokenConfigIsNotFound'],
			[evm('ETH', { erc20_tokens_requests: [{ ticker: 'KMD' }] }), 400, 'UnexpectedTokenProtocol'],
			[
				evm('ETH', { erc20_tokens_requests: [{ ticker: 'BADPROTO' }] }),
				500,
				'TokenProtocolParseError'
			],
			[
				evm('ETH', { priv_key_policy: { type: 'Trezor' } }),
				400,
				'UnexpectedDeviceActivationPolicy'
			],
			[
				evm('ETH', { priv_key_policy: { type: 'WalletConnect', params: { session_topic: 'x' } } }),
				400,
				'WalletConnectError'
			],
			[{ ...evm('ETH'), ticker: 'QTUM' }, 400, 'UnexpectedPlatformProtocol']
		];
		for (const [params, status, type] of refusals) {
			expect(await node.v2('enable_eth_with_tokens', { ...params })).toMatchObject({
				status,
				body: { error_type: type }
			});
		}
		await net.control.evm(false);
		expect(await node.v2('enable_eth_with_tokens', evm('ETH'))).toMatchObject({ status: 502 });
		await net.control.evm(true);
		await net.control.evmRefuses('web3_clientVersion');
		expect(await node.v2('enable_eth_with_tokens', evm('ETH'))).toMatchObject({
			status: 502,
			body: { error: expect.stringContaining('Failed to get client version') as string }
		});
		await net.control.evmRefuses(null);
		expect((await node.v2('get_enabled_coins')).body).toMatchObject({ result: { coins: [] } });
	});

	test('uses a remote signer that agreed, by the node’s WebSocket address', async () => {
		const namespaces = { eip155: { chains: ['eip155:1'], methods: ['personal_sign'], events: [] } };
		const { url } = await node.result<{ url: string }>('wc_new_connection', {
			required_namespaces: namespaces
		});
		expect(url).toMatch(/^wc:[0-9a-f]{64}@2\?/);
		const { topic } = await net.control.agree();
		expect(await node.result('wc_get_sessions', {})).toMatchObject({ sessions: [{ topic }] });
		const policy = { type: 'WalletConnect', params: { session_topic: topic } };
		const nodes = [{ url: net.node.coins['ETH']!.nodes![0]!.ws_url }];
		expect(
			await node.v2('enable_eth_with_tokens', evm('ETH', { nodes, priv_key_policy: policy }))
		).toMatchObject({ status: 200 });
		expect(await node.v2('sign_message', { coin: 'ETH', message: 'x' })).toMatchObject({
			status: 500
		});
		expect(await node.result('wc_delete_session', { topic })).toEqual({});
	});
});

describe('a node with a tree of keys', () => {
	beforeAll(async () => {
		await net.control.restartNode({ hd: true });
	});

	test('finds the addresses that were used, and signs with the key of any path', async () => {
		const id = await node.init('enable_utxo', utxo('ALPHA', { scan_policy: 'scan' }));
		const { details } = await node.until('enable_utxo', id, 'Ok');
		expect(details).toMatchObject({
			wallet_balance: {
				wallet_type: 'HD',
				accounts: [
					{
						account_index: 0,
						derivation_path: "m/44'/141'/0'",
						total_balance: { ALPHA: { spendable: '15.75', unspendable: '0' } },
						addresses: [
							{ derivation_path: "m/44'/141'/0'/0/0", balance: { ALPHA: { spendable: '12.5' } } },
							{ derivation_path: "m/44'/141'/0'/0/1", balance: { ALPHA: { spendable: '3.25' } } }
						]
					}
				]
			}
		});
		const signed = async (address?: object): Promise<unknown> =>
			node.result('sign_message', { coin: 'ALPHA', message: 'x', ...(address ? { address } : {}) });
		const byPath = await signed({ derivation_path: "m/44'/141'/0'/0/1" });
		expect(await signed({ account_id: 0, chain: 'External', address_id: 1 })).toEqual(byPath);
		expect(await signed()).toEqual(await signed({ derivation_path: "m/44'/141'/0'/0/0" }));
		expect(await signed()).not.toEqual(byPath);
		const refused = (address: object) =>
			node.v2('sign_message', { coin: 'ALPHA', message: 'x', address });
		expect(await refused({ derivation_path: "m/84'/2'/0'/0/1" })).toMatchObject({
			status: 400,
			body: {
				error_type: 'InvalidRequest',
				error_data: expect.stringContaining('Invalid path to coin')
			}
		});
		expect(await refused({ account_id: 0 })).toMatchObject({
			body: { error_data: 'data did not match any variant of untagged enum HDAddressSelector' }
		});
		expect(
			await node.result('account_balance', {
				coin: 'ALPHA',
				account_index: 0,
				chain: 'External',
				limit: 1,
				paging_options: { PageNumber: 2 }
			})
		).toMatchObject({ total: 2, total_pages: 2, skipped: 1, addresses: [{ chain: 'External' }] });
		expect(await node.result('get_new_address', { coin: 'ALPHA', account_id: 0 })).toMatchObject({
			new_address: { derivation_path: "m/44'/141'/0'/0/2" }
		});
		const account = await node.init('create_new_account', { coin: 'ALPHA' });
		expect((await node.until('create_new_account', account, 'Ok')).details).toMatchObject({
			account_index: 1
		});
	});

	test('refuses what the older protocol cannot say', async () => {
		expect(await node.legacy('electrum', { coin: 'BETA', servers: servers('BETA') })).toMatchObject(
			{
				status: 500,
				body: {
					error: expect.stringContaining('UnexpectedDerivationMethod(ExpectedSingleAddress)')
				}
			}
		);
		expect(await node.legacy('get_enabled_coins')).toMatchObject({
			status: 500,
			body: { error: expect.stringContaining("'my_address' is deprecated for HD wallets") }
		});
	});

	test('lists a platform by accounts, tokens beside it', async () => {
		expect(
			await node.result(
				'enable_eth_with_tokens',
				evm('ETH', { erc20_tokens_requests: [{ ticker: 'USDC-ERC20' }] })
			)
		).toMatchObject({
			ticker: 'ETH',
			wallet_balance: {
				wallet_type: 'HD',
				accounts: [{ total_balance: { ETH: {}, 'USDC-ERC20': {} } }]
			},
			nfts_infos: {}
		});
	});
});
