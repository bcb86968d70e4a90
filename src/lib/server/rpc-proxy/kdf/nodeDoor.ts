import {
	isJsonObject,
	JsonError,
	JsonNumber,
	parseJson,
	stringifyJson,
	type JsonValue
} from '#lib/rpc/json.ts';
import { changesNothing, type Access, type Stoppable } from '#lib/rpc/method.ts';
import { decodeNodeParams, legacyParams, NodeParamMisfit } from '#lib/rpc/node/codec.ts';
import { demands, type NamedServer } from '#lib/rpc/node/demands.ts';
import { MMRPC, V2_MEMBERS } from '#lib/rpc/node/envelope.ts';
import { methodOfBody, nodeDefinition, type NodeMethod } from '#lib/rpc/node/index.ts';
import { mayHoldSecrets } from '#lib/rpc/node/parameters.ts';
import type { Refusals, RefusedAct, RefusedWhy } from '../../access/audit/refusals.ts';
import type { Identity } from '../../access/policy/identity.ts';
import type { Rights } from '../../access/policy/limits/rights.ts';
import { mayAccess } from '../../access/policy/permissions.ts';
import { explainNode } from '../../kdf/client/nodeExplain.ts';
import { NodeError, type NodeGateway } from '../../kdf/client/nodeTypes.ts';
import type { AuditEntry } from '../../platform/audit-trail/entry.ts';

interface NodeDoorParts {
	nodes: Pick<NodeGateway, 'has' | 'forward'>;
	/** Why a call of such a method must not leave now, as a sentence; null when it may. */
	refusal: (method: Stoppable) => Promise<string | null>;
	/** How much of a person's day is left. */
	rights: Pick<Rights, 'signRefusal'>;
	/** Keeps a call that can change something on record, before it goes out. */
	audit: { append(entry: AuditEntry): Promise<void> };
	/** Keeps on record what somebody may not call. */
	refusals: Pick<Refusals, 'refused'>;
	/** Whether the coins file or an admin's list names this server. */
	listed: (server: NamedServer) => Promise<boolean>;
}

export interface NodeDoorAnswer {
	status: number;
	body: string | Buffer;
	/** Whether the node may have acted on any of it. */
	mayBeDone: boolean;
}

export interface NodeDoorRequest {
	nodeId: string;
	text: string;
	identity: Exclude<Identity, { via: 'public' }>;
	requestId: string;
	maxBatch: number;
	/** Takes this many calls off the caller's budget; false when that was too much, and it has been answered. */
	spend(calls: number): Promise<boolean>;
}

/** The door to trading nodes: their own envelopes, with our guards before them. */
export interface NodeDoor {
	has(nodeId: string): boolean;
	/** Whether a request holds a call that changes something, and no PIN or passphrase. */
	changes(text: string): boolean;
	/** Null when the request has been answered already. */
	answer(request: NodeDoorRequest): Promise<NodeDoorAnswer | null>;
}

type Members = { readonly [name: string]: JsonValue };

/** How a refusal is written: the older form, or version 2 with the caller's id. */
type Shape = { form: 'legacy' } | { form: 'v2'; id: JsonValue };

interface Refusal {
	status: number;
	type: string;
	message: string;
	data?: JsonValue | undefined;
	/** What stands against the caller, where that is the reason: such a refusal goes on record. */
	denied?: Pick<RefusedAct, 'why' | 'reason' | 'facts'>;
}

/** Nothing that the node reads is nested deeper. */
const MAX_DEPTH = 32;
/** What stands for the node's source places in errors of ours. */
const PLACE = 'komodeck';

/** The id that a node echoes: an integer of at least 0, else null. */
function echoed(id: JsonValue | undefined): JsonNumber | null {
	return id instanceof JsonNumber && /^(?:0|[1-9]\d{0,15})$/.test(id.source) ? id : null;
}

/** A refusal as the node writes it. The older form has the status 500 for whatever goes wrong in a method. */
function written(
	{ status, type, message, data }: Refusal,
	shape: Shape,
	mayBeDone = false
): NodeDoorAnswer {
	if (shape.form === 'legacy') {
		return {
			mayBeDone,
			status: status === 400 ? 500 : status,
			body: stringifyJson({ error: `${PLACE}:1] ${message}` })
		};
	}
	return {
		status,
		mayBeDone,
		body: stringifyJson({
			mmrpc: MMRPC,
			error: message,
			error_path: PLACE,
			error_trace: `${PLACE}:1]`,
			error_type: type,
			...(data === undefined ? {} : { error_data: data }),
			id: shape.id
		})
	};
}

const invalid = (data: string): Refusal => ({
	status: 400,
	type: 'InvalidRequest',
	message: `Error parsing request: ${data}`,
	data
});
const forbidden = (reason: string, why: RefusedWhy = 'role'): Refusal => ({
	status: 403,
	type: 'MethodNotAllowed',
	message: `Method is not allowed: ${reason}`,
	data: reason,
	denied: { why, reason }
});

/** Our own failure in the node's form; a status that a proxy would use tells it from the node's. */
function failure(error: NodeError): Refusal {
	if (error.code === 'bad-params') return invalid(error.why ?? 'the parameters do not fit');
	const { what, safe } = explainNode(error);
	const unavailable =
		error.code === 'busy' || error.code === 'stopped' || error.code === 'switched-off';
	const status = error.code === 'timeout' ? 504 : unavailable ? 503 : 502;
	return { status, type: 'Gateway', message: `${what} ${safe}`, data: error.code };
}

/** A call of a caller, checked as far as its text goes. */
interface Read {
	method: NodeMethod;
	shape: Shape;
	id: number | null;
	params: JsonValue | undefined;
}

type Refused = { refused: Refusal; shape: Shape };

function read(item: JsonValue): Read | Refused {
	if (!isJsonObject(item)) {
		const what = item === null ? 'missing field `method`' : 'expected an object';
		return { refused: invalid(what), shape: { form: 'v2', id: null } };
	}
	const { mmrpc = null, method: name, id = null } = item;
	const v2: Shape = { form: 'v2', id: echoed(id) };
	if (mmrpc !== null && mmrpc !== MMRPC) {
		const data = `expected \`${MMRPC}\``;
		const message = `Error parsing mmrpc version: ${data}`;
		return { refused: { status: 400, type: 'InvalidMmRpcVersion', message, data }, shape: v2 };
	}
	if (typeof name !== 'string') {
		const data = name === undefined ? 'missing field `method`' : 'method: expected a string';
		return { refused: invalid(data), shape: v2 };
	}
	const method = methodOfBody(name, mmrpc !== null);
	const shape: Shape =
		method !== null && nodeDefinition(method).envelope === 'legacy' ? { form: 'legacy' } : v2;
	if ((item['userpass'] ?? null) !== null) {
		const why =
			'userpass is not taken here: Komodeck adds the password of the node by itself. Leave it out and send your token in the Authorization header';
		return { refused: invalid(why), shape };
	}
	if (method === null) {
		return { refused: { status: 400, type: 'NoSuchMethod', message: 'No such method' }, shape };
	}
	if (shape.form === 'legacy') return { method, shape, id: null, params: legacyParams(item) };
	return readV2(item, method, shape, id);
}

function readV2(item: Members, method: NodeMethod, shape: Shape, id: JsonValue): Read | Refused {
	const strange = Object.keys(item).find((member) => !V2_MEMBERS.includes(member));
	if (strange !== undefined) {
		const known = V2_MEMBERS.map((member) => `\`${member}\``).join(', ');
		return { refused: invalid(`unknown field, expected one of ${known}`), shape };
	}
	const echo = echoed(id);
	if (id !== null && echo === null) {
		return { refused: invalid('id: expected an integer of at least 0'), shape };
	}
	return { method, shape, id: echo === null ? null : echo.toNumber(), params: item['params'] };
}

/** Builds the door to the trading nodes. */
export function createNodeDoor(parts: NodeDoorParts): NodeDoor {
	/** What stands against the method itself, whatever its parameters are; null for nothing. */
	function methodObjection(method: NodeMethod, request: NodeDoorRequest): Refusal | null {
		const { identity, nodeId } = request;
		const { access, name } = nodeDefinition(method);
		if (!mayAccess(identity.role, access, false)) {
			return forbidden(`the role ${identity.role} may not call ${name}`);
		}
		if (identity.via !== 'token') return null;
		const { methods, daemons } = identity.token;
		if (methods !== null && !methods.includes(name)) {
			return forbidden('this token may not call it', 'token');
		}
		if (daemons !== null && !daemons.includes(nodeId)) {
			return forbidden('this token is for other daemons', 'token');
		}
		return null;
	}

	async function notListed(servers: readonly NamedServer[]): Promise<boolean> {
		for (const server of servers) {
			if (!(await parts.listed(server))) return true;
		}
		return false;
	}

	/** What stands against these parameters; else the access class that they need. */
	async function paramsObjection(
		method: NodeMethod,
		native: never,
		role: NodeDoorRequest['identity']['role']
	): Promise<Refusal | Access> {
		const { access, servers } = demands(method, native);
		const more = access !== nodeDefinition(method).access;
		if (more && !mayAccess(role, access, false)) {
			return forbidden(
				access === 'admin'
					? 'remote signers, tokens described by hand and paths on the node’s disk are for admins'
					: 'a look that makes the node forget the result is for operators; send forget_if_finished: false'
			);
		}
		const free = mayAccess(role, 'admin', false);
		if (!free && (await notListed(servers))) {
			return forbidden(
				'servers that neither the coins file nor the list of an admin has are for admins'
			);
		}
		const { signs } = nodeDefinition(method);
		const off = changesNothing(access) ? null : await parts.refusal({ access, signs });
		return off === null
			? access
			: {
					status: 503,
					type: 'Gateway',
					message: `${off}.`,
					data: 'switched-off',
					denied: { why: 'safety', reason: `${off}.` }
				};
	}

	/** The answer of a refusal; one for want of a right goes on record. */
	async function refused(
		no: Refusal,
		method: NodeMethod,
		shape: Shape,
		{ identity, nodeId }: NodeDoorRequest
	): Promise<NodeDoorAnswer> {
		if (no.denied) {
			const { name: what } = nodeDefinition(method);
			const act = { where: 'call', what, place: nodeId, ...no.denied } as const;
			await parts.refusals.refused(identity, act);
		}
		return written(no, shape);
	}

	async function serve(item: JsonValue, request: NodeDoorRequest): Promise<NodeDoorAnswer> {
		const call = read(item);
		if ('refused' in call) return written(call.refused, call.shape);
		const { method, shape, id, params } = call;
		const { identity, nodeId, requestId } = request;
		const no = methodObjection(method, request);
		if (no !== null) return refused(no, method, shape, request);
		let native: never;
		try {
			native = decodeNodeParams(method, params) as never;
		} catch (error) {
			if (!(error instanceof NodeParamMisfit)) throw error;
			return written(invalid(error.message), shape);
		}
		const access = await paramsObjection(method, native, identity.role);
		if (typeof access !== 'string') return refused(access, method, shape, request);
		const over = access === 'sign' ? await overLimit(native, identity.account.name) : null;
		if (over !== null) return refused(over, method, shape, request);
		if (!changesNothing(access)) await record(method, access, native, request);
		try {
			const { status, body } = await parts.nodes.forward(nodeId, method, native, id, { requestId });
			// Whatever is not what was asked for may be asked for again.
			return { status, body, mayBeDone: status === 200 };
		} catch (error) {
			if (!(error instanceof NodeError)) throw error;
			return written(failure(error), shape, error.reached !== 'no');
		}
	}

	/** A signature counts before it is asked for; null when it is within the person's limit. */
	async function overLimit(
		{ coin = '' }: { readonly coin?: string },
		person: string
	): Promise<Refusal | null> {
		const over = await parts.rights.signRefusal(person, coin);
		return over === null
			? null
			: {
					status: 429,
					type: 'Gateway',
					message: over,
					data: 'limit',
					denied: { why: 'limit', reason: over, facts: { coin } }
				};
	}

	/** On record before it goes out. Parameters may hold a PIN: only the coin is kept. */
	async function record(
		method: NodeMethod,
		access: Access,
		native: { readonly ticker?: string; readonly coin?: string },
		{ identity, nodeId, requestId }: NodeDoorRequest
	): Promise<void> {
		const coin = native.ticker ?? native.coin ?? null;
		await parts.audit.append({
			actor: identity.account.name,
			action: `rpc.${nodeDefinition(method).name}`,
			target: nodeId,
			detail: { access, via: identity.via, requestId, ...(coin === null ? {} : { coin }) }
		});
	}

	async function batch(
		items: readonly JsonValue[],
		request: NodeDoorRequest
	): Promise<NodeDoorAnswer> {
		// One by one: a node counts wrong passwords of a batch singly, and refusals here must not stop the others.
		const answers: NodeDoorAnswer[] = [];
		for (const item of items) answers.push(await serve(item, request));
		return {
			status: 200,
			body: `[${answers.map(({ body }) => String(body)).join(',')}]`,
			mayBeDone: answers.some(({ mayBeDone }) => mayBeDone)
		};
	}

	return {
		has: (nodeId) => parts.nodes.has(nodeId),
		changes(text) {
			let body: JsonValue;
			try {
				body = parseJson(text, { maxDepth: MAX_DEPTH });
			} catch (error) {
				if (!(error instanceof JsonError)) throw error;
				return false;
			}
			const methods = (Array.isArray(body) ? (body as readonly JsonValue[]) : [body])
				.map(read)
				.flatMap((call) => ('refused' in call ? [] : [call.method]));
			// No digest of a PIN is kept with a key.
			if (methods.some(mayHoldSecrets)) return false;
			return methods.some((method) => !changesNothing(nodeDefinition(method).access));
		},
		async answer(request) {
			let body: JsonValue;
			try {
				body = parseJson(request.text, { maxDepth: MAX_DEPTH });
			} catch (error) {
				if (!(error instanceof JsonError)) throw error;
				if (!(await request.spend(1))) return null;
				const words = stringifyJson({ error: error.message });
				return { status: 500, body: words, mayBeDone: false };
			}
			if (!Array.isArray(body)) {
				return (await request.spend(1)) ? serve(body, request) : null;
			}
			const items = body as readonly JsonValue[];
			if (!(await request.spend(items.length))) return null;
			if (items.length > request.maxBatch) {
				const refused = invalid(`a batch may hold at most ${request.maxBatch} calls`);
				return written(refused, { form: 'v2', id: null });
			}
			return batch(items, request);
		}
	};
}
