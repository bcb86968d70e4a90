import type { JsonValue } from '#lib/rpc/json.ts';
import type { NodeAnswer, NodeRefusal, PasswordRefusal } from '#lib/rpc/node/envelope.ts';
import type { NodeDialect, NodeMethod, NodeParams, NodeResult } from '#lib/rpc/node/index.ts';
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
export type NodeState = 'unknown' | 'up' | 'busy' | 'down' | 'elsewhere' | 'stopped';

/** Why nothing is sent to a node any more. */
export interface NodeStop {
	reason: Exclude<PasswordRefusal, 'elsewhere'>;
	/** Wrong passwords that the node still takes before it bans this address; null where it did not say. */
	attemptsLeft: number | null;
	/** Unix milliseconds. */
	since: number;
}

/** One trading node as pages may see it: nothing here is a credential. */
export interface NodeInfo {
	id: string;
	/** Address without user information. */
	url: string;
	dialect: NodeDialect;
	/** From its own `version`; null until it answered, or when it gives none. */
	version: string | null;
	builtAt: string | null;
	state: NodeState;
	/** When this state began, Unix milliseconds. */
	since: number;
	lastGoodAt: number | null;
	/** A plain sentence on the state; null while it is up or unknown. */
	detail: string | null;
	stop: NodeStop | null;
	/** How often it went away: task ids of an earlier life are void. */
	absences: number;
	/** Answers that did not fit the registry since the start. */
	misfits: number;
	inFlight: number;
	queued: number;
}

export type NodeErrorCode =
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

export interface NodeErrorFacts {
	node: string;
	/** Name on the wire. */
	method: string;
	reached: Reached;
	/** What the node said, for `refused`. */
	refusal?: NodeRefusal | undefined;
	stop?: NodeStop | undefined;
	status?: number | undefined;
	requestId?: string | undefined;
	/** Why a switch stopped the call, or which parameter does not fit. */
	why?: string | undefined;
	cause?: unknown;
}

/** A call to a trading node that did not give a result. The message holds no credential. */
export class NodeError extends Error {
	override readonly name = 'NodeError';
	readonly code: NodeErrorCode;
	readonly node: string;
	readonly method: string;
	readonly reached: Reached;
	readonly refusal: NodeRefusal | undefined;
	readonly stop: NodeStop | undefined;
	readonly status: number | undefined;
	readonly requestId: string | undefined;
	readonly why: string | undefined;

	constructor(code: NodeErrorCode, words: string, facts: NodeErrorFacts) {
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

export interface NodeCallOptions {
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
export interface NodeGateway {
	/** True for a configured node; asks nothing. */
	has(nodeId: string): boolean;
	/** All configured nodes, in the order of the configuration. */
	nodes(): Promise<NodeInfo[]>;
	node(nodeId: string): Promise<NodeInfo | undefined>;
	/**
	 * Calls one method. Parameters and result are native values: neutral words, amounts as text.
	 * @throws {NodeError}
	 */
	call<M extends NodeMethod>(
		nodeId: string,
		method: M,
		params: NodeParams<M>,
		options?: NodeCallOptions
	): Promise<NodeResult<M>>;
	/**
	 * Calls one method and gives back the node's own answer, refusals of the method included.
	 * @param id the caller's id, echoed by the node in version 2; null for none
	 * @throws {NodeError} when there is no answer to hand on, and when the password was refused
	 */
	forward<M extends NodeMethod>(
		nodeId: string,
		method: M,
		params: NodeParams<M>,
		id: number | null,
		options?: NodeCallOptions
	): Promise<HttpAnswer>;
	/**
	 * Lets calls go out again after a refused password, reads the password anew and makes one harmless call.
	 * @returns the node afterwards, stopped again when the password was refused again; undefined for an unknown id
	 */
	confirm(nodeId: string, by: string): Promise<NodeInfo | undefined>;
	/** Listens to the events of all nodes that have some, from now on. An event is no more than a hint to look. */
	listen(onTask: (nodeId: string, task: number) => void): void;
	/** The number to name when a task is started, so that its changes are heard of; null while nobody listens. */
	listener(nodeId: string): number | null;
	/** Whether a text holds the password of a node, as far as one is known. */
	holdsPassword(text: string): boolean;
	/** Asks each node for its version, now. */
	probe(): Promise<void>;
	close(): Promise<void>;
}

/** One call as it goes out. */
export interface NodeExchange {
	method: NodeMethod;
	/** Wire parameters; null leaves them out. */
	params: JsonValue | null;
	/** `own`: one that no other call has. */
	id: number | 'own' | null;
	timeoutMs: number;
	priority: 'interactive' | 'background';
	requestId: string | undefined;
}

/** An answer with what it says. */
export interface NodeReply {
	raw: HttpAnswer;
	/** Null for a result that is too large to be read before somebody asks for it. */
	said: NodeAnswer | null;
}
