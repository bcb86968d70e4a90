/** Restores the form of an earlier activation from its parameters, so that they can be changed and sent again. */
import { confirmationsOf } from '#lib/text/tokenFields.ts';
import { isPlainObject, members, type Plain } from '../client/plain.ts';
import type { EvmOffer, EvmTyped } from './evmForm.ts';
import { serverKey, type Offer, type Typed } from './fields.ts';

type Params = { readonly [name: string]: Plain | undefined };

const within = (params: Params, name: string): Params => members(params[name]);
const listOf = (params: Params, name: string): Plain[] => {
	const value = params[name];
	return Array.isArray(value) ? value : [];
};
const textOf = (value: Plain | undefined): string =>
	typeof value === 'string' || typeof value === 'number' ? String(value) : '';

/** Returns the fields whose parameters have text. */
function texts<Field extends string>(
	params: Params,
	names: readonly Field[]
): Partial<Record<Field, string>> {
	const there = names.filter((name) => textOf(params[name]) !== '');
	return Object.fromEntries(there.map((name) => [name, textOf(params[name])])) as Partial<
		Record<Field, string>
	>;
}

/** Returns the fields of boolean parameters: a checkbox, or a choice of yes and no. */
function flags<Field extends string>(
	params: Params,
	names: readonly Field[],
	no: '' | 'no'
): Partial<Record<Field, string>> {
	const there = names.filter((name) => typeof params[name] === 'boolean');
	return Object.fromEntries(
		there.map((name) => [name, params[name] === true ? 'yes' : no])
	) as Partial<Record<Field, string>>;
}

const KEYS: Readonly<Record<string, string>> = {
	ContextPrivKey: 'node',
	HardwareWallet: 'hardware',
	RemoteSigner: 'remote'
};

/** Fields that a form may be sent without, although a fresh one has values for them. */
const LEFT_OUT = {
	merge_at: '',
	check_every: '',
	max_merge_at_once: '',
	swap_contract_address: '',
	fallback_swap_contract: ''
} as const satisfies Partial<Typed>;

/**
 * Restores the fields of an activation by Electrum servers or a native daemon.
 * @param params those of an earlier activation of the coin, by the same method; empty when there was none
 * @param fresh the initial fields of a form
 */
export function fieldsAgain(
	params: Params,
	fresh: Typed,
	{ servers, mayName, coin }: Pick<Offer, 'servers' | 'mayName' | 'coin'>
): Typed {
	const inner = { ...params, ...within(params, 'activation_params') };
	const rpc = { ...inner, ...within(within(inner, 'mode'), 'rpc_data') };
	const isSent = Object.keys(params).length > 0;
	const known = new Set(servers.map(serverKey));
	const used = [...listOf(rpc, 'servers'), ...listOf(rpc, 'electrum_servers')]
		.filter(isPlainObject)
		.map((one) => `${textOf(one['protocol'])} ${textOf(one['url'])}`);
	// Addresses that only admins may enter are shown to admins only: they can contain a key.
	const named = used
		.filter((key) => mayName && !known.has(key))
		.map((key) => key.split(' ').toReversed().join(' '));
	const bchd = listOf(inner, 'bchd_urls').map(textOf);
	const light = listOf(rpc, 'light_wallet_d_servers').map(textOf);
	return {
		...fresh,
		...(used.length === 0
			? {}
			: { server: used.filter((key) => known.has(key)), free_servers: named.join('\n') }),
		...(Array.isArray(inner['bchd_urls'])
			? {
					bchd_url: bchd.filter((url) => coin.bchdUrls.includes(url)),
					free_bchd_urls: bchd.filter((url) => mayName && !coin.bchdUrls.includes(url)).join('\n')
				}
			: {}),
		...(light.length === 0
			? {}
			: {
					light_server: light.filter((url) => coin.lightServers.includes(url)),
					free_light_servers: light
						.filter((url) => mayName && !coin.lightServers.includes(url))
						.join('\n')
				}),
		...syncStart(rpc),
		...flags(rpc, ['skip_sync_params'], ''),
		...texts(inner, [
			'scan_blocks_per_iteration',
			'scan_interval_ms',
			'account',
			...(mayName ? (['zcash_params_path'] as const) : [])
		]),
		...texts(rpc, ['min_connected', 'max_connected']),
		...texts(inner, ['mm2', 'required_confirmations']),
		...(isSent ? LEFT_OUT : {}),
		...texts(inner, ['swap_contract_address', 'fallback_swap_contract']),
		...texts(within(inner, 'utxo_merge_params'), ['merge_at', 'check_every', 'max_merge_at_once']),
		...flags(inner, ['requires_notarization'], 'no'),
		...flags(
			inner,
			['tx_history', 'check_utxo_maturity', 'get_balances', 'allow_slp_unsafe_conf'],
			''
		),
		...addressFormat(inner),
		...keyOf(inner),
		slp_tokens: listOf(inner, 'slp_tokens_requests')
			.filter(isPlainObject)
			.map((one) => `${textOf(one['ticker'])} ${textOf(one['required_confirmations'])}`.trim())
			.join('\n')
	};
}

/** Restores where a shielded wallet started to scan the chain. */
function syncStart(rpc: Params): Partial<Pick<Typed, 'sync_from' | 'sync_date' | 'sync_height'>> {
	const start = rpc['sync_params'];
	if (start === 'earliest') return { sync_from: 'earliest' };
	const { height, date } = within(rpc, 'sync_params');
	if (typeof height === 'number') return { sync_from: 'height', sync_height: String(height) };
	if (typeof date !== 'number') return {};
	return { sync_from: 'date', sync_date: new Date(date * 1_000).toISOString().slice(0, 10) };
}

const addressFormat = (params: Params): { address_format?: string } => {
	const format = textOf(within(params, 'address_format')['format']);
	return format === '' ? {} : { address_format: format };
};

const keyOf = (params: Params): { key?: string } => {
	const key = KEYS[textOf(within(params, 'priv_key_policy')['type'])];
	return key === undefined ? {} : { key };
};

/** Restores the fields of an activation of an EVM coin; parameters as for {@link fieldsAgain}. */
export function evmFieldsAgain(
	params: Params,
	fresh: EvmTyped,
	{ coin, mayName }: Pick<EvmOffer, 'coin' | 'mayName'>
): EvmTyped {
	const inner = { ...params, ...within(params, 'activation_params') };
	const known = new Set(coin.nodes.map(({ url }) => url));
	const nodes = [
		...listOf(inner, 'nodes')
			.filter(isPlainObject)
			.map((one) => [textOf(one['url']), textOf(one['ws_url'])] as const),
		...listOf(inner, 'urls').map((url) => [textOf(url), ''] as const)
	];
	const tokens = listOf(inner, 'erc20_tokens_requests').filter(isPlainObject);
	const provider = within(providerOf(inner), 'info');
	return {
		...fresh,
		...(nodes.length === 0
			? {}
			: {
					node: nodes.map(([url]) => url).filter((url) => known.has(url)),
					free_nodes: nodes
						.filter(([url]) => mayName && !known.has(url))
						.map((one) => one.join(' ').trim())
						.join('\n')
				}),
		token: tokens.map((one) => textOf(one['ticker'])),
		...tokenConfirmations(tokens),
		...texts(inner, ['swap_contract_address', 'fallback_swap_contract', 'rpc_mode', 'mm2']),
		...texts(within(inner, 'swap_v2_contracts'), [
			'maker_swap_v2_contract',
			'taker_swap_v2_contract',
			'nft_maker_swap_v2_contract'
		]),
		...(mayName
			? {
					...texts(inner, ['gas_station_url', 'gas_station_decimals']),
					...gasPolicy(inner),
					...session(inner),
					nft_url: textOf(provider['url'])
				}
			: {}),
		...keyOf(inner),
		...texts(within(inner, 'path_to_address'), ['account_id', 'chain', 'address_id']),
		...texts(inner, ['required_confirmations']),
		...flags(inner, ['requires_notarization'], 'no'),
		...flags(inner, ['get_balances', 'tx_history'], '')
	};
}

/** Restores the confirmations of each token. If one had none, the number for all tokens was empty. */
function tokenConfirmations(tokens: readonly Params[]): Partial<EvmTyped> {
	const own = tokens.map(
		({ ticker, required_confirmations: number }) =>
			[confirmationsOf(textOf(ticker)), textOf(number)] as const
	);
	return {
		...Object.fromEntries(own),
		...(own.some(([, number]) => number === '') ? { token_confirmations: '' } : {})
	};
}

/** Returns the provider of NFT data, from a request for NFTs alone or together with their platform. */
const providerOf = (params: Params): Params => ({
	...within(params, 'provider'),
	...within(within(params, 'nft_req'), 'provider')
});

const gasPolicy = (params: Params): { gas_station_policy?: string } => {
	const policy = textOf(within(params, 'gas_station_policy')['policy']);
	return policy === '' ? {} : { gas_station_policy: policy };
};

const session = (params: Params): { session?: string } => {
	const topic = textOf(within(params, 'priv_key_policy')['session']);
	return topic === '' ? {} : { session: topic };
};
