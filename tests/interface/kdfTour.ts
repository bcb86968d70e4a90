/**
 * A tour through the whole interface of the trading node on a development network, through the RPC API: every
 * method, each parameter present and omitted, every state of a task, every error. It only makes calls; the
 * observations are judged elsewhere.
 */
import { isJsonObject, parseJson, stringifyJson, type JsonValue } from '#lib/rpc/json.ts';
import type { KdfDialect } from '#lib/rpc/kdf/index.ts';
import type { KdfSeen } from './kdfJudge.ts';
import { kdfObserver, type Given, type KdfObserver } from './kdfObserve.ts';
import { without } from './paths.ts';
import type { Devnet } from '../support/devnet.ts';

interface Tour extends KdfObserver {
	/** The dialect of the node. */
	manner: KdfDialect;
}

/** A port on which nothing listens. */
const DEAD = '127.0.0.1:9';
const contract = (digit: number): string => `0x${String(digit).repeat(40)}`;
const MERGE = { merge_at: 50, check_every: 10, max_merge_at_once: 25 };

const coinOf = ({ net }: Tour, ticker: string) => {
	const coin = net.node.coins[ticker];
	if (coin === undefined) throw new Error(`the coins file has no ${ticker}`);
	return coin;
};

/** Deactivates a coin with its tokens, so that it can be activated again. */
const off = ({ done }: Tour, coin: string): Promise<JsonValue> =>
	done('disable_coin', { coin, force_disable: true });

/**
 * Makes calls without each of these required members first, then with all of them, so that only the member
 * differs. A released node may not require one of them.
 */
async function needs(
	tour: Tour,
	method: string,
	params: Given,
	paths: readonly string[],
	undo: (result: JsonValue) => Promise<unknown>
): Promise<void> {
	for (const path of paths) {
		const less = without(parseJson(stringifyJson(params)), path);
		if (less === null) throw new Error(`${method}: there is no ${path} to leave out`);
		const { refused, result } = await tour.call(method, less as Given);
		if (refused === null) await undo(result);
	}
	await undo(await tour.done(method, params));
}

/** A platform and its nodes, with only the required members. */
const platform = (tour: Tour, ticker: string, tokens: readonly Given[] = []): Given => {
	const { nodes = [], swap_contract_address, fallback_swap_contract } = coinOf(tour, ticker);
	return {
		ticker,
		nodes: nodes.map(({ url }) => ({ url })),
		swap_contract_address,
		fallback_swap_contract,
		erc20_tokens_requests: tokens
	};
};

const evmPlace = (tour: Tour): string => {
	const [node] = coinOf(tour, 'ETH').nodes ?? [];
	if (node === undefined) throw new Error('the coins file has no node of ETH');
	return new URL(node.url).origin;
};

const WITH_TOKENS = 'enable_eth_with_tokens';

async function withTokens(tour: Tour): Promise<void> {
	const { done } = tour;
	const tokens = [{ ticker: 'USDC-ERC20', required_confirmations: 4 }, { ticker: 'USDT-ERC20' }];
	const bare = platform(tour, 'ETH', tokens);
	await needs(
		tour,
		WITH_TOKENS,
		bare,
		['ticker', 'nodes', 'swap_contract_address', 'fallback_swap_contract', 'erc20_tokens_requests'],
		() => off(tour, 'ETH')
	);
	const nftProvider = { type: 'NftIndexer', info: { url: `${evmPlace(tour)}/nft` } };
	const full = {
		...bare,
		nodes: coinOf(tour, 'ETH').nodes,
		gas_station_url: `${evmPlace(tour)}/gas`,
		gas_station_decimals: 9,
		gas_station_policy: { policy: 'Average' },
		get_balances: true,
		mm2: 1,
		nft_req: { provider: nftProvider },
		priv_key_policy: { type: 'ContextPrivKey' },
		required_confirmations: 5,
		requires_notarization: false,
		rpc_mode: 'Default',
		swap_v2_contracts: {
			maker_swap_v2_contract: contract(1),
			taker_swap_v2_contract: contract(2),
			nft_maker_swap_v2_contract: contract(3)
		},
		tx_history: true
	};
	const { nfts_infos: nfts } = (await done(WITH_TOKENS, full)) as { nfts_infos: JsonValue };
	tour.show(`form/${WITH_TOKENS}/nfts_infos/object`, isJsonObject(nfts));
	await off(tour, 'ETH');
	const quick = await done(WITH_TOKENS, {
		...full,
		gas_station_policy: { policy: 'MeanAverageFast' },
		get_balances: false
	});
	if (isJsonObject(quick) && Array.isArray(quick['nfts_infos'])) {
		tour.show(`form/${WITH_TOKENS}/nfts_infos/list`, true);
	}
	await off(tour, 'ETH');
	for (const ticker of ['AVAX', 'BNB', 'FTM', 'MATIC', 'ONE', 'ETH-ARB20']) {
		await done(WITH_TOKENS, platform(tour, ticker));
		await off(tour, ticker);
	}
	await remoteSigner(tour, bare);
}

async function remoteSigner(tour: Tour, bare: Given): Promise<void> {
	await tour.done('wc_new_connection', {
		required_namespaces: { eip155: { chains: ['eip155:1'], methods: [], events: [] } }
	});
	const { topic } = await tour.net.control.agree();
	const policy = { type: 'RemoteSigner', data: topic };
	await tour.done(WITH_TOKENS, { ...bare, priv_key_policy: policy });
	// The private key is elsewhere: this node cannot sign.
	const wish = { coin: 'ETH', message: 'not with a key of mine' };
	const { refused } = await tour.call('sign_message', wish);
	tour.show('rule/Authentication/3', refused !== null);
	await off(tour, 'ETH');
}

async function platformErrors(tour: Tour): Promise<void> {
	const { refused } = tour;
	const bare = platform(tour, 'ETH');
	const fails = (change: Given, type?: string): Promise<unknown> =>
		refused(WITH_TOKENS, { ...bare, ...change }, type);
	const tokens = (ticker: string): Given => ({ erc20_tokens_requests: [{ ticker }] });
	await fails({ ticker: 'BADPROTO' }, 'CoinProtocolParseError');
	await fails({ ticker: 'NO-SUCH' }, 'PlatformConfigIsNotFound');
	await fails({ ticker: 'QTUM' }, 'UnexpectedPlatformProtocol');
	await fails(tokens('NO-SUCH'), 'TokenConfigIsNotFound');
	await fails(tokens('BADPROTO'), 'TokenProtocolParseError');
	// A token of another platform.
	const other = platform(tour, 'AVAX');
	await refused(WITH_TOKENS, { ...other, ...tokens('USDC-ERC20') }, 'UnexpectedTokenProtocol');
	await fails({ nodes: [{ url: `http://${DEAD}` }] }, 'Transport');
	await fails({ rpc_mode: 'BrowserWallet' }, 'InvalidRequest');
	await fails({ swap_contract_address: contract(0) });
	await fails({ priv_key_policy: { type: 'RemoteSigner', data: 'ab'.repeat(32) } });
	const nobody = { type: 'NftIndexer', info: { url: `${evmPlace(tour)}/nowhere` } };
	await fails({ nft_req: { provider: nobody } });
	await tour.done(WITH_TOKENS, bare);
	await fails({}, 'PlatformIsAlreadyActivated');
	await off(tour, 'ETH');
}

const BCH = 'task::enable_bch';

interface BchParams extends Given {
	ticker: string;
	activation_params: Given;
}

const cash = (tour: Tour, change: Given = {}): BchParams => {
	const { electrum = [], bchd_urls = [] } = coinOf(tour, 'BCH');
	return {
		ticker: 'BCH',
		activation_params: {
			bchd_urls,
			mode: { rpc: 'Electrum', rpc_data: { servers: electrum } },
			slp_tokens_requests: [],
			utxo_merge_params: MERGE,
			...change
		}
	};
};

interface Status {
	status: string;
	details?: JsonValue;
}

const statusOf = async (tour: Tour, id: number, forget?: boolean): Promise<Status> =>
	(await tour.done(`${BCH}::status`, {
		task_id: id,
		...(forget === undefined ? {} : { forget_if_finished: forget })
	})) as unknown as Status;

const begin = async (tour: Tour, params: Given): Promise<number> => {
	const { task_id: id } = (await tour.done(`${BCH}::init`, params)) as { task_id: JsonValue };
	return Number(stringifyJson(id));
};

/** Polls until the status is one of these, or the task no longer waits for anything. */
async function until(
	tour: Tour,
	id: number,
	holds: (status: Status) => boolean = () => false
): Promise<Status> {
	for (;;) {
		const now = await statusOf(tour, id, false);
		const isOpen = now.status === 'InProgress' || now.status === 'UserActionRequired';
		if (!isOpen || holds(now)) return now;
	}
}

const isDone = ({ status }: Status): boolean => status === 'Ok';

/** Starts a task, waits for its end and makes the node forget it. */
async function throughTask(tour: Tour, params: Given): Promise<Status> {
	const id = await begin(tour, params);
	const end = await until(tour, id);
	await statusOf(tour, id, true);
	if (isDone(end)) await off(tour, String(params['ticker']));
	return end;
}

async function tasks(tour: Tour): Promise<void> {
	const { control } = tour.net;
	// Each started task is ended at once, so that the next one can start.
	await control.kdfTasks({ hold: true });
	await needs(
		tour,
		`${BCH}::init`,
		cash(tour),
		[
			'ticker',
			'activation_params.bchd_urls',
			'activation_params.mode',
			'activation_params.slp_tokens_requests',
			'activation_params.utxo_merge_params'
		],
		(result) => tour.done(`${BCH}::cancel`, result as Given)
	);
	await control.kdfTasks({ hold: false, untilSeen: true, paceMs: 1 });
	const id = await begin(tour, cash(tour));
	const first = await statusOf(tour, id, false);
	tour.show('move/(none)/task::enable_bch::init/valid request', first.status === 'InProgress');
	const end = await until(tour, id);
	tour.show('move/in progress/activation completes', isDone(end));
	await tour.refused(`${BCH}::cancel`, { task_id: id }, 'TaskFinished');
	tour.show('move/finished/task::enable_bch::cancel/task already finished', true);
	await tour.refused(`${BCH}::status`, {});
	// By default the node forgets a result once it was returned.
	tour.show('rule/What the service does/4', isDone(await statusOf(tour, id)));
	await tour.refused(`${BCH}::status`, { task_id: id }, 'NoSuchTask');
	await tour.refused(`${BCH}::cancel`, { task_id: id }, 'NoSuchTask');
	tour.show('move/unknown id/status, cancel/task id not known', true);
	await off(tour, 'BCH');

	await control.kdfTasks({ hold: true, untilSeen: false });
	const held = await begin(tour, cash(tour));
	await needs(tour, `${BCH}::cancel`, { task_id: held }, ['task_id'], () => Promise.resolve());
	await tour.refused(`${BCH}::status`, { task_id: held }, 'NoSuchTask');
	tour.show('move/in progress/task::enable_bch::cancel/task not finished', true);
	await control.kdfTasks({ hold: false, paceMs: 5 });

	const { electrum = [] } = coinOf(tour, 'BCH');
	const wss = { url: DEAD, protocol: 'WSS' };
	await throughTask(
		tour,
		cash(tour, {
			mode: { rpc: 'Electrum', rpc_data: { servers: [...electrum, wss] } },
			slp_tokens_requests: [{ ticker: 'SLP-A', required_confirmations: 1 }, { ticker: 'SLP-B' }],
			address_format: { format: 'cashaddress', network: 'bitcoincash' },
			allow_slp_unsafe_conf: false,
			get_balances: true,
			required_confirmations: 2,
			requires_notarization: false,
			tx_history: true
		})
	);
	await throughTask(tour, cash(tour, { bchd_urls: [], allow_slp_unsafe_conf: true }));
	const { refused } = await tour.call(`${BCH}::init`, { ...cash(tour), ticker: 'tBCH' });
	if (refused === null) {
		await until(tour, held + 3);
		await off(tour, 'tBCH');
	}
	const dead = [{ url: DEAD, protocol: 'TCP' }];
	await throughTask(tour, cash(tour, { mode: { rpc: 'Electrum', rpc_data: { servers: dead } } }));
	await throughTask(tour, cash(tour, { bchd_urls: [] }));
}

const withDevice = (tour: Tour): Given =>
	cash(tour, { priv_key_policy: { type: 'HardwareWallet' } });

/** A released node needs a separate task to set up its hardware wallet. */
async function setUpDevice(tour: Tour): Promise<void> {
	if (tour.manner === 'seed') return;
	const { control } = tour.net;
	await control.device({ plugged: true });
	const { task_id } = (await tour.done('task::init_trezor::init', {})) as { task_id: JsonValue };
	const task = Number(stringifyJson(task_id));
	for (;;) {
		const now = (await tour.done('task::init_trezor::status', {
			task_id: task,
			forget_if_finished: false
		})) as unknown as Status;
		if (isDone(now)) break;
		if (now.status !== 'UserActionRequired') continue;
		const { positions } = (await control.node()).device;
		const action = { action_type: 'HardwarePin', pin: positions };
		await tour.done('task::init_trezor::user_action', { task_id: task, user_action: action });
	}
	await control.device({ plugged: false });
}

const wantsPin = ({ status }: Status): boolean => status === 'UserActionRequired';

/** Enters the PIN, or a wrong one, as soon as it is requested. */
async function pressPin(tour: Tour, id: number, isRight: boolean): Promise<Status> {
	await until(tour, id, wantsPin);
	const { positions } = (await tour.net.control.node()).device;
	const pin = isRight ? positions : `${positions}1`;
	await needs(
		tour,
		`${BCH}::user_action`,
		{ task_id: id, user_action: { action_type: 'HardwarePin', pin } },
		['task_id', 'user_action.action_type', 'user_action.pin'],
		() => Promise.resolve()
	);
	return until(tour, id);
}

async function device(tour: Tour): Promise<void> {
	const { control } = tour.net;
	await setUpDevice(tour);
	await control.kdfTasks({ untilSeen: true });
	const unplugged = await begin(tour, withDevice(tour));
	// If the device must be plugged in already, the task fails at once.
	const end = await until(
		tour,
		unplugged,
		({ details }) => details === 'WaitingForHardwareToConnect'
	);
	await control.device({ plugged: true });
	const first = end.status === 'InProgress' ? unplugged : await begin(tour, withDevice(tour));
	const done = await pressPin(tour, first, true);
	tour.show('move/UserActionRequired/task::enable_bch::user_action', isDone(done));
	tour.show('rule/Authentication/4', isDone(done));
	await off(tour, 'BCH');
	await pressPin(tour, await begin(tour, withDevice(tour)), false);
	const late = await begin(tour, withDevice(tour));
	await until(tour, late, wantsPin);
	await control.clock(400);
	await until(tour, late);
	await control.kdfTasks({ untilSeen: false, paceMs: 5 });
	const quick = cash(tour, { priv_key_policy: { type: 'HardwareWallet' }, get_balances: false });
	await pressPin(tour, await begin(tour, quick), true);
	await off(tour, 'BCH');
}

const kmd = (tour: Tour): Given => ({ coin: 'KMD', servers: coinOf(tour, 'KMD').electrum });

async function electrum(tour: Tour): Promise<void> {
	const { done, refused, show } = tour;
	const bare = kmd(tour);
	const { electrum: servers = [] } = coinOf(tour, 'KMD');
	await needs(tour, 'electrum', bare, ['coin', 'servers'], () => off(tour, 'KMD'));
	await done('electrum', {
		...bare,
		servers: [...servers, { url: DEAD, protocol: 'WSS' }],
		min_connected: 1,
		max_connected: 2,
		mm2: 1,
		required_confirmations: 4,
		requires_notarization: false,
		swap_contract_address: contract(1),
		fallback_swap_contract: contract(2),
		utxo_merge_params: MERGE
	});
	await refused('electrum', bare, /already/);
	show('error/legacy/coin already activated', true);
	show('limit/Coin activations per session', true);
	await off(tour, 'KMD');
	await refused('electrum', { ...bare, coin: 'RICK' }, /mm2/);
	show(
		'error/legacy/mm2 set neither in the coins config nor in the request (coin assumed unsupported)',
		true
	);
	await refused('electrum', { ...bare, min_connected: 0 }, /greater than 0/);
	show('error/legacy/min_connected below 1 (must be greater than 0)', true);
	await refused('electrum', { ...bare, min_connected: 2, max_connected: 1 }, /max_connected/);
	show('error/legacy/min_connected greater than max_connected', true);
	show('limit/min_connected', true);
	await refused('electrum', { ...bare, servers: [{ url: DEAD, protocol: 'TCP' }] });
	show('error/legacy/all electrum servers unavailable', true);
	// A coin whose entry has no number of required confirmations.
	const said = await done('electrum', { ...bare, coin: 'MORTY' });
	const { required_confirmations: awaited } = said as { required_confirmations: JsonValue };
	if (tour.manner === 'seed') {
		show('limit/Default required_confirmations', stringifyJson(awaited) === '3');
	}
	await off(tour, 'MORTY');
}

async function enable(tour: Tour): Promise<void> {
	const { done, refused, show } = tour;
	const { swap_contract_address, fallback_swap_contract } = coinOf(tour, 'ETH');
	const urls = (coinOf(tour, 'ETH').nodes ?? []).map(({ url }) => url);
	const bare = { coin: 'ETH', urls, swap_contract_address, fallback_swap_contract };
	await needs(
		tour,
		'enable',
		bare,
		['coin', 'urls', 'swap_contract_address', 'fallback_swap_contract'],
		() => off(tour, 'ETH')
	);
	const full = {
		...bare,
		gas_station_url: `${evmPlace(tour)}/gas`,
		gas_station_decimals: 8,
		gas_station_policy: { policy: 'MeanAverageFast' },
		mm2: 1,
		required_confirmations: 4,
		requires_notarization: false,
		tx_history: true
	};
	await done('enable', full);
	await refused('enable', full, /already/);
	await off(tour, 'ETH');
	await done('enable', { ...full, gas_station_policy: { policy: 'Average' } });
	await off(tour, 'ETH');
	await done('enable', { ...bare, coin: 'USDC-ERC20' });
	await off(tour, 'USDC-ERC20');
	await done('enable', { coin: 'ALPHA' });
	show('rule/What the service does/6', true);
	await off(tour, 'ALPHA');
	await refused('enable', { coin: 'LTC' }, /configuration/);
	show('error/legacy/failure to connect to the native daemon', true);
	const { refused: stationGone } = await tour.call('enable', {
		...full,
		gas_station_url: `http://${DEAD}/gas`
	});
	if (tour.manner === 'seed') {
		const isTold = /gas price/.test(stationGone?.text ?? '');
		show('error/legacy/failure to get the gas price from the station', isTold);
	} else await off(tour, 'ETH');
	await refused('enable', { ...bare, urls: [`http://${DEAD}`] });
	show('error/legacy/all RPC servers of the platform unavailable', true);
}

async function sign(tour: Tour): Promise<void> {
	const { done, refused } = tour;
	const wish = { coin: 'KMD', message: 'between us' };
	await refused('sign_message', wish, 'InternalError');
	tour.show('rule/What the service does/2', true);
	await refused('sign_message', { ...wish, coin: 'NO-SUCH' });
	await tour.call('sign_message', { ...wish, coin: 'ZOMBIE' });
	await done('electrum', kmd(tour));
	await needs(tour, 'sign_message', wish, ['coin', 'message'], () => Promise.resolve());
	// A wallet with a single key has no paths.
	await refused('sign_message', { ...wish, address: byParts(0, 0) }, 'InvalidRequest');
	await done('electrum', { ...kmd(tour), coin: 'NOPFX' });
	await refused('sign_message', { ...wish, coin: 'NOPFX' }, 'PrefixNotFound');
	await off(tour, 'NOPFX');
	await off(tour, 'KMD');
}

const byParts = (account: number, index: number, chain = 'External'): Given => ({
	account_id: account,
	chain,
	address_id: index
});

/** A wallet of many addresses, for which the node restarts. */
async function manyAddresses(tour: Tour): Promise<void> {
	const { done, refused } = tour;
	await tour.net.control.restartNode({ hd: true });
	await tour.net.control.kdfTasks({ paceMs: 5 });
	await throughTask(tour, cash(tour));
	await throughTask(tour, cash(tour, { get_balances: false }));
	const { electrum: servers = [] } = coinOf(tour, 'KMD');
	const mode = { rpc: 'Electrum', rpc_data: { servers } };
	const { task_id } = (await done('task::enable_utxo::init', {
		ticker: 'KMD',
		activation_params: { mode }
	})) as { task_id: JsonValue };
	const id = Number(stringifyJson(task_id));
	for (let now: Status | null = null; now === null || !isDone(now);) {
		const params = { task_id: id, forget_if_finished: false };
		now = (await done('task::enable_utxo::status', params)) as unknown as Status;
	}
	const signed = async (address?: Given): Promise<JsonValue> => {
		const wish = { coin: 'KMD', message: 'one of many' };
		const result = await done('sign_message', address ? { ...wish, address } : wish);
		return (result as { signature: JsonValue }).signature;
	};
	const path = (end: string): Given => ({ derivation_path: `m/44'/141'/${end}` });
	const isRoot = (await signed()) === (await signed(byParts(0, 0)));
	const isSame = (await signed(path("0'/1/3"))) === (await signed(byParts(0, 3, 'Internal')));
	tour.show('rule/sign_message/result', isRoot && isSame);
	for (const part of ['account_id', 'chain', 'address_id']) {
		const { [part]: _left, ...rest } = byParts(0, 0);
		await tour.call('sign_message', { coin: 'KMD', message: 'defaults', address: rest });
	}
	const bare = platform(tour, 'ETH');
	const provider = { type: 'NftIndexer', info: { url: `${evmPlace(tour)}/nft` } };
	await refused(WITH_TOKENS, { ...bare, nft_req: { provider } }, 'UnexpectedDerivationMethod');
	await done(WITH_TOKENS, platform(tour, 'ETH', [{ ticker: 'USDC-ERC20' }]));
	await off(tour, 'ETH');
	await tour.net.control.restartNode({ hd: false });
}

/** Runs the tour on this node for the whole interface of the document. */
export async function takeKdfTour(net: Devnet, manner: KdfDialect): Promise<KdfSeen> {
	const observer = await kdfObserver(net, manner);
	const tour: Tour = { ...observer, manner };
	try {
		await withTokens(tour);
		await platformErrors(tour);
		await tasks(tour);
		await device(tour);
		await electrum(tour);
		await enable(tour);
		await sign(tour);
		await manyAddresses(tour);
		return { calls: tour.seen, shown: tour.shown };
	} finally {
		await observer.close();
	}
}
