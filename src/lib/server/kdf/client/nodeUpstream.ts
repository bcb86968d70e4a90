import { randomInt } from 'node:crypto';
import { isJsonObject, JsonNumber, type JsonValue } from '#lib/rpc/json.ts';
import {
	nodeRequestText,
	passwordRefusal,
	type NodeAnswer,
	type NodeRefusal
} from '#lib/rpc/node/envelope.ts';
import { nodeDefinition, type NodeDialect, type NodeMethod } from '#lib/rpc/node/index.ts';
import { Mm2Error, readMm2 } from '#lib/server/platform/config/mm2.ts';
import type { NodeConfig } from '#lib/server/platform/config/types.ts';
import type { NodeSaid } from '../../chains/daemon/answers/read.ts';
import { ReaderError, readers } from '../../chains/daemon/answers/readers.ts';
import { Limiter, QueueFullError, QueueTimeoutError } from '../../chains/daemon/limiter.ts';
import { Transport, TransportError, type HttpAnswer } from '../../chains/daemon/transport.ts';
import { StoppedWaiting, waitFor } from '../../chains/daemon/wait.ts';
import type { NodeStops } from './nodeStops.ts';
import {
	NodeError,
	type NodeErrorCode,
	type NodeErrorFacts,
	type NodeInfo,
	type NodeState,
	type NodeStop
} from './nodeTypes.ts';

export interface NodeLimits {
	/** Calls on the wire at once: fewer than the wrong passwords that lead to a ban. */
	places: number;
	/** Calls of each priority that may wait for a place. */
	queue: number;
	maxAnswerBytes: number;
	connectTimeoutMs: number;
	/** How long calls are refused here after a silent host, before one is let through. */
	restMs: number;
}

/** One call as it goes out. */
interface NodeExchange {
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

const PROOF_METHOD = 'get_enabled_coins';
const VERSION_MS = 5_000;
/** A shorter wait says nothing about the node. */
const SLOW_MS = 300;
const PROOF_MS = 10_000;
/** Shorter passwords are not looked for in answers: they would be found in ordinary text. */
const SHORTEST_SECRET = 6;
const TRIES = 3;
const FIRST_PAUSE_MS = 100;

const UNTRUSTED = 'It shows a certificate that is not trusted here, so nothing is sent to it.';

const AWAY: ReadonlySet<NodeState> = new Set(['down']);

const pause = (ms: number): Promise<void> =>
	new Promise((resolve) => {
		setTimeout(resolve, ms);
	});

/** The attempts that are left, as the node counts them in the data or the text of its refusal. */
function attemptsLeft({ data, message }: NodeRefusal): number | null {
	const told = isJsonObject(data) ? data['error_data'] : undefined;
	if (told instanceof JsonNumber) return told.toNumber();
	const found = /attempts left: (\d+)/.exec(message);
	return found === null ? null : Number(found[1]);
}

/** What `version` says; a node of the interface document says less, or does not know the method. */
interface Release {
	version: string | null;
	builtAt: string | null;
	/** How a release of this name would spell. */
	dialect: NodeDialect;
}

/**
 * A question that each dialect answers in its own way and that changes nothing: an entry for a task that
 * cannot exist. A released node does not know the word and refuses the request; one of the interface
 * document knows it, and does not know the task.
 */
const SPELLING = {
	method: 'task::enable_bch::user_action',
	params: {
		task_id: new JsonNumber(String(Number.MAX_SAFE_INTEGER)),
		user_action: { action_type: 'HardwarePin', pin: '0' }
	}
} as const;

/** The dialect of a node that answered the question; null when the answer does not tell. */
function spellingOf(said: NodeAnswer | null): NodeDialect | null {
	if (said === null) return null;
	if (said.kind === 'result') return 'seed';
	switch (said.error.type) {
		case 'InvalidRequest':
			return 'kdf';
		case 'NoSuchTask':
		case 'Internal':
			return 'seed';
		default:
			return null;
	}
}

/** A release of KDF names its commit, and since 2.0 the time at which it was built. */
function releaseOf(said: NodeAnswer | null): Release {
	const facts = said?.kind === 'result' && isJsonObject(said.result) ? said.result : {};
	const { result, datetime } = facts;
	const version = typeof result === 'string' ? result : null;
	const builtAt = typeof datetime === 'string' ? datetime : null;
	const released = version !== null && (builtAt !== null || /_[0-9a-f]{7,}(?:_|$)/.test(version));
	return { version, builtAt, dialect: released ? 'kdf' : 'seed' };
}

/** A sentence on a node that refused the password. */
export function stopSentence({ reason, attemptsLeft: left }: NodeStop): string {
	switch (reason) {
		case 'banned':
			return 'The node has banned this machine after too many wrong passwords. Restart the node, correct the password, then confirm here. Until then nothing is sent to it.';
		case 'missing':
			return 'The node says that no password was sent. Check its settings, then confirm here. Until then nothing is sent to it.';
		case 'wrong': {
			const rest =
				left === null
					? 'It bans this machine after ten wrong ones.'
					: `It takes ${left} more wrong ${left === 1 ? 'one' : 'ones'} before it bans this machine.`;
			return `The node refused the password that is configured for it. ${rest} Correct it, then confirm here. Until then nothing is sent to it.`;
		}
	}
}

/**
 * One trading node: its connections, its queue, its password and what is known of its health. The first
 * refusal of the password ends all calls; while the password has not been accepted yet, calls go out one
 * after the other, so that a wrong one is refused once.
 */
export class NodeUpstream {
	readonly config: NodeConfig;
	readonly #limits: NodeLimits;
	readonly #stops: NodeStops;
	/** The wall clock, for people. */
	readonly #now: () => number;
	/** Deadlines and rests are of a clock that nobody sets. */
	readonly #steady = (): number => performance.now();
	readonly #limiter: Limiter;
	#transport: Transport;
	#password: string | null = null;
	#accepted = false;
	#trying: Promise<unknown> | null = null;
	#introducing: Promise<void> | null = null;
	#release: Release | null = null;
	#spelling: NodeDialect | null = null;
	#spellingAsked = false;
	#state: NodeState = 'unknown';
	#since: number;
	#lastGoodAt: number | null = null;
	#detail: string | null = null;
	#absences = 0;
	/** Somebody waited in vain, and nothing has answered since. */
	#silent = false;
	/** Begins anywhere, so that an answer to a call of an earlier life is not taken for one to ours. */
	#lastId = randomInt(2 ** 40);
	/** While the host is silent, calls fail here until this time. */
	#restUntil = 0;
	misfits = 0;

	constructor(config: NodeConfig, limits: NodeLimits, stops: NodeStops, now: () => number) {
		this.config = config;
		this.#limits = limits;
		this.#stops = stops;
		this.#now = now;
		this.#since = now();
		this.#limiter = new Limiter({ places: limits.places, queue: limits.queue });
		this.#transport = new Transport(config.url, {
			connections: limits.places,
			connectTimeoutMs: limits.connectTimeoutMs,
			trust: config.trust
		});
	}

	get dialect(): NodeDialect {
		return this.config.dialect ?? this.#spelling ?? this.#release?.dialect ?? 'kdf';
	}

	/** Whether callers who do not want to wait are refused at once: the looks at it find out when it answers. */
	get silent(): boolean {
		return this.#silent;
	}

	/** Takes note that somebody waited in vain. Long before the deadline of a call people can see it. */
	noteSilent(waitedMs: number): void {
		if (waitedMs < SLOW_MS) return;
		this.#silent = true;
		if (this.#state !== 'up' && this.#state !== 'unknown') return;
		this.#enter('busy', `It has not answered for ${Math.round(waitedMs)} ms.`);
	}

	/** Whether it should be looked at again soon. */
	get unwell(): boolean {
		return this.#state !== 'up';
	}

	async info(): Promise<NodeInfo> {
		const stop = await this.#stops.get(this.config.id);
		const stopped = stop !== null;
		return {
			id: this.config.id,
			url: this.config.url,
			dialect: this.dialect,
			version: this.#release?.version ?? null,
			builtAt: this.#release?.builtAt ?? null,
			state: stopped ? 'stopped' : this.#state,
			since: stopped ? stop.since : this.#since,
			lastGoodAt: this.#lastGoodAt,
			detail: stopped ? stopSentence(stop) : this.#detail,
			stop,
			absences: this.#absences,
			misfits: this.misfits,
			inFlight: this.#limiter.running,
			queued: this.#limiter.queued
		};
	}

	/** Asks who it is when that is not known. Never rejects: what failed is in the state. */
	async introduced(): Promise<void> {
		if (this.#release === null || this.#wantsSpelling) await this.look();
	}

	get #wantsSpelling(): boolean {
		return this.config.dialect === null && this.#spelling === null && !this.#spellingAsked;
	}

	/** Asks for the version, now, and once how it spells. Nothing goes out while the node is stopped. */
	look(): Promise<void> {
		this.#introducing ??= this.#look().finally(() => {
			this.#introducing = null;
		});
		return this.#introducing;
	}

	async #look(): Promise<void> {
		try {
			const { said } = await this.exchange(
				{
					method: 'version',
					params: {},
					id: null,
					timeoutMs: VERSION_MS,
					priority: 'interactive',
					requestId: undefined
				},
				false
			);
			this.#release = releaseOf(said);
			if (this.#wantsSpelling) await this.#askSpelling();
		} catch (error) {
			if (!(error instanceof NodeError)) throw error;
		}
	}

	async #askSpelling(): Promise<void> {
		const { said } = await this.exchange(
			{
				...SPELLING,
				id: 'own',
				timeoutMs: PROOF_MS,
				priority: 'interactive',
				requestId: undefined
			},
			false
		);
		this.#spelling = spellingOf(said);
		this.#spellingAsked = true;
	}

	/** Makes a harmless call with the password. Never rejects. */
	async prove(): Promise<void> {
		try {
			await this.exchange(
				{
					method: PROOF_METHOD,
					params: this.dialect === 'kdf' ? null : {},
					id: 'own',
					timeoutMs: PROOF_MS,
					priority: 'interactive',
					requestId: undefined
				},
				false
			);
		} catch (error) {
			if (!(error instanceof NodeError)) throw error;
		}
	}

	/** Whether a text holds the password that calls go out with. */
	isKnownPassword(text: string): boolean {
		const { credentials } = this.config;
		const secret = this.#password ?? (credentials.kind === 'password' ? credentials.password : '');
		return secret.length >= SHORTEST_SECRET && text.includes(secret);
	}

	/** Forgets the password, so that the next call reads it anew. */
	forgetPassword(): void {
		this.#password = null;
		this.#accepted = false;
	}

	/**
	 * Sends one call and gives back what the node said, refusals of the method included.
	 * @throws {NodeError} for everything else
	 */
	async exchange(call: NodeExchange, retry: boolean): Promise<NodeReply> {
		const deadline = this.#steady() + call.timeoutMs;
		const patient = this.#state === 'up' || this.#state === 'unknown';
		for (let attempt = 1; ; attempt += 1) {
			try {
				return await this.#queued(call, deadline);
			} catch (error) {
				if (!(error instanceof NodeError)) throw error;
				const wait = FIRST_PAUSE_MS * 2 ** (attempt - 1);
				const again =
					retry &&
					patient &&
					attempt < TRIES &&
					error.code === 'unreachable' &&
					error.reached === 'no' &&
					this.#steady() + wait < deadline;
				if (!again) throw error;
				await pause(wait);
			}
		}
	}

	async close(): Promise<void> {
		await this.#transport.close();
	}

	error(
		code: NodeErrorCode,
		words: string,
		call: Pick<NodeExchange, 'method' | 'requestId'>,
		facts: Partial<NodeErrorFacts> & Pick<NodeErrorFacts, 'reached'>
	): NodeError {
		return new NodeError(code, words, {
			node: this.config.id,
			method: nodeDefinition(call.method).name,
			requestId: call.requestId,
			...facts
		});
	}

	async #queued(call: NodeExchange, deadline: number): Promise<NodeReply> {
		const timeLeft = Math.max(1, deadline - this.#steady());
		try {
			return await this.#limiter.run(call.priority, timeLeft, () => this.#oneByOne(call, deadline));
		} catch (cause) {
			if (cause instanceof QueueFullError) {
				throw this.error('busy', 'Too many calls wait for this node.', call, {
					reached: 'no',
					cause
				});
			}
			if (cause instanceof QueueTimeoutError) {
				throw this.error('timeout', 'No free place in time.', call, { reached: 'no', cause });
			}
			throw cause;
		}
	}

	/** Until the password was accepted once, a call waits for the one before it. */
	async #oneByOne(call: NodeExchange, deadline: number): Promise<NodeReply> {
		if (this.#accepted || nodeDefinition(call.method).open) return this.#send(call, deadline);
		while (this.#trying !== null && !this.#accepted) {
			await this.#afterFirst(this.#trying, call, deadline);
		}
		if (this.#accepted) return this.#send(call, deadline);
		const mine = this.#send(call, deadline).finally(() => {
			this.#trying = null;
		});
		this.#trying = mine;
		return mine;
	}

	/** Waits until the call that tries the password has ended, well or not. */
	async #afterFirst(first: Promise<unknown>, call: NodeExchange, deadline: number): Promise<void> {
		const ended = first.then(
			() => undefined,
			() => undefined
		);
		try {
			await waitFor(ended, deadline - this.#steady());
		} catch (cause) {
			if (!(cause instanceof StoppedWaiting)) throw cause;
			throw this.error('timeout', 'The first call to the node still goes on.', call, {
				reached: 'no',
				cause
			});
		}
	}

	async #send(call: NodeExchange, deadline: number): Promise<NodeReply> {
		const stop = await this.#stops.get(this.config.id);
		if (stop !== null) throw this.#stopped(stop, call, 'no');
		if (this.#steady() < this.#restUntil) {
			throw this.error('unreachable', 'The node did not answer a moment ago.', call, {
				reached: 'no'
			});
		}
		const { name, envelope, open } = nodeDefinition(call.method);
		const password = open ? null : this.#readPassword(call);
		const id = call.id === 'own' ? (this.#lastId += 1) : call.id;
		const body = nodeRequestText({
			name,
			envelope,
			params: call.params,
			userpass: password,
			id
		});
		const raw = this.#scrubbed(await this.#post(body, call, deadline));
		const said = await this.#judge(raw, call, id);
		if (!open) this.#accepted = true;
		this.#good();
		return { raw, said };
	}

	#readPassword(call: NodeExchange): string {
		const { credentials } = this.config;
		if (this.#password !== null) return this.#password;
		if (credentials.kind === 'password') this.#password = credentials.password;
		else {
			try {
				this.#password = readMm2(credentials.file).password;
			} catch (cause) {
				if (!(cause instanceof Mm2Error)) throw cause;
				throw this.error('unreachable', cause.message, call, { reached: 'no', cause });
			}
		}
		return this.#password;
	}

	async #post(body: string, call: NodeExchange, deadline: number): Promise<HttpAnswer> {
		const timeoutMs = Math.max(1, Math.round(deadline - this.#steady()));
		try {
			return await this.#transport.post(body, {
				authorization: null,
				timeoutMs,
				maxBytes: Math.min(nodeDefinition(call.method).answer.bytes, this.#limits.maxAnswerBytes),
				ownConnection: false
			});
		} catch (cause) {
			if (!(cause instanceof TransportError)) throw cause;
			const { kind, reached, silent, untrusted } = cause;
			if (untrusted) {
				this.#enter('down', UNTRUSTED);
				throw this.error('untrusted', UNTRUSTED, call, { reached: 'no', cause });
			}
			if (kind === 'unreachable' || silent) {
				this.#enter('down', 'Nothing answers at this address.');
				if (silent) this.#restUntil = this.#steady() + this.#limits.restMs;
				throw this.error('unreachable', 'No connection to the node.', call, { reached, cause });
			}
			if (kind === 'timeout') this.#enter('busy', 'It did not answer a call in time.');
			if (kind === 'truncated') this.#enter('down', 'Its answers break off.');
			throw this.error(kind, cause.message, call, { reached, cause });
		}
	}

	/** The answer without the password, should whatever answers repeat it. */
	#scrubbed(raw: HttpAnswer): HttpAnswer {
		const secret = this.#password;
		if (secret === null || secret.length < SHORTEST_SECRET) return raw;
		const spellings = [secret, JSON.stringify(secret).slice(1, -1)];
		if (!spellings.some((spelling) => raw.body.includes(spelling))) return raw;
		let text = raw.body.toString('utf8');
		for (const spelling of spellings) text = text.replaceAll(spelling, '•••');
		return { ...raw, body: Buffer.from(text, 'utf8') };
	}

	/** What the answer says, read in another thread where it is large. */
	async #said(raw: HttpAnswer, call: NodeExchange, id: number | null): Promise<NodeSaid> {
		const { body, status } = raw;
		try {
			return await readers.read({ kind: 'node-said', method: call.method, id, body });
		} catch (cause) {
			if (!(cause instanceof ReaderError)) throw cause;
			throw this.error('too-large', cause.message, call, { reached: 'yes', status, cause });
		}
	}

	/** What the answer says; a refused password ends all calls to this node. */
	async #judge(raw: HttpAnswer, call: NodeExchange, id: number | null): Promise<NodeAnswer | null> {
		const { status } = raw;
		const found = await this.#said(raw, call, id);
		switch (found.kind) {
			case 'excess': {
				this.misfits += 1;
				const words = `The answer holds too much (${found.what}).`;
				throw this.error('too-large', words, call, { reached: 'yes', status });
			}
			case 'not-json': {
				if (status === 401 || status === 403)
					return this.#refusedPassword('wrong', null, call, status);
				// KDF: its HTTP library says so when a handler ended without an answer.
				const gaveUp = status >= 500 && raw.body.includes('aborted without responding');
				if (!gaveUp) this.#noNode(status);
				throw this.error(
					'not-a-node',
					gaveUp ? 'The node gave up on the call.' : 'What answers is no trading node.',
					call,
					{ reached: 'maybe', status }
				);
			}
			case 'no-envelope':
				this.misfits += 1;
				throw this.error('misfit', 'The answer is in no envelope of a node.', call, {
					reached: 'yes',
					status
				});
			case 'other-call': {
				const words = 'What answers names another call than the one that was made.';
				this.#enter('down', words);
				throw this.error('not-a-node', words, call, { reached: 'maybe', status });
			}
			case 'large':
			case 'said':
		}
		const said = found.kind === 'large' ? null : found.said;
		if (said === null || said.kind === 'result') {
			if (status >= 200 && status < 300) return said;
			this.#noNode(status);
			throw this.error('not-a-node', 'What answers is no trading node.', call, {
				reached: 'maybe',
				status
			});
		}
		const refusal = passwordRefusal(said.error);
		if (refusal === null) return said;
		if (refusal === 'elsewhere') {
			const words = 'It takes calls from its own machine only (rpc_local_only).';
			this.#enter('elsewhere', words);
			throw this.error('elsewhere', words, call, { reached: 'no', status });
		}
		return this.#refusedPassword(refusal, attemptsLeft(said.error), call, status);
	}

	async #refusedPassword(
		reason: NodeStop['reason'],
		left: number | null,
		call: NodeExchange,
		status: number
	): Promise<never> {
		const stop: NodeStop = { reason, attemptsLeft: left, since: this.#now() };
		this.#accepted = false;
		await this.#stops.stop(this.config.id, stop);
		throw this.#stopped(stop, call, 'no', status);
	}

	#stopped(stop: NodeStop, call: NodeExchange, reached: 'no', status?: number): NodeError {
		return this.error('stopped', 'The node refused the configured password.', call, {
			reached,
			stop,
			status
		});
	}

	#noNode(status: number): void {
		this.#enter('down', `What answers is no trading node (HTTP status ${status}).`);
	}

	#good(): void {
		this.#lastGoodAt = this.#now();
		this.#silent = false;
		this.#enter('up', null);
	}

	#enter(state: NodeState, detail: string | null): void {
		if (state !== this.#state) {
			this.#since = this.#now();
			if (AWAY.has(state)) {
				this.#absences += 1;
				// Another release may answer afterwards.
				this.#release = null;
				this.#spelling = null;
				this.#spellingAsked = false;
			}
		}
		this.#state = state;
		this.#detail = detail;
	}
}
