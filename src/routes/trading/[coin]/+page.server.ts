import { error, fail, redirect } from '@sveltejs/kit';
import type { Coin } from '#lib/server/activation/coins/parse.ts';
import { NodeFailure } from '#lib/server/activation/failure.ts';
import {
	initialFields,
	methodsFor,
	readForm,
	serverKey,
	typedOf,
	usesServers,
	type FormErrors,
	type Offer,
	type Typed
} from '#lib/server/activation/form.ts';
import { isActivationMethod, type ActivationMethod } from '#lib/server/activation/methods.ts';
import { explainActivation } from '#lib/server/activation/words.ts';
import type { App as Komodeck } from '#lib/server/app.ts';
import { explainUpstream } from '#lib/server/gateway/explain.ts';
import { UpstreamError } from '#lib/server/gateway/types.ts';
import { chosenNode, mayTrade, nodeView } from '../node.ts';
import type { Actions, PageServerLoad } from './$types';

async function coinOf({ activations }: Komodeck, ticker: string): Promise<Coin> {
	const coin = await activations.coins.find(ticker);
	return (
		coin ??
		error(404, {
			message: `The coins file has no coin ${ticker.slice(0, 64)}. Check the spelling, capitals included: a new coin needs a newer coins file.`
		})
	);
}

/** The way of the address, else the usual one of the coin; null when there is none. */
function methodOf(coin: Coin, url: URL): ActivationMethod | null {
	const ways = methodsFor(coin);
	const wanted = url.searchParams.get('method') ?? '';
	return (
		(isActivationMethod(wanted) ? ways.find((way) => way === wanted) : null) ?? ways[0] ?? null
	);
}

/** The form again with what was typed, and what is wrong with it. */
const refused = (status: number, typed: Typed | null, errors: FormErrors, problem: string | null) =>
	fail(status, { typed, errors, problem });

export const load: PageServerLoad = async ({ locals, params, url }) => {
	const { app, requestId, identity } = locals;
	const { activations } = app;
	const coin = await coinOf(app, params.coin);
	const { nodes, node } = await chosenNode(activations, url);
	if (node === null) error(404, { message: 'No trading node is configured.' });
	const may = mayTrade(identity);
	const method = methodOf(coin, url);
	const [servers, { tickers, failure }, last, native] = await Promise.all([
		activations.serversOf(coin),
		activations.active(node.id),
		activations.list({ node: node.id, coin: coin.ticker, limit: 5 }),
		method === 'enable' && may.activate
			? activations.native.facts(node.id, coin, requestId)
			: Promise.resolve(null)
	]);
	return {
		coin: {
			ticker: coin.ticker,
			name: coin.name,
			protocol: coin.protocol,
			mm2: coin.mm2,
			bchdUrls: coin.bchdUrls,
			hardware: coin.hardware,
			prefix: coin.signMessagePrefix !== null,
			path: coin.derivationPath
		},
		several: nodes.length > 1,
		node: nodeView(node),
		may,
		method,
		ways: methodsFor(coin),
		active: tickers === null ? null : tickers.has(coin.ticker),
		silent:
			failure === null
				? null
				: explainActivation({ node: node.id, coin: coin.ticker, method: 'enable' }, failure).what,
		servers: servers.map((server) => ({
			key: serverKey(server),
			url: server.url,
			protocol: server.protocol
		})),
		initial: method === null ? null : initialFields({ coin, method, servers }),
		usesServers: method !== null && usesServers(method),
		native,
		last: last.map((row) => ({
			id: row.id,
			state: row.state,
			by: row.begun_by,
			createdAt: Number(row.created_at)
		})),
		now: Date.now()
	};
};

export const actions: Actions = {
	activate: async ({ request, locals, params, url }) => {
		const account = locals.account ?? error(401, { message: 'Log in first.' });
		const { activations } = locals.app;
		const coin = await coinOf(locals.app, params.coin);
		const { node } = await chosenNode(activations, url);
		const method = methodOf(coin, url);
		if (node === null || method === null)
			error(404, { message: 'This coin cannot be activated here.' });
		const typed = typedOf(await request.formData());
		const offer: Offer = {
			coin,
			method,
			servers: await activations.serversOf(coin),
			mayName: mayTrade(locals.identity).admin
		};
		const read = readForm(typed, offer);
		if (!read.ok) return refused(400, typed, read.errors, null);
		const { id, joined } = await activations.begin({
			node: node.id,
			coin: coin.ticker,
			method,
			params: read.params,
			by: account.name
		});
		redirect(303, `/trading/tasks/${id}${joined ? '?joined=1' : ''}`);
	},

	disable: async ({ request, locals, params, url }) => {
		const account = locals.account ?? error(401, { message: 'Log in first.' });
		if (!mayTrade(locals.identity).admin) error(403, { message: 'Only an admin may do this.' });
		const coin = await coinOf(locals.app, params.coin);
		const { node } = await chosenNode(locals.app.activations, url);
		if (node === null) error(404, { message: 'No trading node is configured.' });
		const force = (await request.formData()).get('force') === 'yes';
		try {
			const { passive } = await locals.app.activations.disable(
				node.id,
				coin.ticker,
				force,
				account.name
			);
			return {
				done: passive
					? `${coin.ticker} rests now: its tokens are still active.`
					: `${coin.ticker} is not active any more.`
			};
		} catch (cause) {
			if (!(cause instanceof NodeFailure)) throw cause;
			const { what, next } = explainActivation(
				{ node: node.id, coin: coin.ticker, method: 'enable' },
				cause.failure
			);
			return refused(409, null, {}, `${what} ${next}`);
		}
	},

	import: async ({ request, locals, params, url }) => {
		const account = locals.account ?? error(401, { message: 'Log in first.' });
		if (!mayTrade(locals.identity).admin) error(403, { message: 'Only an admin may do this.' });
		const coin = await coinOf(locals.app, params.coin);
		const { node } = await chosenNode(locals.app.activations, url);
		if (node === null) error(404, { message: 'No trading node is configured.' });
		const rescan = (await request.formData()).get('rescan') === 'yes';
		try {
			const { daemon, address } = await locals.app.activations.native.importAddress(
				node.id,
				coin,
				rescan
			);
			await locals.app.audit.append({
				actor: account.name,
				action: 'address.imported',
				target: address,
				detail: { daemon, rescan }
			});
			return { done: `${daemon} watches ${address} now.` };
		} catch (cause) {
			if (cause instanceof UpstreamError) {
				const { what, next } = explainUpstream(cause);
				return refused(502, null, {}, `${what} ${next}`);
			}
			if (!(cause instanceof NodeFailure)) throw cause;
			return refused(409, null, {}, cause.message);
		}
	}
};
