/** Reads the transactions of an active coin, if the node keeps them. EVM coins take the legacy call. */
import type { Failure } from '#lib/messages/errors/activation.ts';
import { isJsonObject, JsonNumber, type JsonValue } from '#lib/rpc/json.ts';
import type { KdfResult } from '#lib/rpc/kdf/index.ts';
import { plainDecimal } from '#lib/rpc/kdf/tolerant.ts';
import { isAppError } from '../../platform/errors/appError.ts';
import { momentOf } from '../client/moment.ts';
import type { Coin } from './coins/parse.ts';
import { platformOf } from './evmForm.ts';
import type { KdfPort } from './engine.ts';

/** A transaction as the node's wallet sees it. */
export interface CoinTransaction {
	/** Id of the entry; one transaction may have several entries. */
	id: string;
	txid: string;
	/** Unix seconds; null while it is pending. */
	time: number | null;
	/** Null while it is pending. */
	height: number | null;
	/** Signed amount, as the node wrote it. */
	change: string;
	/** Fee that the wallet paid, with its ticker; null when it paid none, or the node does not report it. */
	fee: string | null;
	from: string[];
	to: string[];
}

export type CoinHistory =
	| {
			kind: 'kept';
			transactions: CoinTransaction[];
			total: number;
			page: number;
			pages: number;
			/** Whether the node is still reading older ones. */
			reading: boolean;
	  }
	/** The coin was activated without history. */
	| { kind: 'not-kept' }
	/** The node keeps no history for coins of this kind. */
	| { kind: 'not-here' }
	| { kind: 'failed'; failure: Failure };

/** Transactions per page. */
const PAGE = 10;
const NONE: readonly string[] = ['NFT', 'ZHTLC'];

type Listed = KdfResult<'my_tx_history'>;

/**
 * `fee_details` has a different shape for each kind of coin; the amount is `amount`, or `total_fee` on EVM
 * chains. Some releases leave out its coin: `payer` is the coin that pays for transactions.
 */
function feeOf(details: JsonValue, payer: string): string | null {
	if (!isJsonObject(details)) return null;
	const { amount, total_fee: total, coin } = details;
	const paid = amountText(amount) ?? amountText(total);
	return paid === null ? null : `${paid} ${typeof coin === 'string' ? coin : payer}`;
}

/** An amount in plain notation: nodes write text, some a JSON number. */
const amountText = (value: JsonValue | undefined): string | null => {
	if (value instanceof JsonNumber) return plainDecimal(value.source);
	return typeof value === 'string' ? value : null;
};

const entryOf = (tx: Listed['transactions'][number], payer: string): CoinTransaction => ({
	id: tx.internal_id,
	txid: tx.tx_hash,
	time: tx.timestamp > 0 ? momentOf(tx.timestamp) : null,
	height: tx.block_height > 0 ? tx.block_height : null,
	change: tx.my_balance_change,
	fee: tx.my_balance_change.startsWith('-') ? feeOf(tx.fee_details, payer) : null,
	from: tx.from,
	to: tx.to
});

function historyOf(
	said: Pick<Listed, 'transactions' | 'total' | 'sync_status'> & { total_pages: number | null },
	page: number,
	payer: string
): CoinHistory {
	const { state } = said.sync_status;
	if (state === 'NotEnabled') return { kind: 'not-kept' };
	return {
		kind: 'kept',
		transactions: said.transactions.map((tx) => entryOf(tx, payer)),
		total: said.total,
		page,
		pages: said.total_pages ?? page,
		reading: state === 'InProgress' || state === 'NotStarted'
	};
}

/**
 * Converts a refusal: the node keeps no history, or has none for this kind of coin; anything else is a failure.
 */
function refused(failure: Failure): CoinHistory {
	const { type, message } = failure;
	if (type === 'StorageIsNotInitialized' || /History is not enabled/i.test(message)) {
		return { kind: 'not-kept' };
	}
	return type === 'NotSupportedFor' ? { kind: 'not-here' } : { kind: 'failed', failure };
}

/**
 * Reads one page of the history, in one call.
 * @param account account of an HD wallet; null for a wallet with one address
 * @param page counted from 1
 */
export async function coinHistory(
	port: KdfPort,
	node: string,
	coin: Coin,
	account: number | null,
	page: number
): Promise<CoinHistory> {
	const { ticker, protocol } = coin;
	const payer = platformOf(coin) ?? ticker;
	if (protocol !== null && NONE.includes(protocol)) return { kind: 'not-here' };
	try {
		if (protocol === 'ETH' || protocol === 'ERC20') {
			const { result } = await port.call(node, 'legacy:my_tx_history', {
				coin: ticker,
				limit: PAGE,
				page_number: page
			});
			return historyOf(result, page, payer);
		}
		const said = await port.call(node, 'my_tx_history', {
			coin: ticker,
			limit: PAGE,
			paging_options: { PageNumber: page },
			...(account === null ? {} : { target: { type: 'account_id', account_id: account } })
		});
		return historyOf(said, page, payer);
	} catch (error) {
		if (!isAppError(error, 'activation.call-failed')) throw error;
		return refused(error.params.failure);
	}
}
