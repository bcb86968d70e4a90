/**
 * What the server's entry and the application pass each other. The entry and the build of the application share no
 * module, so each part is registered under a global symbol.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { PlainHttpWatch } from './http/plainHttp.ts';

/** Functions of the application that the server's entry uses. */
export interface RunningApp {
	/** Returns the path of the one-time link that creates the first account; null when there is an account. */
	setupLink(): Promise<string | null>;
	/** Reports in a few words why the databases are not usable; null when they are. */
	obstacle(): Promise<string | null>;
	/** Ends open event streams, so that the server can stop listening. */
	endStreams(): void;
	/** Detects use from other machines without TLS. */
	plainHttp: PlainHttpWatch;
	/** Stops workers and closes connections and the database. */
	close(): Promise<void>;
}

/** Serves one request to `/api/rpc/{daemon}`, or to `/api/rpc/{trading node}`. */
export type RpcApi = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

interface RunningParts {
	app: RunningApp;
	rpcApi: RpcApi;
	/** To call after the indexer has written. */
	nudge: () => void;
	/** The application waits for this promise, because its modules load while devnet starts. */
	beforeApp: Promise<unknown>;
}

const SYMBOLS: Readonly<Record<keyof RunningParts, symbol>> = {
	app: Symbol.for('komodeck.app'),
	rpcApi: Symbol.for('komodeck.rpc-api'),
	nudge: Symbol.for('komodeck.nudge'),
	beforeApp: Symbol.for('komodeck.before-app')
};

const registry = globalThis as Record<symbol, unknown>;

/** Registers a part for the other side. */
export function setRunning<Name extends keyof RunningParts>(
	name: Name,
	part: RunningParts[Name]
): void {
	registry[SYMBOLS[name]] = part;
}

/** Returns a part; undefined until it is registered. */
export const getRunning = <Name extends keyof RunningParts>(
	name: Name
): RunningParts[Name] | undefined => registry[SYMBOLS[name]] as RunningParts[Name] | undefined;
