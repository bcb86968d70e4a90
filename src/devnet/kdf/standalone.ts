import type { JsonValue } from '#lib/rpc/json.ts';
import { int } from '../rpc/coins.ts';
import type { CoinEntry } from './coinsFile.ts';
import type { KdfContext, V2Method } from './context.ts';
import { devicePin } from './deviceSteps.ts';
import { KdfError } from './error.ts';
import { protocolOf, type Protocol } from './protocol.ts';
import { standaloneInit } from './requests.ts';
import type { KdfRules } from './rules.ts';
import { SerdeError } from './serde.ts';
import { ActionTimeout, type TaskHandle } from './tasks.ts';
import { CoinProblem, UtxoCoin, type KeySource, type UtxoRequest } from './utxo.ts';
import { TransportError } from './utxoClient.ts';
import { walletBalanceJson } from './walletBalance.ts';

/** Families of tasks that activate one UTXO coin, with the protocol of each. */
const FAMILIES = { enable_bch: 'BCH', enable_utxo: 'UTXO', enable_qtum: 'QTUM' } as const;
type Family = keyof typeof FAMILIES;

const at = (...lines: readonly string[]): { path: string; trace: string } => ({
	path: lines.map((line) => line.split(':')[0]).join('.'),
	trace: lines.map((line) => `${line}]`).join(' ')
});

export const activatedAlready = (ticker: string): KdfError =>
	new KdfError(
		400,
		'CoinIsAlreadyActivated',
		`Coin ${ticker} is activated already`,
		{ ticker },
		at('init_standalone_coin:94')
	);

export const creation = (ticker: string, error: string): KdfError =>
	new KdfError(
		400,
		'CoinCreationError',
		`Error on platform coin ${ticker} creation: ${error}`,
		{ ticker, error },
		at('lib:107', 'init_standalone_coin:216', 'init_bch_activation:72')
	);

/** Converts a failure within a task to the error that its status shows. */
export function taskErrorOf(ticker: string, cause: unknown, { seedForms }: KdfRules): Error {
	if (cause instanceof CoinProblem) {
		return cause.kind === 'creation'
			? creation(ticker, cause.message)
			: new KdfError(500, 'Internal', `Internal error: ${cause.message}`, cause.message);
	}
	if (cause instanceof TransportError) {
		// In the interface document, wrong and inactive servers are errors of the coin's creation.
		if (seedForms) return creation(ticker, cause.message);
		return new KdfError(500, 'Transport', `Transport error: ${cause.message}`, cause.message);
	}
	if (cause instanceof ActionTimeout) {
		const { seconds } = cause;
		return new KdfError(408, 'TaskTimedOut', `Initialization task has timed out ${seconds}s`, {
			duration: { secs: int(seconds), nanos: int(0) }
		});
	}
	return cause instanceof Error ? cause : new Error(String(cause));
}

type Request = ReturnType<ReturnType<typeof standaloneInit>>['activation_params'];

const utxoRequest = (family: Family, params: Request): UtxoRequest => ({
	mode: params.mode,
	...(family === 'enable_bch'
		? { bch: { urls: params.bchd_urls, allowUnsafe: params.allow_slp_unsafe_conf } }
		: {}),
	requiredConfirmations: params.required_confirmations,
	requiresNotarization: params.requires_notarization,
	history: params.tx_history,
	format: params.address_format,
	path: params.path_to_address,
	scan: params.scan_policy,
	leastAddresses: params.min_addresses_number,
	gap: params.gap_limit
});

/** Returns the keys of the hardware wallet, which must have been initialized before (release only). */
function deviceKeys(
	context: KdfContext,
	ticker: string,
	trezorCoin: string | undefined
): KeySource {
	const { device, rules } = context;
	if (!rules.seedForms) {
		if (!context.deviceReady) {
			throw creation(ticker, 'Hardware Wallet context is not initialized');
		}
		if (trezorCoin === undefined) {
			throw creation(ticker, "Coin doesn't have a trezor coin name");
		}
	}
	return { isHd: true, isForeign: true, key: (path) => device.keys.keyAt(path ?? 'm') };
}

async function activate(
	context: KdfContext,
	family: Family,
	ticker: string,
	params: Request,
	handle: TaskHandle
): Promise<JsonValue> {
	const { coins, rules, keys } = context;
	let coin: UtxoCoin | undefined;
	try {
		await handle.step('ActivatingCoin');
		const entry = context.entry(ticker)!;
		const withDevice = params.priv_key_policy === 'device';
		const source: KeySource = withDevice
			? deviceKeys(context, ticker, entry.trezor_coin)
			: { isHd: keys.isHd, isForeign: false, key: (path) => keys.key(path) };
		coin = new UtxoCoin(entry, protocolOf(entry, rules), utxoRequest(family, params), source);
		if (withDevice && rules.seedForms) await devicePin(context, handle, 'ActivatingCoin');
		const height = await coin.height();
		await handle.step('RequestingWalletBalance');
		if (withDevice && !rules.seedForms) {
			await devicePin(context, handle, 'RequestingWalletBalance');
		}
		await coin.scan();
		const getsBalances = !rules.seedForms || params.get_balances !== false;
		const wallet = await walletBalanceJson(coin, getsBalances);
		await handle.step(rules.seedForms ? 'Finishing' : 'ActivatingCoin');
		if (coins.has(ticker)) throw activatedAlready(ticker);
		coins.add(coin);
		return { ticker, current_block: int(height), wallet_balance: wallet };
	} catch (cause) {
		coin?.close();
		throw taskErrorOf(ticker, cause, rules);
	}
}

/** Finds the entry of a ticker to be activated with this protocol. @throws {KdfError} */
export function entryOf(
	{ coins, rules, entry: find }: KdfContext,
	ticker: string,
	wanted: string
): { entry: CoinEntry; protocol: Protocol } {
	if (coins.has(ticker)) throw activatedAlready(ticker);
	const entry = find(ticker);
	if (!entry) {
		throw new KdfError(
			400,
			'CoinConfigIsNotFound',
			`Coin ${ticker} config is not found`,
			ticker,
			at('init_standalone_coin:97', 'prelude:106')
		);
	}
	let protocol: Protocol;
	try {
		protocol = protocolOf(entry, rules);
	} catch (cause) {
		if (!(cause instanceof SerdeError)) throw cause;
		throw new KdfError(
			400,
			'CoinProtocolParseError',
			`Coin ${ticker} protocol parsing failed: ${cause.message}`,
			{ ticker, error: cause.message },
			at('init_standalone_coin:97', 'prelude:114')
		);
	}
	if (protocol.type !== wanted) {
		throw new KdfError(
			400,
			'UnexpectedCoinProtocol',
			`Unexpected platform protocol ${JSON.stringify(protocol.json)} for ${ticker}`,
			{ ticker, protocol: protocol.json },
			at('init_standalone_coin:97', 'prelude:122', 'init_bch_activation:44')
		);
	}
	return { entry, protocol };
}

const init =
	(family: Family): V2Method =>
	(context, given) => {
		const { coins, rules, tasks } = context;
		const {
			ticker,
			activation_params: params,
			client_id: client
		} = standaloneInit(rules, family === 'enable_bch')(given);
		entryOf(context, ticker, FAMILIES[family]);
		const id = tasks.start(
			family,
			ticker,
			'ActivatingCoin',
			(handle) => activate(context, family, ticker, params, handle),
			{ client, onCancel: () => coins.remove(ticker) }
		);
		return { task_id: int(id) };
	};

/** The `init` method of each family. */
export const standaloneInits: ReadonlyMap<string, V2Method> = new Map(
	(Object.keys(FAMILIES) as Family[]).map((family) => [`task::${family}::init`, init(family)])
);
