import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { RateLimiterMemory } from 'rate-limiter-flexible';
import { daemonMethods } from '#lib/rpc/daemon/index.ts';
import type { DaemonMethod } from '#lib/rpc/daemon/index.ts';
import { changesNothing, type Access } from '#lib/rpc/method.ts';
import { withinRequest } from '#lib/server/audit/context.ts';
import type { Refusals, RefusedWhy } from '#lib/server/audit/refusals.ts';
import type { AuditEntry } from '#lib/server/auth/audit.ts';
import { AuthError } from '#lib/server/auth/errors.ts';
import type { Identify } from '#lib/server/auth/identify.ts';
import type { Identity } from '#lib/server/auth/identity.ts';
import { networkOf } from '#lib/server/auth/loginThrottle.ts';
import { isOriginAllowed } from '#lib/server/auth/origin.ts';
import { secondsToWait } from '#lib/server/auth/throttleRequests.ts';
import { waitWords } from '#lib/server/auth/waitWords.ts';
import { mayAccess } from '#lib/server/auth/permissions.ts';
import type { Rights } from '#lib/server/limits/rights.ts';
import { RETRY_SECONDS, databaseTrouble, troubleSentence } from '#lib/server/db/trouble.ts';
import { stands } from '#lib/server/guards/stands.ts';
import { discard } from '#lib/server/http/discard.ts';
import { CALL_ID } from './daemon.ts';
import { errorLine, readBody, refusal } from './door-calls.ts';
import type { DoorCall, DoorItem, DoorRefusal } from './door-calls.ts';
import { explainUpstream } from './explain.ts';
import type { NodeDoor } from './nodeDoor.ts';
import { RawJsonError, rawElements, rawMembers } from './raw-json.ts';
import { respell } from './respell.ts';
import type { CallOptions, DaemonInfo, Gateway, RawAnswer } from './types.ts';
import { UpstreamError } from './types.ts';

/** Where the application puts its door for the server's entry to find it. */
export const DOOR = Symbol.for('komodeck.door');

/** Serves one request to `/api/rpc/{daemon}`, or to `/api/rpc/{trading node}`. */
export type Door = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

export interface DoorLimits {
	/** Komodo daemon 0.9.0 takes 32 MiB; the largest call that makes sense is a transaction. */
	maxBodyBytes: number;
	maxBatch: number;
	/** Calls of one account within ten seconds. */
	callsPer10s: number;
	/** Calls with one token within ten seconds. */
	callsPer10sOfToken: number;
	/** Requests without a good credential from one address within a minute. */
	refusalsPerMinute: number;
}

export interface DoorParts {
	gateway: Gateway;
	/** The same for trading nodes, in their envelopes. */
	nodes?: NodeDoor;
	identify: Identify;
	/** Why a call of this class must not leave now, as a sentence; null when it may. */
	refusal?: (access: Access) => Promise<string | null>;
	/** Whose wallet it is, and how much of the day is left. */
	rights?: Pick<Rights, 'walletRefusal' | 'callRefusal' | 'answerRefusal'>;
	/** Keeps a call that can change something on record, before it goes out. */
	audit: { append(entry: AuditEntry): Promise<void> };
	/** Keeps on record what somebody may not call. */
	refusals?: Pick<Refusals, 'refused' | 'stranger'>;
	/** KOMODECK_ORIGIN. */
	publicOrigin: string | null;
	limits?: Partial<DoorLimits>;
	/** What each account has left, where other ways to call share it. */
	budget?: CallBudget;
}

/** Counts the calls of each account. */
export type CallBudget = RateLimiterMemory;

type Known = Exclude<Identity, { via: 'public' }>;
interface AllowedCall extends DoorCall {
	known: DaemonMethod;
}

const LIMITS: DoorLimits = {
	maxBodyBytes: 8 * 1024 * 1024,
	maxBatch: 200,
	callsPer10s: 20_000,
	callsPer10sOfToken: 20_000,
	refusalsPerMinute: 600
};
/** Classes whose answers may hold signed transactions. */
const BUILDS: ReadonlySet<Access> = new Set(['build', 'notary']);
const PATH = '/api/rpc/';
const JSON_TYPE = 'application/json';
const requestIds = new WeakMap<ServerResponse, string>();
/** JSON-RPC code for what went wrong between us and the daemon. */
const INTERNAL = -32603;

/** The budget of calls that the door and others share. */
export function createCallBudget(callsPer10s = LIMITS.callsPer10s): CallBudget {
	return new RateLimiterMemory({ points: callsPer10s, duration: 10 });
}

class TooLargeError extends Error {
	override readonly name = 'TooLargeError';
}

/** The caller went before the request was whole. */
class CallerGoneError extends Error {
	override readonly name = 'CallerGoneError';
}

/** The body of a request. Events, because reading it as a stream costs more than the rest of a small call. */
function readText(request: IncomingMessage, maxBytes: number): Promise<string> {
	if (Number(request.headers['content-length'] ?? 0) > maxBytes && stands('door-body-limit')) {
		return Promise.reject(new TooLargeError());
	}
	return new Promise((resolve, reject) => {
		const chunks: Buffer[] = [];
		let size = 0;
		request.on('data', (chunk: Buffer) => {
			size += chunk.length;
			if (size > maxBytes && stands('door-body-limit')) reject(new TooLargeError());
			else chunks.push(chunk);
		});
		request.once('end', () => {
			const [only] = chunks;
			const body = chunks.length === 1 && only ? only : Buffer.concat(chunks, size);
			resolve(body.toString('utf8'));
		});
		request.once('error', reject);
		request.once('close', () => {
			if (!request.complete) reject(new CallerGoneError());
		});
	});
}

/** Below this an answer is put together and written at once: two writes cost more than the copy. */
const SMALL = 16 * 1024;

function send(
	response: ServerResponse,
	status: number,
	contentType: string,
	body: string | readonly Buffer[],
	headers: Record<string, string> = {}
): void {
	if (response.headersSent || response.destroyed) return;
	const size =
		typeof body === 'string'
			? Buffer.byteLength(body)
			: body.reduce((sum, part) => sum + part.length, 0);
	// All headers in one call: Node checks each header that was set before once more.
	response.writeHead(status, {
		...headers,
		'X-Request-Id': requestIds.get(response) ?? '',
		'Content-Type': contentType,
		'Content-Length': size,
		'Cache-Control': 'no-store',
		// What a daemon answers is never a page of ours.
		'X-Content-Type-Options': 'nosniff',
		'Content-Security-Policy': "default-src 'none'; sandbox"
	});
	if (typeof body === 'string') {
		response.end(body);
	} else if (size <= SMALL) {
		// Node writes a text together with the head; latin1 carries every byte as it is.
		response.end(body.map((part) => part.toString('latin1')).join(''), 'latin1');
	} else {
		for (const part of body) response.write(part);
		response.end();
	}
}

/** Says how long to wait, for programs in the header and for people in words. */
function tooMany(response: ServerResponse, seconds: number): void {
	const words = `Too many calls: wait ${waitWords(seconds)}, then try again. None of this request was carried out.`;
	send(response, 429, JSON_TYPE, `${errorLine(refusal(429, INTERNAL, words))}\n`, {
		'Retry-After': String(seconds)
	});
}

function refuse(response: ServerResponse, what: DoorRefusal): void {
	send(response, what.status, JSON_TYPE, `${errorLine(what)}\n`);
}

const headerOf = (request: IncomingMessage, name: string): string | null => {
	const value = request.headers[name];
	return Array.isArray(value) ? value.join(', ') : (value ?? null);
};

/**
 * Puts the caller's id where ours stands; every other byte stays the daemon's, and is not copied.
 * @throws {RawJsonError} when the answer is no JSON object
 */
function withId(answer: RawAnswer, idText: string): Buffer[] {
	const ours = Buffer.from(`"id":${CALL_ID}}`, 'latin1');
	const at = answer.body.lastIndexOf(ours);
	if (at >= 0 && answer.body.length - at - ours.length <= 2) {
		return [
			answer.body.subarray(0, at),
			Buffer.from(`"id":${idText}}`, 'utf8'),
			answer.body.subarray(at + ours.length)
		];
	}
	const members = rawMembers(answer.body.toString('utf8'))
		.filter(([name]) => name !== 'id')
		.map(([name, value]) => `${JSON.stringify(name)}:${value}`);
	return [Buffer.from(`{${[...members, `"id":${idText}`].join(',')}}\n`, 'utf8')];
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
	const left = answers.map((answer) => ({ id: idOf(answer), answer }));
	const byId = calls.map(({ idText }) => {
		const at = left.findIndex(({ id }) => id === sameText(idText));
		return at < 0 ? undefined : left.splice(at, 1)[0]!.answer;
	});
	const unnamed = byId.every((answer) => answer === undefined);
	return unnamed && answers.length === calls.length ? answers : byId;
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
	if (!mayAccess(identity.role, daemonMethods[method].access, false) && stands('method-role')) {
		return no('role', `the role ${identity.role} may not call ${method}`);
	}
	if (identity.via === 'token') {
		const { methods, daemons } = identity.token;
		if (methods !== null && !methods.includes(method) && stands('token-methods')) {
			return no('token', 'not allowed for this token');
		}
		if (daemons !== null && !daemons.includes(daemonId) && stands('token-daemons')) {
			return no('token', 'this token is for other daemons');
		}
	}
	return null;
}

const isKnown = (method: string): method is DaemonMethod =>
	stands('own-names') ? Object.hasOwn(daemonMethods, method) : method in daemonMethods;

function judge(item: DoorItem, identity: Known, daemonId: string): AllowedCall | DoorRefusal {
	if (item.kind === 'refusal') return item;
	if (!isKnown(item.method)) return refusal(404, -32601, 'Method not found', item.idText);
	const no = objection(identity, daemonId, item.method, item.idText);
	return no ?? { ...item, known: item.method };
}

/**
 * Builds the door for scripts: it takes what a daemon takes and answers as it does, with our guards before
 * it. Existing clients change the address and the password only.
 */
export function createDoor(parts: DoorParts): Door {
	const limits = { ...LIMITS, ...parts.limits };
	const { gateway } = parts;
	const budget = parts.budget ?? createCallBudget(limits.callsPer10s);
	const tokens = createCallBudget(limits.callsPer10sOfToken);
	const strangers = new RateLimiterMemory({ points: limits.refusalsPerMinute, duration: 60 });

	/** Null when the request may go on; else it has been answered. */
	async function identified(
		request: IncomingMessage,
		response: ServerResponse
	): Promise<Known | null> {
		let identity: Identity | null;
		try {
			identity = await parts.identify({ get: (name) => headerOf(request, name) });
		} catch (error) {
			if (!(error instanceof AuthError)) throw error;
			identity = null;
		}
		if (identity === null || identity.via === 'public') {
			parts.refusals?.stranger('call', identity === null ? 'credential' : 'sign-in');
			const address = networkOf(request.socket.remoteAddress ?? '');
			const wait = await secondsToWait(strangers, address, 1);
			if (wait !== null) {
				tooMany(response, wait);
				return null;
			}
			send(response, 401, 'text/html; charset=ISO-8859-1', '', {
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
		if (allowed || !stands('door-origin')) return identity;
		parts.refusals?.stranger('call', 'origin');
		send(response, 403, 'text/plain', 'This request does not come from a page of this console.\n');
		return null;
	}

	async function withinBudget(
		identity: Known,
		calls: number,
		response: ServerResponse
	): Promise<boolean> {
		const cost = Math.max(1, calls);
		const person = await secondsToWait(budget, identity.account.id, cost);
		const token =
			identity.via === 'token' ? await secondsToWait(tokens, identity.token.id, cost) : null;
		if ((person === null && token === null) || !stands('call-budget')) return true;
		tooMany(response, Math.max(person ?? 0, token ?? 0));
		return false;
	}

	/** What stops a call that would change something now; null when nothing does, and it is counted. */
	async function stopped(
		{ known, params, idText }: AllowedCall,
		{ account }: Known,
		daemon: DaemonInfo,
		ref: string
	): Promise<DoorRefusal | null> {
		const { access } = daemonMethods[known];
		if (changesNothing(access)) return null;
		const off = (await parts.refusal?.(access)) ?? null;
		if (off !== null) return refusal(503, INTERNAL, `${off}.`, idText);
		const { rights } = parts;
		if (!rights) return null;
		const foreign = await rights.walletRefusal(account.name, daemon.id);
		if (foreign !== null) {
			return {
				...refusal(403, -32601, `Method not found (${foreign})`, idText),
				denied: { method: known, why: 'wallet', reason: foreign }
			};
		}
		const over = await rights.callRefusal(account.name, daemon, { method: known, params, ref });
		return over === null ? null : refusal(429, INTERNAL, over, idText);
	}

	/** Calls that are stopped are refused one by one, so that the others of a batch go on. */
	async function withoutStopped(
		judged: readonly (AllowedCall | DoorRefusal)[],
		identity: Known,
		daemon: DaemonInfo,
		requestId: string
	): Promise<(AllowedCall | DoorRefusal)[]> {
		const answers: (AllowedCall | DoorRefusal)[] = [];
		for (const [at, item] of judged.entries()) {
			const no =
				item.kind === 'call' ? await stopped(item, identity, daemon, `${requestId}:${at}`) : null;
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
		for (const { known } of calls) {
			const { access } = daemonMethods[known];
			if (changesNothing(access)) continue;
			await parts.audit.append({
				actor: identity.account.name,
				action: `rpc.${known}`,
				target: daemon.id,
				detail: { access, via: identity.via, requestId }
			});
		}
	}

	/** What stands against handing out what was built; null for an answer without signed bytes. */
	async function heldBack(
		calls: readonly AllowedCall[],
		person: string,
		daemon: DaemonInfo,
		body: Buffer
	): Promise<string | null> {
		const builds = calls.some(({ known }) => BUILDS.has(daemonMethods[known].access));
		if (!builds) return null;
		return (await parts.rights?.answerRefusal(person, daemon, body.toString('utf8'))) ?? null;
	}

	async function single(
		call: AllowedCall,
		person: string,
		daemon: DaemonInfo,
		options: CallOptions,
		response: ServerResponse
	): Promise<void> {
		try {
			const params = respell(call.known, call.params, daemon.dialect);
			const answer = await gateway.forward(daemon.id, call.known, params, options);
			const over = await heldBack([call], person, daemon, answer.body);
			if (over !== null) return refuse(response, refusal(429, INTERNAL, over, call.idText));
			const type = answer.contentType === '' ? JSON_TYPE : answer.contentType;
			send(response, answer.status, type, withId(answer, call.idText));
		} catch (error) {
			if (error instanceof RawJsonError) {
				const words = 'The daemon took the call, and what it answered is not JSON.';
				return refuse(response, refusal(502, INTERNAL, words, call.idText));
			}
			if (!(error instanceof UpstreamError)) throw error;
			refuse(response, failure(error, call.idText));
		}
	}

	async function batch(
		judged: readonly (AllowedCall | DoorRefusal)[],
		person: string,
		daemon: DaemonInfo,
		options: CallOptions,
		response: ServerResponse
	): Promise<void> {
		const allowed = judged.filter((item) => item.kind === 'call');
		let answers: readonly (string | undefined)[] = [];
		if (allowed.length > 0) {
			try {
				const answer = await gateway.forwardBatch(
					daemon.id,
					allowed.map((call) => ({
						method: call.known,
						paramsText: respell(call.known, call.params, daemon.dialect),
						idText: call.idText
					})),
					options
				);
				const over = await heldBack(allowed, person, daemon, answer.body);
				if (over !== null) {
					const all = judged.map((item) =>
						errorLine(item.kind === 'refusal' ? item : refusal(429, INTERNAL, over, item.idText))
					);
					send(response, 200, JSON_TYPE, `[${all.join(',')}]\n`);
					return;
				}
				const text = answer.body.toString('utf8');
				if (allowed.length === judged.length || !text.trimStart().startsWith('[')) {
					send(response, answer.status, answer.contentType || JSON_TYPE, [answer.body]);
					return;
				}
				answers = placed(allowed, text);
			} catch (error) {
				if (!(error instanceof UpstreamError)) throw error;
				answers = allowed.map((call) => errorLine(failure(error, call.idText)));
			}
		}
		const lines = judged.map((item) =>
			item.kind === 'refusal'
				? errorLine(item)
				: (answers[allowed.indexOf(item)] ??
					errorLine(refusal(502, INTERNAL, 'The daemon left this call out.', item.idText)))
		);
		send(response, 200, JSON_TYPE, `[${lines.join(',')}]\n`);
	}

	async function serve(
		request: IncomingMessage,
		response: ServerResponse,
		requestId: string
	): Promise<void> {
		if (request.method !== 'POST') {
			send(response, 405, 'text/plain', 'JSONRPC server handles only POST requests', {
				Allow: 'POST'
			});
			return;
		}
		const identity = await identified(request, response);
		if (identity === null) return;
		const id = daemonIdOf(request.url ?? '');
		const daemon = gateway.daemon(id);
		const node = daemon === undefined && parts.nodes?.has(id) ? parts.nodes : null;
		if (daemon === undefined && node === null) {
			send(response, 404, 'text/html; charset=ISO-8859-1', '');
			return;
		}
		let text: string;
		try {
			text = await readText(request, limits.maxBodyBytes);
		} catch (error) {
			if (!(error instanceof TooLargeError)) throw error;
			await discard(request);
			send(response, 413, 'text/plain', `At most ${limits.maxBodyBytes} bytes are taken.\n`, {
				Connection: 'close'
			});
			return;
		}
		if (daemon === undefined) {
			const answer = await node?.answer({
				nodeId: id,
				text,
				identity,
				requestId,
				maxBatch: limits.maxBatch,
				spend: (calls) => withinBudget(identity, calls, response)
			});
			if (answer) {
				const { body } = answer;
				send(response, answer.status, JSON_TYPE, typeof body === 'string' ? body : [body]);
			}
			return;
		}
		const body = readBody(text, limits.maxBatch);
		if (!('items' in body)) {
			if (await withinBudget(identity, 1, response)) refuse(response, body);
			return;
		}
		if (!(await withinBudget(identity, body.items.length, response))) return;
		const judged = await withoutStopped(
			body.items.map((item) => judge(item, identity, daemon.id)),
			identity,
			daemon,
			requestId
		);
		for (const item of judged) {
			if (item.kind === 'call' || item.denied === undefined) continue;
			const { method: what, why, reason } = item.denied;
			await parts.refusals?.refused(identity, { where: 'call', why, what, place: id, reason });
		}
		const allowed = judged.filter((item) => item.kind === 'call');
		await record(allowed, identity, daemon, requestId);
		const options: CallOptions = { requestId };
		if (body.batch) {
			await batch(judged, identity.account.name, daemon, options, response);
			return;
		}
		const [only] = judged;
		if (only?.kind === 'call') await single(only, identity.account.name, daemon, options, response);
		else if (only !== undefined) refuse(response, only);
	}

	return async (request, response) => {
		const requestId = randomUUID();
		requestIds.set(response, requestId);
		try {
			await withinRequest(requestId, () => serve(request, response, requestId));
		} catch (error) {
			// A caller who has gone is no failure of ours.
			if (response.destroyed) return;
			const trouble = databaseTrouble(error);
			if (trouble !== null) {
				const words = `${troubleSentence(trouble)} Request ${requestId}.`;
				const line = errorLine(refusal(503, INTERNAL, words));
				send(response, 503, JSON_TYPE, `${line}\n`, { 'Retry-After': String(RETRY_SECONDS) });
				throw error;
			}
			refuse(response, refusal(500, INTERNAL, `Komodeck failed; request ${requestId}`));
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
