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

export interface DaemonHealth {
	state: DaemonState;
	/** When this state began, in milliseconds since 1970. */
	since: number;
	/** When the daemon last gave an answer to a call, in milliseconds since 1970. */
	lastGoodAt: number | null;
	/** The daemon's own words or ours on the state, without credentials; null while it is up. */
	detail: string | null;
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
	health: DaemonHealth;
}

export interface CallOptions {
	/** Written into logs and errors, so that one request can be followed. */
	requestId?: string;
	/** Milliseconds after which this caller gets `timeout` (or the last known reason) while a read goes on. */
	patience?: number;
	/** `interactive` (default) overtakes `background` in the queue. */
	priority?: 'interactive' | 'background';
	/** The policy judged this call, and asked the switches: they are not asked once more. */
	authorized?: true;
}

export type UpstreamErrorCode =
	| 'unreachable'
	| 'timeout'
	| 'warming-up'
	| 'busy'
	| 'unauthorized'
	| 'truncated'
	| 'too-large'
	| 'not-rpc'
	| 'misfit'
	| 'rpc'
	| 'soft'
	| 'wrong-chain'
	| 'switched-off'
	| 'bad-params'
	| 'unknown-daemon';

/**
 * Whether the daemon may have acted on the call: `no` (nothing of it left this process, or the daemon
 * said that it did not take it up), `maybe` (it was sent, no answer came), `yes` (it answered).
 */
export type Reached = 'no' | 'maybe' | 'yes';

interface UpstreamErrorFacts {
	daemon: string;
	method: string;
	reached: Reached;
	rpcCode?: number | undefined;
	rpcMessage?: string | undefined;
	/** HTTP status of the answer, when there was one. */
	status?: number | undefined;
	requestId?: string | undefined;
	cause?: unknown;
}

/** A call to a daemon that did not give a result. The message holds no credential. */
export class UpstreamError extends Error {
	override readonly name = 'UpstreamError';
	readonly code: UpstreamErrorCode;
	readonly daemon: string;
	readonly method: string;
	readonly reached: Reached;
	readonly rpcCode: number | undefined;
	readonly rpcMessage: string | undefined;
	readonly status: number | undefined;
	readonly requestId: string | undefined;

	constructor(code: UpstreamErrorCode, message: string, facts: UpstreamErrorFacts) {
		super(message, facts.cause === undefined ? undefined : { cause: facts.cause });
		this.code = code;
		this.daemon = facts.daemon;
		this.method = facts.method;
		this.reached = facts.reached;
		this.rpcCode = facts.rpcCode;
		this.rpcMessage = facts.rpcMessage;
		this.status = facts.status;
		this.requestId = facts.requestId;
	}
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
	 * The daemon to use for a chain and a purpose: the first healthy one, else the first one.
	 * Undefined when the chain has none with this purpose.
	 */
	daemonFor(chain: string, purpose: Purpose): DaemonInfo | undefined;
	/**
	 * Calls one method. Parameters and result are native values (amounts bigint).
	 * @throws {UpstreamError}
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
	 * @throws {UpstreamError} when there is no answer to hand on
	 */
	forward(
		daemonId: string,
		method: DaemonMethod,
		paramsText: string,
		options?: CallOptions
	): Promise<RawAnswer>;
	/** Sends a batch of calls as one request. Never repeated. @throws {UpstreamError} */
	forwardBatch(
		daemonId: string,
		calls: readonly { method: DaemonMethod; paramsText: string; idText: string }[],
		options?: CallOptions
	): Promise<RawAnswer>;
	health(daemonId: string): DaemonHealth;
	/** Asks each daemon who it is, now; resolves when all have answered or failed. */
	probe(): Promise<void>;
	/** Ends probes and connections; calls in flight get a short time to finish. */
	close(): Promise<void>;
}
