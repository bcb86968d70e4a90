/** The product as `npm start` runs it, in a separate process that a test may stop, kill and start again. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { freePort } from './freePort.ts';

const ROOT = resolve(import.meta.dirname, '../..');
/** The first start in a fresh clone builds the pages. */
const READY_WITHIN_MS = 240_000;
/** Only the end of a log is kept, so that a process with endless output does not fill the memory. */
const LOG_KEPT = 1_000_000;

/** Memory of a test is free again after seconds: collecting it more rarely saves processor time. */
export const ROOMY_HEAP = '--max-semi-space-size=32';

/** The first account of each test installation. */
export const ADMIN = { name: 'replay', password: 'a lab keeps nothing of value' } as const;

interface ProductOptions {
	dataDir: string;
	/** The file of `KOMODECK_CONFIG`. */
	config: string;
	/** The port of the run before, so that open pages and clients find it again. */
	port?: number | undefined;
	databaseUrl?: string | undefined;
	/** Further settings. */
	env?: Record<string, string> | undefined;
}

export interface Product {
	url: string;
	port: number;
	/** What the process has written so far, to either output. */
	log(): string;
	isRunning(): boolean;
	/** Ends it as `kill -9` does. */
	kill(): Promise<void>;
	stop(): Promise<void>;
}

/** The process ended before it was ready. */
class ProductEnded extends Error {
	override readonly name = 'ProductEnded';
	readonly code = 'ended';
	readonly exitCode: number | null;
	readonly log: string;

	constructor(exitCode: number | null, log: string) {
		super(`Komodeck ended with ${exitCode}:\n${log.slice(-2_000)}`);
		this.exitCode = exitCode;
		this.log = log;
	}
}

/**
 * A configuration with one daemon at a port where nothing listens, as a file in a folder.
 * @returns its path
 */
export function configOfNowhere(folder: string): string {
	const config = join(folder, 'komodeck.json');
	const daemon = { chain: 'ALPHA', url: 'http://127.0.0.1:1', user: 'u', password: 'p' };
	writeFileSync(config, JSON.stringify({ daemons: [daemon] }));
	return config;
}

/** The output of a start that ends on its own; `started` if it becomes ready. */
export const saidByEnded = (options: ProductOptions): Promise<string> =>
	startProduct(options).then(
		async (product) => {
			await product.stop();
			return 'started';
		},
		(error: unknown) => {
			if (!(error instanceof ProductEnded)) throw error;
			return error.log;
		}
	);

/**
 * The environment without settings of an installation on this machine. The product has its own cache of compiled
 * modules: V8 rejects the tools' entries, because it runs with other flags.
 */
function neutralEnvironment(): NodeJS.ProcessEnv {
	return Object.fromEntries(
		Object.entries(process.env).filter(
			([name]) => !/^(?:KOMOD|DATABASE_URL$|NODE_COMPILE_CACHE$)/.test(name)
		)
	);
}

function serving(child: ChildProcess, log: () => string): Promise<void> {
	return new Promise((ready, failed) => {
		const timer = setTimeout(() => {
			child.kill('SIGKILL');
			failed(new Error(`Komodeck did not start in time:\n${log().slice(-2_000)}`));
		}, READY_WITHIN_MS);
		const hear = (): void => {
			if (!log().includes('Komodeck is at')) return;
			child.stdout?.off('data', hear);
			clearTimeout(timer);
			ready();
		};
		child.stdout?.on('data', hear);
		child.once('exit', (code) => {
			clearTimeout(timer);
			failed(new ProductEnded(code, log()));
		});
	});
}

interface LaunchOptions {
	/** Root of the program; by default this project. */
	root?: string;
	/** Options of node. */
	flags?: readonly string[];
	/** The command that starts it; by default node itself. */
	command?: readonly [string, ...string[]];
	port?: number | undefined;
	/** Every setting except the port. */
	env: Record<string, string>;
	/** Characters of the log that are kept. */
	logKept?: number;
}

/**
 * Starts a process of the product, to which messages can be sent, and waits until it is ready. Another process can
 * take a free port first: unless the caller chose it, another one is tried.
 * @throws {ProductEnded} when it ends instead
 */
export async function launchProduct(
	options: LaunchOptions
): Promise<Product & { child: ChildProcess }> {
	for (;;) {
		const port = options.port ?? (await freePort());
		try {
			return await launchAt(port, options);
		} catch (error) {
			const isTaken = error instanceof ProductEnded && error.log.includes(`Port ${port} is taken`);
			if (!isTaken || options.port !== undefined) throw error;
		}
	}
}

async function launchAt(
	port: number,
	options: LaunchOptions
): Promise<Product & { child: ChildProcess }> {
	const { root = ROOT, flags = [], env, logKept = LOG_KEPT } = options;
	const { command = [process.execPath, ...flags, 'src/start/main.ts'] } = options;
	const child = spawn(command[0], command.slice(1), {
		cwd: root,
		env: { ...neutralEnvironment(), PORT: String(port), ...env },
		stdio: ['ignore', 'pipe', 'pipe', 'ipc']
	});
	let said = '';
	const hear = (part: Buffer): void => void (said = (said + part.toString()).slice(-logKept));
	child.stdout?.on('data', hear);
	child.stderr?.on('data', hear);
	// An aborted test run leaves no server running.
	const orphaned = (): boolean => child.kill('SIGKILL');
	process.once('exit', orphaned);
	child.once('exit', () => process.removeListener('exit', orphaned));
	await serving(child, () => said);

	const isRunning = (): boolean => child.exitCode === null && child.signalCode === null;
	const end = async (signal: NodeJS.Signals): Promise<void> => {
		if (!isRunning()) return;
		const gone = once(child, 'exit');
		child.kill(signal);
		await gone;
	};
	return {
		child,
		url: `http://localhost:${port}`,
		port,
		log: () => said,
		isRunning,
		kill: () => end('SIGKILL'),
		stop: () => end('SIGTERM')
	};
}

/**
 * Starts the product with a configuration, with a first account and without limits.
 * @throws {ProductEnded} when it ends instead
 */
export function startProduct(options: ProductOptions): Promise<Product> {
	const { dataDir, config, databaseUrl, env, port } = options;
	return launchProduct({
		flags: [ROOMY_HEAP],
		port,
		env: {
			KOMODECK_DATA: dataDir,
			KOMODECK_CONFIG: config,
			KOMODECK_PUBLIC: '0',
			KOMODECK_ADMIN_USER: ADMIN.name,
			KOMODECK_ADMIN_PASSWORD: ADMIN.password,
			// One client here sends as many requests as a whole team.
			KOMODECK_REQUESTS: '1000000',
			KOMODECK_CALLS: '1000000',
			...(databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl }),
			...env
		}
	});
}
