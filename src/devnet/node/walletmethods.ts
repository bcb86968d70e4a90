import { bytesToHex } from '#lib/chain/bytes.ts';
import { hash160 } from '#lib/chain/hash.ts';
import { classify, p2pkh } from '#lib/chain/script.ts';
import { publicKeyOf } from '#lib/chain/key.ts';
import { parseTransaction } from '#lib/chain/transaction.ts';
import { encodeAddress } from '#lib/chain/address.ts';
import type { JsonValue } from '#lib/rpc/json.ts';
import { int } from '../daemon/coins.ts';
import { decimalOf } from './coins.ts';
import type { ActiveCoin } from './coins.ts';
import type { NodeContext, V2Method } from './context.ts';
import { NodeError } from './error.ts';
import { utxoAddressOf } from './keys.ts';
import { side } from './requests.ts';
import { fallback, optional, required, string, struct, u32, u64, unit, variant } from './serde.ts';
import type { Read } from './serde.ts';
import { isJsonObject } from '#lib/rpc/json.ts';
import { UtxoCoin } from './utxo.ts';
import { TransportError } from './utxoclient.ts';
import { hdAddressJson, totalOf } from './walletbalance.ts';
import { balancesJson } from './coins.ts';

const enabledCoins: V2Method = ({ coins, rules }, params) => {
	// From release 2.6 on an empty object is taken, too.
	const empty = isJsonObject(params) && rules.build === '3.0.0';
	if (!empty && !rules.seedForms) unit('GetEnabledCoinsRequest')(params);
	return { coins: coins.all().map(({ ticker }) => ({ ticker })) };
};

const publicKey: V2Method = ({ keys }) => ({ public_key: bytesToHex(keys.identity) });
const publicKeyHash: V2Method = ({ keys }) => ({
	public_key_hash: bytesToHex(hash160(keys.identity))
});

type Paging = { page: number } | { from: JsonValue };

const paging: Read<Paging> = (value) => {
	const kind = variant('PageNumber', 'FromId')(value);
	const inner = isJsonObject(value) ? value[kind]! : null;
	if (kind === 'FromId') return { from: inner };
	return { page: Math.max(1, u64(inner)) };
};

const pagingJson = (value: Paging): JsonValue =>
	'page' in value ? { PageNumber: int(value.page) } : { FromId: value.from };

const noSuchCoin = (coin: string): NodeError =>
	new NodeError(
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

/** A coin with a wallet of many addresses. @throws {NodeError} */
export function hdCoin(context: NodeContext, ticker: string, account?: number): ActiveCoin {
	const coin = context.coins.get(ticker);
	if (!coin) throw noSuchCoin(ticker);
	if (!coin.hd) {
		throw new NodeError(
			400,
			'CoinIsActivatedNotWithHDWallet',
			'Coin is expected to be activated with the HD wallet derivation method'
		);
	}
	if (account !== undefined && !coin.hd.known.has(account)) {
		throw new NodeError(400, 'UnknownAccount', `HD account '${account}' is not activated`, {
			account_id: int(account)
		});
	}
	return coin;
}

export const transport = (cause: unknown): unknown =>
	cause instanceof TransportError
		? new NodeError(500, 'Transport', `Transport error: ${cause.message}`, cause.message)
		: cause;

const accountBalance: V2Method = async (context, params) => {
	const request = balanceRequest(params);
	const { account_index: account, chain, limit, paging_options: page } = request;
	const coin = hdCoin(context, request.coin, account);
	const hd = coin.hd!;
	const total = chain === 'External' ? (hd.known.get(account) ?? 0) : 0;
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

const target: Read<{ type: string; address: number }> = (value) => {
	const { type } = struct('MyTxHistoryTarget', {
		type: required(variant('iguana', 'account_id', 'address_id', 'address_derivation_path'))
	})(value);
	const address = isJsonObject(value) ? value['address_id'] : undefined;
	return { type, address: address === undefined ? 0 : u32(address) };
};

const historyRequest = struct('MyTxHistoryRequestV2', {
	coin: required(string),
	limit: fallback(u64, 10),
	paging_options: fallback(paging, { page: 1 } as Paging),
	target: optional(target)
});

const DECIMALS = 8;
const coinsText = (satoshi: bigint): string => decimalOf(satoshi, DECIMALS);

/** One transaction as `my_tx_history` shows it, seen from an address of the wallet. */
async function detailsOf(
	coin: UtxoCoin,
	own: string,
	entry: { txid: string; height: number },
	tip: number
): Promise<JsonValue> {
	const hex = await coin.client.transaction(entry.txid);
	const tx = parseTransaction(hex);
	const owner = (script: Uint8Array): string | undefined => {
		const { hash, type } = classify(script);
		if (!hash || type === 'cryptocondition') return undefined;
		return type === 'scripthash'
			? encodeAddress(hash, coin.entry.p2shtype ?? 85)
			: utxoAddressOf(coin.entry, hash);
	};
	const isCoinbase = /^0{64}$/.test(tx.vin[0]?.txid ?? '');
	const spent = isCoinbase
		? []
		: await Promise.all(
				tx.vin.map(
					async ({ txid, vout }) => parseTransaction(await coin.client.transaction(txid)).vout[vout]
				)
			);
	const sumOf = (
		outs: readonly ({ value: bigint; script: Uint8Array } | undefined)[],
		mine: boolean
	) =>
		outs.reduce(
			(sum, out) => sum + (out && (!mine || owner(out.script) === own) ? out.value : 0n),
			0n
		);
	const names = (outs: readonly ({ script: Uint8Array } | undefined)[]): string[] => [
		...new Set(outs.flatMap((out) => (out && owner(out.script)) ?? []))
	];
	const spentByMe = sumOf(spent, true);
	const receivedByMe = sumOf(tx.vout, true);
	const total = isCoinbase ? sumOf(tx.vout, false) : sumOf(spent, false);
	const fee = isCoinbase ? 0n : total - sumOf(tx.vout, false);
	const confirmed = entry.height > 0;
	return {
		tx_hex: hex,
		tx_hash: entry.txid,
		from: names(spent),
		to: names(tx.vout),
		total_amount: coinsText(total),
		spent_by_me: coinsText(spentByMe),
		received_by_me: coinsText(receivedByMe),
		my_balance_change: coinsText(receivedByMe - spentByMe),
		block_height: int(confirmed ? entry.height : 0),
		timestamp: int(confirmed ? await coin.client.blockTime(entry.height) : 0),
		fee_details: { type: 'Utxo', coin: coin.ticker, amount: coinsText(fee) },
		coin: coin.ticker,
		internal_id: entry.txid,
		transaction_type: 'StandardTransfer',
		memo: null,
		confirmations: int(confirmed ? tip - entry.height + 1 : 0)
	};
}

const history: V2Method = async (context, params) => {
	const { coin: ticker, limit, paging_options: page, target: about } = historyRequest(params);
	const coin = context.coins.get(ticker);
	if (!coin) {
		throw new NodeError(404, 'CoinIsNotActive', `Coin ${ticker} is not active`, ticker);
	}
	if (!(coin instanceof UtxoCoin)) {
		throw new NodeError(
			400,
			'NotSupportedFor',
			`my_tx_history is not supported for ${ticker} coin`,
			ticker
		);
	}
	if (!coin.keepsHistory) {
		const data = 'Storage is not initialized';
		throw new NodeError(
			500,
			'StorageIsNotInitialized',
			`Storage is not initialized: ${data}`,
			data
		);
	}
	const type = about?.type ?? 'iguana';
	if (coin.hd ? type === 'iguana' : type !== 'iguana') {
		const data = 'The target does not fit the wallet of the coin';
		throw new NodeError(400, 'InvalidTarget', `Invalid target: ${data}`, data);
	}
	try {
		const key = coin.key(coin.hd ? `${coin.hd.coinPath}/0'/0/${about?.address ?? 0}` : undefined)!;
		const hash = hash160(publicKeyOf(key));
		const all = (await coin.client.history(p2pkh(hash))).sort((a, b) => {
			const rank = (height: number): number => (height > 0 ? height : Infinity);
			return rank(b.height) - rank(a.height);
		});
		const from =
			'page' in page
				? (page.page - 1) * limit
				: all.findIndex(({ txid }) => txid === page.from) + 1;
		const tip = await coin.height();
		const shown = all.slice(from, from + limit);
		return {
			coin: ticker,
			target: coin.hd
				? {
						type,
						account_id: int(0),
						...(type === 'address_id' ? { chain: 'External', address_id: int(about!.address) } : {})
					}
				: { type },
			current_block: int(tip),
			transactions: await Promise.all(
				shown.map((entry) => detailsOf(coin, utxoAddressOf(coin.entry, hash), entry, tip))
			),
			sync_status: { state: 'Finished' },
			limit: int(limit),
			skipped: int(Math.min(from, all.length)),
			total: int(all.length),
			total_pages: int(limit === 0 ? 0 : Math.ceil(all.length / limit)),
			paging_options: pagingJson(page)
		};
	} catch (cause) {
		if (!(cause instanceof TransportError)) throw cause;
		throw new NodeError(500, 'RpcError', cause.message, cause.message);
	}
};

export const walletMethods: ReadonlyMap<string, V2Method> = new Map<string, V2Method>([
	['get_enabled_coins', enabledCoins],
	['get_public_key', publicKey],
	['get_public_key_hash', publicKeyHash],
	['account_balance', accountBalance],
	['my_tx_history', history]
]);
