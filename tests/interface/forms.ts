/**
 * Parameters that the forms of the trading node's pages send when all their fields are filled in, in the
 * spelling of the interface document.
 */
import type { JsonValue } from '#lib/rpc/json.ts';
import { encodeKdfParams } from '#lib/rpc/kdf/codec.ts';
import type { KdfMethod } from '#lib/rpc/kdf/index.ts';
import { readCoins, type Coin } from '#lib/server/kdf/coins/parse.ts';
import { initialEvm, type EvmTyped } from '#lib/server/kdf/forms/evmForm.ts';
import { readEvmForm } from '#lib/server/kdf/forms/readEvmForm.ts';
import { initialFields, type Typed } from '#lib/server/kdf/forms/fields.ts';
import { readForm } from '#lib/server/kdf/forms/readForm.ts';
import type { ActivationMethod } from '#lib/server/kdf/coins/methods.ts';

/** Entries of a coins file. */
const COINS = [
	{
		coin: 'KMD',
		mm2: 1,
		protocol: { type: 'UTXO' },
		electrum: [{ url: 'kmd.example:10001', protocol: 'TCP' }]
	},
	{
		coin: 'QRC',
		mm2: 1,
		protocol: {
			type: 'QRC20',
			protocol_data: { platform: 'QTUM', contract_address: `0x${'6'.repeat(40)}` }
		},
		electrum: [{ url: 'qtum.example:10001', protocol: 'TCP' }]
	},
	{
		coin: 'BCH',
		mm2: 1,
		protocol: { type: 'BCH', protocol_data: { slp_prefix: 'simpleledger' } },
		address_format: { format: 'cashaddress', network: 'bitcoincash' },
		bchd_urls: ['https://bchd.example'],
		electrum: [{ url: 'bch.example:10001', protocol: 'TCP' }]
	},
	{
		coin: 'ETH',
		mm2: 1,
		protocol: { type: 'ETH', protocol_data: { chain_id: 1 } },
		nodes: [{ url: 'https://eth.example', ws_url: 'wss://eth.example' }]
	},
	{
		coin: 'USDC-ERC20',
		mm2: 1,
		protocol: {
			type: 'ERC20',
			protocol_data: {
				platform: 'ETH',
				contract_address: '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48'
			}
		}
	}
];

const { coins, problems } = readCoins(COINS);
if (problems.length > 0) throw new Error(problems.join(' '));

const coinOf = (ticker: string): Coin => {
	const coin = coins.find((one) => one.ticker === ticker);
	if (coin === undefined) throw new Error(`there is no coin ${ticker}`);
	return coin;
};

const contract = (digit: number): string => `0x${String(digit).repeat(40)}`;

const UTXO: Partial<Typed> = {
	free_servers: 'other.example:10002 SSL',
	min_connected: '1',
	max_connected: '2',
	required_confirmations: '3',
	requires_notarization: 'yes',
	tx_history: 'yes',
	merge_at: '50',
	check_every: '10',
	max_merge_at_once: '25',
	allow_slp_unsafe_conf: 'yes',
	slp_tokens: 'SLP 2',
	get_balances: 'yes',
	swap_contract_address: contract(1),
	fallback_swap_contract: contract(2)
};

const EVM: Partial<EvmTyped> = {
	token: ['USDC-ERC20'],
	swap_contract_address: contract(1),
	fallback_swap_contract: contract(2),
	gas_station_url: 'https://gas.example',
	nft_url: 'https://nft.example'
};
/** Fields that only the form of a platform has. */
const PLATFORM: Partial<EvmTyped> = {
	maker_swap_v2_contract: contract(3),
	taker_swap_v2_contract: contract(4),
	nft_maker_swap_v2_contract: contract(5)
};
const SESSION = 'ab'.repeat(32);

/** The RPC method of an activation method. */
const methodOf = (way: ActivationMethod): KdfMethod =>
	(way.startsWith('task::') ? `${way}::init` : way) as KdfMethod;

function utxoForm(ticker: string, method: ActivationMethod): [string, JsonValue] {
	const coin = coinOf(ticker);
	// A node of the interface document accepts WebSocket servers, so its form offers them.
	const socket = { url: 'socket.example:30001', protocol: 'WSS' } as const;
	const offer = { coin, method, servers: [...coin.servers, socket] };
	const read = readForm(
		{ ...initialFields(offer), ...UTXO },
		{ ...offer, sockets: true, mayName: true }
	);
	if (!read.ok) throw new Error(`${method}: ${JSON.stringify(read.errors)}`);
	const called = methodOf(method);
	return [called, encodeKdfParams(called, read.params as never, 'seed')];
}

function evmForm(method: ActivationMethod, more: Partial<EvmTyped>): [string, JsonValue] {
	const coin = coinOf('ETH');
	const offer = {
		coin,
		method,
		tokens: [coinOf('USDC-ERC20')],
		sessions: [SESSION],
		mayName: true
	};
	const own = method === 'enable' ? {} : PLATFORM;
	const read = readEvmForm({ ...initialEvm(offer), ...EVM, ...own, ...more }, offer);
	if (!read.ok) throw new Error(`${method}: ${JSON.stringify(read.errors)}`);
	const called = methodOf(method);
	return [called, encodeKdfParams(called, read.params as never, 'seed')];
}

/** Parameters that the forms send, by method. */
export function formParams(): ReadonlyMap<string, readonly JsonValue[]> {
	const sent = new Map<string, JsonValue[]>();
	const forms = [
		utxoForm('KMD', 'electrum'),
		utxoForm('QRC', 'electrum'),
		utxoForm('KMD', 'enable'),
		utxoForm('BCH', 'task::enable_bch'),
		...(['enable', 'enable_eth_with_tokens'] as const).flatMap((method) => [
			evmForm(method, { gas_station_policy: 'MeanAverageFast' }),
			evmForm(method, { gas_station_policy: 'Average', key: 'remote', session: SESSION })
		])
	];
	for (const [method, params] of forms) sent.set(method, [...(sent.get(method) ?? []), params]);
	return sent;
}
