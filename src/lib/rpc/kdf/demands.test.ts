import { expect, test } from 'vitest';
import { parseJson } from '../json.ts';
import { decodeKdfParams } from './codec.ts';
import { demands } from './demands.ts';
import { kdfDefinition, kdfMethods, type KdfMethod } from './index.ts';

const of = (method: KdfMethod, params: unknown) =>
	demands(method, decodeKdfParams(method, parseJson(JSON.stringify(params))));

const CONTRACT = `0x${'1'.repeat(40)}`;
const OTHER = `0x${'2'.repeat(40)}`;
const THIRD = `0x${'3'.repeat(40)}`;
const eth = (more: object) => ({
	ticker: 'ETH',
	nodes: [{ url: 'https://a.example', ws_url: 'wss://b.example' }],
	swap_contract_address: CONTRACT,
	erc20_tokens_requests: [{ ticker: 'USDC-ERC20' }],
	...more
});

test('every address that a node would connect to, or leave coins of swaps at, is named, wherever it stands', () => {
	expect(
		of(
			'enable_eth_with_tokens',
			eth({
				fallback_swap_contract: OTHER,
				swap_v2_contracts: {
					maker_swap_v2_contract: CONTRACT,
					taker_swap_v2_contract: CONTRACT,
					nft_maker_swap_v2_contract: THIRD
				},
				gas_station_url: 'https://gas.example',
				nft_req: { provider: { type: 'Moralis', info: { url: 'https://nft.example' } } }
			})
		)
	).toEqual({
		access: 'activate',
		servers: [
			'https://a.example',
			'wss://b.example',
			CONTRACT,
			OTHER,
			'https://gas.example',
			THIRD,
			'https://nft.example'
		].map((url) => ({ ticker: 'ETH', url }))
	});
	const servers = [{ url: 'e.example:1', ws_url: 'e.example:3', protocol: 'SSL' }];
	expect(
		of('task::enable_bch::init', {
			ticker: 'BCH',
			activation_params: {
				mode: { rpc: 'Electrum', rpc_data: { servers } },
				bchd_urls: ['https://bchd.example']
			}
		}).servers.map(({ url }) => url)
	).toEqual(['e.example:1', 'https://bchd.example']);
	expect(
		of('task::enable_z_coin::init', {
			ticker: 'ZOMBIE',
			activation_params: {
				mode: {
					rpc: 'Light',
					rpc_data: { electrum_servers: servers, light_wallet_d_servers: ['https://lwd.example'] }
				}
			}
		}).servers.map(({ url }) => url)
	).toEqual(['e.example:1', 'https://lwd.example']);
	expect(of('enable', { coin: 'ETH', urls: ['https://a.example'] }).servers).toEqual([
		{ ticker: 'ETH', url: 'https://a.example' }
	]);
	expect(of('electrum', { coin: 'KMD', servers }).servers).toHaveLength(1);
});

test('keys of others, tokens described by hand and paths on the disk are for admins', () => {
	const access = (method: KdfMethod, params: unknown): string => of(method, params).access;
	expect(
		access('enable_eth_with_tokens', eth({ priv_key_policy: { type: 'ContextPrivKey' } }))
	).toBe('activate');
	expect(access('enable_eth_with_tokens', eth({ rpc_mode: 'Default' }))).toBe('activate');
	for (const more of [
		{ priv_key_policy: { type: 'WalletConnect', params: { session_topic: 'a' } } },
		{ priv_key_policy: { type: 'RemoteSigner', data: 'a' } },
		{ priv_key_policy: { type: 'Metamask' } },
		{ erc20_tokens_requests: [{ ticker: 'MINE', protocol: { type: 'ERC20' } }] }
	]) {
		expect(access('enable_eth_with_tokens', eth(more))).toBe('admin');
	}
	expect(
		access('task::enable_z_coin::init', {
			ticker: 'ZOMBIE',
			activation_params: { zcash_params_path: '/etc' }
		})
	).toBe('admin');
	expect(
		access('task::enable_utxo::init', {
			ticker: 'KMD',
			activation_params: {
				mode: { rpc: 'Native' },
				priv_key_policy: { WalletConnect: { session_topic: 'a' } }
			}
		})
	).toBe('admin');
});

test('a look that makes the node forget the result is more than a look', () => {
	expect(of('task::enable_utxo::status', { task_id: 1, forget_if_finished: false }).access).toBe(
		'read'
	);
	expect(of('task::enable_utxo::status', { task_id: 1 }).access).toBe('activate');
});

test('each method has the class that the team agreed on', () => {
	const byAccess = new Map<string, string[]>();
	for (const key of Object.keys(kdfMethods) as KdfMethod[]) {
		const { access } = kdfDefinition(key);
		byAccess.set(access, [...(byAccess.get(access) ?? []), key]);
	}
	expect(byAccess.get('sign')).toEqual(['sign_message']);
	expect(byAccess.get('admin')?.sort()).toEqual([
		'disable_coin',
		'get_wallet_names',
		'set_required_confirmations',
		'set_requires_notarization',
		'stream::balance::enable',
		'stream::disable',
		'stream::fee_estimator::enable',
		'stream::heartbeat::enable',
		'stream::network::enable',
		'stream::order_status::enable',
		'stream::orderbook::enable',
		'stream::swap_status::enable',
		'stream::tx_history::enable',
		'wc_delete_session',
		'wc_new_connection'
	]);
	const never = byAccess.get('never') ?? [];
	for (const name of ['stop', 'show_priv_key', 'get_mnemonic', 'get_private_keys', 'withdraw']) {
		expect(never).toContain(name);
	}
	// Only reads and queries about sessions of remote signers may be retried.
	for (const key of Object.keys(kdfMethods) as KdfMethod[]) {
		const { access, retry, name } = kdfDefinition(key);
		if (retry) expect(access === 'read' || name.startsWith('wc_get_')).toBe(true);
	}
	expect(kdfDefinition('version').open).toBe(true);
});
