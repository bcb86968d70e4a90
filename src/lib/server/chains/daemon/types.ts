import type { CodedError, CodesOf } from '#lib/messages/errors/index.ts';
import type { Dialect } from '#lib/rpc/codec.ts';
import type { FurtherAccess } from '#lib/rpc/daemon/furtherMethods.ts';
import type { DaemonMethod, DaemonParams, DaemonResult } from '#lib/rpc/daemon/index.ts';
import type { Purpose } from '#lib/server/platform/config/types.ts';
import type { RawAnswer } from '../upstream/rawAnswer.ts';

/**
 * State of a daemon, derived from its last answers.
 * - `unknown`: it was not asked yet
 * - `up`: it answers
 * - `warming-up`: it refuses calls with -28 while it starts
 * - `busy`: its work queue is full, or calls exceed their deadline
 * - `unauthorized`: it refuses the credentials; calls are held back, except for one at intervals
 * - `down`: nothing answers, or the answer is not a daemon's
 * - `wrong-chain`: `getinfo` reports another chain, CCid or pubkey than the configuration
 */
export type DaemonState =
	'unknown' | 'up' | 'warming-up' | 'busy' | 'unauthorized' | 'down' | 'wrong-chain';

/** Error messages of a method that the registry does not recognize, counted since the start. */
export interface UnknownRefusal {
	method: string;
	count: number;
	/** The newest of these messages, shortened; empty when the daemon gave none. */
	last: string;
}

/** The failure that caused a state. Contains no credential. */
export type DaemonStateReason = CodedError<CodesOf<'daemon'>>;

export interface DaemonHealth {
	state: DaemonState;
	/** When this state began, in Unix milliseconds. */
	since: number;
	/** When the daemon last answered a call, in Unix milliseconds; null: never. */
	lastGoodAt: number | null;
	/** The failure that caused the state; null while it is up. */
	reason: DaemonStateReason | null;
	/** Answers since the start that did not fit the registry. */
	mismatches: number;
	unknownRefusals: UnknownRefusal[];
	/** Calls in flight, and calls that wait for a free slot. */
	inFlight: number;
	queued: number;
}

/** One daemon as pages may show it: contains no credential. */
export interface DaemonInfo {
	id: string;
	chain: string;
	/** URL without user information, such as `http://127.0.0.1:7771`. */
	url: string;
	purposes: readonly Purpose[];
	dialect: Dialect;
	/** Parameters of the chain that no method reports; null when not configured. */
	acImport: string | null;
	acPubkey: string | null;
	dataCarrierSize: number | null;
	/** From the daemon's `getinfo`; null until it answered, or when it does not report the value. */
	name: string | null;
	ccid: number | null;
	pubkey: string | null;
	version: number | null;
	release: string | null;
	/** `ac_algo` of a chain that does not use Equihash: its block hashes cannot be computed here. */
	algorithm: string | null;
	/** False once it is known to have been started without a wallet. */
	hasWallet: boolean;
	health: DaemonHealth;
}

export interface CallOptions {
	/** Written to logs and errors, so that one request can be traced. */
	requestId?: string;
	/** Milliseconds after which this caller gets `daemon.timeout` (or the last known reason); a read continues. */
	timeout?: number;
	/** `interactive` (default) is served before `background`. */
	priority?: 'interactive' | 'background';
	/** The policy already allowed this call and checked the safety controls, which is not repeated before the queue. */
	authorized?: true;
	/** For `getinfo`: the answer may come from a daemon of another chain than configured, which the caller compares. */
	anyChain?: true;
	/** Called right before a changing call is sent, after all waits; the call is not sent when it rejects. */
	beforeSend?: () => Promise<void>;
}

/** One daemon, called with background priority. */
export interface DaemonClient {
	readonly daemon: string;
	call<M extends DaemonMethod>(method: M, ...params: DaemonParams<M>): Promise<DaemonResult<M>>;
	/** Calls `getinfo`, also of a daemon of another chain than configured: the caller compares. */
	identity(): Promise<DaemonResult<'getinfo'>>;
}

export interface Gateway {
	/** All configured daemons, in the order of the configuration. */
	daemons(): DaemonInfo[];
	/** Names of the chains, each once, in the order of the configuration. */
	chains(): string[];
	/** One daemon; undefined when the id is not configured. */
	daemon(id: string): DaemonInfo | undefined;
	/**
	 * Returns the daemon to use for a chain and a purpose: the first healthy one; to read, preferably one that is
	 * not far behind its peers; otherwise the first configured one. Undefined when the chain has none with this
	 * purpose.
	 */
	daemonFor(chain: string, purpose: Purpose): DaemonInfo | undefined;
	/** Calls one method. Parameters and result are native values (amounts are bigint). @throws {AppError} `daemon` */
	call<M extends DaemonMethod>(
		daemonId: string,
		method: M,
		params: DaemonParams<M>,
		options?: CallOptions
	): Promise<DaemonResult<M>>;
	/**
	 * Calls one method with parameters as JSON text and returns the daemon's own answer, including errors of the
	 * method. Identical reads in flight share one request.
	 * @throws {AppError} `daemon` when there is no answer to pass on
	 */
	proxy(
		daemonId: string,
		method: DaemonMethod,
		paramsText: string,
		options?: CallOptions
	): Promise<RawAnswer>;
	/** Methods outside the registry that the configuration allows as reads, with their access classes. */
	furtherMethods(daemonId: string): ReadonlyMap<string, FurtherAccess>;
	/**
	 * Calls one of {@link furtherMethods} once, never shared, and returns the daemon's own answer.
	 * @throws {AppError} `daemon`; `daemon.invalid-params` for any other method
	 */
	proxyFurther(
		daemonId: string,
		method: string,
		paramsText: string,
		options?: CallOptions
	): Promise<RawAnswer>;
	/**
	 * Sends a batch of calls as one request, without retry. `maxBytes` lowers the size limit that follows from the
	 * methods.
	 * @throws {AppError} `daemon`
	 */
	proxyBatch(
		daemonId: string,
		calls: readonly { method: DaemonMethod; paramsText: string; idText: string }[],
		options?: CallOptions & { maxBytes?: number }
	): Promise<RawAnswer>;
	/**
	 * Checks the safety controls before a transaction is recorded as being sent: one that a control stops was never
	 * to be sent.
	 * @throws {AppError} `daemon.safety-control`, as the call would
	 */
	mayLeave(daemonId: string, method: DaemonMethod): Promise<void>;
	health(daemonId: string): DaemonHealth;
	/** Identifies each daemon now; resolves when all have answered or failed. */
	probe(): Promise<void>;
	/** Stops polling and closes all connections; calls in flight fail. */
	close(): Promise<void>;
}
