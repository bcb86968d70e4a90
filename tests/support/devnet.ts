import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { DevnetDaemon } from '../../src/devnet/files.ts';
import { areFree, PORTS_USED } from '../../src/devnet/ports.ts';
import type { ProfileName } from '../../src/devnet/profile.ts';
import { controlOf, type Control } from './devnetControl.ts';
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
	profile?: ProfileName;
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
