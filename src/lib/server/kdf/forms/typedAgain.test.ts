import { describe, expect, test } from 'vitest';
import { readCoins } from '../coins/parse.ts';
import { initialEvm, type EvmTyped } from './evmForm.ts';
import { readEvmForm } from './readEvmForm.ts';
import { initialFields, type Typed } from './fields.ts';
import { readForm } from './readForm.ts';
import type { ActivationMethod } from '../coins/methods.ts';
import { evmFieldsAgain, fieldsAgain } from './typedAgain.ts';

const SWAP = '0x24ABE4c71FC658C91313b6552cd40cD808b3Ea80';
const SPARE = '0x8500AFc0bc5214728082163326C2FF0C73f4a871';
const { coins } = readCoins({
	ETH: {
		coin: 'ETH',
		mm2: 1,
		protocol: { type: 'ETH', protocol_data: { chain_id: 1 } },
		nodes: [{ url: 'https://one.example' }, { url: 'https://two.example' }],
		swap_contract_address: SWAP
	},
	USDC: {
		coin: 'USDC-ERC20',
		protocol: { type: 'ERC20', protocol_data: { platform: 'ETH', contract_address: SPARE } }
	},
	KMD: { coin: 'KMD', mm2: 1, protocol: { type: 'UTXO' } },
	ARRR: {
		coin: 'ARRR',
		protocol: { type: 'ZHTLC' },
		light_wallet_d_servers: ['https://lightd1.example', 'https://lightd2.example']
	},
	QTUM: {
		coin: 'QTUM',
		mm2: 1,
		protocol: { type: 'QTUM' },
		swap_contract_address: SWAP,
		fallback_swap_contract: SPARE
	}
});
const [eth, usdc, kmd, arrr, qtum] = coins as [
	(typeof coins)[0],
	(typeof coins)[0],
	(typeof coins)[0],
	(typeof coins)[0],
	(typeof coins)[0]
];
const servers = [
	{ url: 'a.example:10001', protocol: 'TCP' as const },
	{ url: 'b.example:20001', protocol: 'SSL' as const }
];

describe('an activation is opened again with what it was sent with', () => {
	test.each<[ActivationMethod, Partial<EvmTyped>]>([
		['task::enable_eth', {}],
		[
			'task::enable_eth',
			{
				node: ['https://two.example'],
				free_nodes: 'https://own.example/key wss://own.example/ws',
				token: ['USDC-ERC20'],
				'confirmations:USDC-ERC20': '7',
				swap_contract_address: SPARE,
				maker_swap_v2_contract: SWAP,
				taker_swap_v2_contract: SWAP,
				nft_maker_swap_v2_contract: SPARE,
				gas_station_url: 'https://gas.example',
				gas_station_decimals: '9',
				gas_station_policy: 'Average',
				get_balances: '',
				nft_url: 'https://nft.example',
				key: 'hardware',
				account_id: '2',
				chain: 'Internal',
				address_id: '5',
				required_confirmations: '12',
				requires_notarization: 'yes',
				tx_history: 'yes'
			}
		],
		['task::enable_eth', { key: 'remote', session: 'topic-1' }],
		['task::enable_eth', { token: ['USDC-ERC20'], token_confirmations: '8' }],
		['task::enable_eth', { token: ['USDC-ERC20'], token_confirmations: '' }],
		['enable', { node: ['https://one.example'], required_confirmations: '4' }]
	])('by %s', (method, change) => {
		const offer = { coin: eth, method, tokens: [usdc], sessions: ['topic-1'], mayName: true };
		const first = readEvmForm({ ...initialEvm(offer), ...change }, offer);
		if (!first.ok) throw new Error(JSON.stringify(first.errors));
		const again = evmFieldsAgain(first.params, initialEvm(offer), offer);
		expect(readEvmForm(again, offer)).toEqual(first);
	});

	test.each<[ActivationMethod, Partial<Typed>]>([
		['task::enable_utxo', {}],
		[
			'task::enable_utxo',
			{
				server: ['SSL b.example:20001'],
				free_servers: 'c.example:10001 TCP',
				min_connected: '2',
				max_connected: '2',
				required_confirmations: '5',
				requires_notarization: 'yes',
				tx_history: 'yes',
				check_utxo_maturity: 'yes',
				merge_at: '30',
				check_every: '20',
				max_merge_at_once: '10',
				address_format: 'segwit',
				key: 'hardware'
			}
		],
		['electrum', { server: ['TCP a.example:10001'], tx_history: 'yes' }],
		['enable', { required_confirmations: '9' }],
		['task::enable_z_coin', {}],
		[
			'task::enable_z_coin',
			{
				server: ['TCP a.example:10001'],
				light_server: ['https://lightd2.example'],
				free_light_servers: 'https://own.example:443',
				sync_from: 'date',
				sync_date: '2024-02-29',
				skip_sync_params: 'yes',
				zcash_params_path: '/home/node/.zcash-params',
				scan_blocks_per_iteration: '500',
				scan_interval_ms: '20',
				account: '1',
				requires_notarization: 'yes'
			}
		],
		['task::enable_z_coin', { sync_from: 'earliest' }],
		['task::enable_z_coin', { sync_from: 'height', sync_height: '152855' }],
		[
			'task::enable_bch',
			{
				free_bchd_urls: 'https://bchd.example',
				merge_at: '',
				check_every: '',
				max_merge_at_once: ''
			}
		],
		[
			'task::enable_bch',
			{
				free_bchd_urls: 'https://bchd.example',
				slp_tokens: 'SPICE 3\nOTHER',
				get_balances: ''
			}
		]
	])('by %s, with servers', (method, change) => {
		const coin = method === 'task::enable_z_coin' ? arrr : kmd;
		const offer = { coin, method, servers, sockets: false, mayName: true };
		const first = readForm({ ...initialFields(offer), ...change }, offer);
		if (!first.ok) throw new Error(JSON.stringify(first.errors));
		const again = fieldsAgain(first.params, initialFields(offer), offer);
		expect(readForm(again, offer)).toEqual(first);
	});
});

test.each([
	{},
	{ fallback_swap_contract: '' },
	{ swap_contract_address: '', fallback_swap_contract: '' }
])('contracts of a coin with Electrum servers are opened again as they were sent: %j', (change) => {
	const offer = { coin: qtum, method: 'electrum', servers, sockets: false, mayName: true } as const;
	const first = readForm({ ...initialFields(offer), ...change }, offer);
	if (!first.ok) throw new Error(JSON.stringify(first.errors));
	const again = fieldsAgain(first.params, initialFields(offer), offer);
	expect(readForm(again, offer)).toEqual(first);
});

test('a form without an earlier activation keeps its values', () => {
	const fresh = initialFields({ coin: qtum, method: 'task::enable_bch', servers });
	const shown = fieldsAgain({}, fresh, { coin: qtum, servers, mayName: true });
	expect(shown).toMatchObject({ merge_at: '50', swap_contract_address: SWAP });
});

test('addresses that only an admin may name are not shown to others', () => {
	const params = {
		nodes: [{ url: 'https://one.example' }, { url: 'https://own.example/secret' }],
		gas_station_url: 'https://gas.example/secret',
		nft_req: { provider: { type: 'NftIndexer', info: { url: 'https://nft.example/secret' } } }
	};
	const offer = { coin: eth, method: 'task::enable_eth', tokens: [], mayName: false } as const;
	const evm = evmFieldsAgain(params, initialEvm(offer), offer);
	expect(evm.node).toEqual(['https://one.example']);
	expect(JSON.stringify(evm)).not.toContain('secret');
	const used = {
		servers: [{ url: 'secret.example:1', protocol: 'TCP' }],
		bchd_urls: ['https://secret.example'],
		zcash_params_path: '/secret',
		light_wallet_d_servers: ['https://secret.example']
	};
	const fields = fieldsAgain(used, initialFields({ coin: kmd, method: 'electrum', servers }), {
		coin: kmd,
		servers,
		mayName: false
	});
	expect(JSON.stringify(fields)).not.toContain('secret');
});
