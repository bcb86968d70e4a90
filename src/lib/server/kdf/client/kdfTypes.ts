import type { JsonValue } from '#lib/rpc/json.ts';
import type { CodedError, CodesOf } from '#lib/messages/errors/index.ts';
import type { PasswordStop } from '#lib/messages/errors/kdf.ts';
import type { KdfAnswer } from '#lib/rpc/kdf/envelope.ts';
import type { KdfDialect, KdfMethod, KdfParams, KdfResult } from '#lib/rpc/kdf/index.ts';
import type { HttpAnswer } from '../../chains/upstream/requestHandler.ts';
import type { AuditEntry } from '../../platform/audit-trail/entry.ts';

/**
 * State of a trading node, by its last answers.
 * - `unknown`: no call was made yet
 * - `up`: it answers
 * - `busy`: calls reach their deadline
 * - `down`: it does not answer, or what answers is no trading node
 * - `elsewhere`: it accepts calls from its own machine only
 * - `stopped`: it refused our password once; no call is sent until an admin confirms
 */
export type KdfState = 'unknown' | 'up' | 'busy' | 'down' | 'elsewhere' | 'stopped';

/** Why nothing is sent to a node any more, and since when. */
export interface KdfStop extends PasswordStop {
	/** Unix milliseconds. */
	since: number;
}

/** A trading node as pages may see it: without credentials. */
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
	/** The error from which the state follows; null while it is up or unknown. */
	reason: CodedError<CodesOf<'kdf'>> | null;
	stop: KdfStop | null;
	/** How often it went down: task ids from before are void. */
	absences: number;
	/** Number of answers since the start that did not match the registry. */
	mismatches: number;
	inFlight: number;
	queued: number;
}

export interface KdfCallOptions {
	/** Included in errors, so that one request can be traced. */
	requestId?: string;
	/** `interactive` (default) overtakes `background` in the queue. */
	priority?: 'interactive' | 'background';
	/** Timeout of the whole call in milliseconds, instead of that of its deadline class. */
	timeoutMs?: number;
	/**
	 * Milliseconds after which the caller of a read gets `kdf.timeout` while the call itself continues; at
	 * once while the node is known to be silent.
	 */
	timeout?: number;
	/** Set when the policies judged this call and checked the safety controls: they are not checked again. */
	authorized?: true;
	/** Called right before a changing call is sent, after all waits; the call is not sent when it rejects. */
	beforeSend?: () => Promise<void>;
}

/** A call that changes something. */
export interface MadeCall {
	method: KdfMethod;
	params: KdfParams<KdfMethod>;
}

/** Such a call with the node's result. */
export interface TakenCall extends MadeCall {
	/** Native; null when it does not match the registry, or lacks a member. */
	result: KdfResult<KdfMethod> | null;
}

/** Observes calls of scripts and the console that change something. */
export interface CallWatcher {
	/** Called before the call is sent. @returns function that undoes this, for when the node did nothing */
	asking(kdfId: string, made: MadeCall): Promise<() => Promise<void>>;
	/** Called when the node has accepted the call, before its answer is returned. */
	taken(kdfId: string, taken: TakenCall): Promise<void>;
}

/** Calls trading nodes: adds their password, observes their limits, stops at the first refused password. */
export interface KdfGateway {
	/** Whether a node is configured; makes no call. */
	has(kdfId: string): boolean;
	/** Whether any node is configured; makes no call. */
	hasAny(): boolean;
	/** All configured nodes, in the order of the configuration. */
	nodes(): Promise<KdfInfo[]>;
	node(kdfId: string): Promise<KdfInfo | undefined>;
	/**
	 * Calls one method. Parameters and result are native values: the same names in every dialect, amounts as
	 * text.
	 * @throws {AppError} `kdf`
	 */
	call<M extends KdfMethod>(
		kdfId: string,
		method: M,
		params: KdfParams<M>,
		options?: KdfCallOptions
	): Promise<KdfResult<M>>;
	/**
	 * Calls one method and returns the node's own answer, refusals of the method included.
	 * @param id the caller's id, echoed by the node in version 2; null for none
	 * @throws {AppError} `kdf` when there is no answer to return, and when the password was refused
	 */
	proxy<M extends KdfMethod>(
		kdfId: string,
		method: M,
		params: KdfParams<M>,
		id: bigint | null,
		options?: KdfCallOptions
	): Promise<HttpAnswer>;
	/**
	 * Allows calls again after a refused password, reads the password again and makes one harmless call.
	 * @param record records the order; when it rejects, nothing is allowed
	 * @returns the node afterwards, stopped again when the password was refused again; undefined for an
	 * unknown id
	 */
	confirm(
		kdfId: string,
		by: string,
		record: (entry: AuditEntry) => Promise<void>
	): Promise<KdfInfo | undefined>;
	/** Listens to the events of all nodes that have them, from now on. An event is only a hint to poll. */
	listen(onTask: (kdfId: string, task: number) => void): void;
	/**
	 * Returns the client id to send when a task is started, so that its events arrive; null without an event
	 * stream.
	 */
	listener(kdfId: string): number | null;
	/** Sets the observer of calls of scripts and the console that change something. */
	watch(watcher: CallWatcher): void;
	/** Whether a text contains the password of a node, as far as it is known. */
	holdsPassword(text: string): boolean;
	/** Requests the version of each node now. */
	probe(): Promise<void>;
	close(): Promise<void>;
}

/** One call as it is sent. */
export interface KdfRequest {
	method: KdfMethod;
	/** Wire parameters; null leaves them out. */
	params: JsonValue | null;
	/** `own`: a unique one is generated. */
	id: bigint | 'own' | null;
	timeoutMs: number;
	/** Whether it may be sent again, because it changes nothing. */
	retry: boolean;
	priority: 'interactive' | 'background';
	requestId: string | undefined;
	/** Called right before the call is sent, after all waits; it is not sent when this rejects. */
	beforeSend?: (() => Promise<void>) | undefined;
}

/** An answer, raw and parsed. */
export interface KdfReply {
	raw: HttpAnswer;
	/** Null for a large result, which is parsed only when it is needed. */
	said: KdfAnswer | null;
}
