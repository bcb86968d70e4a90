import { JsonNumber } from '#lib/rpc/json.ts';
import type { JsonValue } from '#lib/rpc/json.ts';
import { int } from '../daemon/coins.ts';
import type { ActiveCoin } from './coins.ts';
import type { CoinEntry } from './coinsFile.ts';
import type { LegacyMethod, NodeContext } from './context.ts';
import { DAEMON_OPTIONS } from './daemonClient.ts';
import { LegacyError } from './error.ts';
import { enableEvm } from './evmLegacy.ts';
import { utxoAddressHash, utxoAddressOf } from './keys.ts';
import { protocolOf } from './protocol.ts';
import type { Protocol } from './protocol.ts';
import { addressFormat, electrumServers, hdFields } from './requests.ts';
import { versionOf } from './rules.ts';
import { fallback, list, optional, SerdeError, string, struct } from './serde.ts';
import { legacyTxHistory } from './txHistory.ts';
import { CoinProblem, DEFAULT_GAP, UtxoCoin } from './utxo.ts';
import type { Mode } from './utxo.ts';
import { TransportError } from './utxoClient.ts';
import { bytesToHex } from '#lib/chain/bytes.ts';
import { encodeWif } from '#lib/chain/key.ts';
import { isChecksummed, isEvmAddress } from '#lib/chain/evmAddress.ts';

type Body = { readonly [name: string]: JsonValue };

/** Runs a part whose failures carry a place in the node's source. */
function within<T>(trace: string, run: () => T): T {
	try {
		return run();
	} catch (cause) {
		if (cause instanceof SerdeError) throw new LegacyError(`${trace}${cause.message}`);
		throw cause;
	}
}

const tickerOf = (body: Body, trace: string): string => {
	const { coin } = body;
	if (typeof coin === 'string') return coin;
	throw new LegacyError(`${trace}No 'coin' field`);
};

/** A whole number, or undefined for whatever is none: the release takes no notice of it. */
const wholeOrNothing = (value: JsonValue | undefined): number | undefined =>
	value instanceof JsonNumber && /^\d+$/.test(value.source) ? value.toNumber() : undefined;

/** Whether a coin may be activated at all, in the order in which the node looks. @throws {LegacyError} */
function checked(
	context: NodeContext,
	body: Body,
	trace: string
): { entry: CoinEntry; protocol: Protocol; ticker: string } {
	const ticker = tickerOf(body, trace);
	if (context.coins.has(ticker)) {
		throw new LegacyError(`${trace}lp_coins:5210] Coin ${ticker} already initialized`);
	}
	const entry = context.entry(ticker);
	if (body['mm2'] === undefined && entry?.mm2 === undefined) {
		throw new LegacyError(
			`${trace}lp_coins:6228] mm2 param is not set neither in coins config nor enable request, assuming that coin is not supported`
		);
	}
	if (
		context.rules.seedForms &&
		body['mm2'] !== undefined &&
		!['0', '1'].includes(String((body['mm2'] as Partial<JsonNumber>).source))
	) {
		throw new LegacyError(`${trace}mm2 must be 0 or 1`);
	}
	if (!entry?.protocol) {
		throw new LegacyError(
			`${trace}lp_coins:6239] "protocol" field is missing in coins file. The file format is deprecated, please execute ./mm2 update_config command to convert it or download a new one`
		);
	}
	return {
		ticker,
		entry,
		protocol: within(`${trace}lp_coins:5221] `, () => protocolOf(entry, context.rules))
	};
}

const UTXO_LIKE = new Set(['UTXO', 'QTUM', 'QRC20', 'BCH']);

const utxoFields = struct('request', {
	address_format: optional(addressFormat),
	bchd_urls: fallback(list(string), []),
	...hdFields
});

function makeUtxo(
	context: NodeContext,
	found: { entry: CoinEntry; protocol: Protocol },
	body: Body,
	mode: Mode,
	trace: string
): UtxoCoin {
	const { entry, protocol } = found;
	const { keys } = context;
	if (protocol.type === 'QRC20' && body['swap_contract_address'] === undefined) {
		throw new LegacyError(`${trace}qrc20:300] swap_contract_address is required`);
	}
	return within(`${trace}lp_coins:5226] `, () => {
		const given = utxoFields(body);
		const notarized = body['requires_notarization'];
		try {
			return new UtxoCoin(
				entry,
				protocol,
				{
					mode,
					...(protocol.type === 'BCH'
						? {
								bch: {
									urls: given.bchd_urls,
									allowUnsafe: body['allow_slp_unsafe_conf'] === true
								}
							}
						: {}),
					requiredConfirmations:
						wholeOrNothing(body['required_confirmations']) ??
						(context.rules.seedForms && entry.required_confirmations === undefined ? 3 : undefined),
					requiresNotarization: typeof notarized === 'boolean' ? notarized : undefined,
					history: body['tx_history'] === true,
					format: given.address_format,
					path: given.path_to_address,
					scan: given.scan_policy,
					leastAddresses: given.min_addresses_number,
					gap: DEFAULT_GAP
				},
				{ isHd: keys.isHd, isForeign: false, key: (path) => keys.key(path) }
			);
		} catch (cause) {
			if (!(cause instanceof CoinProblem)) throw cause;
			const prefix = cause.kind === 'internal' ? 'Internal error: ' : '';
			throw new LegacyError(`${trace}lp_coins:5226] ${cause.trace}${prefix}${cause.message}`);
		}
	});
}

/** What both activations answer. */
async function activated(coin: ActiveCoin): Promise<JsonValue> {
	const balance = await coin.balanceOf(coin.key()!);
	return {
		result: 'success',
		address: coin.address!,
		balance: balance.spendable,
		unspendable_balance: balance.unspendable,
		coin: coin.ticker,
		required_confirmations: int(coin.requiredConfirmations),
		requires_notarization: coin.requiresNotarization,
		...(coin.matureConfirmations === undefined
			? {}
			: { mature_confirmations: int(coin.matureConfirmations) })
	};
}

const DERIVATION =
	'utxo_common:3098] lp_coins:4658] UnexpectedDerivationMethod(ExpectedSingleAddress)';

const LOOK_EVERY_MS = 25;

/** The older activations wait no longer than this for the balance, seconds. */
const balanceLimit = ({ rules }: NodeContext): number => (rules.build === '3.0.0' ? 20 : 5);

async function withBalance(
	context: NodeContext,
	coin: ActiveCoin,
	trace: string
): Promise<JsonValue> {
	const failed = (reason: string): LegacyError => {
		context.coins.remove(coin.ticker);
		return new LegacyError(`${trace}Deactivated coin due to error in balance querying: ${reason}`);
	};
	if (coin.hd) throw failed(`Ok(Err(${DERIVATION}))`);
	const seconds = balanceLimit(context);
	const end = context.clock() + seconds;
	let timer: NodeJS.Timeout | undefined;
	const late = new Promise<'late'>((resolve) => {
		timer = setInterval(() => {
			if (context.clock() >= end) resolve('late');
		}, LOOK_EVERY_MS).unref();
	});
	try {
		const answer = await Promise.race([activated(coin), late]);
		if (answer === 'late') throw failed(`Err(TimeoutError { duration: ${seconds}s })`);
		return answer;
	} catch (cause) {
		if (!(cause instanceof TransportError)) throw cause;
		throw failed(`Ok(Err(utxo_common:3098] Transport(${JSON.stringify(cause.message)})))`);
	} finally {
		clearInterval(timer);
	}
}

const notSupported = (type: string, trace: string): LegacyError =>
	new LegacyError(`${trace}lp_coins:5300] ${type} protocol is not supported by lp_coininit`);

/** A slow or dead server holds up nothing but the call that named it. */
const electrum: LegacyMethod = async (context, body) => {
	tickerOf(body, 'legacy:143] ');
	const trace = 'legacy:144] ';
	const found = checked(context, body, trace);
	const { type } = found.protocol;
	if (type === 'ETH' || type === 'ERC20') return enableEvm(context, found, body, trace);
	if (type === 'SLPTOKEN') {
		throw new LegacyError(
			`${trace}Platform coin ${String(found.protocol.data['platform'])} is not activated`
		);
	}
	if (!UTXO_LIKE.has(type)) throw notSupported(type, trace);
	const servers = within(`${trace}lp_coins:5226] utxo_coin_builder:720] `, () =>
		electrumServers(body['servers'] ?? null)
	);
	const mode: Mode = {
		rpc: 'Electrum',
		servers,
		least: wholeOrNothing(body['min_connected']),
		most: wholeOrNothing(body['max_connected'])
	};
	const coin = makeUtxo(context, found, body, mode, trace);
	context.coins.add(coin);
	return withBalance(context, coin, 'legacy:152] ');
};

/** Through a coin's own daemon, or the node addresses of an EVM chain. */
const enable: LegacyMethod = async (context, body) => {
	const trace = 'legacy:172] ';
	const found = checked(context, body, trace);
	const { type } = found.protocol;
	if (type === 'ETH' || type === 'ERC20') return enableEvm(context, found, body, trace);
	if (!UTXO_LIKE.has(type)) throw notSupported(type, trace);
	const options = context.rules.seedForms ? DAEMON_OPTIONS : [];
	const coin = makeUtxo(context, found, body, { rpc: 'Native', options }, trace);
	context.coins.add(coin);
	if (coin.hd) {
		throw new LegacyError(
			"legacy:173] utxo_common:3098] lp_coins:4658] Expected 'SingleAddress' derivation method"
		);
	}
	try {
		return await activated(coin);
	} catch (cause) {
		if (!(cause instanceof TransportError)) throw cause;
		// The release leaves the coin registered when only its balance cannot be told.
		throw new LegacyError(
			`legacy:173] utxo_common:3098] Transport(${JSON.stringify(cause.message)})`
		);
	}
};

const active = (context: NodeContext, body: Body, line: number): ActiveCoin => {
	const ticker = tickerOf(body, `legacy:${line - 1}] `);
	const coin = context.coins.get(ticker);
	if (!coin) throw new LegacyError(`legacy:${line}] No such coin: ${ticker}`);
	return coin;
};

const hdAddressGone = (trace: string): LegacyError =>
	new LegacyError(`${trace}'my_address' is deprecated for HD wallets`);

const myBalance: LegacyMethod = async (context, body) => {
	const coin = active(context, body, 221);
	if (coin.hd) throw hdAddressGone('legacy:225] lp_coins:5737] ');
	try {
		const balance = await coin.balanceOf(coin.key()!);
		return {
			coin: coin.ticker,
			balance: balance.spendable,
			unspendable_balance: balance.unspendable,
			address: coin.address!
		};
	} catch (cause) {
		if (!(cause instanceof TransportError)) throw cause;
		throw new LegacyError(
			`legacy:223] utxo_common:3098] Transport(${JSON.stringify(cause.message)})`
		);
	}
};

const enabledCoins: LegacyMethod = ({ coins }) => ({
	result: coins.all().map(({ ticker, address }) => {
		if (address === null) throw hdAddressGone('lp_coins:5734] lp_coins:5737] utxo_common:2460] ');
		return { ticker, address };
	})
});

const disable: LegacyMethod = ({ coins }, body) => {
	const ticker = tickerOf(body, 'legacy:90] ');
	const force = body['force_disable'] === true;
	const isThere = force ? coins.has(ticker) : coins.get(ticker) !== undefined;
	if (!isThere) {
		throw new LegacyError(`No such coin: ${ticker}`, {
			orders: { matching: [], cancelled: [] },
			active_swaps: []
		});
	}
	const tokens = coins.tokensOf(ticker);
	const passive = tokens.length > 0 && !force;
	if (passive) coins.makePassive(ticker);
	else for (const one of [ticker, ...tokens.map((token) => token.ticker)]) coins.remove(one);
	return { result: { coin: ticker, cancelled_orders: [], passivized: passive } };
};

const validateAddress: LegacyMethod = (context, body) => {
	const coin = active(context, body, 330);
	const { address } = body;
	if (typeof address !== 'string') throw new LegacyError("legacy:331] No 'address' field");
	const isEvm = coin.protocol === 'ETH' || coin.protocol === 'ERC20';
	const reason = isEvm
		? !address.startsWith('0x')
			? 'Address must be prefixed with 0x'
			: !isEvmAddress(address)
				? 'Invalid input length'
				: !isChecksummed(address)
					? 'Invalid address checksum'
					: null
		: utxoAddressHash(coin.entry, address)
			? null
			: `Invalid address: ${address}`;
	const result: JsonValue = reason === null ? { is_valid: true } : { is_valid: false, reason };
	return { result };
};

const convertAddress: LegacyMethod = (context, body) => {
	const coin = active(context, body, 340);
	const { from } = body;
	if (typeof from !== 'string') throw new LegacyError("legacy:341] No 'from' field");
	const format = within('legacy:342] ', () => addressFormat(body['to_address_format'] ?? null));
	const hash = coin.protocol === 'ETH' ? null : utxoAddressHash(coin.entry, from);
	if (!hash) throw new LegacyError(`legacy:343] Invalid address: ${from}`);
	return { result: { address: utxoAddressOf(coin.entry, hash, format) } };
};

/** The real node gives it, too: a door before it must not. */
const showPrivKey: LegacyMethod = (context, body) => {
	const coin = active(context, body, 400);
	const key = coin.key();
	if (!key) throw new LegacyError('legacy:402] The private key is not here');
	const isEvm = coin.protocol === 'ETH' || coin.protocol === 'ERC20';
	return {
		result: { coin: coin.ticker, priv_key: isEvm ? `0x${bytesToHex(key)}` : encodeWif(key) }
	};
};

const version: LegacyMethod = ({ rules }) => ({
	result: versionOf(rules),
	// A node of the interface document is no build of a release.
	...(rules.seedForms ? {} : { datetime: '2025-09-19T08:42:42.719348125+00:00' })
});

const stop: LegacyMethod = (context) => {
	context.stop();
	return { result: 'success' };
};

/** Methods of the first protocol that are served, by name. */
export const legacyMethods: ReadonlyMap<string, LegacyMethod> = new Map([
	['version', version],
	['metrics', () => ({ metrics: [] })],
	['stop', stop],
	['electrum', electrum],
	['enable', enable],
	['disable_coin', disable],
	['get_enabled_coins', enabledCoins],
	['my_balance', myBalance],
	['my_tx_history', legacyTxHistory],
	['validateaddress', validateAddress],
	['convertaddress', convertAddress],
	['show_priv_key', showPrivKey]
]);

/** Methods that anybody may call without a password, some of them without a handler. */
export const PUBLIC_METHODS: ReadonlySet<string> = new Set([
	'version',
	'help',
	'metrics',
	'orderbook',
	'stats_swap_status',
	'fundvalue',
	'getprice',
	'getpeers',
	'getcoins',
	'notify',
	'passphrase',
	'pricearray',
	'psock',
	'statsdisp',
	'tradesarray',
	'ticker'
]);
