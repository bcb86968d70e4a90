import type { JsonValue } from '#lib/rpc/json.ts';
import type { CodedError, CodesOf } from '#lib/messages/errors/index.ts';
import type { PasswordStop } from '#lib/messages/errors/kdf.ts';
import type { KdfAnswer } from '#lib/rpc/kdf/envelope.ts';
import type { KdfDialect, KdfMethod, KdfParams, KdfResult } from '#lib/rpc/kdf/index.ts';
import type { HttpAnswer } from '../../chains/daemon/exchange.ts';

/**
 * What is known about a trading node from its last answers.
 * - `unknown`: nothing was asked yet
 * - `up`: it answers
 * - `busy`: calls run into their deadline
 * - `down`: nothing answers, or what answers is no trading node
 * - `elsewhere`: it takes calls from its own machine only
 * - `stopped`: it refused our password once; nothing is sent until an admin confirms
 */
export type KdfState = 'unknown' | 'up' | 'busy' | 'down' | 'elsewhere' | 'stopped';

/** Why nothing is sent to a node any more, and since when. */
export interface KdfStop extends PasswordStop {
	/** Unix milliseconds. */
	since: number;
}

/** One trading node as pages may see it: nothing here is a credential. */
export interface KdfInfo {
	id: string;
	/** Address without user information. */
	url: string;
	dialect: KdfDialect;
	/** From its own `version`; null until it answered, or when it gives none. */
	version: string | null;
	builtAt: string | null;
	state: KdfState;
	/** When this state began, Unix milliseconds. */
	since: number;
	lastGoodAt: number | null;
	/** What the state was found by; null while it is up or unknown. */
	reason: CodedError<CodesOf<'kdf'>> | null;
	stop: KdfStop | null;
	/** How often it went away: task ids of an earlier life are void. */
	absences: number;
	/** Answers that did not fit the registry since the start. */
	mismatches: number;
	inFlight: number;
	queued: number;
}

export interface KdfCallOptions {
	/** Written into errors, so that one request can be followed. */
	requestId?: string;
	/** `interactive` (default) overtakes `background` in the queue. */
	priority?: 'interactive' | 'background';
	/** Milliseconds for the whole call instead of those of its deadline class. */
	timeoutMs?: number;
	/**
	 * Milliseconds after which this caller of a read gets `timeout` while the call itself goes on; at once while
	 * the node is known to keep callers waiting.
	 */
	timeout?: number;
	/** The policy judged this call, and asked the safety controls: they are not asked once more. */
	authorized?: true;
	/** Asked of what changes something and had to wait for its place: what it throws keeps the call here. */
	afterWait?: () => Promise<void>;
}

/** A call that changes something. */
export interface MadeCall {
	method: KdfMethod;
	params: KdfParams<KdfMethod>;
}

/** The same with what the node said of it. */
export interface TakenCall extends MadeCall {
	/** Native; null where it does not fit the registry. */
	result: KdfResult<KdfMethod> | null;
}

/** Hears of calls of scripts and the console that change something. */
export interface CallWatcher {
	/** Before it goes out. @returns takes that back, where the node did nothing */
	asking(kdfId: string, made: MadeCall): Promise<() => Promise<void>>;
	/** The node took it; before its answer is handed on. */
	taken(kdfId: string, taken: TakenCall): Promise<void>;
}

/** Calls trading nodes: adds their password, keeps to their limits, stops at the first refused password. */
export interface KdfGateway {
	/** True for a configured node; asks nothing. */
	has(kdfId: string): boolean;
	/** True where any node is configured; asks nothing. */
	hasAny(): boolean;
	/** All configured nodes, in the order of the configuration. */
	nodes(): Promise<KdfInfo[]>;
	node(kdfId: string): Promise<KdfInfo | undefined>;
	/**
	 * Calls one method. Parameters and result are native values: neutral words, amounts as text.
	 * @throws {AppError} `kdf`
	 */
	call<M extends KdfMethod>(
		kdfId: string,
		method: M,
		params: KdfParams<M>,
		options?: KdfCallOptions
	): Promise<KdfResult<M>>;
	/**
	 * Calls one method and gives back the node's own answer, refusals of the method included.
	 * @param id the caller's id, echoed by the node in version 2; null for none
	 * @throws {AppError} `kdf` when there is no answer to hand on, and when the password was refused
	 */
	proxy<M extends KdfMethod>(
		kdfId: string,
		method: M,
		params: KdfParams<M>,
		id: bigint | null,
		options?: KdfCallOptions
	): Promise<HttpAnswer>;
	/**
	 * Lets calls go out again after a refused password, reads the password anew and makes one harmless call.
	 * @returns the node afterwards, stopped again when the password was refused again; undefined for an unknown id
	 */
	confirm(kdfId: string, by: string): Promise<KdfInfo | undefined>;
	/** Listens to the events of all nodes that have some, from now on. An event is no more than a hint to look. */
	listen(onTask: (kdfId: string, task: number) => void): void;
	/** The number to name when a task is started, so that its changes are heard of; null while nobody listens. */
	listener(kdfId: string): number | null;
	/** Tells of calls of scripts and the console that change something. */
	watch(watcher: CallWatcher): void;
	/** Whether a text holds the password of a node, as far as one is known. */
	holdsPassword(text: string): boolean;
	/** Asks each node for its version, now. */
	probe(): Promise<void>;
	close(): Promise<void>;
}

/** One call as it goes out. */
export interface KdfRequest {
	method: KdfMethod;
	/** Wire parameters; null leaves them out. */
	params: JsonValue | null;
	/** `own`: one that no other call has. */
	id: bigint | 'own' | null;
	timeoutMs: number;
	/** May be sent again: it changes nothing. */
	retry: boolean;
	priority: 'interactive' | 'background';
	requestId: string | undefined;
	/** Asked before it leaves where it had to wait for its place: what it throws keeps it here. */
	afterWait?: (() => Promise<void>) | undefined;
}

/** An answer with what it says. */
export interface KdfReply {
	raw: HttpAnswer;
	/** Null for a result that is too large to be read before somebody asks for it. */
	said: KdfAnswer | null;
}
