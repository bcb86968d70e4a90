import { evmPolicy, hdFields, tokenRequest, type KeyPolicy } from '../requests.ts';
import { wordsOf, type KdfRules } from '../rules.ts';
import {
	anything,
	boolean,
	exactU64,
	fallback,
	list,
	optional,
	required,
	string,
	struct,
	tagged,
	u64,
	variant,
	type Read
} from '../serde.ts';

const evmNode = struct('EthNode', {
	url: required(string),
	komodo_proxy: fallback(boolean, false)
});

const providerInfo = struct('NftProviderInfo', {
	url: required(string),
	komodo_proxy: fallback(boolean, false)
});

const nftProvider =
	(rules: KdfRules): Read<string> =>
	(value) =>
		(
			tagged('NftProviderEnum', 'type', 'info', { [wordsOf(rules).nftProvider]: providerInfo })(
				value
			) as { value: { url: string } }
		).value.url;

export const nftRequest = (rules: KdfRules) =>
	struct('NftActivationRequest', { provider: required(nftProvider(rules)) });

const swapV2 = struct('SwapV2Contracts', {
	maker_swap_v2_contract: required(string),
	taker_swap_v2_contract: required(string),
	nft_maker_swap_v2_contract: required(string)
});

export const evmRequest = (rules: KdfRules) =>
	struct('EnablePlatformCoinWithTokensReq', {
		ticker: required(string),
		erc20_tokens_requests: required(list(tokenRequest)),
		nodes: fallback(list(evmNode), []),
		swap_contract_address:
			rules.build === '3.0.0' && !rules.seedForms ? optional(string) : required(string),
		fallback_swap_contract: rules.seedForms ? required(string) : optional(string),
		swap_v2_contracts: optional(swapV2),
		contract_supports_watchers: fallback(boolean, false),
		get_balances: fallback(boolean, true),
		nft_req: optional(nftRequest(rules)),
		priv_key_policy: fallback(evmPolicy(rules), 'context' as KeyPolicy),
		rpc_mode: fallback(variant('Default'), 'Default' as const),
		required_confirmations: optional(u64),
		tx_history: fallback(anything, false),
		client_id: fallback(exactU64, 0n),
		...hdFields
	});

export type EvmRequest = ReturnType<ReturnType<typeof evmRequest>>;
