import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { setImmediate as othersTurn } from 'node:timers/promises';
import { RateLimiterMemory } from 'rate-limiter-flexible';
import { daemonMethods } from '#lib/rpc/daemon/index.ts';
import type { DaemonMethod } from '#lib/rpc/daemon/index.ts';
import { changesNothing, type Stoppable } from '#lib/rpc/method.ts';
import { AuthError } from '#lib/server/access/accounts/errors.ts';
import { callFacts } from '#lib/server/access/audit/callFacts.ts';
import { callerIdOf, withinRequest } from '#lib/server/access/audit/context.ts';
import type { Refusals, RefusedWhy } from '#lib/server/access/audit/refusals.ts';
import type { Identity } from '#lib/server/access/policy/identity.ts';
import type { Rights } from '#lib/server/access/policy/limits/rights.ts';
import { mayAccess } from '#lib/server/access/policy/permissions.ts';
import type { Identify } from '#lib/server/access/requests/identify.ts';
import type { AuditEntry } from '#lib/server/platform/audit-trail/entry.ts';
import {
	RETRY_SECONDS,
	databaseTrouble,
	troubleSentence
} from '#lib/server/platform/database/trouble.ts';
import { isOriginAllowed } from '#lib/server/platform/http/origin.ts';
import { networkOf } from '#lib/server/platform/net/networkOf.ts';
import { secondsToWait } from '#lib/server/platform/rate-limits/throttleRequests.ts';
import { waitWords } from '#lib/server/platform/rate-limits/waitWords.ts';
import { explainUpstream } from '../../chains/daemon/explain.ts';
import { RawJsonError, rawElements, rawMembers } from '../../chains/daemon/rawJson.ts';
import { respell } from '../../chains/daemon/respell.ts';
import { hashTypeRefusal, signatureRefusal } from '../../chains/daemon/signatures.ts';
import type { CallOptions, DaemonInfo, Gateway, RawAnswer } from '../../chains/daemon/types.ts';
import { UpstreamError } from '../../chains/daemon/types.ts';
import { SHAPE } from '../http/bodyMeter.ts';
import {
	areKeyed,
	KEY_HEADER,
	mayHaveActed,
	type KeyedRequest,
	type OnceCall,
	type Trace
} from '../http/onceCalls.ts';
import { captured, replay, replyTo, type Reply } from '../http/reply.ts';
import { HEX_METHODS, readRpcBody, RPC_BYTES, type RpcBodyLimits } from '../http/rpcBody.ts';
import type { NodeDoor } from '../kdf/nodeDoor.ts';
import { composedSend, composedTxid, composes } from './composedSends.ts';
import { bodyRefusal, errorLine, readBody, refusal } from './doorCalls.ts';
import type { DoorBody, DoorCall, DoorItem, DoorRefusal } from './doorCalls.ts';

/** Where the application puts its door for the server's entry to find it. */
export const DOOR = Symbol.for('komodeck.door');

/** Serves one request to `/api/rpc/{daemon}`, or to `/api/rpc/{trading node}`. */
export type Door = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

interface DoorLimits {
	body: RpcBodyLimits;
	/** Calls with one token within ten seconds. */
	callsPer10sOfToken: number;
	/** Bytes of calls of one account, and of one token, within ten seconds. */
	bytesPer10s: number;
	/** Requests without a good credential from one address within a minute. */
	refusalsPerMinute: number;
}

interface DoorParts {
	gateway: Gateway;
	/** The same for trading nodes, in their envelopes. */
	nodes: NodeDoor;
	identify: Identify;
	/** Why a call of such a method must not leave now, as a sentence; null when it may. */
	refusal: (method: Stoppable) => Promise<string | null>;
	/** Whose wallet it is, and how much of the day is left. */
	rights: Pick<Rights, 'walletRefusal' | 'callRefusal' | 'answerRefusal'>;
	/** Keeps a call that can change something on record, before it goes out. */
	audit: { append(entry: AuditEntry): Promise<void> };
	/** Keeps on record what somebody may not call. */
	refusals: Pick<Refusals, 'refused' | 'stranger'>;
	/** KOMODECK_ORIGIN. */
	publicOrigin: string | null;
	limits?: Partial<DoorLimits>;
	/** Carries out requests that name themselves, each at most once. */
	onceCall: OnceCall;
	/** What each account has left: other ways to call share it. */
	budget: CallBudget;
}

/** Counts the calls of each account. */
export type CallBudget = RateLimiterMemory;

type Known = Exclude<Identity, { via: 'public' }>;
interface AllowedCall extends DoorCall {
	known: DaemonMethod;
}

/** Calls of one account within ten seconds. */
const CALLS_PER_10S = 20_000;
const LIMITS: DoorLimits = {
	body: { ...SHAPE, ...RPC_BYTES },
	callsPer10sOfToken: CALLS_PER_10S,
	bytesPer10s: 32 * 1024 * 1024,
	refusalsPerMinute: 600
};
const PATH = '/api/rpc/';
const JSON_TYPE = 'application/json';
/** JSON-RPC code for a request that is none. */
const INVALID = -32600;
/** JSON-RPC code for what went wrong between us and the daemon. */
const INTERNAL = -32603;

/** The budget of calls that the door and others share. */
export function createCallBudget(callsPer10s = CALLS_PER_10S): CallBudget {
	return new RateLimiterMemory({ points: callsPer10s, duration: 10 });
}

/** Says how long to wait, for programs in the header and for people in words. */
function tooMany(reply: Reply, seconds: number, what = 'Too many calls'): void {
	const words = `${what}: wait ${waitWords(seconds)}, then try again. None of this request was carried out.`;
	reply(429, JSON_TYPE, `${errorLine(refusal(429, INTERNAL, words))}\n`, {
		'Retry-After': String(seconds)
	});
}

function refuse(reply: Reply, what: DoorRefusal): void {
	reply(what.status, JSON_TYPE, `${errorLine(what)}\n`);
}

const headerOf = (request: IncomingMessage, name: string): string | null => {
	const value = request.headers[name];
	return Array.isArray(value) ? value.join(', ') : (value ?? null);
};

/** An answer without an id is taken apart to get one, which keeps others waiting: no longer one than this. */
const MOST_TAKEN_APART = 256 * 1024;

/**
 * Puts the caller's id where ours stands; every other byte stays the daemon's, and is not copied.
 * @throws {RawJsonError} when the answer names no call and is no JSON object either
 */
function withId({ body, id }: RawAnswer, idText: string): Buffer[] {
	if (id === null) {
		if (body.length > MOST_TAKEN_APART) throw new RawJsonError('The answer names no call.');
		const members = rawMembers(body.toString('utf8')).map(
			([name, value]) => `${JSON.stringify(name)}:${value}`
		);
		return [Buffer.from(`{${[...members, `"id":${idText}`].join(',')}}\n`, 'utf8')];
	}
	return [body.subarray(0, id.start), Buffer.from(idText, 'utf8'), body.subarray(id.end)];
}

/** An answer's id as text that is equal for equal ids; null for one without, or for no object. */
function idOf(answer: string): string | null {
	try {
		const id = new Map(rawMembers(answer)).get('id');
		return id === undefined ? null : sameText(id);
	} catch (error) {
		if (error instanceof RawJsonError || error instanceof SyntaxError) return null;
		throw error;
	}
}

/** Numbers keep their digits; texts may be escaped in one way or another. */
const sameText = (id: string): string => (id.startsWith('"') ? JSON.stringify(JSON.parse(id)) : id);

/** The answer to each call of a batch by the id that it names; in order where none names any. */
function placed(calls: readonly DoorCall[], text: string): (string | undefined)[] {
	let answers: string[];
	try {
		answers = rawElements(text);
	} catch (error) {
		if (error instanceof RawJsonError) return [];
		throw error;
	}
	const left = new Map<string, string[]>();
	for (const answer of answers) {
		const id = idOf(answer);
		if (id === null) continue;
		const same = left.get(id);
		if (same === undefined) left.set(id, [answer]);
		else same.push(answer);
	}
	const byId = calls.map(({ idText }) => left.get(sameText(idText))?.shift());
	const unnamed = byId.every((answer) => answer === undefined);
	return unnamed && answers.length === calls.length ? answers : byId;
}

/** Of a batch's answers those to some of its calls, as JSON; all where one of them cannot be told. */
function answersOf(some: readonly DoorCall[], calls: readonly DoorCall[], text: string): string {
	const all = placed(calls, text);
	const own = some.map((call) => all[calls.indexOf(call)]);
	return own.includes(undefined) ? text : `[${own.join(',')}]`;
}

/** Our own failure in the daemon's form; a status that a proxy would use tells it from the daemon's. */
function failure(error: UpstreamError, idText: string): DoorRefusal {
	const { what, safe } = explainUpstream(error);
	const message = `${what} ${safe}`;
	switch (error.code) {
		case 'warming-up':
			return refusal(500, -28, error.rpcMessage ?? message, idText);
		case 'timeout':
			return refusal(504, INTERNAL, message, idText);
		case 'busy':
		case 'switched-off':
			return refusal(503, INTERNAL, message, idText);
		default:
			return refusal(502, INTERNAL, message, idText);
	}
}

/** Who may call what: the role's table, then the limits of a token. Null: allowed. */
export function objection(
	identity: Known,
	daemonId: string,
	method: DaemonMethod,
	idText: string
): DoorRefusal | null {
	const no = (why: RefusedWhy, reason: string): DoorRefusal => ({
		...refusal(404, -32601, `Method not found (${reason})`, idText),
		denied: { method, why, reason }
	});
	if (!mayAccess(identity.role, daemonMethods[method].access, false)) {
		return no('role', `the role ${identity.role} may not call ${method}`);
	}
	if (identity.via === 'token') {
		const { methods, daemons } = identity.token;
		if (methods !== null && !methods.includes(method)) {
			return no('token', 'not allowed for this token');
		}
		if (daemons !== null && !daemons.includes(daemonId)) {
			return no('token', 'this token is for other daemons');
		}
	}
	return null;
}

const isKnown = (method: string): method is DaemonMethod => Object.hasOwn(daemonMethods, method);

function judge(item: DoorItem, identity: Known, daemonId: string): AllowedCall | DoorRefusal {
	if (item.kind === 'refusal') return item;
	if (!isKnown(item.method)) return refusal(404, -32601, 'Method not found', item.idText);
	const no = objection(identity, daemonId, item.method, item.idText);
	return no ?? { ...item, known: item.method };
}

/** Answers a request, and says whether anything may have been done by whom it was sent to. */
type Work = (reply: Reply, trace: Trace) => Promise<void>;

const BAD_KEY = 'The Idempotency-Key has 8 to 128 visible characters. Nothing was done.';
const REUSED_KEY =
	'This Idempotency-Key came with another request before. Nothing was done: use a new key.';
const RUNNING_KEY =
	'A request with this Idempotency-Key is still being carried out, or the server ended before its answer came. Nothing was done twice: look up what happened before you use a new key.';

/**
 * Builds the door for scripts: it takes what a daemon takes and answers as it does, with our guards before
 * it. Existing clients change the address and the password only.
 */
export function createDoor(parts: DoorParts): Door {
	const limits = { ...LIMITS, ...parts.limits };
	const { gateway } = parts;
	const budget = parts.budget;
	const tokens = createCallBudget(limits.callsPer10sOfToken);
	const bytes = createCallBudget(limits.bytesPer10s);
	const bytesOfTokens = createCallBudget(limits.bytesPer10s);
	const strangers = new RateLimiterMemory({ points: limits.refusalsPerMinute, duration: 60 });

	/** Null when the request may go on; else it has been answered. */
	async function identified(request: IncomingMessage, reply: Reply): Promise<Known | null> {
		let identity: Identity | null;
		try {
			identity = await parts.identify({ get: (name) => headerOf(request, name) });
		} catch (error) {
			if (!(error instanceof AuthError)) throw error;
			identity = null;
		}
		if (identity === null || identity.via === 'public') {
			parts.refusals.stranger('call', identity === null ? 'credential' : 'sign-in');
			const address = networkOf(request.socket.remoteAddress ?? '');
			const wait = await secondsToWait(strangers, address, 1);
			if (wait !== null) {
				tooMany(reply, wait);
				return null;
			}
			reply(401, 'text/html; charset=ISO-8859-1', '', {
				'WWW-Authenticate': 'Basic realm="jsonrpc"'
			});
			return null;
		}
		const allowed = isOriginAllowed({
			method: 'POST',
			hasToken: identity.via === 'token',
			hasSessionCookie: identity.via === 'session',
			origin: headerOf(request, 'origin'),
			secFetchSite: headerOf(request, 'sec-fetch-site'),
			host: headerOf(request, 'host'),
			publicOrigin: parts.publicOrigin
		});
		if (allowed) return identity;
		parts.refusals.stranger('call', 'origin');
		reply(403, 'text/plain', 'This request does not come from a page of this console.\n');
		return null;
	}

	/** The seconds to wait where this is too much for the account or for the token; else null. */
	async function waitOf(
		identity: Known,
		cost: number,
		ofAccounts: CallBudget,
		ofTokens: CallBudget
	): Promise<number | null> {
		const account = await secondsToWait(ofAccounts, identity.account.id, cost);
		const token =
			identity.via === 'token' ? await secondsToWait(ofTokens, identity.token.id, cost) : null;
		return account === null && token === null ? null : Math.max(account ?? 0, token ?? 0);
	}

	async function withinBudget(identity: Known, calls: number, reply: Reply): Promise<boolean> {
		const wait = await waitOf(identity, Math.max(1, calls), budget, tokens);
		if (wait === null) return true;
		tooMany(reply, wait);
		return false;
	}

	/** The text of a request's body; null when it is not taken, and that has been answered. */
	async function bodyOf(
		request: IncomingMessage,
		identity: Known,
		daemonId: string,
		forNode: boolean,
		reply: Reply
	): Promise<string | null> {
		/** In the form of whom the call is for. */
		const no = (what: DoorRefusal): void => {
			if (!forNode) return refuse(reply, what);
			reply(what.status, JSON_TYPE, JSON.stringify({ error: what.message }));
		};
		if (!/^(?:identity)?$/i.test(request.headers['content-encoding'] ?? '')) {
			no(refusal(415, INVALID, 'Compressed bodies are not taken here'));
			return null;
		}
		const mayCall = (method: string): boolean =>
			isKnown(method) && objection(identity, daemonId, method, '') === null;
		let wait: number | null = null;
		const text = await readRpcBody(request, {
			limits: limits.body,
			mayBeLarge: (methods) =>
				[...(methods.size === 0 ? HEX_METHODS : methods)].some(
					(method) => HEX_METHODS.has(method) && mayCall(method)
				),
			charge: async (size) => {
				wait = await waitOf(identity, size, bytes, bytesOfTokens);
				return wait === null;
			}
		});
		if (typeof text === 'string') return text;
		if (text.fault === 'over-budget') {
			tooMany(reply, wait ?? 1, 'Too much was sent at once');
		} else if (await withinBudget(identity, 1, reply)) {
			no(bodyRefusal(text.fault, limits.body));
		}
		return null;
	}

	/** What stops a call that would change something now; null when nothing does, and it is counted. */
	async function stopped(
		{ known, params, idText }: AllowedCall,
		{ account }: Known,
		daemon: DaemonInfo
	): Promise<DoorRefusal | null> {
		if (changesNothing(daemonMethods[known].access)) return null;
		const stop = (status: number, why: RefusedWhy, reason: string): DoorRefusal => ({
			...refusal(status, INTERNAL, reason, idText),
			denied: { method: known, why, reason, facts: callFacts(known, params) }
		});
		const off = await parts.refusal(daemonMethods[known]);
		if (off !== null) return stop(503, 'safety', `${off}.`);
		const partly = hashTypeRefusal(known, params);
		if (partly !== null) return stop(403, 'signature', partly);
		const { rights } = parts;
		const foreign = await rights.walletRefusal(account.name, daemon.id);
		if (foreign !== null) {
			const { denied } = stop(403, 'wallet', foreign);
			return { ...refusal(403, -32601, `Method not found (${foreign})`, idText), denied };
		}
		const over = await rights.callRefusal(account.name, daemon, { method: known, params });
		return over === null ? null : stop(429, 'limit', over);
	}

	/** Calls that are stopped are refused one by one, so that the others of a batch go on. */
	async function withoutStopped(
		judged: readonly (AllowedCall | DoorRefusal)[],
		identity: Known,
		daemon: DaemonInfo
	): Promise<(AllowedCall | DoorRefusal)[]> {
		const answers: (AllowedCall | DoorRefusal)[] = [];
		for (const item of judged) {
			// SQLite answers within the same turn of the event loop: others get theirs in between.
			if (answers.length > 0) await othersTurn();
			const no = item.kind === 'call' ? await stopped(item, identity, daemon) : null;
			answers.push(no ?? item);
		}
		return answers;
	}

	/** Calls that can change something are on record before they go out. Parameters may hold keys: not kept. */
	async function record(
		calls: readonly AllowedCall[],
		identity: Known,
		daemon: DaemonInfo,
		requestId: string
	): Promise<void> {
		for (const { known, params } of calls) {
			const { access } = daemonMethods[known];
			if (changesNothing(access)) continue;
			if (calls.length > 1) await othersTurn();
			await parts.audit.append({
				actor: identity.account.name,
				action: `rpc.${known}`,
				target: daemon.id,
				detail: {
					...callFacts(known, params),
					access,
					via: identity.via,
					...(identity.via === 'token' ? { tokenId: identity.token.id } : {}),
					requestId
				}
			});
		}
	}

	/** What the daemon composed and sent goes on record with its id. */
	async function recordComposed(
		calls: readonly AllowedCall[],
		answers: () => readonly (string | undefined)[],
		identity: Known,
		daemon: DaemonInfo
	): Promise<void> {
		if (!calls.some(({ known }) => composes(known))) return;
		for (const [at, answer] of answers().entries()) {
			const txid = composedTxid(calls[at]!.known, answer ?? '');
			if (txid === null) continue;
			await parts.audit.append(composedSend(calls[at]!.known, txid, identity, daemon));
		}
	}

	/** What stands against handing out what was built, on record; null for an answer that may go. */
	async function heldBack(
		calls: readonly AllowedCall[],
		identity: Known,
		daemon: DaemonInfo,
		body: Buffer
	): Promise<string | null> {
		const signing = calls.filter(({ known }) => daemonMethods[known].signs);
		const [first] = signing;
		if (first === undefined) return null;
		const text = body.toString('utf8');
		const methods = signing.map(({ known }) => known);
		const given = signing.flatMap(({ params }) => params).join('\n');
		const answers = calls.length === signing.length ? text : answersOf(signing, calls, text);
		const partly = await signatureRefusal(gateway, daemon.id, methods, given, answers);
		const reason =
			partly ?? (await parts.rights.answerRefusal(identity.account.name, daemon, text));
		if (reason !== null) {
			await parts.refusals.refused(identity, {
				where: 'call',
				why: partly === null ? 'limit' : 'signature',
				what: first.known,
				place: daemon.id,
				reason,
				facts: callFacts(first.known, first.params)
			});
		}
		return reason;
	}

	async function single(
		call: AllowedCall,
		identity: Known,
		daemon: DaemonInfo,
		options: CallOptions,
		reply: Reply,
		trace: Trace
	): Promise<void> {
		try {
			const params = respell(call.known, call.params, daemon.dialect);
			trace.mayBeDone = true;
			const answer = await gateway.forward(daemon.id, call.known, params, options);
			trace.mayBeDone = mayHaveActed(call.known, answer);
			await recordComposed([call], () => [answer.body.toString('utf8')], identity, daemon);
			const over = await heldBack([call], identity, daemon, answer.body);
			if (over !== null) return refuse(reply, refusal(429, INTERNAL, over, call.idText));
			const type = answer.contentType === '' ? JSON_TYPE : answer.contentType;
			reply(answer.status, type, withId(answer, call.idText));
		} catch (error) {
			if (error instanceof RawJsonError) {
				const words = 'The daemon took the call, and what it answered is not JSON.';
				return refuse(reply, refusal(502, INTERNAL, words, call.idText));
			}
			if (!(error instanceof UpstreamError)) throw error;
			trace.mayBeDone = error.reached !== 'no';
			refuse(reply, failure(error, call.idText));
		}
	}

	async function batch(
		judged: readonly (AllowedCall | DoorRefusal)[],
		identity: Known,
		daemon: DaemonInfo,
		options: CallOptions,
		reply: Reply,
		trace: Trace
	): Promise<void> {
		const allowed = judged.filter((item) => item.kind === 'call');
		let answers: readonly (string | undefined)[] = [];
		if (allowed.length > 0) {
			try {
				trace.mayBeDone = true;
				const answer = await gateway.forwardBatch(
					daemon.id,
					allowed.map((call) => ({
						method: call.known,
						paramsText: respell(call.known, call.params, daemon.dialect),
						idText: call.idText
					})),
					options
				);
				const text = answer.body.toString('utf8');
				await recordComposed(allowed, () => placed(allowed, text), identity, daemon);
				const over = await heldBack(allowed, identity, daemon, answer.body);
				if (over !== null) {
					const all = judged.map((item) =>
						errorLine(item.kind === 'refusal' ? item : refusal(429, INTERNAL, over, item.idText))
					);
					reply(200, JSON_TYPE, `[${all.join(',')}]\n`);
					return;
				}
				if (allowed.length === judged.length || !text.trimStart().startsWith('[')) {
					reply(answer.status, answer.contentType || JSON_TYPE, [answer.body]);
					return;
				}
				answers = placed(allowed, text);
			} catch (error) {
				if (!(error instanceof UpstreamError)) throw error;
				trace.mayBeDone = error.reached !== 'no';
				answers = allowed.map((call) => errorLine(failure(error, call.idText)));
			}
		}
		const lines = judged.map((item) =>
			item.kind === 'refusal'
				? errorLine(item)
				: (answers[allowed.indexOf(item)] ??
					errorLine(refusal(502, INTERNAL, 'The daemon left this call out.', item.idText)))
		);
		reply(200, JSON_TYPE, `[${lines.join(',')}]\n`);
	}

	async function serve(request: IncomingMessage, reply: Reply, requestId: string): Promise<void> {
		if (request.method !== 'POST') {
			reply(405, 'text/plain', 'JSONRPC server handles only POST requests', {
				Allow: 'POST'
			});
			return;
		}
		const identity = await identified(request, reply);
		if (identity === null) return;
		const id = daemonIdOf(request.url ?? '');
		const daemon = gateway.daemon(id);
		const node = daemon === undefined && parts.nodes.has(id) ? parts.nodes : null;
		if (daemon === undefined && node === null) {
			reply(404, 'text/html; charset=ISO-8859-1', '');
			return;
		}
		const text = await bodyOf(request, identity, id, node !== null, reply);
		if (text === null) return;
		const key = headerOf(request, KEY_HEADER);
		const token = identity.via === 'token' ? `token ${identity.token.id}` : identity.account.id;
		/** At once, or as a request that names itself where it would change something. */
		const once = (changes: boolean, work: Work): Promise<void> =>
			key === null || !changes
				? work(reply, { mayBeDone: false })
				: named({ actor: token, place: id, key, text }, work, requestId, reply);
		if (daemon === undefined) {
			await once(parts.nodes.changes(text), async (to, trace) => {
				const answer = await node?.answer({
					nodeId: id,
					text,
					identity,
					requestId,
					maxBatch: limits.body.calls,
					spend: (calls) => withinBudget(identity, calls, to)
				});
				if (!answer) return;
				const { body, mayBeDone } = answer;
				trace.mayBeDone = mayBeDone;
				to(answer.status, JSON_TYPE, typeof body === 'string' ? body : [body]);
			});
			return;
		}
		const body = readBody(text);
		if (!('items' in body)) {
			if (await withinBudget(identity, 1, reply)) refuse(reply, body);
			return;
		}
		if (!(await withinBudget(identity, body.items.length, reply))) return;
		const changes = areKeyed(
			body.items.flatMap((item) =>
				item.kind === 'call' && isKnown(item.method) ? [item.method] : []
			)
		);
		await once(changes, (to, trace) => carryOut(body, identity, daemon, requestId, to, trace));
	}

	/** Judges the calls of a request, and makes those that are allowed. */
	async function carryOut(
		body: DoorBody,
		identity: Known,
		daemon: DaemonInfo,
		requestId: string,
		reply: Reply,
		trace: Trace
	): Promise<void> {
		const judged = await withoutStopped(
			body.items.map((item) => judge(item, identity, daemon.id)),
			identity,
			daemon
		);
		for (const item of judged) {
			if (item.kind === 'call' || item.denied === undefined) continue;
			const { method: what, ...denied } = item.denied;
			await parts.refusals.refused(identity, { where: 'call', what, place: daemon.id, ...denied });
		}
		const allowed = judged.filter((item) => item.kind === 'call');
		await record(allowed, identity, daemon, requestId);
		const options: CallOptions = { requestId };
		if (body.batch) {
			await batch(judged, identity, daemon, options, reply, trace);
			return;
		}
		const [only] = judged;
		if (only?.kind === 'call') await single(only, identity, daemon, options, reply, trace);
		else if (only !== undefined) refuse(reply, only);
	}

	/** Does the work at most once, and answers every request with its key what the first was answered. */
	async function named(
		request: KeyedRequest,
		work: Work,
		requestId: string,
		reply: Reply
	): Promise<void> {
		let fault: { error: unknown } | null = null;
		const outcome = await parts.onceCall(request, async (trace) => {
			const kept = captured();
			try {
				await work(kept.reply, trace);
			} catch (error) {
				if (!trace.mayBeDone) throw error;
				// What may have been done is not done again, whatever failed behind it.
				fault = { error };
				refuse(kept.reply, refusal(500, INTERNAL, `Komodeck failed; request ${requestId}`));
			}
			return kept.answer();
		});
		switch (outcome.kind) {
			case 'answer':
				replay(reply, outcome.answer);
				break;
			case 'bad-key':
				refuse(reply, refusal(400, INVALID, BAD_KEY));
				break;
			case 'limited':
				tooMany(reply, outcome.seconds, 'Too many requests with an Idempotency-Key');
				break;
			case 'reused':
				refuse(reply, refusal(422, INVALID, REUSED_KEY));
				break;
			case 'running':
				refuse(reply, refusal(409, INTERNAL, RUNNING_KEY));
		}
		const failed = fault as { error: unknown } | null;
		if (failed !== null) throw failed.error;
	}

	return async (request, response) => {
		const requestId = randomUUID();
		const reply = replyTo(response, requestId);
		const callerId = callerIdOf(headerOf(request, 'x-request-id'));
		const context = { id: requestId, callerId, actor: null, refused: false };
		try {
			await withinRequest(context, () => serve(request, reply, requestId));
		} catch (error) {
			// A caller who has gone is no failure of ours.
			if (response.destroyed) return;
			const trouble = databaseTrouble(error);
			if (trouble !== null) {
				const words = `${troubleSentence(trouble)} Request ${requestId}.`;
				const line = errorLine(refusal(503, INTERNAL, words));
				reply(503, JSON_TYPE, `${line}\n`, { 'Retry-After': String(RETRY_SECONDS) });
				throw error;
			}
			refuse(reply, refusal(500, INTERNAL, `Komodeck failed; request ${requestId}`));
			throw error;
		}
	};
}

/** The daemon that an address names; empty when it names none. */
function daemonIdOf(url: string): string {
	const path = url.split('?', 1)[0] ?? '';
	if (!path.startsWith(PATH)) return '';
	try {
		return decodeURIComponent(path.slice(PATH.length).replace(/\/$/, ''));
	} catch {
		return '';
	}
}
