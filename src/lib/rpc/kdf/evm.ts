/**
 * Methods for coins and tokens of EVM chains: a platform with its tokens in one call, single tokens, NFTs.
 */
import { z } from 'zod';
import { bool, list, object, oneOf, text } from '../types.ts';
import { named, v2 } from './method.ts';
import {
	coinBalance,
	coinBalanceMap,
	count,
	decimal,
	evmAddress,
	evmPolicy,
	evmPubkey,
	hdOptions,
	holds,
	json,
	nftProvider,
	seedWalletBalance,
	spelled,
	ticker,
	tokensRequest,
	walletBalance,
	word,
	type Spelling
} from './types.ts';

const evmNode = object({
	url: text,
	ws_url: text.optional(),
	komodo_proxy: bool.optional(),
	gui_auth: bool.optional()
});

const swapV2Contracts = object({
	maker_swap_v2_contract: evmAddress,
	taker_swap_v2_contract: evmAddress,
	nft_maker_swap_v2_contract: evmAddress
});

/** Source of gas prices; released nodes ignore it for a platform with tokens. */
export const gasStation = {
	gas_station_url: text.optional(),
	gas_station_decimals: count.optional(),
	gas_station_policy: object({ policy: z.enum(['MeanAverageFast', 'Average']) }).optional()
};

/** Parameters of `enable_eth_with_tokens` and, with `client_id`, of `task::enable_eth::init`. */
export const evmParams = (dialect: Spelling) =>
	object({
		ticker,
		nodes: list(evmNode),
		swap_contract_address: evmAddress,
		fallback_swap_contract: (dialect === 'seed'
			? evmAddress
			: evmAddress.optional()) as z.ZodOptional<typeof evmAddress>,
		erc20_tokens_requests: list(tokensRequest),
		...gasStation,
		swap_v2_contracts: swapV2Contracts.optional(),
		contract_supports_watchers: bool.optional(),
		get_balances: bool.optional(),
		mm2: count.refine((value) => value <= 1, 'expected 0 or 1').optional(),
		nft_req: nftProvider(dialect).optional(),
		priv_key_policy: evmPolicy(dialect).optional(),
		required_confirmations: count.optional(),
		requires_notarization: bool.optional(),
		rpc_mode: word(dialect, { Default: 'Default', BrowserWallet: 'Metamask' }).optional(),
		tx_history: bool.optional(),
		...hdOptions
	});

const derivationMethod = oneOf([
	object({ type: z.literal('Iguana') }),
	object({ type: z.literal('HDWallet'), data: text })
]);

/** The interface document has its own format of public keys. */
const addressFacts = (dialect: Spelling) => ({
	derivation_method: derivationMethod,
	pubkey: dialect === 'kdf' ? evmPubkey : text
});
const platformInfo = (dialect: Spelling) =>
	oneOf([
		object({ ...addressFacts(dialect), balances: coinBalance }),
		object(addressFacts(dialect))
	]);
const tokenInfo = (dialect: Spelling) =>
	oneOf([
		object({ ...addressFacts(dialect), balances: coinBalanceMap }),
		object({ ...addressFacts(dialect), tickers: list(ticker) })
	]);

const nftInfo = object({
	token_address: z.string().regex(/^0x[0-9a-f]{40}$/, 'expected a lower-case address'),
	token_id: z.string().regex(/^\d+$/, 'expected digits'),
	chain: z.enum(['AVALANCHE', 'BSC', 'ETH', 'FANTOM', 'POLYGON']),
	contract_type: z.enum(['ERC721', 'ERC1155']),
	amount: decimal
});
const nftMap = z
	.record(z.string(), nftInfo)
	.refine(
		(nfts) =>
			Object.entries(nfts).every(
				([key, { token_address, token_id }]) => key === `${token_address},${token_id}`
			),
		'expected keys of token address and token id'
	);
const nftOfSeed = object({
	token_address: text,
	token_id: text,
	chain: text,
	contract_type: z.enum(['ERC721', 'ERC1155']),
	amount: decimal
});

/** One NFT of an address, in either dialect. */
type NftInfo = z.output<typeof nftOfSeed>;
type Nfts = z.ZodType<Record<string, NftInfo> | NftInfo[]>;

/** The interface document shows a map but calls it a list, so both are accepted. */
const nfts = (dialect: Spelling): Nfts =>
	(dialect === 'kdf'
		? nftMap
		: oneOf([z.record(z.string(), nftOfSeed), list(nftOfSeed)])) as unknown as Nfts;

const evmAddresses = <I extends z.ZodType>(dialect: Spelling, info: I) =>
	z.record(dialect === 'kdf' ? evmAddress : z.string(), info);

/** Checks that platform and tokens have the same addresses, and that either all have balances or none has. */
function agree(result: {
	eth_addresses_infos: Record<string, object>;
	erc20_addresses_infos: Record<string, object>;
}): boolean {
	const { eth_addresses_infos: platform, erc20_addresses_infos: tokens } = result;
	const infos = [...Object.values(platform), ...Object.values(tokens)];
	const names = (map: object): string => Object.keys(map).sort().join();
	return (
		names(platform) === names(tokens) && new Set(infos.map((info) => 'balances' in info)).size === 1
	);
}

const oneAddress = (dialect: Spelling) =>
	object({
		current_block: count,
		eth_addresses_infos: evmAddresses(dialect, platformInfo(dialect)),
		erc20_addresses_infos: evmAddresses(dialect, tokenInfo(dialect)),
		nfts_infos: nfts(dialect)
	}).refine(
		(result) => dialect !== 'kdf' || agree(result),
		'expected the same addresses, and balances everywhere or nowhere'
	);

const manyAddresses = (dialect: Spelling) =>
	object({
		current_block: count,
		ticker,
		wallet_balance: dialect === 'kdf' ? walletBalance : seedWalletBalance,
		nfts_infos: nfts(dialect)
	}).refine(
		(result) => dialect !== 'kdf' || holds(result.ticker, result.wallet_balance),
		'expected a balance of the coin'
	);

/** Result of activating a platform with its tokens: a single address, or an HD wallet. */
export const evmResult = (dialect: Spelling) =>
	oneOf([oneAddress(dialect), manyAddresses(dialect)]);

const tokenResult = object({
	balances: z.record(evmAddress, coinBalance),
	platform_coin: ticker,
	token_contract_address: evmAddress,
	required_confirmations: count
});
const nftResult = object({ nfts: nftMap, platform_coin: ticker });

/** Parameters of a task that activates one token. */
export const tokenTaskParams = object({
	ticker,
	protocol: json.optional(),
	activation_params: object({ required_confirmations: count.optional(), ...hdOptions })
});

const exampleNode = { url: 'https://node.example:8545' };

export const evmMethods = named({
	enable_eth_with_tokens: v2({
		access: 'activate',
		signs: false,
		params: spelled(evmParams),
		result: spelled(evmResult),
		examples: [
			{
				ticker: 'ETH',
				nodes: [exampleNode],
				swap_contract_address: '0x24ABE4c71FC658C91313b6552cd40cD808b3Ea80',
				fallback_swap_contract: '0x8500AFc0bc5214728082163326C2FF0C73f4a871',
				erc20_tokens_requests: [{ ticker: 'USDC-ERC20', required_confirmations: 4 }],
				required_confirmations: 5
			}
		]
	}),
	enable_erc20: v2({
		access: 'activate',
		signs: false,
		params: object({
			ticker,
			protocol: json.optional(),
			activation_params: object({ required_confirmations: count.optional() })
		}),
		result: tokenResult,
		examples: [{ ticker: 'USDC-ERC20', activation_params: { required_confirmations: 3 } }]
	}),
	enable_nft: v2({
		access: 'activate',
		signs: false,
		params: spelled((dialect) =>
			object({ ticker, protocol: json.optional(), activation_params: nftProvider(dialect) })
		),
		result: nftResult,
		examples: [
			{
				ticker: 'NFT_ETH',
				activation_params: {
					provider: { type: 'NftIndexer' as const, info: { url: 'https://nft.example' } }
				}
			}
		]
	})
});
