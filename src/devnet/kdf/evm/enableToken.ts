import { isJsonObject, type JsonValue } from '#lib/rpc/json.ts';
import { int } from '../../rpc/coins.ts';
import { balanceJson } from '../coins.ts';
import type { V2Method } from '../context.ts';
import { EvmCoin } from '../evmCoin.ts';
import { protocolOf } from '../protocol.ts';
import type { KdfRules } from '../rules.ts';
import { anything, optional, required, SerdeError, string, struct, u64 } from '../serde.ts';
import { TransportError } from '../utxoClient.ts';
import { tokenError } from './errors.ts';
import { nftsOf } from './nfts.ts';
import { nftRequest } from './request.ts';
import { activePlatform, refuseActiveToken, tokenCoin, tokenPlan } from './token.ts';

const tokenActivation = (rules: KdfRules) => (value: JsonValue) => {
	// Anything that is not a provider is parsed as token parameters; a mismatch with the method is detected
	// later.
	if (isJsonObject(value) && Object.hasOwn(value, 'provider')) {
		try {
			return { nft: nftRequest(rules)(value).provider };
		} catch (cause) {
			if (!(cause instanceof SerdeError)) throw cause;
		}
	}
	return {
		confirmations: struct('Erc20TokenActivationRequest', {
			required_confirmations: optional(u64)
		})(value).required_confirmations
	};
};

const tokenRequestOf = (rules: KdfRules) =>
	struct('EnableTokenRequest', {
		ticker: required(string),
		protocol: optional(anything),
		activation_params: required(tokenActivation(rules))
	});

export const enableToken: V2Method = async (context, params): Promise<JsonValue> => {
	const { coins, rules } = context;
	const { ticker, protocol, activation_params: given } = tokenRequestOf(rules)(params);
	refuseActiveToken(context, ticker);
	const platformFor = (name: string): EvmCoin => {
		const platform = activePlatform(context, name);
		if (platform.hd) {
			const text = "Expected 'SingleAddress' derivation method";
			throw tokenError(500, 'UnexpectedDerivationMethod', text, 'ExpectedSingleAddress');
		}
		return platform;
	};
	const entry = context.entry(ticker);
	if (entry?.protocol?.type === 'NFT') {
		const { platform: name } = protocolOf(entry, rules).data;
		const platform = platformFor(String(name));
		if (given.nft === undefined) {
			const text = 'Mismatched protocol info for ERC-20';
			throw tokenError(500, 'Internal', text, text);
		}
		const nfts = await nftsOf(rules, given.nft, platform.ticker, platform.address!);
		coins.add(
			new EvmCoin({
				entry,
				protocol: 'NFT',
				client: platform.client,
				keys: platform.keys,
				requiredConfirmations: platform.requiredConfirmations,
				history: false,
				token: { contract: '', decimals: 0, platform: platform.ticker }
			})
		);
		return { nfts, platform_coin: platform.ticker };
	}
	const plan = tokenPlan(context, undefined, {
		ticker,
		required_confirmations: given.confirmations,
		protocol
	});
	const platform = platformFor(String(protocolOf(plan.entry, rules).data['platform']));
	if (given.nft !== undefined) {
		const text = 'Mismatched protocol info for ERC-20';
		throw tokenError(500, 'Internal', text, text);
	}
	try {
		const coin = await tokenCoin(plan, platform);
		const key = platform.keys.key();
		const balance = await coin.balanceOf(key);
		coins.add(coin);
		return {
			balances: { [coin.addressOf(key)]: balanceJson(balance) },
			platform_coin: platform.ticker,
			token_contract_address: plan.contract,
			required_confirmations: int(coin.requiredConfirmations)
		};
	} catch (cause) {
		if (!(cause instanceof TransportError)) throw cause;
		throw tokenError(500, 'CouldNotFetchBalance', cause.message, cause.message);
	}
};
