import { secp256k1 } from '@noble/curves/secp256k1.js';
import { bytesToHex } from '#lib/chain/bytes.ts';
import { publicKeyOf } from '#lib/chain/key.ts';
import { isJsonObject, type JsonValue } from '#lib/rpc/json.ts';
import { int } from '../../rpc/coins.ts';
import { balanceJson, balancesJson, type Balance } from '../coins.ts';
import type { KdfContext } from '../context.ts';
import { KdfError } from '../error.ts';
import { EvmClient } from '../evmClient.ts';
import { EvmCoin } from '../evmCoin.ts';
import { walletBalanceJson } from '../walletBalance.ts';
import { FROM_PLATFORM, payload, transportError } from './errors.ts';
import { nftsOf } from './nfts.ts';
import { checkContracts, keysOf, nodeUrls, platformOf, reach, refuseActive } from './platform.ts';
import type { EvmRequest } from './request.ts';
import { tokenCoin, tokenPlan, type TokenPlan } from './token.ts';

const uncompressed = (key: Uint8Array): string =>
	bytesToHex(secp256k1.Point.fromBytes(publicKeyOf(key)).toBytes(false));

const nothingAsked: (coin: EvmCoin) => Promise<void> = () => Promise.resolve();

/** Activates a platform together with its tokens; when anything fails, nothing is activated. */
export async function activate(
	context: KdfContext,
	request: EvmRequest,
	beforeBalances: (coin: EvmCoin) => Promise<void> = nothingAsked
): Promise<JsonValue> {
	const { coins, rules } = context;
	const { ticker } = request;
	const { entry } = platformOf(context, ticker);
	checkContracts(request);
	const keys = keysOf(context, request.priv_key_policy);
	if (keys.isHd && entry.derivation_path === undefined) {
		throw payload('derivation_path property is missing in the coin config');
	}
	const client = new EvmClient(nodeUrls(request.nodes));
	const plansFirst = rules.build === '3.0.0';
	const plan = (): TokenPlan[] =>
		request.erc20_tokens_requests.map((one) => tokenPlan(context, ticker, one));
	let plans = plansFirst ? plan() : [];
	await reach(context, client);
	if (!plansFirst) plans = plan();
	const requiredConfirmations =
		request.required_confirmations ?? entry.required_confirmations ?? (rules.seedForms ? 3 : 1);
	const history = request.tx_history === true;
	const shared = { client, keys, requiredConfirmations };
	try {
		const tokens = await Promise.all(
			plans.map((one) => tokenCoin(one, { ...shared, ticker }, { history }))
		);
		const coin = new EvmCoin({
			...shared,
			history,
			entry,
			protocol: 'ETH',
			path: request.path_to_address,
			leastAddresses: request.min_addresses_number,
			tokens: () => tokens
		});
		if (request.nft_req && keys.isHd) {
			const text = "Expected 'SingleAddress' derivation method";
			throw new KdfError(
				500,
				'UnexpectedDerivationMethod',
				text,
				'ExpectedSingleAddress',
				FROM_PLATFORM
			);
		}
		await beforeBalances(coin);
		const nfts = request.nft_req
			? await nftsOf(rules, request.nft_req.provider, ticker, coin.address!)
			: {};
		const height = await coin.height();
		const result = keys.isHd
			? { ticker, wallet_balance: await walletBalanceJson(coin) }
			: await singleAddress(coin, tokens, request.get_balances);
		refuseActive(context, ticker);
		for (const one of [coin, ...tokens]) coins.add(one);
		// The interface document allows an object or a list.
		const isList = rules.seedForms && !request.get_balances;
		const nftsInfos = isList && isJsonObject(nfts) ? Object.values(nfts) : nfts;
		return { current_block: int(height), ...result, nfts_infos: nftsInfos };
	} catch (cause) {
		throw transportError(cause);
	}
}

async function singleAddress(
	coin: EvmCoin,
	tokens: readonly EvmCoin[],
	withBalances: boolean
): Promise<{ [name: string]: JsonValue }> {
	const key = coin.keys.key();
	const facts = { derivation_method: { type: 'Iguana' }, pubkey: uncompressed(key) };
	const balances: { [ticker: string]: Balance } = {};
	for (const token of withBalances ? tokens : [])
		balances[token.ticker] = await token.balanceOf(key);
	const address = coin.addressOf(key);
	return {
		eth_addresses_infos: {
			[address]: {
				...facts,
				...(withBalances ? { balances: balanceJson(await coin.balanceOf(key)) } : {})
			}
		},
		erc20_addresses_infos: {
			[address]: {
				...facts,
				...(withBalances
					? { balances: balancesJson(balances) }
					: { tickers: tokens.map(({ ticker }) => ticker) })
			}
		}
	};
}
