import { isEvmAddress } from '#lib/chain/evmAddress.ts';
import { isJsonObject, JsonNumber, parseJson, type JsonValue } from '#lib/rpc/json.ts';
import { int } from '../rpc/coins.ts';
import type { CoinEntry } from './coinsFile.ts';
import type { KdfContext } from './context.ts';
import { LegacyError } from './error.ts';
import { EvmClient } from './evmClient.ts';
import { EvmCoin } from './evmCoin.ts';
import { activated } from './legacy/activated.ts';
import type { Protocol } from './protocol.ts';
import { TransportError } from './utxoClient.ts';

type Body = { readonly [name: string]: JsonValue };

/** Reads a contract address from a parameter; zero is refused. @throws {LegacyError} */
function contract(body: Body, name: string, trace: string): string | undefined {
	const value = body[name];
	if (value === undefined || value === null) return undefined;
	if (typeof value !== 'string' || !isEvmAddress(value)) {
		throw new LegacyError(`${trace}eth:6510] Invalid ${name}: ${JSON.stringify(value)}`);
	}
	if (/^0x0{40}$/.test(value)) {
		throw new LegacyError(`${trace}eth:6515] ${name} can't be zero address`);
	}
	return value;
}

/** Queries the gas station if one is given; released nodes ignore it. @throws {LegacyError} */
async function callGasStation(body: Body, trace: string): Promise<void> {
	const { gas_station_url: url } = body;
	if (typeof url !== 'string') return;
	try {
		const response = await fetch(url);
		const prices = parseJson(await response.text());
		const isPrice = (name: string): boolean =>
			isJsonObject(prices) && prices[name] instanceof JsonNumber;
		if (response.ok && isPrice('average') && isPrice('fast')) return;
	} catch {
		// Every failure of the station gets the same error below.
	}
	throw new LegacyError(`${trace}eth:6560] Failed to get gas price from station`);
}

/** Activates an EVM coin or token with the legacy method; a token does not need its platform. */
export async function enableEvm(
	context: KdfContext,
	{ entry, protocol }: { entry: CoinEntry; protocol: Protocol },
	body: Body,
	place: string
): Promise<JsonValue> {
	const { coins, keys, rules } = context;
	const trace = `${place}lp_coins:4900] `;
	const { urls, required_confirmations: wanted } = body;
	const list = Array.isArray(urls) ? (urls as JsonValue[]).map(String) : [];
	if (list.length === 0) {
		throw new LegacyError(
			`${trace}eth:6501] Enable request for ETH coin must have at least 1 node URL`
		);
	}
	if (contract(body, 'swap_contract_address', trace) === undefined) {
		throw new LegacyError(`${trace}eth:6512] swap_contract_address is required`);
	}
	const spare = contract(body, 'fallback_swap_contract', trace);
	if (rules.seedForms) {
		if (spare === undefined) {
			throw new LegacyError(`${trace}eth:6513] fallback_swap_contract is required`);
		}
		await callGasStation(body, trace);
	}
	const client = new EvmClient(list.filter((url) => /^(https?|wss?):\/\//.test(url)));
	const isToken = protocol.type === 'ERC20';
	const address = String(protocol.data['contract_address'] ?? '');
	const confirmations =
		wanted instanceof JsonNumber && /^\d+$/.test(wanted.source) ? wanted.toNumber() : undefined;
	const make = (decimals: number): EvmCoin =>
		new EvmCoin({
			entry,
			protocol: protocol.type,
			client,
			keys: { isHd: keys.isHd, isForeign: false, key: (path) => keys.key(path) },
			requiredConfirmations:
				confirmations ?? entry.required_confirmations ?? (rules.seedForms ? 3 : 1),
			requiresNotarization: false,
			history: body['tx_history'] === true,
			...(isToken ? { token: { contract: address, decimals, platform: undefined } } : {})
		});
	try {
		await client.call('web3_clientVersion');
	} catch (cause) {
		if (!(cause instanceof TransportError)) throw cause;
		if (rules.build === '2.5.1') {
			throw new LegacyError(`${trace}eth:6581] Failed to get client version for all urls`);
		}
		// Release 3 registers the coin before its query and does not remove it on failure.
		coins.add(make(entry.decimals ?? 0));
		throw new LegacyError(`legacy:173] eth:3001] Transport: ${cause.message}`);
	}
	const coin = make(isToken ? entry.decimals || (await client.tokenDecimals(address)) : 0);
	coins.add(coin);
	if (coin.keys.isHd) {
		throw new LegacyError(
			"legacy:173] eth:4740] lp_coins:4658] Expected 'SingleAddress' derivation method"
		);
	}
	try {
		// An example in the interface document has `locked_by_swaps` and no ticker.
		if (rules.seedForms && !isToken && body['gas_station_url'] === undefined) {
			const { spendable } = await coin.balanceOf(coin.key()!);
			return {
				result: 'success',
				address: coin.address!,
				balance: spendable,
				locked_by_swaps: '0',
				mature_confirmations: int(0),
				required_confirmations: int(coin.requiredConfirmations),
				requires_notarization: false
			};
		}
		return await activated(coin);
	} catch (cause) {
		if (!(cause instanceof TransportError)) throw cause;
		throw new LegacyError(`legacy:173] eth:3001] Transport: ${cause.message}`);
	}
}
