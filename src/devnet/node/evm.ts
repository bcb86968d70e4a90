import { secp256k1 } from '@noble/curves/secp256k1.js';
import { bytesToHex } from '#lib/chain/bytes.ts';
import { isChecksummed, isEvmAddress } from '#lib/chain/evmAddress.ts';
import { publicKeyOf } from '#lib/chain/key.ts';
import { isJsonObject, parseJson } from '#lib/rpc/json.ts';
import type { JsonValue } from '#lib/rpc/json.ts';
import { int } from '../daemon/coins.ts';
import { balanceJson, balancesJson } from './coins.ts';
import type { Balance } from './coins.ts';
import type { CoinEntry } from './coinsFile.ts';
import type { NodeContext, V2Method } from './context.ts';
import { pinIsRight } from './deviceSteps.ts';
import { NodeError } from './error.ts';
import { EvmClient } from './evmClient.ts';
import { EvmCoin } from './evmCoin.ts';
import { protocolOf } from './protocol.ts';
import type { Protocol } from './protocol.ts';
import { evmPolicy, hdFields, tokenRequest } from './requests.ts';
import type { KeyPolicy } from './requests.ts';
import { wordsOf } from './rules.ts';
import type { NodeRules } from './rules.ts';
import {
	anything,
	boolean,
	exactU64,
	fallback,
	list,
	optional,
	required,
	SerdeError,
	string,
	struct,
	tagged,
	u64,
	variant
} from './serde.ts';
import type { Read } from './serde.ts';
import { ActionTimeout } from './tasks.ts';
import type { TaskHandle } from './tasks.ts';
import type { KeySource } from './utxo.ts';
import { TransportError } from './utxoClient.ts';
import { walletBalanceJson } from './walletBalance.ts';

const evmNode = struct('EthNode', {
	url: required(string),
	komodo_proxy: fallback(boolean, false)
});

const providerInfo = struct('NftProviderInfo', {
	url: required(string),
	komodo_proxy: fallback(boolean, false)
});
const nftProvider =
	(rules: NodeRules): Read<string> =>
	(value) =>
		(
			tagged('NftProviderEnum', 'type', 'info', { [wordsOf(rules).nftProvider]: providerInfo })(
				value
			) as { value: { url: string } }
		).value.url;

const nftRequest = (rules: NodeRules) =>
	struct('NftActivationRequest', { provider: required(nftProvider(rules)) });

const swapV2 = struct('SwapV2Contracts', {
	maker_swap_v2_contract: required(string),
	taker_swap_v2_contract: required(string),
	nft_maker_swap_v2_contract: required(string)
});

const evmRequest = (rules: NodeRules) =>
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
type EvmRequest = ReturnType<ReturnType<typeof evmRequest>>;

const PLATFORM = 'platform_coin_with_tokens';
const at = (path: string, trace: string): { path: string; trace: string } => ({ path, trace });
const FROM_PLATFORM = at(PLATFORM, `${PLATFORM}:471]`);

const payload = (text: string): NodeError =>
	new NodeError(400, 'InvalidPayload', text, text, FROM_PLATFORM);

/** Errors of the release that the interface document has by other names. */
function asDocumented(cause: unknown, ticker: string): unknown {
	if (!(cause instanceof NodeError)) return cause;
	const { type, message: error } = cause;
	switch (type) {
		case 'InvalidPayload':
		case 'AtLeastOneNodeRequired':
			return new NodeError(
				500,
				'PlatformCoinCreationError',
				`Error on platform coin ${ticker} creation: ${error}`,
				{ ticker, error },
				cause.origin
			);
		case 'WalletConnectError':
		case 'UnexpectedDeviceActivationPolicy':
			return new NodeError(
				500,
				'PrivKeyNotAllowed',
				`Private key is not allowed: ${error}`,
				error,
				cause.origin
			);
		default:
			return cause;
	}
}

const internalOf = (rules: NodeRules, text: string): NodeError =>
	rules.seedForms
		? new NodeError(500, 'InternalError', `Internal error: ${text}`, text, FROM_PLATFORM)
		: new NodeError(500, 'Internal', text, text, FROM_PLATFORM);

const alreadyActive = (ticker: string): NodeError =>
	new NodeError(
		400,
		'PlatformIsAlreadyActivated',
		ticker,
		ticker,
		at(PLATFORM, `${PLATFORM}:466]`)
	);

/** The entry of a platform. @throws {NodeError} */
function platformOf(
	context: NodeContext,
	ticker: string
): { entry: CoinEntry; protocol: Protocol } {
	const entry = context.entry(ticker);
	if (!entry) {
		throw new NodeError(
			400,
			'PlatformConfigIsNotFound',
			`Platform ${ticker} config is not found`,
			ticker,
			at(`${PLATFORM}.prelude`, `${PLATFORM}:471] prelude:106]`)
		);
	}
	let protocol: Protocol;
	try {
		protocol = protocolOf(entry, context.rules);
	} catch (cause) {
		if (!(cause instanceof SerdeError)) throw cause;
		throw new NodeError(
			500,
			'CoinProtocolParseError',
			`Platform coin ${ticker} protocol parsing failed: ${cause.message}`,
			{ ticker, error: cause.message },
			at(`${PLATFORM}.prelude`, `${PLATFORM}:471] prelude:114]`)
		);
	}
	if (protocol.type !== 'ETH') {
		throw new NodeError(
			400,
			'UnexpectedPlatformProtocol',
			`Unexpected platform protocol ${JSON.stringify(protocol.json)} for ${ticker}`,
			{ ticker, protocol: protocol.json },
			at(`${PLATFORM}.prelude.lib`, `${PLATFORM}:471] prelude:122] lib:13]`)
		);
	}
	return { entry, protocol };
}

const isZero = (address: string): boolean => /^0x0{40}$/.test(address);

/** Contract addresses are there and none is zero. @throws {NodeError} */
function checkContracts(request: EvmRequest): void {
	const { swap_contract_address: swap, fallback_swap_contract: spare } = request;
	if (swap === undefined) {
		throw payload('swap_contract_address is required for trading-capable coins');
	}
	for (const [name, address] of [
		['swap_contract_address', swap],
		['fallback_swap_contract', spare],
		...Object.entries(request.swap_v2_contracts ?? {})
	] as const) {
		if (address === undefined) continue;
		if (!isEvmAddress(address))
			throw new SerdeError(`invalid value: string ${JSON.stringify(address)}, expected an address`);
		if (isZero(address)) throw payload(`${name} can't be zero address`);
	}
}

/** Addresses of nodes with a scheme that can be used. @throws {NodeError} */
function nodeUrls(nodes: readonly { url: string }[]): string[] {
	if (nodes.length === 0) {
		const text = 'Enable request for ETH coin must have at least 1 node';
		throw new NodeError(400, 'AtLeastOneNodeRequired', text, text, FROM_PLATFORM);
	}
	return nodes.map(({ url }) => {
		let parsed: URL;
		try {
			parsed = new URL(url);
		} catch {
			throw payload(`Invalid node address '${url}'`);
		}
		if (!/^(https?|wss?):$/.test(parsed.protocol)) {
			throw payload(
				`Invalid node address '${parsed.href}'. Only http(s) and ws(s) nodes are supported`
			);
		}
		return url;
	});
}

/** Whose keys. @throws {NodeError} */
function keysOf(context: NodeContext, policy: KeyPolicy): KeySource {
	const { keys, device, sessions } = context;
	if (policy === 'context') {
		return { isHd: keys.isHd, isForeign: false, key: (path) => keys.key(path) };
	}
	if (policy === 'device') {
		return { isHd: true, isForeign: true, key: (path) => device.keys.keyAt(path ?? 'm') };
	}
	const session = sessions.get(policy.session);
	if (!session) {
		const text = `Session not found: ${policy.session}`;
		throw new NodeError(400, 'WalletConnectError', text, text, FROM_PLATFORM);
	}
	return { isHd: false, isForeign: true, key: () => session.keys.keyAt("m/44'/60'/0'/0/0") };
}

type Wanted = EvmRequest['erc20_tokens_requests'][number];

interface TokenPlan {
	entry: CoinEntry;
	contract: string;
	confirmations: number | undefined;
}

const tokenError = (status: number, type: string, text: string, data: JsonValue): NodeError =>
	new NodeError(status, type, text, data, at('prelude', `${PLATFORM}:320] prelude:79]`));

/** What a token of a request is. @throws {NodeError} */
function tokenPlan(
	context: NodeContext,
	platform: string | undefined,
	{ ticker, required_confirmations: confirmations, protocol: custom }: Wanted
): TokenPlan {
	const known = context.entry(ticker);
	let entry = known;
	if (custom !== undefined) {
		if (known) throw customToken({ DuplicateTickerInConfig: { ticker_in_config: ticker } });
		entry = { coin: ticker, protocol: custom as unknown as NonNullable<CoinEntry['protocol']> };
	}
	if (!entry) {
		throw tokenError(400, 'TokenConfigIsNotFound', `Token ${ticker} config is not found`, ticker);
	}
	let protocol: Protocol;
	try {
		protocol = protocolOf(entry, context.rules);
	} catch (cause) {
		if (!(cause instanceof SerdeError)) throw cause;
		throw tokenError(
			500,
			'TokenProtocolParseError',
			`Token ${ticker} protocol parsing failed: ${cause.message}`,
			{ ticker, error: cause.message }
		);
	}
	const contract = protocol.data['contract_address'];
	const fits =
		protocol.type === 'ERC20' &&
		typeof contract === 'string' &&
		isChecksummed(contract) &&
		(platform === undefined || protocol.data['platform'] === platform);
	if (!fits) {
		throw tokenError(
			400,
			'UnexpectedTokenProtocol',
			`Unexpected token protocol ${JSON.stringify(protocol.json)} for ${ticker}`,
			{ ticker, protocol: protocol.json }
		);
	}
	if (custom !== undefined) {
		const same = context.entryOfContract(contract);
		if (same) throw customToken({ DuplicateContractInConfig: { ticker_in_config: same.coin } });
	}
	return { entry, contract, confirmations };
}

const customToken = (data: JsonValue): NodeError =>
	new NodeError(500, 'CustomTokenError', `Custom token error: ${JSON.stringify(data)}`, data);

interface Nft {
	token_address: string;
	token_id: string;
	contract_type: string;
	amount: string;
}

/** Names of chains as NFT facts have them. */
const NFT_CHAINS: Readonly<Record<string, string>> = {
	ETH: 'ETH',
	AVAX: 'AVALANCHE',
	BNB: 'BSC',
	FTM: 'FANTOM',
	MATIC: 'POLYGON'
};

/** Asks the provider what an address has. @throws {NodeError} */
async function nftsOf(
	rules: NodeRules,
	url: string,
	platform: string,
	address: string
): Promise<JsonValue> {
	const chain = NFT_CHAINS[platform] ?? platform;
	let answer: JsonValue;
	try {
		const response = await fetch(
			`${url.replace(/\/$/, '')}/api/v2/${address}/nft?chain=${chain.toLowerCase()}&format=decimal`
		);
		if (!response.ok && rules.seedForms) {
			throw internalOf(rules, `NFT provider answered with the status ${response.status}`);
		}
		if (!response.ok) throw new Error(`Status code: ${response.status}`);
		answer = parseJson(await response.text());
	} catch (cause) {
		if (cause instanceof NodeError) throw cause;
		const reason = cause instanceof Error ? (cause.cause ?? cause) : cause;
		const text = reason instanceof Error ? reason.message || String(reason) : String(reason);
		throw new NodeError(502, 'Transport', text, text, FROM_PLATFORM);
	}
	const found = isJsonObject(answer) && Array.isArray(answer['result']) ? answer['result'] : [];
	return Object.fromEntries(
		(found as unknown as Nft[]).map((nft) => [
			`${nft.token_address.toLowerCase()},${nft.token_id}`,
			{
				token_address: nft.token_address.toLowerCase(),
				token_id: nft.token_id,
				chain,
				contract_type: nft.contract_type,
				amount: nft.amount
			}
		])
	);
}

/** One node must tell its version. @throws {NodeError} */
async function reach(context: NodeContext, client: EvmClient): Promise<void> {
	try {
		await client.call('web3_clientVersion');
	} catch (cause) {
		if (!(cause instanceof TransportError)) throw cause;
		if (context.rules.build === '3.0.0' && !context.rules.seedForms) {
			throw internalOf(context.rules, `eth:3001] ${cause.message}`);
		}
		const text = 'Failed to get client version for all nodes';
		throw new NodeError(502, 'Transport', text, text, FROM_PLATFORM);
	}
}

const uncompressed = (key: Uint8Array): string =>
	bytesToHex(secp256k1.Point.fromBytes(publicKeyOf(key)).toBytes(false));

const transportError = (cause: unknown): unknown =>
	cause instanceof TransportError
		? new NodeError(502, 'Transport', cause.message, cause.message, FROM_PLATFORM)
		: cause;

const nothingAsked: (coin: EvmCoin) => Promise<void> = () => Promise.resolve();

/** Activates a platform with its tokens, or nothing at all. */
async function activate(
	context: NodeContext,
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
	const shared = { client, keys, history: request.tx_history === true };
	try {
		const tokens = await Promise.all(
			plans.map(
				async (token) =>
					new EvmCoin({
						...shared,
						entry: token.entry,
						protocol: 'ERC20',
						requiredConfirmations:
							token.confirmations ?? token.entry.required_confirmations ?? requiredConfirmations,
						token: {
							contract: token.contract,
							platform: ticker,
							decimals: token.entry.decimals || (await client.tokenDecimals(token.contract))
						}
					})
			)
		);
		const coin = new EvmCoin({
			...shared,
			entry,
			protocol: 'ETH',
			requiredConfirmations,
			path: request.path_to_address,
			leastAddresses: request.min_addresses_number,
			tokens: () => tokens
		});
		if (request.nft_req && keys.isHd) {
			const text = "Expected 'SingleAddress' derivation method";
			throw new NodeError(
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
		if (coins.has(ticker) && !coins.isPassive(ticker)) throw alreadyActive(ticker);
		for (const one of [coin, ...tokens]) coins.add(one);
		// The interface document calls it an object or a list.
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

const enableWithTokens: V2Method = async (context, params) => {
	const request = evmRequest(context.rules)(params);
	try {
		return await enablePlatform(context, request);
	} catch (cause) {
		throw context.rules.seedForms ? asDocumented(cause, request.ticker) : cause;
	}
};

function enablePlatform(context: NodeContext, request: EvmRequest): Promise<JsonValue> {
	if (request.priv_key_policy === 'device') {
		throw new NodeError(
			400,
			'UnexpectedDeviceActivationPolicy',
			'Hardware policy must be activated within task manager',
			undefined,
			FROM_PLATFORM
		);
	}
	const { ticker } = request;
	if (context.coins.has(ticker) && !context.coins.isPassive(ticker)) throw alreadyActive(ticker);
	return activate(context, request);
}

/** What the device wants before its addresses are known. */
async function withDevice(context: NodeContext, handle: TaskHandle): Promise<void> {
	const { device, rules } = context;
	const fail = (text: string): NodeError => internalOf(rules, text);
	if (!context.deviceReady || !device.isPlugged) {
		throw fail('Hardware Wallet context is not initialized');
	}
	try {
		if (!(await pinIsRight(context, handle, 300))) throw fail('InvalidPin');
	} catch (cause) {
		throw cause instanceof ActionTimeout ? fail(cause.message) : cause;
	}
}

const initTask: V2Method = (context, params) => {
	const request = evmRequest(context.rules)(params);
	const { ticker } = request;
	if (context.coins.has(ticker) && !context.coins.isPassive(ticker)) throw alreadyActive(ticker);
	const run = async (handle: TaskHandle): Promise<JsonValue> => {
		await handle.step('ActivatingCoin');
		return activate(context, request, async () => {
			if (request.priv_key_policy === 'device') await withDevice(context, handle);
			await handle.step('ActivatingCoin');
		});
	};
	const { client_id: client } = request;
	const id = context.tasks.start('enable_eth', ticker, 'ActivatingCoin', run, { client });
	return { task_id: int(id) };
};

const tokenActivation = (rules: NodeRules) => (value: JsonValue) => {
	// Parameters of a token fit whatever is no provider; that the two do not match is found later.
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

const tokenRequestOf = (rules: NodeRules) =>
	struct('EnableTokenRequest', {
		ticker: required(string),
		protocol: optional(anything),
		activation_params: required(tokenActivation(rules))
	});

const enableToken: V2Method = async (context, params): Promise<JsonValue> => {
	const { coins, rules } = context;
	const { ticker, protocol, activation_params: given } = tokenRequestOf(rules)(params);
	if (coins.has(ticker)) {
		throw tokenError(
			400,
			'TokenIsAlreadyActivated',
			`Token ${ticker} is already activated`,
			ticker
		);
	}
	const platformFor = (name: string): EvmCoin => {
		const platform = coins.get(name);
		if (!(platform instanceof EvmCoin)) {
			throw tokenError(
				400,
				'PlatformCoinIsNotActivated',
				`Platform coin ${name} is not activated`,
				name
			);
		}
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
		const coin = new EvmCoin({
			entry: plan.entry,
			protocol: 'ERC20',
			client: platform.client,
			keys: platform.keys,
			requiredConfirmations:
				plan.confirmations ?? plan.entry.required_confirmations ?? platform.requiredConfirmations,
			history: false,
			token: {
				contract: plan.contract,
				platform: platform.ticker,
				decimals: plan.entry.decimals || (await platform.client.tokenDecimals(plan.contract))
			}
		});
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

const tokenTaskRequest = struct('InitTokenReq', {
	ticker: required(string),
	protocol: optional(anything),
	activation_params: required(
		struct('InitErc20TokenActivationRequest', {
			required_confirmations: optional(u64),
			...hdFields
		})
	),
	client_id: fallback(exactU64, 0n)
});

const initToken: V2Method = (context, params) => {
	const { coins, rules, tasks } = context;
	const { ticker, protocol, activation_params: given, client_id } = tokenTaskRequest(params);
	if (coins.has(ticker)) {
		throw tokenError(
			400,
			'TokenIsAlreadyActivated',
			`Token ${ticker} is already activated`,
			ticker
		);
	}
	const plan = tokenPlan(context, undefined, {
		ticker,
		required_confirmations: given.required_confirmations,
		protocol
	});
	const name = String(protocolOf(plan.entry, rules).data['platform']);
	const platform = coins.get(name);
	if (!(platform instanceof EvmCoin)) {
		throw tokenError(
			400,
			'PlatformCoinIsNotActivated',
			`Platform coin ${name} is not activated`,
			name
		);
	}
	const { client, keys } = platform;
	const run = async (handle: TaskHandle): Promise<JsonValue> => {
		await handle.step('ActivatingCoin');
		try {
			const coin = new EvmCoin({
				entry: plan.entry,
				protocol: 'ERC20',
				client,
				keys,
				requiredConfirmations:
					plan.confirmations ?? plan.entry.required_confirmations ?? platform.requiredConfirmations,
				history: false,
				path: given.path_to_address,
				leastAddresses: given.min_addresses_number,
				token: {
					contract: plan.contract,
					platform: name,
					decimals: plan.entry.decimals || (await client.tokenDecimals(plan.contract))
				}
			});
			await handle.step('RequestingWalletBalance');
			const wallet = await walletBalanceJson(coin);
			await handle.step('ActivatingCoin');
			coins.add(coin);
			return {
				ticker,
				platform_coin: name,
				token_contract_address: plan.contract,
				current_block: int(await coin.height()),
				required_confirmations: int(coin.requiredConfirmations),
				wallet_balance: wallet
			};
		} catch (cause) {
			if (!(cause instanceof TransportError)) throw cause;
			throw tokenError(500, 'Transport', cause.message, cause.message);
		}
	};
	const id = tasks.start('enable_erc20', ticker, 'ActivatingCoin', run, { client: client_id });
	return { task_id: int(id) };
};

export const evmMethods: ReadonlyMap<string, V2Method> = new Map<string, V2Method>([
	['enable_eth_with_tokens', enableWithTokens],
	['task::enable_eth::init', initTask],
	['task::enable_erc20::init', initToken],
	['enable_erc20', enableToken],
	['enable_nft', enableToken]
]);
