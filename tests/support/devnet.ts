import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { DevnetDaemon } from '../../src/devnet/files.ts';
import { areFree, PORTS_USED } from '../../src/devnet/ports.ts';
import { hostNetwork } from './devnetHost.ts';
import { copySnapshot, keepSnapshot } from './devnetSnapshot.ts';

const MAIN = fileURLToPath(new URL('../../src/devnet/main.ts', import.meta.url));
const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const START_DEADLINE_MS = 60_000;

export type { DevnetDaemon };

export interface RpcReply {
	status: number;
	contentType: string | null;
	text: string;
}

export type FaultKind =
	| 'none'
	| 'latency'
	| 'warm-up'
	| 'work-queue-full'
	| 'drop'
	| 'close'
	| 'truncate'
	| 'flood'
	| 'other-id'
	| 'wrong-password'
	| 'down';

interface ChainState {
	name: string;
	height: number;
	tip: string;
	mempool: number;
	notarized: number;
}

export interface DevnetState {
	profile: string;
	automatic: boolean;
	now: number;
	chains: ChainState[];
	daemons: { id: string; chain: string; pubkey: string; address: string; open: boolean }[];
}

/** The control API of a running network. */
export interface Control {
	url: string;
	password: string;
	mine(chain: string, n?: number): Promise<{ height: number; tip: string; blocks: string[] }>;
	/** A full round for one chain: notarization, KMD block, back-notarization, block. */
	notarize(chain: string): Promise<{
		notarization: string | null;
		backNotarization: string | null;
		height: number;
		kmdHeight: number;
	}>;
	/** Only the notarization on KMD, mined unless told otherwise. */
	notarizeKmd(
		chain: string,
		mine?: boolean
	): Promise<{ notarization: string | null; kmdHeight: number }>;
	/** `early`: even if its notarization on KMD is not mined. */
	backNotarize(
		chain: string,
		early?: boolean
	): Promise<{ backNotarization: string | null; height: number }>;
	/**
	 * `empty`: transactions of the removed blocks wait in the mempool instead of being in the new blocks.
	 * `lose`: they are in neither, and only the transaction index still knows them.
	 */
	reorg(
		chain: string,
		depth: number,
		empty?: boolean,
		lose?: boolean
	): Promise<{ removed: string[]; added: string[] }>;
	fault(
		daemon: string,
		kind: FaultKind,
		more?: { ms?: number; method?: string; count?: number; phase?: 'before' | 'after' }
	): Promise<unknown>;
	clock(advance: number): Promise<{ now: number }>;
	auto(on: boolean): Promise<unknown>;
	/** `hasPubkey` false simulates a daemon that was started without `-pubkey`. */
	wallet(
		daemon: string,
		change: { locked?: boolean; hasKey?: boolean; hasPubkey?: boolean }
	): Promise<unknown>;
	/** Switches a daemon's transaction index on or off, as if it had been started so. */
	txIndex(daemon: string, on: boolean): Promise<unknown>;
	/** Does the same with the indexes that building tokens and burns needs; omitted ones are kept. */
	buildingIndexes(
		daemon: string,
		change: { addressIndex?: boolean; spentIndex?: boolean }
	): Promise<unknown>;
	/**
	 * `commission` is the `ac_perc` that the daemon reports; 0 removes it. `upgraded`: its first blocks were
	 * stored by a release that kept no coin supply. `wallet` false is `-disablewallet`.
	 */
	started(
		daemon: string,
		change: { commission?: number; upgraded?: boolean; wallet?: boolean }
	): Promise<unknown>;
	/** Makes the first peer of a daemon claim this many blocks; 0 removes the claim. */
	claim(daemon: string, blocks: number): Promise<unknown>;
	state(): Promise<DevnetState>;
	/** Digests of the state that the consensus of each chain depends on. */
	digests(): Promise<string[]>;
	/** The trading node and the servers that it can use. */
	node(): Promise<TradingNodeState>;
	/** Restarts the trading node; `hd` switches between a single key and an HD wallet. */
	restartNode(change: { hd?: boolean; https?: boolean }): Promise<TradingNodeState>;
	/** The simulated hardware wallet. */
	device(change: {
		plugged?: boolean;
		pin?: string;
		asksAlways?: boolean;
	}): Promise<TradingNodeState['device']>;
	/**
	 * `hold` keeps each task in its step, `untilSeen` until its status was requested; `paceMs` is the minimum
	 * time of a step.
	 */
	kdfTasks(change: { hold?: boolean; untilSeen?: boolean; paceMs?: number }): Promise<unknown>;
	kdfFault(
		kind: FaultKind,
		more?: { ms?: number; method?: string; count?: number; phase?: 'before' | 'after' }
	): Promise<unknown>;
	/**
	 * Has the trading node leave the member at `path` out of the results of a method, or write `value` there; without
	 * a method, results are complete again. One name of the path stands for each element of a list.
	 */
	kdfResults(change?: {
		method: string;
		path: readonly string[];
		value?: string | null;
	}): Promise<unknown>;
	/** Accepts the oldest connection that the trading node requested from a remote signer. */
	agree(): Promise<{ topic: string }>;
	/** Switches the Electrum server of a coin off and on, or slows it down. */
	electrum(
		ticker: string,
		change: { up?: boolean; line?: 'tcp' | 'ssl'; latency?: number }
	): Promise<unknown>;
	evm(up: boolean): Promise<unknown>;
	/** Has the server of the EVM chain refuse a method; null for none. */
	evmRefuses(method: string | null): Promise<unknown>;
	/** Switches the lightwalletd server of the shielded coin off and on. */
	lightwalletd(up: boolean): Promise<unknown>;
	/** Whether the trading node's disk has the proving keys of shielded coins. */
	zcashParams(there: boolean): Promise<unknown>;
}

export interface TradingNodeState {
	open: boolean;
	hd: boolean;
	faults: { kind: FaultKind }[];
	wrongPasswords: { [peer: string]: number };
	coins: { ticker: string; passive: boolean }[];
	tasks: { id: number; family: string; subject: string; state: string; details: unknown }[];
	device: {
		plugged: boolean;
		ready: boolean;
		pin: string;
		/** The positions to press for the PIN while the device shows its digits, else null. */
		positions: string | null;
		grid: string | null;
		wrongPins: number;
		pubkey: string;
	};
	electrum: { ticker: string; ports: { tcp: number; ssl: number }; open: ('tcp' | 'ssl')[] }[];
}

/** A coin of `coins_config.json`, with its servers. */
interface ConfiguredCoin {
	coin: string;
	electrum?: { url: string; protocol: 'TCP' | 'SSL'; disable_cert_verification?: boolean }[];
	bchd_urls?: string[];
	light_wallet_d_servers?: string[];
	nodes?: { url: string; ws_url: string }[];
	swap_contract_address?: string;
	fallback_swap_contract?: string;
}

/** How to reach the trading node of a network. */
export interface DevnetKdf {
	url: string;
	password: string;
	coins: { [ticker: string]: ConfiguredCoin };
}

export interface Devnet {
	/** Data folder; `KOMODO_HOME` may also point to it. */
	dir: string;
	basePort: number;
	daemons: DevnetDaemon[];
	/** The first daemon of each chain, by name. */
	chains: Map<string, DevnetDaemon>;
	node: DevnetKdf;
	control: Control;
	/** Calls a method and returns its result; throws with code and message when it fails. */
	rpc<T = unknown>(daemon: string, method: string, ...params: unknown[]): Promise<T>;
	/** Posts a text unchanged. */
	post(daemon: string, body: string): Promise<RpcReply>;
	/** Stops the network; the folder is kept unless it was created here. */
	stop(options?: { keepDir?: boolean }): Promise<void>;
}

class RpcFailure extends Error {
	readonly code: number;
	readonly status: number;

	constructor(status: number, code: number, message: string) {
		super(message);
		this.name = 'RpcFailure';
		this.status = status;
		this.code = code;
	}
}

export interface DevnetOptions {
	profile?: 'fast' | 'daemon-0.9.0' | 'plain' | 'seed';
	/** Nothing happens unless the control API requests it (default). */
	manual?: boolean;
	/** Seed of separate keys and a separate history; by default all tests share the same. */
	seed?: string;
	/** A history with nothing but funded wallets. */
	bare?: boolean;
	/** Bare, with asset chains before the activation of Sapling. */
	young?: boolean;
	/** `datacarriersize` of the asset chains, if not that of the profile. */
	dataCarrierSize?: number;
	/** An existing folder is continued. */
	dir?: string;
	/** Maximum age of a history that is shared with other tests, in milliseconds. */
	mostAgeMs?: number;
	basePort?: number;
}

/** Pages call a chain stuck when its last block is half an hour old; a test and its network last minutes. */
const SHARED_MS = 10 * 60_000;

/** Number of base ports below the range that the system uses for outgoing connections (Linux: from 32768). */
const BASES = 318;

/** A base port from which all ports of a network are free. */
async function freeBasePort(): Promise<number> {
	for (;;) {
		const base = 20_000 + Math.floor(Math.random() * BASES) * PORTS_USED;
		if (await areFree(base)) return base;
	}
}

interface DevnetFile {
	daemons: DevnetDaemon[];
	tradingNode: { url: string; password: string };
	control: { url: string; password: string };
}

/** The command line arguments for a network. */
function argumentsOf(options: DevnetOptions & { dir: string; basePort: number }): string[] {
	const args = ['--dir', options.dir, '--base-port', String(options.basePort)];
	args.push('--profile', options.profile ?? 'fast');
	if (options.manual ?? true) args.push('--manual');
	if (options.bare) args.push('--bare');
	if (options.young) args.push('--young');
	if (options.dataCarrierSize !== undefined) {
		args.push('--datacarriersize', String(options.dataCarrierSize));
	}
	if (options.seed !== undefined) args.push('--seed', options.seed);
	return args;
}

/** A network that responds. */
interface Launched {
	process: ChildProcess | null;
	end(): Promise<void>;
}

/** Starts a network in the process that this worker shares for networks. */
const launchInHost = async (args: readonly string[]): Promise<Launched> => ({
	process: null,
	end: await hostNetwork(args)
});

/** Starts a network as a separate process, like a user. */
async function launchAlone(args: readonly string[]): Promise<Launched> {
	const child = spawn(process.execPath, [MAIN, ...args], {
		cwd: ROOT,
		stdio: ['pipe', 'pipe', 'pipe']
	});
	let output = '';
	await new Promise<void>((resolve, reject) => {
		const timer = setTimeout(() => {
			child.kill('SIGKILL');
			reject(new Error(`devnet did not answer in time:\n${output}`));
		}, START_DEADLINE_MS);
		const hear = (part: Buffer): void => {
			output += part.toString();
			if (!output.includes('The development network answers')) return;
			clearTimeout(timer);
			resolve();
		};
		child.stdout.on('data', hear);
		child.stderr.on('data', hear);
		child.once('exit', (code) => {
			clearTimeout(timer);
			reject(new Error(`devnet ended with ${code}:\n${output}`));
		});
	});
	return {
		process: child,
		async end() {
			if (child.exitCode !== null || child.signalCode !== null) return;
			const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()));
			// Like the death of its parent.
			child.stdin.end();
			await gone;
		}
	};
}

/** Starts a network; if another process took one of the ports meanwhile, on other ports. */
async function launchOnFreePorts(
	options: DevnetOptions & { dir: string },
	launch: (args: readonly string[]) => Promise<Launched>
): Promise<Launched & { basePort: number }> {
	for (;;) {
		const basePort = options.basePort ?? (await freeBasePort());
		try {
			return { ...(await launch(argumentsOf({ ...options, basePort }))), basePort };
		} catch (error) {
			const taken = error instanceof Error && error.message.includes('EADDRINUSE');
			if (!taken || options.basePort !== undefined) throw error;
		}
	}
}

/** A network in a separate process, which can be killed. */
export type DevnetProcess = Devnet & { process: ChildProcess };

/** Starts a development network in a separate process, like a user, and waits until it responds. */
export async function startDevnetProcess(options: DevnetOptions = {}): Promise<DevnetProcess> {
	const { devnet, process: child } = await start(options, launchAlone);
	if (child === null) throw new Error('The network has no process of its own.');
	return { ...devnet, process: child };
}

/** Starts a development network and waits until it responds. */
export const startDevnet = async (options: DevnetOptions = {}): Promise<Devnet> =>
	(await start(options, launchInHost)).devnet;

async function start(
	options: DevnetOptions,
	launch: (args: readonly string[]) => Promise<Launched>
): Promise<{ devnet: Devnet; process: ChildProcess | null }> {
	const made = options.dir === undefined;
	const dir = options.dir ?? mkdtempSync(join(tmpdir(), 'komodeck-devnet-'));
	const { profile = 'fast', bare = false, young = false, dataCarrierSize = null } = options;
	const kind = { profile, bare, young, dataCarrierSize };
	const isNew = !existsSync(join(dir, 'state'));
	const isShared = isNew && options.seed === undefined && (options.manual ?? true);
	const copied = isShared && copySnapshot(kind, dir, options.mostAgeMs ?? SHARED_MS);
	const launched = await launchOnFreePorts({ ...options, dir }, launch);
	const { basePort } = launched;
	if (isShared && !copied) keepSnapshot(kind, dir);
	const file = JSON.parse(readFileSync(join(dir, 'devnet.json'), 'utf8')) as DevnetFile;
	const byId = new Map(file.daemons.map((daemon) => [daemon.id, daemon]));
	const find = (id: string): DevnetDaemon => {
		const daemon = byId.get(id.replace(':', '-'));
		if (!daemon) throw new Error(`there is no daemon ${id}`);
		return daemon;
	};
	const post = async (id: string, body: string): Promise<RpcReply> => {
		const { url, user, password } = find(id);
		const response = await fetch(url, {
			method: 'POST',
			headers: {
				authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`,
				// A daemon that a test stops closes keep-alive connections, and a call could hit one at that
				// moment.
				connection: 'close'
			},
			body
		});
		return {
			status: response.status,
			contentType: response.headers.get('content-type'),
			text: await response.text()
		};
	};
	const devnet: Devnet = {
		dir,
		basePort,
		daemons: file.daemons,
		chains: new Map(file.daemons.filter((d) => d.id === d.chain).map((d) => [d.chain, d])),
		node: {
			...file.tradingNode,
			coins: JSON.parse(readFileSync(join(dir, 'coins_config.json'), 'utf8')) as DevnetKdf['coins']
		},
		control: controlOf(file.control),
		post,
		rpc: async <T>(id: string, method: string, ...params: unknown[]): Promise<T> => {
			const reply = await post(id, JSON.stringify({ id: 'test', method, params }));
			const { result, error } = JSON.parse(reply.text) as {
				result: T;
				error: { code: number; message: string } | null;
			};
			if (error) throw new RpcFailure(reply.status, error.code, error.message);
			return result;
		},
		stop: async ({ keepDir = false } = {}) => {
			await launched.end();
			if (made && !keepDir && existsSync(dir)) rmSync(dir, { recursive: true, force: true });
		}
	};
	return { devnet, process: launched.process };
}

/** The control API of a running network. */
export function controlOf({ url, password }: { url: string; password: string }): Control {
	const ask = async <T>(method: 'GET' | 'POST', path: string, body?: unknown): Promise<T> => {
		const response = await fetch(`${url}${path}`, {
			method,
			headers: {
				authorization: `Bearer ${password}`,
				'content-type': 'application/json',
				// A slow test could send on a keep-alive connection just when the server closes it.
				connection: 'close'
			},
			...(body === undefined ? {} : { body: JSON.stringify(body) })
		});
		const value = (await response.json()) as T & { error?: string };
		if (!response.ok) throw new Error(`control ${path}: ${response.status} ${value.error ?? ''}`);
		return value;
	};
	return {
		url,
		password,
		mine: (chain, n = 1) => ask('POST', '/mine', { chain, n }),
		notarize: (chain) => ask('POST', '/notarize', { chain }),
		notarizeKmd: (chain, mine = true) => ask('POST', '/notarize-kmd', { chain, mine }),
		backNotarize: (chain, early = false) => ask('POST', '/back-notarize', { chain, early }),
		reorg: (chain, depth, empty = false, lose = false) =>
			ask('POST', '/reorg', { chain, depth, empty, lose }),
		fault: (daemon, kind, more = {}) => ask('POST', '/fault', { daemon, kind, ...more }),
		clock: (advance) => ask('POST', '/clock', { advance }),
		auto: (on) => ask('POST', '/auto', { on }),
		wallet: (daemon, change) => ask('POST', '/wallet', { daemon, ...change }),
		claim: (daemon, blocks) => ask('POST', '/claims', { daemon, blocks }),
		started: (daemon, change) => ask('POST', '/started', { daemon, ...change }),
		txIndex: (daemon, on) => ask('POST', '/indexes', { daemon, txIndex: on }),
		buildingIndexes: (daemon, change) => ask('POST', '/indexes', { daemon, ...change }),
		state: () => ask('GET', '/state'),
		digests: () => ask('GET', '/digests'),
		node: () => ask('GET', '/node'),
		restartNode: (change) => ask('POST', '/node/restart', change),
		device: (change) => ask('POST', '/node/device', change),
		kdfTasks: (change) => ask('POST', '/node/tasks', change),
		kdfFault: (kind, more = {}) => ask('POST', '/node/fault', { kind, ...more }),
		kdfResults: (change) => ask('POST', '/node/results', change ?? {}),
		agree: () => ask('POST', '/node/agree'),
		electrum: (ticker, change) => ask('POST', '/electrum', { ticker, ...change }),
		evm: (up) => ask('POST', '/evm', { up }),
		evmRefuses: (method) => ask('POST', '/evm', { refuses: method }),
		lightwalletd: (up) => ask('POST', '/lightwalletd', { up }),
		zcashParams: (there) => ask('POST', '/node/disk', { zcashParams: there })
	};
}
