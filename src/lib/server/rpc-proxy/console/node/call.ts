/** One call of a person to a trading node by the console: through the door to the nodes, with its guards. */
import { explainNodeError } from '#lib/rpc/errors/node.ts';
import {
	isJsonObject,
	JsonError,
	parseJson,
	stringifyJson,
	type JsonValue
} from '#lib/rpc/json.ts';
import { MMRPC, readNodeAnswer } from '#lib/rpc/node/envelope.ts';
import { nodeDefinition, type NodeMethod } from '#lib/rpc/node/index.ts';
import type { Identity } from '../../../access/policy/identity.ts';
import type { OnceCall, Trace } from '../../http/onceCalls.ts';
import type { NodeDoor } from '../../kdf/nodeDoor.ts';
import { explained, fitsTree, frameOf } from '../answered.ts';
import type { ConsoleHistory } from '../history.ts';
import { outcomeOnce } from '../onceOutcome.ts';
import type { Answered, CallOutcome } from '../outcome.ts';
import { treeOf } from '../tree.ts';
import { secretsIn } from './form.ts';
import { keptNodeParams } from './kept.ts';

type Known = Exclude<Identity, { via: 'public' }>;
type Members = { readonly [name: string]: JsonValue };

interface NodeCallerParts {
	door: NodeDoor;
	/** Seconds to wait before a person may call again; 0 for none. Counts the call. */
	secondsToWait: (accountId: string) => Promise<number>;
	history: ConsoleHistory;
	/** Whether a text holds a password of a node. */
	isSecret: (text: string) => boolean;
	/** Makes calls that name themselves at most once. */
	onceCall: OnceCall;
}

export interface NodeConsoleCall {
	method: NodeMethod;
	node: string;
	params: Members;
	requestId: string;
	/** Of the form: what changes something is called once for each. */
	key?: string | undefined;
}

export interface NodeCaller {
	callNode(identity: Known, call: NodeConsoleCall): Promise<CallOutcome>;
}

/** With these the door says that no answer came: what became of the call is in its words. */
const UNKNOWN: ReadonlySet<number> = new Set([502, 504]);
/** What the door writes as the place of its own refusals. */
const OURS = /^komodeck:1\] (?:Method is not allowed: )?/;

/** The body of a call, without a password: the door adds that of the node. */
export function nodeBody(method: NodeMethod, params: Members): string {
	const { name, envelope, paramsForm } = nodeDefinition(method);
	if (envelope === 'legacy') return stringifyJson({ method: name, ...params });
	const empty = paramsForm === 'none' && Object.keys(params).length === 0;
	return stringifyJson({ mmrpc: MMRPC, method: name, ...(empty ? {} : { params }) });
}

/** What an answer says; undefined for one that is no JSON, or longer than the console reads. */
function parsed(text: string): JsonValue | undefined {
	if (!fitsTree(Buffer.from(text, 'utf8'))) return undefined;
	try {
		return parseJson(text);
	} catch (error) {
		if (!(error instanceof JsonError)) throw error;
		return undefined;
	}
}

/** A refusal of the door itself, which the node never saw; null for an answer of the node. */
function ownRefusal(body: JsonValue | undefined): string | null {
	if (!isJsonObject(body) || typeof body['error'] !== 'string') return null;
	const { error, error_path: path, error_type: type, error_data: data } = body;
	if (path === undefined && OURS.test(error)) return error.replace(OURS, '');
	if (path !== 'komodeck') return null;
	return type === 'MethodNotAllowed' && typeof data === 'string' ? data : error;
}

const sentence = (words: string): string => {
	const text = words.charAt(0).toUpperCase() + words.slice(1);
	return /[.!?]$/.test(text) ? text : `${text}.`;
};

function answered(
	method: NodeMethod,
	status: number,
	text: string,
	body: JsonValue | undefined,
	ms: number
): Answered {
	const { name, envelope } = nodeDefinition(method);
	const said = body === undefined ? null : readNodeAnswer(body, envelope);
	const failed = said?.kind === 'error' ? said.error : null;
	return {
		...frameOf({ status, bytes: Buffer.byteLength(text) }, text, ms),
		tree: said?.kind === 'result' ? treeOf(said.result) : null,
		error: failed && {
			code: failed.type ?? '',
			message: failed.message,
			meaning: null
		},
		failure: null,
		explained: failed && explained(explainNodeError(name, failed))
	};
}

/** The answer without what was given as a secret: a parser's text may repeat it. */
function scrubbed(text: string, secrets: readonly string[]): string {
	return secrets
		.flatMap((secret) => [secret, JSON.stringify(secret).slice(1, -1)])
		.reduce((left, secret) => left.replaceAll(secret, '•••'), text);
}

export function createNodeCaller(parts: NodeCallerParts): NodeCaller {
	return {
		async callNode(identity, call) {
			const { key, method, node, params } = call;
			const text = nodeBody(method, params);
			if (key === undefined || !parts.door.changes(text)) {
				return carryOut(identity, call, { mayBeDone: false });
			}
			const request = { actor: identity.account.id, place: `console ${node}`, key, text };
			return outcomeOnce(parts.onceCall, request, (trace) => carryOut(identity, call, trace));
		}
	};

	async function carryOut(
		identity: Known,
		{ method, node, params, requestId }: NodeConsoleCall,
		trace: Trace
	): Promise<CallOutcome> {
		if (!parts.door.has(node)) {
			return { kind: 'refused', sentence: 'There is no such trading node.' };
		}
		const seconds = await parts.secondsToWait(identity.account.id);
		if (seconds > 0) return { kind: 'limited', seconds };
		const at = Date.now();
		const started = performance.now();
		const answer = await parts.door.answer({
			nodeId: node,
			text: nodeBody(method, params),
			identity,
			requestId,
			maxBatch: 1,
			// It was counted above.
			spend: () => Promise.resolve(true)
		});
		trace.mayBeDone = answer?.mayBeDone ?? false;
		const ms = performance.now() - started;
		const text = scrubbed(String(answer?.body ?? ''), secretsIn(params));
		const body = parsed(text);
		const own = ownRefusal(body);
		const remember = (outcome: string): Promise<void> =>
			parts.history.addOfNode(identity.account.id, {
				method,
				daemon: node,
				at,
				ms,
				outcome,
				params: keptNodeParams(params, parts.isSecret)
			});
		if (own !== null && !UNKNOWN.has(answer?.status ?? 0)) {
			return { kind: 'refused', sentence: sentence(own) };
		}
		if (own !== null) {
			await remember('failed');
			return {
				kind: 'failed',
				ms,
				what: own,
				safe: '',
				next: 'Look at the state of the node on the page of the trading node.'
			};
		}
		const outcome = answered(method, answer?.status ?? 0, text, body, ms);
		const good = outcome.error === null && outcome.status === 200;
		await remember(good ? 'answered' : `error ${outcome.error?.code ?? outcome.status}`.trim());
		return outcome;
	}
}
