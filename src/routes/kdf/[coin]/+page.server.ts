import type { App as Komodeck } from '#lib/server/appTypes.ts';
import type { Coin } from '#lib/server/kdf/coins/parse.ts';
import {
	initialEvm,
	isPlatformMethod,
	platformOf,
	takesEvmForm
} from '#lib/server/kdf/forms/evmForm.ts';
import { initialFields, serverKey } from '#lib/server/kdf/forms/fields.ts';
import type { ActivationRow } from '#lib/server/kdf/activation/activationRow.ts';
import { evmFieldsAgain, fieldsAgain } from '#lib/server/kdf/forms/typedAgain.ts';
import { hasContracts, methodsFor, usesServers } from '#lib/server/kdf/coins/methodsFor.ts';
import { explainActivation } from '../failureWords.ts';
import type { Plain } from '#lib/server/kdf/client/plain.ts';
import type { Probe } from '#lib/server/kdf/egress/probe.ts';
import { kdfView, mayTrade, requireKdf, redactedFor } from '../node.ts';
import { shownProbe } from '../probes.ts';
import { activate, test } from './activate.ts';
import { activeOf } from './activeCoin.ts';
import { blockedBy } from './blockedBy.ts';
import { disable, importAddress, swaps } from './change.ts';
import { coinOf, methodOf, sessionsOf, takesSockets, tokensOf } from './chosen.ts';
import type { Actions, PageServerLoad } from './$types';

/**
 * Returns the activation whose settings the form starts with: the one in the URL, else the one by which the
 * coin is active.
 */
async function activationBefore(
	{ activations }: Komodeck,
	{ ticker }: Coin,
	node: string,
	url: URL
): Promise<ActivationRow | null> {
	const named = url.searchParams.get('from');
	const row =
		named === null ? await activations.latestActive(node, ticker) : await activations.get(named);
	return row?.coin === ticker && row.node === node ? row : null;
}

/**
 * Defaults for what swaps wait for when the coins file does not say (interface document), as in the form that
 * activates the coin.
 */
const usualSwaps = ({ protocol, requiredConfirmations, requiresNotarization }: Coin) => ({
	confirmations: requiredConfirmations ?? 3,
	notarization: requiresNotarization ?? protocol === 'BCH'
});

/** Returns the results of testing servers at an earlier activation; null when there was none. */
function testedBefore(row: ActivationRow | null): { probes: Probe[]; at: number } | null {
	if (row === null || row.probes === null) return null;
	const probes = (JSON.parse(row.probes) as Probe[]).map(shownProbe);
	return { probes, at: Number(row.state_since) };
}

/**
 * Removes server addresses from the coin when the reader has no form for them: a provider's URL may contain
 * a key.
 */
const offeredTo = ({ activate }: { activate: boolean }, coin: Coin): Coin =>
	activate
		? coin
		: { ...coin, nodes: [], bchdUrls: [], servers: [], socketServers: [], lightServers: [] };

export const load: PageServerLoad = async ({ locals, params, url }) => {
	const { app, requestId, identity } = locals;
	const { activations } = app;
	const may = mayTrade(identity);
	const coin = offeredTo(may, await coinOf(app, params.coin));
	const { nodes, node } = await requireKdf(activations, url);
	const before = may.activate ? await activationBefore(app, coin, node.id, url) : null;
	const method = methodOf(coin, url, before);
	const sent =
		before?.method === method && before !== null
			? (JSON.parse(before.params) as { [name: string]: Plain })
			: {};
	const evm = takesEvmForm(coin);
	const platformWay = method !== null && isPlatformMethod(method);
	const [servers, { tickers, failure }, last, native, tokens, sessions] = await Promise.all([
		may.activate ? activations.serversOf(coin, takesSockets(node)) : [],
		activations.active(node.id),
		activations.list({ node: node.id, coin: coin.ticker, limit: 5 }),
		method === 'enable' && may.activate && !evm
			? activations.native.facts(node.id, coin, requestId)
			: Promise.resolve(null),
		platformWay ? tokensOf(app, coin) : [],
		platformWay && may.admin ? sessionsOf(app, node.id) : []
	]);
	const held = await activeOf(app, { node: node.id, coin, tickers, may }, url);
	const blocked = may.activate
		? blockedBy({ coin, method, tickers, servers: servers.length, mayName: may.admin })
		: null;
	return {
		held,
		blocked,
		/** The platform of a token, which must be activated first. */
		platformFirst: blocked === null ? null : platformOf(coin),
		tested: testedBefore(before),
		usual: usualSwaps(coin),
		coin: {
			ticker: coin.ticker,
			name: coin.name,
			protocol: coin.protocol,
			mm2: coin.mm2,
			bchdUrls: coin.bchdUrls,
			lightServers: coin.lightServers,
			hardware: coin.hardware,
			contracts: hasContracts(coin),
			prefix: coin.signMessagePrefix !== null,
			path: coin.derivationPath
		},
		evmOfRelease: evm && node.dialect === 'kdf',
		several: nodes.length > 1,
		node: kdfView(node),
		may,
		method,
		ways: methodsFor(coin),
		active: tickers === null ? null : tickers.has(coin.ticker),
		silent:
			failure === null
				? null
				: redactedFor(
						may,
						explainActivation({ node: node.id, coin: coin.ticker, method: 'enable' }, failure)
					).what,
		servers: servers.map((server) => ({
			key: serverKey(server),
			url: server.url,
			protocol: server.protocol
		})),
		evm:
			evm && method !== null
				? {
						initial: evmFieldsAgain(sent, initialEvm({ coin, method, tokens }), {
							coin,
							mayName: may.admin
						}),
						nodes: coin.nodes,
						tokens: tokens.map(({ ticker, name }) => ({ ticker, name })),
						sessions,
						platform: platformOf(coin),
						released: node.dialect === 'kdf'
					}
				: null,
		initial:
			method === null
				? null
				: fieldsAgain(sent, initialFields({ coin, method, servers }), {
						coin,
						servers,
						mayName: may.admin
					}),
		sockets: takesSockets(node),
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
	test,
	activate,
	disable,
	swaps,
	import: importAddress
};
