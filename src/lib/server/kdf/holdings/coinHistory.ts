/** Reads the transactions of an active coin, if the node keeps them. EVM coins take the legacy call. */
import type { Failure } from '#lib/messages/errors/activation.ts';
import { isJsonObject, JsonNumber, type JsonValue } from '#lib/rpc/json.ts';
import type { KdfResult } from '#lib/rpc/kdf/index.ts';
import { plainDecimal } from '#lib/rpc/kdf/tolerant.ts';
import { reported } from '#lib/rpc/tolerant.ts';
import { isAppError } from '../../platform/errors/appError.ts';
import { momentOf } from '../client/moment.ts';
import type { Coin } from '../coins/parse.ts';
import { platformOf } from '../forms/evmForm.ts';
import type { KdfPort } from '../calls/kdfPort.ts';
import { refusalCode } from '../calls/refusals.ts';

/** A transaction as the node's wallet sees it. */
export interface CoinTransaction {
	/**
	 * Id of the entry; one transaction may have several entries. Null, as for the other members but `time`, when
	 * the node does not report it.
	 */
	id: string | null;
	txid: string | null;
	/** Unix seconds; null while it is pending, undefined when the node does not report it. */
	time: number | null | undefined;
	/** Signed amount, as the node wrote it. */
	change: string | null;
	/** Fee that the wallet paid, with its ticker; undefined when it paid none, null when that is not reported. */
	fee: string | null | undefined;
	from: string[] | null;
	to: string[] | null;
}

export type CoinHistory =
	| {
			kind: 'kept';
			transactions: CoinTransaction[];
			page: number;
			pages: number;
			/** Whether the node is still reading older ones; null when it does not report it. */
			reading: boolean | null;
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

/** The fee that the wallet paid: it pays none for what it receives. */
function feeOfEntry(
	tx: Listed['transactions'][number],
	change: string | null,
	payer: string
): string | null | undefined {
	if (change === null) return null;
	return change.startsWith('-') ? feeOf(reported(tx, 'fee_details'), payer) : undefined;
}

function entryOf(tx: Listed['transactions'][number], payer: string): CoinTransaction {
	const time = reported(tx, 'timestamp');
	const change = reported(tx, 'my_balance_change');
	return {
		id: reported(tx, 'internal_id'),
		txid: reported(tx, 'tx_hash'),
		time: time === null ? undefined : time > 0 ? momentOf(time) : null,
		change,
		fee: feeOfEntry(tx, change, payer),
		from: reported(tx, 'from'),
		to: reported(tx, 'to')
	};
}

function historyOf(
	said: Pick<Listed, 'transactions' | 'sync_status'> & { total_pages: number | null },
	page: number,
	payer: string
): CoinHistory {
	const sync = reported(said, 'sync_status');
	const state = sync === null ? null : reported(sync, 'state');
	if (state === 'NotEnabled') return { kind: 'not-kept' };
	const { transactions } = said;
	// When the node does not report how many there are, a full page may have a next one.
	const least = transactions.length < PAGE ? page : page + 1;
	return {
		kind: 'kept',
		transactions: transactions.map((tx) => entryOf(tx, payer)),
		page,
		pages: reported(said, 'total_pages') ?? least,
		reading: state === null ? null : state === 'InProgress' || state === 'NotStarted'
	};
}

/**
 * Converts a refusal: the node keeps no history, or has none for this kind of coin; anything else is a failure.
 */
function refused(failure: Failure): CoinHistory {
	switch (refusalCode('my_tx_history', failure)) {
		case 'StorageIsNotInitialized':
			return { kind: 'not-kept' };
		case 'NotSupportedFor':
			return { kind: 'not-here' };
		default:
			return { kind: 'failed', failure };
	}
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
