/**
 * Runs the whole product in one process and its children: devnet when no daemon is configured, the indexer,
 * the RPC API, and the pages, which come from the build or from Vite.
 */
import { START_UP } from '#lib/messages/startUp.ts';
import type { Server } from 'node:http';
import { constants } from 'node:os';
import { join } from 'node:path';
import { createLog } from '#lib/server/platform/logging/log.ts';
import { loadConfig } from '#lib/server/platform/config/load.ts';
import { OWN_HOME } from '#lib/server/platform/config/settings.ts';
import {
	closeToOthers,
	isReplaceableByOthers,
	ownerOnlyFromNow
} from '#lib/server/platform/disk/ownerOnly.ts';
import { LARGEST_BODY } from '#lib/server/access/requests/bodyLimits.ts';
import { databaseErrorKind } from '#lib/server/platform/database/databaseError.ts';
import { createHostRule } from '#lib/server/platform/net/host.ts';
import type { Reached } from '#lib/server/platform/http/plainHttp.ts';
import { getRunning, setRunning } from '#lib/server/platform/runningParts.ts';
import { startDevnet } from './devnet.ts';
import type { Devnet } from './devnet.ts';
import { endWith } from './endWith.ts';
import { isOfTheHost } from './hostFault.ts';
import { startIndexer, type IndexerThread } from './indexer.ts';
import { holdLastLine } from './lastLine.ts';
import { ownAddress } from './ownAddress.ts';
import {
	createDaemonServer,
	createWebServer,
	LIMITS,
	listen,
	perAddressOf,
	PROTOCOL_HEADER,
	stopListening
} from './server.ts';
import type { PageHandler } from './server.ts';

/** Source of pages. */
export interface Pages {
	handler: PageHandler;
	close?(): Promise<void>;
}

/** Parts that can be restarted while the product runs. */
export interface Product {
	/** Restarts the indexer with the current code. */
	restartIndexer(): Promise<void>;
	/** Restarts devnet, if it is running. */
	restartDevnet(): Promise<void>;
}

const GRACE_MS = 10_000;
/** Delay before a failed database query is repeated. */
const AGAIN_MS = 1_000;
/**
 * Milliseconds within which a repeated signal counts as the same one: a terminal signals npm and this
 * process, and npm forwards its signal.
 */
const SAME_SIGNAL_MS = 500;
/** SIGHUP comes when the terminal of the process is closed. */
const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;

/**
 * Ends an incomplete start, or a shutdown that takes too long. Registered from the beginning, because the
 * first process of a container has no default signal handlers: a signal before that would be lost.
 */
const endStart = (signal: NodeJS.Signals): never => process.exit(128 + constants.signals[signal]);

const say = (line: string): void => void process.stdout.write(`${line}\n`);
const complain = (line: string): void => void process.stderr.write(`${line}\n`);

const log = createLog();

function onError(error: unknown): void {
	log.error({ err: error }, 'failed outside of a page');
}

/** Reads the configuration, and sets the environment variables that the application reads. */
function prepare(): { config: ReturnType<typeof loadConfig>; devnet: Promise<Devnet | null> } {
	ownerOnlyFromNow();
	const config = loadConfig(process.env);
	process.env[OWN_HOME] = config.komodoHome;
	const closed = closeToOthers(config.dataDir);
	if (closed > 0) complain(START_UP.closed(closed, config.dataDir));
	if (isReplaceableByOthers(config.dataDir)) complain(START_UP.replaceable(config.dataDir));
	let devnet: Promise<Devnet | null> = Promise.resolve(null);
	for (const note of config.notes) complain(note);
	if (config.daemons.length === 0 && config.nodes.length === 0) {
		say(START_UP.devnet);
		const dir = join(config.dataDir, 'devnet');
		devnet = startDevnet(dir);
		process.env['KOMODO_HOME'] = dir;
		process.env['KOMODECK_PUBLIC'] ||= '1';
	}
	// The error is reported where the promise is awaited.
	devnet.catch(() => undefined);
	setRunning('beforeApp', devnet);
	process.env['PROTOCOL_HEADER'] = PROTOCOL_HEADER;
	process.env['BODY_SIZE_LIMIT'] = String(LARGEST_BODY);
	if (config.origin !== null) process.env['ORIGIN'] = config.origin;
	// adapter-node would trust the headers named by these variables, whoever sent them.
	delete process.env['HOST_HEADER'];
	delete process.env['PORT_HEADER'];
	return { config, devnet };
}

/**
 * Serves until a signal ends it.
 *
 * @param openPages starts the application for a server that is not listening yet
 */
export async function serve(openPages: (server: Server) => Promise<Pages>): Promise<Product> {
	for (const signal of SIGNALS) process.on(signal, endStart);
	const { config, devnet: starting } = prepare();
	const app = () => getRunning('app');
	let stopping = false;
	const shared = {
		rpcApi: () => getRunning('rpcApi'),
		onError,
		isEnding: () => stopping,
		isOurHost: createHostRule(config),
		reached: (request: Reached): void => app()?.plainHttp.reached(request)
	};
	const isBehindProxy = config.proxyHeader !== null;
	const limits = { connectionsPerAddress: perAddressOf(LIMITS.connections, isBehindProxy) };
	const server = createWebServer(
		{
			...shared,
			pages: (...asked) => pages.handler(...asked),
			obstacle: async () => {
				const running = app();
				if (stopping) return 'it ends';
				return running === undefined ? 'it starts' : running.obstacle();
			}
		},
		limits
	);
	const pages = await openPages(server);
	const devnet = await starting;
	const { daemons, nodes } = devnet === null ? config : loadConfig(process.env);
	const ownPorts = [...daemons, ...nodes].flatMap((upstream) => {
		const { id, port } = upstream;
		if (port === undefined) return [];
		const isKdf = !('chain' in upstream);
		const what = isKdf ? 'trading node' : 'daemon';
		return [{ id, port, what, server: createDaemonServer(id, shared, limits, isKdf) }];
	});

	let indexer: IndexerThread | null = null;
	const index = (): void => {
		indexer = startIndexer({
			onWrite: () => getRunning('nudge')?.(),
			onError
		});
	};
	/** Once true, another signal ends the process at once. */
	let isDrained = false;
	let endDrain = (): void => undefined;
	/**
	 * Waits so that a load balancer notices before connections are refused; a second signal ends the wait.
	 */
	const drained = (): Promise<void> =>
		new Promise((done) => {
			const timer = setTimeout(done, config.drainSeconds * 1000);
			endDrain = () => {
				clearTimeout(timer);
				done();
			};
		});
	const stop = async (code: number): Promise<void> => {
		if (stopping) return;
		stopping = true;
		try {
			if (code === 0) await drained();
			isDrained = true;
			app()?.endStreams();
			const listening = [server, ...ownPorts.map((own) => own.server)].filter(
				(each) => each.listening
			);
			await Promise.all(listening.map((each) => stopListening(each, GRACE_MS)));
			await indexer?.stop();
			await pages.close?.();
			await app()?.close();
			await devnet?.stop();
		} catch (error) {
			onError(error);
			code = 1;
		}
		process.exit(code);
	};
	let last = { signal: '', at: -Infinity };
	function asked(signal: NodeJS.Signals): void {
		const at = performance.now();
		if (signal === last.signal && at - last.at < SAME_SIGNAL_MS) return;
		last = { signal, at };
		if (isDrained) endStart(signal);
		else if (stopping) endDrain();
		else void stop(0);
	}
	holdLastLine({ process, onError, stop: () => void stop(1) });
	for (const signal of SIGNALS) process.off(signal, endStart).on(signal, asked);

	/** Listens; on failure reports the reason and shuts down. */
	const open = async (each: Server, wanted: number, remedy: string): Promise<number> => {
		try {
			return await listen(each, wanted, config.host);
		} catch (error) {
			const { code } = error as NodeJS.ErrnoException;
			const why = code ?? String(error);
			complain(
				code === 'EADDRINUSE'
					? START_UP.portTaken(wanted, remedy)
					: isOfTheHost(why)
						? START_UP.hostUnusable(config.host, why)
						: START_UP.portUnusable(wanted, why)
			);
			await stop(1);
			return new Promise(() => undefined);
		}
	};
	const port = await open(server, config.port, START_UP.otherPort.pages);
	for (const own of ownPorts) {
		const taken = await open(own.server, own.port, START_UP.otherPort.upstream(own.what, own.id));
		say(START_UP.ownPort(own.what, own.id, ownAddress(config.host, taken)));
	}
	const address = config.origin ?? ownAddress(config.host, port);
	say(START_UP.address(address));
	// After the pages: these show how far the index is.
	index();
	const firstAccount = async (): Promise<void> => {
		try {
			const link = await app()?.setupLink();
			if (link) say(START_UP.firstAccount(new URL(link, address).href));
		} catch (error) {
			// A database that is temporarily unavailable does not stop a running server.
			if (databaseErrorKind(error) === null) throw error;
			if (!stopping) setTimeout(() => void firstAccount().catch(endWith), AGAIN_MS).unref();
		}
	};
	await firstAccount();
	return {
		async restartIndexer() {
			await indexer?.stop();
			if (!stopping) index();
		},
		async restartDevnet() {
			await devnet?.restart();
		}
	};
}
