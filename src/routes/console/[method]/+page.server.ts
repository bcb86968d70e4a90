import { walletKeys } from '#lib/server/chains/daemon/ccAddresses.ts';
import { consoleFormMessages, type ConsoleProblem } from '#lib/messages/errors/console.ts';
import { consolePage } from '#lib/messages/pages/console.ts';
import { methodForms } from '#lib/messages/methodForms.ts';
import { error, fail } from '@sveltejs/kit';
import type { DaemonMethod } from '#lib/rpc/daemon/index.ts';
import { daemonSummaries } from '#lib/messages/methods/daemonSummaries.ts';
import { hasSecrets } from '#lib/rpc/daemon/parameters.ts';
import type { DaemonInfo, Gateway } from '#lib/server/chains/daemon/types.ts';
import {
	callable,
	definitionOf,
	exampleOf,
	fieldsOf
} from '#lib/server/rpc-proxy/console/catalogue.ts';
import {
	confirmationOf,
	typedAgain,
	notATransaction,
	withoutSecrets,
	type Confirmation
} from '#lib/server/rpc-proxy/console/confirm.ts';
import { curlOf } from '#lib/server/rpc-proxy/console/curl.ts';
import { readForm, typedFrom, WRITTEN, type Typed } from '#lib/server/rpc-proxy/console/form.ts';
import type { CallOutcome } from '#lib/server/rpc-proxy/console/outcome.ts';
import { withLabels } from '#lib/server/wallet/address-book/withLabels.ts';
import { readFields, text } from '#lib/server/platform/http/readForm.ts';
import { outcomeOf } from '../../outcomeOf.ts';
import { requireMember } from '../../requireMember.ts';
import { formKeyIn, lastCalls, typedIn, typedInAddress } from '../request.ts';
import { callerNow } from '../callerNow.ts';
import type { Actions, PageServerLoad } from './$types';

/** Result of an action: the typed values, and their errors, the call to confirm, or the response. */
interface Outcome {
	typed: Typed;
	way: string;
	daemon: string;
	errors?: Record<string, string>;
	confirmation?: Confirmation;
	outcome?: CallOutcome;
	curl?: string;
}

const answer = outcomeOf<Outcome>();

function methodOf({ identity }: App.Locals, name: string): DaemonMethod {
	return callable(identity.role, name) ?? error(404, { message: consolePage.noMethod });
}

/** Returns the default daemon: a notary's for notary methods, else one for reading. */
function firstDaemon(gateway: Gateway, method: DaemonMethod): string {
	const all = gateway.daemons();
	const wanted = definitionOf(method).access === 'notary' ? 'notary' : 'read';
	return (all.find(({ purposes }) => purposes.includes(wanted)) ?? all[0])?.id ?? '';
}

const walletOf = ({ id, chain, pubkey, purposes, health }: DaemonInfo) => ({
	id,
	chain,
	pubkey,
	notary: purposes.includes('notary'),
	state: health.state
});

/** Returns the values that a URL fills in: of an earlier call, of the example, or of single fields. */
async function requestedCall(
	locals: App.Locals,
	method: DaemonMethod,
	query: URLSearchParams
): Promise<{ typed: Typed; way: string; daemon: string | null }> {
	const filled = (params: string, daemon: string | null) => {
		const typed = typedFrom(method, params);
		return typed === null
			? { typed: { [WRITTEN]: params }, way: WRITTEN, daemon }
			: { typed, way: 'fields', daemon };
	};
	const again = query.get('again');
	if (again !== null) {
		const past = await locals.app.console.history.get(requireMember(locals).account.id, again);
		if (past?.method === method) return filled(past.params ?? '[]', past.daemon);
	}
	const example = query.has('example') ? exampleOf(method) : null;
	if (example !== null) return filled(example.params, query.get('daemon'));
	return { typed: typedInAddress(query), way: 'fields', daemon: query.get('daemon') };
}

export const load: PageServerLoad = async ({ locals, params, url, setHeaders }) => {
	setHeaders({ 'cache-control': 'private, no-store' });
	const method = methodOf(locals, params.method);
	const { access, retry } = definitionOf(method);
	const { gateway } = locals.app;
	const asked = await requestedCall(locals, method, url.searchParams);
	const known = gateway.daemons().some(({ id }) => id === asked.daemon);
	const example = exampleOf(method);
	const daemon = known && asked.daemon !== null ? asked.daemon : firstDaemon(gateway, method);
	return withLabels(locals, {
		method,
		summary: daemonSummaries[method],
		words: methodForms.access[access],
		changes: !retry,
		secrets: hasSecrets(method),
		fields: fieldsOf(method),
		example,
		daemons: gateway.daemons().map(walletOf),
		daemon,
		typed: asked.typed,
		way: asked.way,
		curl: example === null ? null : curlOf(url.origin, daemon, method, example.params),
		calls: await lastCalls(locals, method),
		now: Date.now()
	});
};

export const actions: Actions = {
	default: async (event) => {
		const { request, locals, params, url } = event;
		const method = methodOf(locals, params.method);
		const identity = requireMember(locals);
		const form = await request.formData();
		const fields = readFields(form, { daemon: text });
		const typed = typedIn(form);
		const way = form.get('way') === WRITTEN ? WRITTEN : 'fields';
		const daemon = locals.app.gateway.daemon(fields.daemon);
		const base = { typed: typedAgain(method, typed), way, daemon: daemon?.id ?? '' };
		const back = (status: number, more: Partial<Outcome>) =>
			fail(status, answer({ ...base, ...more }));

		const read = readForm(method, way, typed);
		const problems: Record<string, ConsoleProblem> = 'errors' in read ? { ...read.errors } : {};
		if (daemon === undefined) problems['daemon'] = { code: 'console.no-daemon', params: {} };
		if (method === 'sendrawtransaction' && way === 'fields' && 'params' in read) {
			const hex = JSON.parse(read.params[0] ?? '""') as string;
			const why = notATransaction(hex);
			if (why !== null) problems['p.hexstring'] = why;
		}
		if (daemon === undefined || !('params' in read) || Object.keys(problems).length > 0) {
			return back(400, { errors: consoleFormMessages(problems) });
		}
		if (form.get('edit') !== null) return answer(base);
		if (!definitionOf(method).retry) {
			const pubkeys = walletKeys(locals.app.gateway);
			const confirmation = confirmationOf(method, daemon, read.params, pubkeys);
			if (form.get('confirmed') !== confirmation.mark) {
				return answer({ ...base, typed, confirmation });
			}
		}
		const outcome = await locals.app.console.call(identity, {
			method,
			daemon: daemon.id,
			params: read.params,
			requestId: locals.requestId,
			key: formKeyIn(form),
			who: callerNow(event, identity)
		});
		const shown = withoutSecrets(method, read.params);
		const curl = curlOf(url.origin, daemon.id, method, `[${shown.join(',')}]`);
		if (outcome.kind === 'refused') return back(403, { outcome });
		if (outcome.kind === 'limited') return back(429, { outcome });
		return answer({ ...base, outcome, curl });
	}
};
