import { bytesToHex } from '#lib/chain/bytes.ts';
import { evmAddressOf } from '#lib/chain/evmAddress.ts';
import { hash160 } from '#lib/chain/hash.ts';
import { publicKeyOf } from '#lib/chain/key.ts';
import { isJsonObject } from '#lib/rpc/json.ts';
import { int } from '../rpc/coins.ts';
import { balancesJson, type ActiveCoin } from './coins.ts';
import type { KdfContext, V2Method } from './context.ts';
import { KdfError } from './error.ts';
import { paging, pagingJson, type Paging } from './paging.ts';
import { pathToAddress, side } from './requests.ts';
import { fallback, optional, required, string, struct, u32, u64, unit } from './serde.ts';
import { txHistory } from './txHistory.ts';
import { TransportError } from './utxoClient.ts';
import { hdAddressJson, totalOf } from './walletBalance.ts';

const enabledCoins: V2Method = ({ coins, rules }, params) => {
	// Since release 2.6 an empty object is accepted too.
	const empty = isJsonObject(params) && rules.build === '3.0.0';
	if (!empty && !rules.seedForms) unit('GetEnabledCoinsRequest')(params);
	return { coins: coins.all().map(({ ticker }) => ({ ticker })) };
};

const publicKey: V2Method = ({ keys }) => ({ public_key: bytesToHex(keys.identity) });
const publicKeyHash: V2Method = ({ keys }) => ({
	public_key_hash: bytesToHex(hash160(keys.identity))
});

/** This node has no named wallets: its passphrase is in its configuration. */
const walletNames: V2Method = () => ({ wallet_names: [], activated_wallet: null });

const myAddressRequest = struct('MyAddressReq', {
	coin: required(string),
	path_to_address: optional(pathToAddress)
});

/** Returns the address of an EVM coin, which need not be active. */
const myAddress: V2Method = (context, params) => {
	const { coin: ticker, path_to_address: path } = myAddressRequest(params);
	const entry = context.entry(ticker);
	if (!entry) {
		// Without an entry, the node reports the first field that it looks for, `mm2`, as missing.
		const text =
			'lp_coins:5871] mm2 param is not set in coins config, assuming that coin is not supported';
		throw new KdfError(400, 'CoinsConfCheckError', text, text);
	}
	if (entry.protocol?.type !== 'ETH') {
		const text = `${ticker} doesn't support get_my_address`;
		throw new KdfError(400, 'CoinIsNotSupported', text, text);
	}
	const {
		account_id: account,
		chain,
		address_id: index
	} = path ?? {
		account_id: 0,
		chain: 'External' as const,
		address_id: 0
	};
	const key = context.keys.key(
		`${entry.derivation_path}/${account}'/${chain === 'External' ? 0 : 1}/${index}`
	);
	return { coin: ticker, wallet_address: evmAddressOf(publicKeyOf(key)) };
};

const noSuchCoin = (coin: string): KdfError =>
	new KdfError(
		404,
		'NoSuchCoin',
		`No such coin ${coin}`,
		{ coin },
		{
			path: 'lp_coins',
			trace: 'lp_coins:5438] lp_coins:5365]'
		}
	);

const balanceRequest = struct('HDAccountBalanceRequest', {
	coin: required(string),
	account_index: required(u32),
	chain: required(side),
	limit: fallback(u64, 10),
	paging_options: fallback(paging, { page: 1 } as Paging)
});

/** Returns a coin that has an HD wallet. @throws {KdfError} */
export function hdCoin(context: KdfContext, ticker: string, account?: number): ActiveCoin {
	const coin = context.coins.get(ticker);
	if (!coin) throw noSuchCoin(ticker);
	if (!coin.hd) {
		throw new KdfError(
			400,
			'CoinIsActivatedNotWithHDWallet',
			'Coin is expected to be activated with the HD wallet derivation method'
		);
	}
	if (account !== undefined && !coin.hd.known.has(account)) {
		throw new KdfError(400, 'UnknownAccount', `HD account '${account}' is not activated`, {
			account_id: int(account)
		});
	}
	return coin;
}

export const transport = (cause: unknown): unknown =>
	cause instanceof TransportError
		? new KdfError(500, 'Transport', `Transport error: ${cause.message}`, cause.message)
		: cause;

const accountBalance: V2Method = async (context, params) => {
	const request = balanceRequest(params);
	const { account_index: account, chain, limit, paging_options: page } = request;
	const coin = hdCoin(context, request.coin, account);
	const hd = coin.hd!;
	const total = (chain === 'External' ? hd.known : hd.knownChange).get(account) ?? 0;
	const from = 'page' in page ? (page.page - 1) * limit : 1 + u64(page.from);
	const wanted = Array.from(
		{ length: Math.max(0, Math.min(limit, total - from)) },
		(_, n) => from + n
	);
	try {
		const addresses = await Promise.all(wanted.map((index) => hd.addressAt(account, chain, index)));
		return {
			account_index: int(account),
			derivation_path: `${hd.coinPath}/${account}'`,
			addresses: addresses.map(hdAddressJson),
			page_balance: balancesJson(totalOf(addresses)),
			limit: int(limit),
			skipped: int(Math.min(from, total)),
			total: int(total),
			total_pages: int(limit === 0 ? 0 : Math.ceil(total / limit)),
			paging_options: pagingJson(page)
		};
	} catch (cause) {
		throw transport(cause);
	}
};

export const walletMethods: ReadonlyMap<string, V2Method> = new Map<string, V2Method>([
	['get_enabled_coins', enabledCoins],
	['get_public_key', publicKey],
	['get_public_key_hash', publicKeyHash],
	['get_wallet_names', walletNames],
	['get_my_address', myAddress],
	['account_balance', accountBalance],
	['my_tx_history', txHistory]
]);
