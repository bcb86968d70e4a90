import type { CodedError, CodesOf } from '#lib/messages/errors/index.ts';
import type { FurtherAccess } from '#lib/rpc/daemon/furtherMethods.ts';
import type { DaemonMethod, DaemonParams, DaemonResult } from '#lib/rpc/daemon/index.ts';
import type { Dialect, Purpose } from '#lib/server/platform/config/types.ts';
import type { Span } from './answers/measure.ts';

/**
 * What is known about a daemon from its last answers.
 * - `unknown`: nothing was asked yet
 * - `up`: it answers
 * - `warming-up`: it refuses calls with -28 while it starts
 * - `busy`: its work queue is full, or calls run into their deadline
 * - `unauthorized`: it refuses our credentials; calls stop, one goes out at intervals to find out
 * - `down`: nothing answers, or what answers is not a daemon
 * - `wrong-chain`: `getinfo` names another chain, CCid or pubkey than the configuration
 */
export type DaemonState =
	'unknown' | 'up' | 'warming-up' | 'busy' | 'unauthorized' | 'down' | 'wrong-chain';

/** Refusals of a method in words that are not explained yet, since the start. */
export interface UnknownRefusal {
	method: string;
	count: number;
	/** The newest of these texts, shortened; empty when the daemon gave none. */
	last: string;
}

/** The failure that a state was entered with. It holds no credential. */
export type DaemonStateReason = CodedError<CodesOf<'daemon'>>;

export interface DaemonHealth {
	state: DaemonState;
	/** When this state began, in milliseconds since 1970. */
	since: number;
	/** When the daemon last gave an answer to a call, in milliseconds since 1970. */
	lastGoodAt: number | null;
	/** What the state was found by; null while it is up. */
	reason: DaemonStateReason | null;
	/** Answers that did not fit the registry since the start. */
	mismatches: number;
	unknownRefusals: UnknownRefusal[];
	/** Calls on the wire and calls that wait for a free place. */
	inFlight: number;
	queued: number;
}

/** One daemon as pages may see it: nothing here is a credential. */
export interface DaemonInfo {
	id: string;
	chain: string;
	/** Address without user information, such as `http://127.0.0.1:7771`. */
	url: string;
	purposes: readonly Purpose[];
	dialect: Dialect;
	/** What the chain was started with where no method tells; null when not configured. */
	acImport: string | null;
	acPubkey: string | null;
	dataCarrierSize: number | null;
	/** From the daemon's own `getinfo`; null until it answered, or when it has none. */
	name: string | null;
	ccid: number | null;
	pubkey: string | null;
	version: number | null;
	release: string | null;
	health: DaemonHealth;
}

export interface CallOptions {
	/** Written into logs and errors, so that one request can be followed. */
	requestId?: string;
	/** Milliseconds after which this caller gets `daemon.timeout` (or the last known reason) while a read goes on. */
	timeout?: number;
	/** `interactive` (default) overtakes `background` in the queue. */
	priority?: 'interactive' | 'background';
	/** The policy judged this call, and asked the safety controls: they are not asked once more. */
	authorized?: true;
	/** Asked of what changes something and had to wait for its place: what it throws keeps the call here. */
	afterWait?: () => Promise<void>;
}

/** An answer as the daemon gave it, for callers that hand it on unchanged. */
export interface RawAnswer {
	status: number;
	contentType: string;
	body: Buffer;
	/** Where the id of the call stands in the body; null for a batch, and where an error names none. */
	id: Span | null;
}

export interface Gateway {
	/** All configured daemons, in the order of the configuration. */
	daemons(): DaemonInfo[];
	/** Names of the chains, each once, in the order of the configuration. */
	chains(): string[];
	/** One daemon; undefined when the id is not configured. */
	daemon(id: string): DaemonInfo | undefined;
	/**
	 * The daemon to use for a chain and a purpose: the first healthy one, to read the first of those that are not far
	 * behind their peers, else the first one.
	 * Undefined when the chain has none with this purpose.
	 */
	daemonFor(chain: string, purpose: Purpose): DaemonInfo | undefined;
	/**
	 * Calls one method. Parameters and result are native values (amounts bigint).
	 * @throws {AppError} `daemon`
	 */
	call<M extends DaemonMethod>(
		daemonId: string,
		method: M,
		params: DaemonParams<M>,
		options?: CallOptions
	): Promise<DaemonResult<M>>;
	/**
	 * Calls one method with parameters already in JSON text and gives back the daemon's own answer, errors
	 * of the method included. Reads share a call in flight.
	 * @throws {AppError} `daemon` when there is no answer to hand on
	 */
	proxy(
		daemonId: string,
		method: DaemonMethod,
		paramsText: string,
		options?: CallOptions
	): Promise<RawAnswer>;
	/** Methods beside the registry's that the configuration lets pass as reads, with their classes. */
	furtherMethods(daemonId: string): ReadonlyMap<string, FurtherAccess>;
	/**
	 * Calls one of them once, shared with no other call, and gives back the daemon's own answer.
	 * @throws {AppError} `daemon`, for a method that is none of them `daemon.invalid-params`
	 */
	proxyFurther(
		daemonId: string,
		method: string,
		paramsText: string,
		options?: CallOptions
	): Promise<RawAnswer>;
	/**
	 * Sends a batch of calls as one request. Never repeated. The answer is cut off beyond `maxBytes`, where the methods
	 * allow more.
	 * @throws {AppError} `daemon`
	 */
	proxyBatch(
		daemonId: string,
		calls: readonly { method: DaemonMethod; paramsText: string; idText: string }[],
		options?: CallOptions & { maxBytes?: number }
	): Promise<RawAnswer>;
	/**
	 * Asked before what is to leave is written down: what a safety control is known to keep here was never to leave.
	 * @throws {AppError} `daemon.safety-control`, as the call would
	 */
	mayLeave(daemonId: string, method: DaemonMethod): Promise<void>;
	health(daemonId: string): DaemonHealth;
	/** Asks each daemon who it is, now; resolves when all have answered or failed. */
	probe(): Promise<void>;
	/** Ends probes and connections; calls in flight get a short time to finish. */
	close(): Promise<void>;
}
