/** `stream::*`: methods that subscribe a listener of the event stream. */
import { stringifyJson, type JsonValue } from '#lib/rpc/json.ts';
import { balanceJson, type ActiveCoin } from './coins.ts';
import type { KdfContext, V2Method } from './context.ts';
import { KdfError } from './error.ts';
import { EvmCoin } from './evmCoin.ts';
import {
	anything,
	boolean,
	exactU64,
	f64,
	fallback,
	optional,
	required,
	string,
	struct
} from './serde.ts';
import type { Emit, Source, StreamProblem } from './streams.ts';
import { txHistory } from './txHistory.ts';
import { UtxoCoin } from './utxo.ts';

const CLIENT = { client_id: fallback(exactU64, 0n) };

const coinRequest = struct('EnableCoinStreamingRequest', {
	coin: required(string),
	config: optional(anything),
	...CLIENT
});
const plainRequest = struct('EnableStreamingRequest', CLIENT);
const intervalConfig = struct('StreamingConfig', {
	stream_interval_seconds: fallback(f64, 5),
	always_send: fallback(boolean, false)
});
const timedRequest = struct('EnableTimedStreamingRequest', {
	config: required(intervalConfig),
	...CLIENT
});
const bookRequest = struct('EnableOrderbookStreamingRequest', {
	base: required(string),
	rel: required(string),
	...CLIENT
});
const disableRequest = struct('DisableStreamingRequest', {
	client_id: required(exactU64),
	streamer_id: required(string)
});

/** Default polling interval for the balance of an EVM coin. */
const EVM_EVERY_SECONDS = 10;
/** Polling interval in milliseconds; real Electrum servers send notifications instead. */
const ELECTRUM_EVERY_MS = 250;
const FEES_EVERY_SECONDS = 10;

/** Source location of an error; the file is named after the stream. */
const at = (file: string, line: number): { path: string; trace: string } => ({
	path: file,
	trace: `${file}:${line}]`
});

const enableError = (file: string, line: number, text: string): KdfError =>
	new KdfError(400, 'EnableError', text, text, at(file, line));

/** Returns the coin of a stream. @throws {KdfError} */
function activeCoin({ coins }: KdfContext, ticker: string, file: string): ActiveCoin {
	const coin = coins.get(ticker);
	if (coin) return coin;
	throw new KdfError(404, 'CoinNotFound', 'CoinNotFound', undefined, at(file, 47));
}

const notSupported = (file: string): KdfError =>
	new KdfError(501, 'CoinNotSupported', 'CoinNotSupported', undefined, at(file, 66));

/** Runs `look` repeatedly until the returned function is called. */
function repeated(everyMs: number, look: () => Promise<void> | void): () => void {
	let ended = false;
	let timer: NodeJS.Timeout | undefined;
	const run = async (): Promise<void> => {
		await look();
		if (!ended) timer = setTimeout(() => void run(), everyMs).unref();
	};
	timer = setTimeout(() => void run(), 0).unref();
	return () => {
		ended = true;
		clearTimeout(timer);
	};
}

/** Returns the balance of each address of a coin; EVM addresses are in lower case. */
async function balancesOf(coin: ActiveCoin): Promise<JsonValue[]> {
	const { ticker, hd } = coin;
	const shown = (address: string): string =>
		coin instanceof EvmCoin ? address.toLowerCase() : address;
	if (!hd) {
		const key = coin.key();
		if (key === null || coin.address === null) return [];
		const balance = balanceJson(await coin.balanceOf(key));
		return [{ ticker, address: shown(coin.address), balance }];
	}
	const wanted = [...hd.known].flatMap(([account, known]) =>
		Array.from({ length: known }, (_, index) => hd.addressAt(account, 'External', index))
	);
	return (await Promise.all(wanted)).map(({ address, balance }) => ({
		ticker,
		address: shown(address),
		balance: balanceJson(balance[ticker] ?? { spendable: '0', unspendable: '0' })
	}));
}

/** Emits each change of a balance; the initial balance of an EVM coin counts as a change. */
const balanceSource =
	(coin: ActiveCoin, everyMs: number): Source =>
	(emit) => {
		const last = new Map<string, string>();
		let isFirst = !(coin instanceof EvmCoin);
		return repeated(everyMs, async () => {
			let now: JsonValue[];
			try {
				now = await balancesOf(coin);
			} catch {
				// Servers are unreachable; the next successful poll reports what changed.
				return;
			}
			const changed = now.filter((one) => {
				const text = stringifyJson(one);
				const { address } = one as { address: string };
				const before = last.get(address);
				last.set(address, text);
				return before !== text;
			});
			if (changed.length > 0 && !isFirst) emit(changed);
			isFirst = false;
		});
	};

const secondsOf = (config: JsonValue | undefined, otherwise: number): number =>
	config === undefined
		? otherwise
		: struct('EthBalanceStreamConfig', { stream_interval_seconds: fallback(f64, otherwise) })(
				config
			).stream_interval_seconds;

/** Subscribes, and returns the common result of the `enable` methods. @throws {KdfError} */
function enabled(
	{ streams }: KdfContext,
	client: bigint,
	file: string,
	line: number,
	streamer: string,
	source: Source
): JsonValue {
	const problem: StreamProblem | null = streams.enable(client, streamer, source);
	if (problem !== null) throw enableError(file, line, problem);
	return { streamer_id: streamer };
}

const balance: V2Method = (context, params) => {
	const { coin: ticker, config, client_id: client } = coinRequest(params);
	const coin = activeCoin(context, ticker, 'balance');
	const isEvm = coin instanceof EvmCoin;
	if (!isEvm && !(coin instanceof UtxoCoin) && coin.protocol !== 'ZHTLC') {
		throw notSupported('balance');
	}
	if (!isEvm && config !== undefined) {
		throw enableError('balance', 60, 'Invalid config provided. No config needed');
	}
	if (coin instanceof UtxoCoin && coin.isNative) {
		throw enableError('balance', 99, 'Balance streaming is not supported for native UTXO coins');
	}
	const everyMs = isEvm ? secondsOf(config, EVM_EVERY_SECONDS) * 1_000 : ELECTRUM_EVERY_MS;
	return enabled(context, client, 'balance', 99, `BALANCE:${ticker}`, balanceSource(coin, everyMs));
};

/** Emits each transaction that is added to the history. */
const historySource =
	(context: KdfContext, coin: string): Source =>
	(emit) => {
		const known = new Set<string>();
		let isFirst = true;
		return repeated(ELECTRUM_EVERY_MS, async () => {
			let page: { transactions: readonly { internal_id: string }[] };
			try {
				page = (await txHistory(context, { coin })) as unknown as typeof page;
			} catch {
				return;
			}
			for (const transaction of page.transactions.toReversed()) {
				if (known.has(transaction.internal_id)) continue;
				known.add(transaction.internal_id);
				if (!isFirst) emit(transaction as unknown as JsonValue);
			}
			isFirst = false;
		});
	};

const history: V2Method = (context, params) => {
	const { coin: ticker, client_id: client } = coinRequest(params);
	const coin = activeCoin(context, ticker, 'tx_history');
	if (!(coin instanceof UtxoCoin)) throw notSupported('tx_history');
	const source = historySource(context, ticker);
	return enabled(context, client, 'tx_history', 78, `TX_HISTORY:${ticker}`, source);
};

const every =
	(seconds: number, tell: (emit: Emit) => void): Source =>
	(emit) => {
		const timer = setInterval(() => tell(emit), seconds * 1_000).unref();
		return () => clearInterval(timer);
	};

const heartbeat: V2Method = (context, params) => {
	const { config, client_id: client } = timedRequest(params);
	const source = every(config.stream_interval_seconds, (emit) => emit({}));
	return enabled(context, client, 'heartbeat', 34, 'HEARTBEAT', source);
};

/** Emits peers. This node has none: empty maps, repeated only with `always_send`. */
const network: V2Method = (context, params) => {
	const { config, client_id: client } = timedRequest(params);
	let told = false;
	const source = every(config.stream_interval_seconds, (emit) => {
		if (told && !config.always_send) return;
		told = true;
		emit({
			directly_connected_peers: {},
			gossip_mesh: {},
			gossip_peer_topics: {},
			gossip_topic_peers: {},
			relay_mesh: []
		});
	});
	return enabled(context, client, 'network', 34, 'NETWORK', source);
};

/** Gas is free on this chain. */
const FEES = {
	base_fee: '0',
	low: { max_priority_fee_per_gas: '0', max_fee_per_gas: '0' },
	medium: { max_priority_fee_per_gas: '0', max_fee_per_gas: '0' },
	high: { max_priority_fee_per_gas: '0', max_fee_per_gas: '0' }
};

const fees: V2Method = (context, params) => {
	const { coin: ticker, config, client_id: client } = coinRequest(params);
	const coin = activeCoin(context, ticker, 'fee_estimation');
	if (!(coin instanceof EvmCoin) || coin.token) throw notSupported('fee_estimation');
	const source = every(secondsOf(config, FEES_EVERY_SECONDS), (emit) => emit(FEES));
	return enabled(context, client, 'fee_estimation', 51, `FEE_ESTIMATION:${ticker}`, source);
};

/** Swaps and orders: this node does not trade, so there are no events. */
const never: Source = () => () => {};

const quiet =
	(file: string, streamer: string): V2Method =>
	(context, params) => {
		const { client_id: client } = plainRequest(params ?? {});
		return enabled(context, client, file, 22, streamer, never);
	};

const book: V2Method = (context, params) => {
	const { base, rel, client_id: client } = bookRequest(params);
	const topic = `orbk/${[base, rel].sort().join(':')}`;
	return enabled(context, client, 'orderbook', 40, `ORDERBOOK_UPDATE:${topic}`, never);
};

const disable: V2Method = ({ streams }, params) => {
	const { client_id: client, streamer_id: streamer } = disableRequest(params);
	const problem = streams.disable(client, streamer);
	if (problem === null) return { result: 'Success' };
	throw new KdfError(400, 'DisableError', problem, problem, at('disable', 42));
};

export const streamMethods: ReadonlyMap<string, V2Method> = new Map<string, V2Method>([
	['stream::balance::enable', balance],
	['stream::tx_history::enable', history],
	['stream::network::enable', network],
	['stream::heartbeat::enable', heartbeat],
	['stream::fee_estimator::enable', fees],
	['stream::swap_status::enable', quiet('swaps', 'SWAP_STATUS')],
	['stream::order_status::enable', quiet('orders', 'ORDER_STATUS')],
	['stream::orderbook::enable', book],
	['stream::disable', disable]
]);
