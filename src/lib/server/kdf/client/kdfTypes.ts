import type { JsonValue } from '#lib/rpc/json.ts';
import type { KdfAnswer, KdfRefusal, PasswordRefusal } from '#lib/rpc/kdf/envelope.ts';
import type { KdfDialect, KdfMethod, KdfParams, KdfResult } from '#lib/rpc/kdf/index.ts';
import type { HttpAnswer } from '../../chains/daemon/transport.ts';
import type { Reached } from '../../chains/daemon/types.ts';

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

/** Why nothing is sent to a node any more. */
export interface KdfStop {
	reason: Exclude<PasswordRefusal, 'elsewhere'>;
	/** Wrong passwords that the node still takes before it bans this address; null where it did not say. */
	attemptsLeft: number | null;
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
	/** A plain sentence on the state; null while it is up or unknown. */
	detail: string | null;
	stop: KdfStop | null;
	/** How often it went away: task ids of an earlier life are void. */
	absences: number;
	/** Answers that did not fit the registry since the start. */
	mismatches: number;
	inFlight: number;
	queued: number;
}

export type KdfErrorCode =
	| 'unreachable'
	/** It shows a certificate that is not trusted. */
	| 'untrusted'
	| 'timeout'
	| 'busy'
	| 'truncated'
	| 'too-large'
	| 'not-a-node'
	| 'misfit'
	| 'refused'
	| 'stopped'
	| 'elsewhere'
	| 'switched-off'
	| 'bad-params'
	| 'unknown-node';

export interface KdfErrorFacts {
	node: string;
	/** Name on the wire. */
	method: string;
	reached: Reached;
	/** What the node said, for `refused`. */
	refusal?: KdfRefusal | undefined;
	stop?: KdfStop | undefined;
	status?: number | undefined;
	requestId?: string | undefined;
	/** Why a switch stopped the call, or which parameter does not fit. */
	why?: string | undefined;
	cause?: unknown;
}

/** A call to a trading node that did not give a result. The message holds no credential. */
export class KdfError extends Error {
	override readonly name = 'NodeError';
	readonly code: KdfErrorCode;
	readonly node: string;
	readonly method: string;
	readonly reached: Reached;
	readonly refusal: KdfRefusal | undefined;
	readonly stop: KdfStop | undefined;
	readonly status: number | undefined;
	readonly requestId: string | undefined;
	readonly why: string | undefined;

	constructor(code: KdfErrorCode, words: string, facts: KdfErrorFacts) {
		super(
			`${facts.node} ${facts.method}: ${words}`,
			facts.cause === undefined ? undefined : { cause: facts.cause }
		);
		this.code = code;
		this.node = facts.node;
		this.method = facts.method;
		this.reached = facts.reached;
		this.refusal = facts.refusal;
		this.stop = facts.stop;
		this.status = facts.status;
		this.requestId = facts.requestId;
		this.why = facts.why;
	}
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
	patience?: number;
	/** The policy judged this call, and asked the switches: they are not asked once more. */
	authorized?: true;
}

/** Calls trading nodes: adds their password, keeps to their limits, stops at the first refused password. */
export interface KdfGateway {
	/** True for a configured node; asks nothing. */
	has(kdfId: string): boolean;
	/** All configured nodes, in the order of the configuration. */
	nodes(): Promise<KdfInfo[]>;
	node(kdfId: string): Promise<KdfInfo | undefined>;
	/**
	 * Calls one method. Parameters and result are native values: neutral words, amounts as text.
	 * @throws {NodeError}
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
	 * @throws {NodeError} when there is no answer to hand on, and when the password was refused
	 */
	forward<M extends KdfMethod>(
		kdfId: string,
		method: M,
		params: KdfParams<M>,
		id: number | null,
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
	/** Whether a text holds the password of a node, as far as one is known. */
	holdsPassword(text: string): boolean;
	/** Asks each node for its version, now. */
	probe(): Promise<void>;
	close(): Promise<void>;
}

/** One call as it goes out. */
export interface KdfExchange {
	method: KdfMethod;
	/** Wire parameters; null leaves them out. */
	params: JsonValue | null;
	/** `own`: one that no other call has. */
	id: number | 'own' | null;
	timeoutMs: number;
	priority: 'interactive' | 'background';
	requestId: string | undefined;
}

/** An answer with what it says. */
export interface KdfReply {
	raw: HttpAnswer;
	/** Null for a result that is too large to be read before somebody asks for it. */
	said: KdfAnswer | null;
}
