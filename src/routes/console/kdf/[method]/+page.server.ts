import { consolePage } from '#lib/messages/pages/console.ts';
import { error, fail } from '@sveltejs/kit';
import { parseJson, stringifyJson, type JsonValue } from '#lib/rpc/json.ts';
import { kdfDefinition, type KdfDialect, type KdfMethod } from '#lib/rpc/kdf/index.ts';
import { consoleFormMessages, type ConsoleProblem } from '#lib/messages/errors/console.ts';
import { kdfSummary } from '#lib/messages/methods/kdfSummaries.ts';
import { mayHoldSecrets } from '#lib/rpc/kdf/parameters.ts';
import type { KdfInfo } from '#lib/server/kdf/client/kdfTypes.ts';
import { markOf } from '#lib/server/rpc-proxy/console/confirm.ts';
import { curlWith } from '#lib/server/rpc-proxy/console/curl.ts';
import { WRITTEN, type Typed } from '#lib/server/rpc-proxy/console/form.ts';
import { NODE_PREFIX } from '#lib/server/rpc-proxy/console/history.ts';
import {
	callableAtNode,
	changesSomething,
	moreThanRole,
	kdfAccessWords,
	kdfExampleOf,
	kdfFieldsOf
} from '#lib/server/rpc-proxy/console/kdf/catalogue.ts';
import {
	kdfTypedFrom,
	kdfWithoutSecrets,
	readKdfForm
} from '#lib/server/rpc-proxy/console/kdf/form.ts';
import { secretFieldsOf } from '#lib/server/rpc-proxy/console/secretFields.ts';
import { bodyOfCall } from '#lib/server/rpc-proxy/kdf/envelope.ts';
import type { CallOutcome } from '#lib/server/rpc-proxy/console/outcome.ts';
import { readFields, text } from '#lib/server/platform/http/readForm.ts';
import { outcomeOf } from '../../../outcomeOf.ts';
import { requireMember } from '../../../requireMember.ts';
import { formKeyIn, lastCalls, typedIn, typedInAddress } from '../../request.ts';
import { callerNow } from '../../callerNow.ts';
import type { Actions, PageServerLoad } from './$types';

type Members = { readonly [name: string]: JsonValue };
/** Result of an action: the typed values, and their errors, the call to confirm, or the response. */
interface Outcome {
	typed: Typed;
	way: string;
	node: string;
	errors?: Record<string, string>;
	confirmation?: { mark: string; params: string };
	outcome?: CallOutcome;
	curl?: string;
}

const answer = outcomeOf<Outcome>();

function methodOf({ identity }: App.Locals, key: string): KdfMethod {
	return callableAtNode(identity.role, key) ?? error(404, { message: consolePage.noMethod });
}

/** Returns the values that a URL fills in: of an earlier call, of the example, or of single fields. */
async function requestedCall(
	locals: App.Locals,
	method: KdfMethod,
	query: URLSearchParams,
	nodes: readonly KdfInfo[]
): Promise<{ typed: Typed; way: string; node: KdfInfo | undefined }> {
	const kdfOf = (id: string | null): KdfInfo | undefined =>
		nodes.find((node) => node.id === id) ?? nodes[0];
	const filled = (params: string, node: KdfInfo | undefined) => {
		const typed = kdfTypedFrom(method, node?.dialect ?? 'kdf', params);
		return typed === null
			? { typed: { [WRITTEN]: params }, way: WRITTEN, node }
			: { typed, way: 'fields', node };
	};
	const again = query.get('again');
	if (again !== null) {
		const past = await locals.app.console.history.get(requireMember(locals).account.id, again);
		if (past?.method === `${NODE_PREFIX}${method}`) {
			return filled(past.params ?? '{}', kdfOf(past.daemon));
		}
	}
	const node = kdfOf(query.get('node'));
	const example = query.has('example') ? kdfExampleOf(method, node?.dialect ?? 'kdf') : null;
	if (example !== null) return filled(example, node);
	return { typed: typedInAddress(query), way: 'fields', node };
}

const labelOf = ({ id, version, state }: KdfInfo): string => {
	const words = [...(version === null ? [] : [version]), ...(state === 'up' ? [] : [state])];
	return words.length === 0 ? id : `${id} (${words.join(', ')})`;
};

export const load: PageServerLoad = async ({ locals, params, url, setHeaders }) => {
	setHeaders({ 'cache-control': 'private, no-store' });
	const method = methodOf(locals, params.method);
	const { name, access, envelope } = kdfDefinition(method);
	const nodes = await locals.app.nodes.nodes();
	const asked = await requestedCall(locals, method, url.searchParams, nodes);
	const dialect: KdfDialect = asked.node?.dialect ?? 'kdf';
	const example = kdfExampleOf(method, dialect);
	const id = asked.node?.id ?? '';
	return {
		method,
		name,
		older: envelope === 'legacy',
		summary: kdfSummary(method),
		words: kdfAccessWords(access),
		changes: changesSomething(method),
		secrets: mayHoldSecrets(method),
		more: moreThanRole(locals.identity.role, method),
		fields: kdfFieldsOf(method, dialect),
		example,
		nodes: nodes.map((node) => ({ value: node.id, label: labelOf(node) })),
		node: id,
		typed: asked.typed,
		way: asked.way,
		curl:
			example === null
				? null
				: curlWith(
						url.origin,
						id,
						bodyOfCall(method, kdfWithoutSecrets(parseJson(example)) as Members)
					),
		calls: await lastCalls(locals, `${NODE_PREFIX}${method}`),
		now: Date.now()
	};
};

/** Returns the typed values to put back into the form, without those that may contain a PIN or a passphrase. */
function shownAgain(method: KdfMethod, typed: Typed): Typed {
	const secret = secretFieldsOf('/console/kdf/[method]', method);
	return Object.fromEntries(Object.entries(typed).filter(([name]) => !secret.has(name)));
}

export const actions: Actions = {
	default: async (event) => {
		const { request, locals, params, url } = event;
		const method = methodOf(locals, params.method);
		const identity = requireMember(locals);
		const form = await request.formData();
		const fields = readFields(form, { daemon: text });
		const typed = typedIn(form);
		const way = form.get('way') === WRITTEN ? WRITTEN : 'fields';
		const node = await locals.app.nodes.node(fields.daemon);
		const base = { typed: shownAgain(method, typed), way, node: node?.id ?? '' };
		const back = (status: number, more: Partial<Outcome>) =>
			fail(status, answer({ ...base, ...more }));

		const read = readKdfForm(method, node?.dialect ?? 'kdf', way, typed);
		const problems: Record<string, ConsoleProblem> = 'errors' in read ? { ...read.errors } : {};
		if (node === undefined) problems['daemon'] = { code: 'console.no-node', params: {} };
		if (node === undefined || !('params' in read) || Object.keys(problems).length > 0) {
			return back(400, { errors: consoleFormMessages(problems) });
		}
		if (form.get('edit') !== null) return answer(base);
		const shown = stringifyJson(kdfWithoutSecrets(read.params));
		// A call with a PIN is not confirmed again, because the page must not contain the PIN.
		if (changesSomething(method) && !mayHoldSecrets(method)) {
			const mark = markOf(method, node.id, stringifyJson(read.params));
			if (form.get('confirmed') !== mark) {
				const confirmation = { mark, params: shown };
				return answer({ ...base, typed, confirmation });
			}
		}
		const outcome = await locals.app.console.callKdf(identity, {
			method,
			node: node.id,
			params: read.params,
			requestId: locals.requestId,
			key: formKeyIn(form),
			who: callerNow(event, identity)
		});
		const masked = kdfWithoutSecrets(read.params) as Members;
		const curl = curlWith(url.origin, node.id, bodyOfCall(method, masked));
		if (outcome.kind === 'refused') return back(403, { outcome });
		if (outcome.kind === 'limited') return back(429, { outcome });
		return answer({ ...base, outcome, curl });
	}
};
