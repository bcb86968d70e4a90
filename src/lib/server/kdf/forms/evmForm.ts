/** The fields of the form that activates a coin, token or NFTs of an EVM chain. Pure. */
import { confirmationsOf, type TokenField } from '#lib/text/tokenFields.ts';
import type { Coin } from '../coins/parse.ts';
import type { ActivationMethod } from '../coins/methods.ts';

const EVM_FIELDS = [
	'free_nodes',
	'swap_contract_address',
	'fallback_swap_contract',
	'maker_swap_v2_contract',
	'taker_swap_v2_contract',
	'nft_maker_swap_v2_contract',
	'token_confirmations',
	'gas_station_url',
	'gas_station_decimals',
	'gas_station_policy',
	'get_balances',
	'mm2',
	'nft_url',
	'key',
	'session',
	'account_id',
	'chain',
	'address_id',
	'required_confirmations',
	'requires_notarization',
	'rpc_mode',
	'tx_history'
] as const;
export type EvmField = (typeof EVM_FIELDS)[number];
/** Fields with several values: addresses of nodes, and tickers of tokens. */
export type EvmChoice = 'node' | 'token';
export type EvmTyped = Record<EvmField, string> &
	Record<EvmChoice, string[]> & { [name: TokenField]: string | undefined };
export type EvmErrors = Partial<Record<EvmField | EvmChoice | TokenField, string>>;

/** What a form offers, and what the member who fills it in may do. */
export interface EvmOffer {
	coin: Coin;
	method: ActivationMethod;
	/** Tokens of this platform in the coins file. */
	tokens: readonly Coin[];
	/** Topics of the sessions with remote signers; null when the node does not report them now. */
	sessions: readonly string[] | null;
	/** Whether the member may enter addresses that are in no list, and use remote signers. */
	mayName: boolean;
}

/**
 * Defaults of the interface document: confirmations when the coins file has none, and decimals of a gas station.
 */
const CONFIRMATIONS = 3;
const GAS_STATION_DECIMALS = '8';

/** Whether a coin is activated with the form of EVM chains: a platform, a token or NFTs. */
export const takesEvmForm = ({ protocol }: Coin): boolean =>
	protocol === 'ETH' || protocol === 'ERC20' || protocol === 'NFT';

/** Returns the platform of a token or of NFTs; null for other coins. */
export function platformOf({ protocolData }: Coin): string | null {
	if (typeof protocolData !== 'object' || protocolData === null) return null;
	const { platform } = protocolData as { platform?: unknown };
	return typeof platform === 'string' ? platform : null;
}

/** Whether a method activates a platform together with its tokens. */
export const isPlatformMethod = (method: ActivationMethod): boolean =>
	method === 'enable_eth_with_tokens' || method === 'task::enable_eth';

/** Returns the initial fields of a form. A token has the confirmations of the coins file. */
export function initialEvm({
	coin,
	method,
	tokens
}: Pick<EvmOffer, 'coin' | 'method' | 'tokens'>): EvmTyped {
	const own = tokens.map(({ ticker, requiredConfirmations: confirmations }) => [
		confirmationsOf(ticker),
		confirmations === null ? '' : String(confirmations)
	]);
	return {
		...(Object.fromEntries(own) as Record<TokenField, string>),
		node: coin.nodes.map(({ url }) => url),
		token: [],
		free_nodes: '',
		swap_contract_address: coin.swapContract ?? '',
		fallback_swap_contract: coin.fallbackContract ?? coin.swapContract ?? '',
		maker_swap_v2_contract: '',
		taker_swap_v2_contract: '',
		nft_maker_swap_v2_contract: '',
		token_confirmations: String(CONFIRMATIONS),
		gas_station_url: '',
		gas_station_decimals: GAS_STATION_DECIMALS,
		gas_station_policy: 'MeanAverageFast',
		get_balances: 'yes',
		mm2: coin.mm2 === null ? (method === 'enable' ? '' : '1') : String(coin.mm2),
		nft_url: '',
		key: 'node',
		session: '',
		account_id: '',
		chain: '',
		address_id: '',
		required_confirmations: String(coin.requiredConfirmations ?? CONFIRMATIONS),
		requires_notarization: (coin.requiresNotarization ?? false) ? 'yes' : 'no',
		rpc_mode: 'Default',
		tx_history: ''
	};
}

/** Reads the fields of a submitted form; missing ones are empty. */
export function evmTypedOf(form: {
	get(name: string): unknown;
	getAll(name: string): unknown[];
	keys(): Iterable<string>;
}): EvmTyped {
	const one = (name: string): [string, string] => [name, String(form.get(name) ?? '')];
	const ofTokens = [...form.keys()].filter((name) => name.startsWith(confirmationsOf('')));
	return {
		...(Object.fromEntries(ofTokens.map(one)) as Record<TokenField, string>),
		...(Object.fromEntries(EVM_FIELDS.map(one)) as Record<EvmField, string>),
		node: form.getAll('node').map(String),
		token: form.getAll('token').map(String)
	};
}
