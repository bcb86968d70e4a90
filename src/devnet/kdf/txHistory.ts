import { encodeAddress } from '#lib/chain/address.ts';
import { hash160 } from '#lib/chain/hash.ts';
import { publicKeyOf } from '#lib/chain/key.ts';
import { classify, p2pkh } from '#lib/chain/script.ts';
import { parseTransaction } from '#lib/chain/transaction.ts';
import { isJsonObject, JsonNumber, type JsonValue } from '#lib/rpc/json.ts';
import { int } from '../rpc/coins.ts';
import { decimalOf } from './coins.ts';
import type { LegacyMethod, V2Method } from './context.ts';
import { LegacyError, KdfError } from './error.ts';
import { utxoAddressOf } from './keys.ts';
import { paging, pagingJson, type Paging } from './paging.ts';
import { fallback, optional, required, string, struct, u32, u64, variant } from './serde.ts';
import type { Read } from './serde.ts';
import { UtxoCoin } from './utxo.ts';
import { TransportError } from './utxoClient.ts';

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

/** Formats a transaction for `my_tx_history`, from the view of one address of the wallet. */
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

/** Returns the transactions of a public key hash, pending ones before confirmed ones. */
async function newestFirst(
	coin: UtxoCoin,
	hash: Uint8Array
): Promise<{ txid: string; height: number }[]> {
	const rank = (height: number): number => (height > 0 ? height : Infinity);
	const all = await coin.client.history(p2pkh(hash));
	return all.sort((a, b) => (a.height === b.height ? 0 : rank(b.height) - rank(a.height)));
}

/** `my_tx_history` of version 2: for UTXO coins activated with history. */
export const txHistory: V2Method = async (context, params) => {
	const { coin: ticker, limit, paging_options: page, target: about } = historyRequest(params);
	const coin = context.coins.get(ticker);
	if (!coin) {
		throw new KdfError(404, 'CoinIsNotActive', `Coin ${ticker} is not active`, ticker);
	}
	if (!(coin instanceof UtxoCoin)) {
		throw new KdfError(
			400,
			'NotSupportedFor',
			`my_tx_history is not supported for ${ticker} coin`,
			ticker
		);
	}
	if (!coin.keepsHistory) {
		const data = 'Storage is not initialized';
		throw new KdfError(500, 'StorageIsNotInitialized', `Storage is not initialized: ${data}`, data);
	}
	const type = about?.type ?? 'iguana';
	if (coin.hd ? type === 'iguana' : type !== 'iguana') {
		const data = 'The target does not fit the wallet of the coin';
		throw new KdfError(400, 'InvalidTarget', `Invalid target: ${data}`, data);
	}
	try {
		const key = coin.key(coin.hd ? `${coin.hd.coinPath}/0'/0/${about?.address ?? 0}` : undefined)!;
		const hash = hash160(publicKeyOf(key));
		const all = await newestFirst(coin, hash);
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
		throw new KdfError(500, 'RpcError', cause.message, cause.message);
	}
};

const numberOf = (value: JsonValue | undefined): number | null =>
	value instanceof JsonNumber && /^\d+$/.test(value.source) ? value.toNumber() : null;

/** Legacy `my_tx_history`. The EVM coins here never have transactions. */
export const legacyTxHistory: LegacyMethod = async ({ coins }, body) => {
	const { coin: ticker, from_id: from } = body;
	if (typeof ticker !== 'string') throw new LegacyError("lp_coins:5600] No 'coin' field");
	const coin = coins.get(ticker);
	if (!coin) throw new LegacyError(`lp_coins:5605] No such coin: ${ticker}`);
	if (!coin.keepsHistory) {
		throw new LegacyError(`lp_coins:5610] History is not enabled for ${ticker}`);
	}
	try {
		const page = numberOf(body['page_number']);
		const wanted = numberOf(body['limit']) ?? 10;
		const tip = await coin.height();
		const isUtxo = coin instanceof UtxoCoin;
		const hash = isUtxo ? hash160(publicKeyOf(coin.key()!)) : new Uint8Array(20);
		const all = isUtxo ? await newestFirst(coin, hash) : [];
		const limit = body['max'] === true ? all.length : wanted;
		const skipped =
			page === null
				? all.findIndex(({ txid }) => txid === from) + 1
				: Math.min(all.length, Math.max(0, page - 1) * limit);
		return {
			result: {
				transactions: isUtxo
					? await Promise.all(
							all
								.slice(skipped, skipped + limit)
								.map((entry) => detailsOf(coin, utxoAddressOf(coin.entry, hash), entry, tip))
						)
					: [],
				limit: int(limit),
				skipped: int(skipped),
				from_id: typeof from === 'string' ? from : null,
				total: int(all.length),
				current_block: int(tip),
				sync_status: { state: 'Finished' },
				page_number: page === null ? null : int(page),
				total_pages: int(limit === 0 ? 0 : Math.ceil(all.length / limit))
			}
		};
	} catch (cause) {
		if (!(cause instanceof TransportError)) throw cause;
		throw new LegacyError(`lp_coins:5620] Transport(${JSON.stringify(cause.message)})`);
	}
};
