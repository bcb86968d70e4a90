/**
 * The RPC API for scripts: `/api/rpc/{daemon}` accepts what the daemon accepts, `/api/rpc/{trading node}` what
 * the node accepts. Existing clients need to change only the address and the password.
 */
import { rpcApi } from '#lib/messages/rpcApi.ts';
import { databaseErrorSentence } from '#lib/messages/database.ts';
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { daemonMethods, isDaemonMethod, type DaemonMethod } from '#lib/rpc/daemon/index.ts';
import { RPC_INTERNAL_ERROR, RPC_INVALID_REQUEST } from '#lib/rpc/errorCodes.ts';
import { callerIdOf, withinRequest } from '../access/audit/context.ts';
import type { CallOrigin, CallPolicy } from '../access/calls/authorizeCall.ts';
import type { Member } from '../access/identity/identity.ts';
import type { CallBudget } from '../access/calls/budget.ts';
import { methodDenial } from '../access/calls/permitted.ts';
import type { ReleaseAnswer } from '../access/calls/releaseAnswer.ts';
import type { DaemonInfo, Gateway } from '../chains/daemon/types.ts';
import type { KdfGateway } from '../kdf/client/kdfTypes.ts';
import type { AuditEntry } from '../platform/audit-trail/entry.ts';
import { RETRY_SECONDS, databaseErrorKind } from '../platform/database/databaseError.ts';
import { RPC_PATH } from '../platform/http/rpcPath.ts';
import type { RpcApi } from '../platform/runningParts.ts';
import { createDaemonProxy } from './daemon/daemonProxy.ts';
import { readBody, type RpcBody } from './daemon/requestBody.ts';
import { SHAPE } from './http/bodyMeter.ts';
import { bodyRefusal } from './http/bodyRefusal.ts';
import { createCallerCheck, headerOf, type CallerParts } from './http/caller.ts';
import { createHeldAnswers, MOST_HELD, type Growing } from './http/heldAnswers.ts';
import { KEY_HEADER, keyedCalls, type Keyed, type OnceCall, type Trace } from './http/onceCalls.ts';
import { replyOnce, tooMany, type Work } from './http/onceReply.ts';
import { errorLine, refusal, refuse, type RpcRefusal } from './http/refusal.ts';
import { bytesOf, replyTo, type Reply } from './http/reply.ts';
import {
	HEX_METHODS,
	isPlain,
	readRpcBody,
	RPC_BYTES,
	type RpcBodyLimits
} from './http/rpcBody.ts';
import { AT_ONCE_MS, whoNow, type Look, type WhoNow } from './http/whoNow.ts';
import { createKdfProxy } from './kdf/kdfProxy.ts';
import { createUserpassCheck } from './kdf/userpassCheck.ts';

interface RpcApiParts extends CallerParts {
	gateway: Gateway;
	nodes: Pick<KdfGateway, 'has' | 'proxy'>;
	policy: CallPolicy;
	releaseAnswer: ReleaseAnswer;
	/** Records transactions that a daemon created and sent itself. */
	audit: { append(entry: AuditEntry): Promise<void> };
	/** Executes requests with an idempotency key at most once. */
	onceCall: OnceCall;
	/** The remaining calls of each account, shared with the console. */
	budget: CallBudget;
	limits?: { body?: RpcBodyLimits; heldBytes?: number };
}

const JSON_TYPE = 'application/json';
/**
 * `Retry-After` for a caller who holds too many unread responses: an idle reader is disconnected after this
 * time.
 */
const READER_SECONDS = 30;

/** The target of a call. */
type Upstream = { daemon: DaemonInfo } | { node: string };

/** A request that was parsed and is ready to be executed. */
interface Task {
	/** Calls that it takes from the caller's budget. */
	calls: number;
	/** How an idempotency key applies to it. */
	keyed: () => Keyed;
	work: Work;
}

/** Creates the RPC API. */
export function createRpcApi(parts: RpcApiParts): RpcApi {
	const { gateway, nodes, budget } = parts;
	const limits = { ...SHAPE, ...RPC_BYTES, ...parts.limits?.body };
	const held = createHeldAnswers(parts.limits?.heldBytes ?? MOST_HELD);
	const callers = createCallerCheck(parts);
	const { byUserpass, agreed, unauthorized } = createUserpassCheck({
		callers,
		nodes,
		budget,
		limits
	});
	const daemonProxy = createDaemonProxy(parts);
	const kdfProxy = createKdfProxy({ nodes, policy: parts.policy });

	/** Identifies the caller and reads the body; null when the request was refused and the refusal was sent. */
	async function received(
		request: IncomingMessage,
		place: string,
		reply: Reply
	): Promise<{ identity: Member; who: WhoNow; text: string; upstream: Upstream } | null> {
		const caller = await callers.of(request);
		if (caller.kind === 'limited') {
			tooMany(reply, caller.seconds);
			return null;
		}
		if (caller.kind === 'elsewhere') {
			const seconds = await callers.refused(request, 'credential', 0);
			if (seconds === null) reply(403, 'text/plain', rpcApi.elsewhere);
			else tooMany(reply, seconds);
			return null;
		}
		if (caller.kind === 'foreign') {
			reply(403, 'text/plain', rpcApi.foreign);
			return null;
		}
		if (caller.kind === 'unknown') {
			const known = await byUserpass(request, place, caller.why, reply);
			if (known === null) return null;
			const { identity, text, look } = known;
			return { identity, who: whoNow(identity, look), text, upstream: { node: place } };
		}
		const daemon = gateway.daemon(place);
		if (daemon === undefined && !nodes.has(place)) {
			reply(404, 'text/html; charset=ISO-8859-1', '');
			return null;
		}
		const began = performance.now();
		const text = await bodyOf(request, caller.identity, place, daemon === undefined, reply);
		if (text === null) return null;
		const isLate = performance.now() - began > AT_ONCE_MS;
		const now = isLate ? await callers.of(request) : caller;
		if (now.kind !== 'member') return unauthorized(request, 'credential', reply);
		const look: Look = async () => {
			const shown = await callers.of(request);
			return shown.kind === 'member' ? shown.identity : null;
		};
		const { identity } = now;
		if (daemon !== undefined) {
			return { identity, who: whoNow(identity, look), text, upstream: { daemon } };
		}
		const known = await agreed(request, { identity, look }, text, reply);
		if (known === null) return null;
		const who = whoNow(known.identity, known.look);
		return { identity: known.identity, who, text, upstream: { node: place } };
	}

	async function withinBudget(identity: Member, calls: number, reply: Reply): Promise<boolean> {
		const wait = await budget.takeCalls(identity, Math.max(1, calls));
		if (wait === null) return true;
		tooMany(reply, wait);
		return false;
	}

	/** Returns the text of a request's body; null when it was refused and the refusal was sent. */
	async function bodyOf(
		request: IncomingMessage,
		identity: Member,
		place: string,
		forKdf: boolean,
		reply: Reply
	): Promise<string | null> {
		/** Refuses in the format of the target. */
		const no = (what: RpcRefusal): void => {
			if (!forKdf) return refuse(reply, what);
			reply(what.status, JSON_TYPE, JSON.stringify({ error: what.message }));
		};
		if (!isPlain(request)) {
			no(refusal(415, RPC_INVALID_REQUEST, rpcApi.compressed));
			return null;
		}
		let wait: number | null = null;
		const text = await readRpcBody(request, {
			limits,
			mayBeLarge: (methods) =>
				[...(methods.size === 0 ? HEX_METHODS : methods)].some(
					(method) => HEX_METHODS.has(method) && mayCall(identity, place, method)
				),
			charge: async (size) => {
				wait = await budget.takeBytes(identity, size);
				return wait === null;
			}
		});
		if (typeof text === 'string') return text;
		if (text.fault === 'over-budget') {
			tooMany(reply, wait ?? 1, 'bytes');
		} else if (await withinBudget(identity, 1, reply)) {
			no(bodyRefusal(text.fault, limits));
		}
		return null;
	}

	/** Creates the task of calls to a trading node. */
	function kdfTask(
		text: string,
		node: string,
		who: WhoNow,
		origin: CallOrigin,
		growing: Growing
	): Task {
		const { calls, keyed, answer } = kdfProxy.read(text, limits.calls);
		const work: Work = async (to, trace) => {
			const { status, body } = await answer(node, who, origin, { trace, growing });
			to(status, JSON_TYPE, body);
		};
		return { calls, keyed: () => keyed, work };
	}

	/** Creates the task of calls to a daemon; a body without valid calls yields a task that refuses. */
	function daemonTask(text: string, daemon: DaemonInfo, who: WhoNow, origin: CallOrigin): Task {
		const body = readBody(text);
		if (!('items' in body)) {
			const work: Work = (to) => Promise.resolve(refuse(to, body));
			return { calls: 1, keyed: () => 'reads', work };
		}
		const request = { body, who, daemon, origin };
		return {
			calls: body.items.length,
			keyed: () => keyedCalls(knownCalls(body)),
			work: (to, trace) => daemonProxy(request, to, trace)
		};
	}

	/**
	 * Wraps a reply: counts what the member has not read, and refuses when it is too much, unless the request may have
	 * had an effect.
	 */
	const heldReply =
		(
			reply: Reply,
			{ account }: Member,
			response: ServerResponse,
			{ trace, growing }: { trace: Trace; growing: Growing }
		): Reply =>
		(status, contentType, body, headers) => {
			growing.end();
			const isHeld = held.hold(account.id, bytesOf(body), response, !trace.mayBeDone);
			if (isHeld) reply(status, contentType, body, headers);
			else tooMany(reply, READER_SECONDS, 'responses');
		};

	async function serve(
		request: IncomingMessage,
		response: ServerResponse,
		reply: Reply,
		{ requestId, trace }: { requestId: string; trace: Trace }
	): Promise<void> {
		if (request.method !== 'POST') {
			reply(405, 'text/plain', 'JSONRPC server handles only POST requests', { Allow: 'POST' });
			return;
		}
		const place = placeOf(request.url ?? '');
		const from = await received(request, place, reply);
		if (from === null) return;
		const { identity, who, text, upstream } = from;
		const origin = { requestId };
		const growing = held.grow(identity.account.id);
		const { calls, keyed, work } =
			'node' in upstream
				? kdfTask(text, upstream.node, who, origin, growing)
				: daemonTask(text, upstream.daemon, who, origin);
		if (!(await withinBudget(identity, calls, reply))) return;
		if (held.isFull(identity.account.id)) return tooMany(reply, READER_SECONDS, 'responses');
		const key = headerOf(request, KEY_HEADER);
		const use = key === null ? 'reads' : keyed();
		// Executing it without the key would repeat the call with each retry that the key is meant to make
		// safe.
		if (use === 'secret')
			return refuse(reply, refusal(400, RPC_INVALID_REQUEST, rpcApi.secretKeyed));
		const to = heldReply(reply, identity, response, { trace, growing });
		try {
			if (key === null || use === 'reads') return await work(to, trace);
			// A retry with a token that replaced the first one counts as the same caller.
			const actor =
				identity.via === 'token' ? `token ${identity.token.countedAs}` : identity.account.id;
			const asked = { actor, place, key, text };
			await replyOnce(parts.onceCall, asked, work, { requestId, trace }, to);
		} finally {
			growing.end();
		}
	}

	return async (request, response) => {
		const requestId = randomUUID();
		const reply = replyTo(response, requestId);
		const callerId = callerIdOf(headerOf(request, 'x-request-id'));
		const context = { id: requestId, callerId, actor: null, refused: false, acted: false };
		const trace: Trace = { mayBeDone: false };
		try {
			await withinRequest(context, () => serve(request, response, reply, { requestId, trace }));
		} catch (error) {
			// A disconnected client is no failure of the server.
			if (response.destroyed) return;
			const kind = databaseErrorKind(error);
			if (trace.mayBeDone) {
				refuse(reply, refusal(500, RPC_INTERNAL_ERROR, rpcApi.failedBehind(requestId)));
			} else if (kind !== null) {
				const words = rpcApi.databaseFailed(databaseErrorSentence(kind), requestId);
				const line = errorLine(refusal(503, RPC_INTERNAL_ERROR, words));
				reply(503, JSON_TYPE, `${line}\n`, { 'Retry-After': String(RETRY_SECONDS) });
			} else refuse(reply, refusal(500, RPC_INTERNAL_ERROR, rpcApi.failed(requestId)));
			throw error;
		}
	};
}

/** Returns the calls of a body whose methods the registry knows. */
const knownCalls = ({ items }: RpcBody): { method: DaemonMethod; params: readonly string[] }[] =>
	items.flatMap((item) =>
		item.kind === 'call' && isDaemonMethod(item.method)
			? [{ method: item.method, params: item.params }]
			: []
	);

const mayCall = (identity: Member, place: string, name: string): boolean =>
	isDaemonMethod(name) &&
	methodDenial(identity, place, { name, access: daemonMethods[name].access }) === null;

/** Returns the daemon or trading node that a path names; empty when it names none. */
function placeOf(url: string): string {
	const path = url.split('?', 1)[0] ?? '';
	if (!path.startsWith(RPC_PATH)) return '';
	try {
		return decodeURIComponent(path.slice(RPC_PATH.length).replace(/\/$/, ''));
	} catch {
		return '';
	}
}
