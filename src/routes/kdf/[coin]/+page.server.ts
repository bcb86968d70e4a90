import { error, fail, redirect } from '@sveltejs/kit';
import qrcode from 'qrcode-generator';
import { activeCoin as activeWords } from '#lib/messages/pages/kdfActive.ts';
import { denialSentence } from '#lib/messages/denials.ts';
import type { Failure } from '#lib/messages/errors/activation.ts';
import { kdfCoin as words, kdfList } from '#lib/messages/pages/kdf.ts';
import {
	activationForm,
	evmForm as evmWords,
	utxoForm as utxoWords
} from '#lib/messages/pages/kdfActivation.ts';
import type { App as Komodeck } from '#lib/server/app.ts';
import type { Coin } from '#lib/server/kdf/activation/coins/parse.ts';
import {
	chosenNodes,
	evmTypedOf,
	initialEvm,
	isPlatformMethod,
	platformOf,
	readEvmForm,
	takesEvmForm,
	type EvmErrors,
	type EvmTyped
} from '#lib/server/kdf/activation/evmForm.ts';
import {
	chosenServers,
	hasContracts,
	initialFields,
	isShielded,
	methodsFor,
	readForm,
	serverKey,
	typedOf,
	usesServers,
	type FormErrors,
	type Offer,
	type Typed
} from '#lib/server/kdf/activation/form.ts';
import { isInternal } from '#lib/server/kdf/activation/balances.ts';
import { isNoSuchCoin } from '#lib/server/kdf/activation/failure.ts';
import { totalOf, type HoldingSeen } from '#lib/server/kdf/activation/holdings.ts';
import { qrPath } from '#lib/ui/qr.ts';
import { isActivationMethod, type ActivationMethod } from '#lib/server/kdf/activation/methods.ts';
import { evmFieldsAgain, fieldsAgain } from '#lib/server/kdf/activation/typedAgain.ts';
import type { ActivationRow } from '#lib/server/kdf/activation/transition.ts';
import { explainActivation } from '#lib/server/kdf/activation/words.ts';
import type { Plain } from '#lib/server/kdf/client/plain.ts';
import type { KdfInfo } from '#lib/server/kdf/client/kdfTypes.ts';
import { requireMember } from '../../requireMember.ts';
import { probeAll, type Probe } from '#lib/server/kdf/egress/electrum.ts';
import { probeAllEvm } from '#lib/server/kdf/egress/evm.ts';
import { probeAllLight } from '#lib/server/kdf/egress/lightwalletd.ts';
import { shownProbe } from '../probes.ts';
import { chosenKdf, mayTrade, kdfView } from '../node.ts';
import type { Actions, PageServerLoad } from './$types';
import { readForm as readTexts, text } from '#lib/server/platform/http/readForm.ts';
import { isAppError } from '#lib/server/platform/errors/appError.ts';
import { explainDaemon } from '#lib/messages/explained/daemon.ts';

async function coinOf({ activations }: Komodeck, ticker: string): Promise<Coin> {
	const coin = await activations.coins.find(ticker);
	return (
		coin ??
		error(404, {
			message: activationForm.noSuchCoin(ticker.slice(0, 64))
		})
	);
}

/** A released node uses servers for WebSockets in browsers only (KDF 2.5.1). */
const takesSockets = ({ dialect }: KdfInfo): boolean => dialect === 'seed';

/** The way of the address, else that of `before`, else the usual one of the coin; null when there is none. */
function methodOf(
	coin: Coin,
	url: URL,
	before: ActivationRow | null = null
): ActivationMethod | null {
	const ways = methodsFor(coin);
	const wanted = url.searchParams.get('method') ?? '';
	return (
		(isActivationMethod(wanted) ? ways.find((way) => way === wanted) : null) ??
		ways.find((way) => way === before?.method) ??
		ways[0] ??
		null
	);
}

/** The activation that the form begins with: the one that the address names, else the one by which the coin is active. */
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

const whole = (url: URL, name: string, least: number): number => {
	const text = url.searchParams.get(name) ?? '';
	return /^\d{1,9}$/.test(text) ? Math.max(least, Number(text)) : least;
};

/** More would let a swap wait for ever. */
const MOST_CONFIRMATIONS = 1_000;

/** What swaps wait for where the coins file says nothing (interface document). */
const usualSwaps = ({ requiredConfirmations, requiresNotarization }: Coin) => ({
	confirmations: requiredConfirmations ?? 3,
	notarization: requiresNotarization ?? false
});

const codeOf = (address: string) => qrPath(qrcode, address);

/** How long the page waits for a balance, and for those of tokens. Milliseconds. */
const WAIT_MS = 700;

/** What an active coin holds, and what became of it; null for a coin that is not known to be active. */
async function activeOf(
	{ activations }: Komodeck,
	node: string,
	coin: Coin,
	tickers: ReadonlySet<string> | null,
	url: URL
) {
	if (!tickers?.has(coin.ticker)) return null;
	const seen = await activations.look({
		node,
		coin,
		coins: (await activations.coins.book()).coins,
		tickers,
		part: {
			account: whole(url, 'account', 0),
			page: whole(url, 'page', 1),
			history: whole(url, 'history', 1)
		},
		waitMs: WAIT_MS
	});
	const problem = (ticker: string, failure: Failure | null): string | null =>
		failure === null
			? null
			: isNoSuchCoin(failure)
				? activeWords.passive(ticker)
				: explainActivation({ node, coin: ticker, method: 'enable' }, failure).what;
	const shown = ({ holding, failure }: HoldingSeen, ticker: string) => ({
		total: holding === null ? null : totalOf(ticker, holding),
		at: holding?.at ?? null,
		problem: problem(ticker, failure),
		isAsked: holding === null && failure === null
	});
	const { holding, history, tokens } = seen;
	const receiving = holding?.lines[0]?.address ?? null;
	return {
		...shown(seen, coin.ticker),
		isNft: coin.protocol === 'NFT',
		address: receiving,
		qr: receiving === null ? null : codeOf(receiving),
		account: holding?.account ?? null,
		page: whole(url, 'page', 1),
		lines:
			holding === null || holding.account === null
				? []
				: holding.lines.map((line) => ({ ...line, isInternal: isInternal(line.path) })),
		further: holding?.further ?? 0,
		tokens: tokens.map((token) => ({
			ticker: token.ticker,
			name: token.name,
			confirmations: token.swaps?.confirmations ?? null,
			...shown(token, token.ticker)
		})),
		furtherTokens: seen.furtherTokens,
		nfts: seen.nfts,
		history:
			history?.kind === 'failed'
				? { kind: history.kind, problem: problem(coin.ticker, history.failure) }
				: history,
		swaps: seen.swaps
	};
}

/** Why a coin cannot be activated this way now, as a sentence; null when it can be tried. */
function blockedBy({
	coin,
	method,
	tickers,
	servers,
	mayName
}: {
	coin: Coin;
	method: ActivationMethod | null;
	tickers: ReadonlySet<string> | null;
	servers: number;
	mayName: boolean;
}): string | null {
	const { ticker } = coin;
	const platform = platformOf(coin);
	const isPart = method === 'enable_erc20' || method === 'enable_nft';
	if (isPart && platform !== null && tickers?.has(platform) === false) {
		return activationForm.platformFirst(ticker, platform);
	}
	// An admin may name servers, and who provides NFTs.
	if (mayName || method === null) return null;
	if (method === 'enable_nft') return evmWords.noNftIndexer;
	if (takesEvmForm(coin)) {
		return isPart || coin.nodes.length > 0 ? null : evmWords.noEndpoints(ticker, false);
	}
	if (usesServers(method) && servers === 0) return utxoWords.noServers(ticker, false);
	return isShielded(method) && coin.lightServers.length === 0
		? utxoWords.light.noServers(ticker, false)
		: null;
}

/** What the test of servers gave at an earlier activation; null where there was none. */
function testedBefore(row: ActivationRow | null): { probes: Probe[]; at: number } | null {
	if (row === null || row.probes === null) return null;
	const probes = (JSON.parse(row.probes) as Probe[]).map(shownProbe);
	return { probes, at: Number(row.state_since) };
}

/** Tokens of a platform in the coins file. */
async function tokensOf({ activations }: Komodeck, { ticker }: Coin): Promise<Coin[]> {
	const { coins } = await activations.coins.book();
	return coins.filter((coin) => coin.protocol === 'ERC20' && platformOf(coin) === ticker);
}

/** Connections to remote signers; none where the node does not say. */
async function sessionsOf({ activations }: Komodeck, node: string) {
	try {
		return await activations.remote.sessions(node);
	} catch (cause) {
		if (!isAppError(cause, 'activation.call-failed')) throw cause;
		return [];
	}
}

const evmRefused = (typed: EvmTyped, errors: EvmErrors) => fail(400, { evm: { typed, errors } });

/** The form again with what was typed, and what is wrong with it. */
const refused = (
	status: number,
	typed: Typed | null,
	errors: FormErrors,
	problem: string | null,
	said?: string
) => fail(status, { typed, errors, problem, said });

export const load: PageServerLoad = async ({ locals, params, url }) => {
	const { app, requestId, identity } = locals;
	const { activations } = app;
	const coin = await coinOf(app, params.coin);
	const { nodes, node } = await chosenKdf(activations, url);
	if (node === null) error(404, { message: kdfList.notConfigured });
	const may = mayTrade(identity);
	const before = may.activate ? await activationBefore(app, coin, node.id, url) : null;
	const method = methodOf(coin, url, before);
	const sent =
		before?.method === method && before !== null
			? (JSON.parse(before.params) as { [name: string]: Plain })
			: {};
	const evm = takesEvmForm(coin);
	const platformWay = method !== null && isPlatformMethod(method);
	const [servers, { tickers, failure }, last, native, tokens, sessions] = await Promise.all([
		activations.serversOf(coin, takesSockets(node)),
		activations.active(node.id),
		activations.list({ node: node.id, coin: coin.ticker, limit: 5 }),
		method === 'enable' && may.activate && !evm
			? activations.native.facts(node.id, coin, requestId)
			: Promise.resolve(null),
		platformWay ? tokensOf(app, coin) : [],
		platformWay && may.admin ? sessionsOf(app, node.id) : []
	]);
	const held = await activeOf(app, node.id, coin, tickers, url);
	const blocked = may.activate
		? blockedBy({ coin, method, tickers, servers: servers.length, mayName: may.admin })
		: null;
	return {
		held,
		blocked,
		/** The platform of a token that has to be activated first. */
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
				: explainActivation({ node: node.id, coin: coin.ticker, method: 'enable' }, failure).what,
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
						sessions: sessions.map(({ topic, name }) => ({ topic, name })),
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
	/** Looks at the chosen servers without activating anything. */
	test: async ({ request, locals, params, url }) => {
		const { activations } = locals.app;
		const coin = await coinOf(locals.app, params.coin);
		const { node } = await chosenKdf(activations, url);
		const method = methodOf(coin, url);
		if (node === null || method === null) error(404, { message: activationForm.noMethod });
		const mayName = mayTrade(locals.identity).admin;
		const form = await request.formData();
		if (takesEvmForm(coin)) {
			const typed = evmTypedOf(form);
			const offer = { coin, method, tokens: [], sessions: [], mayName };
			const { urls, errors } = chosenNodes(typed, offer);
			if (Object.keys(errors).length > 0) return evmRefused(typed, errors);
			const probes = await probeAllEvm(activations.egress, urls);
			return { evm: { typed, errors: {} }, probes: probes.map(shownProbe) };
		}
		const typed = typedOf(form);
		const offer: Offer = {
			coin,
			method,
			servers: await activations.serversOf(coin, takesSockets(node)),
			sockets: takesSockets(node),
			mayName
		};
		const { servers, lightServers, errors } = chosenServers(typed, offer);
		if (Object.keys(errors).length > 0) return refused(400, typed, errors, null);
		const probes = await Promise.all([
			probeAll(activations.egress, servers),
			probeAllLight(activations.egress, lightServers)
		]);
		return { typed, errors: {}, probes: probes.flat().map(shownProbe) };
	},

	activate: async ({ request, locals, params, url }) => {
		const member = requireMember(locals);
		const { account } = member;
		const { activations, policy } = locals.app;
		const coin = await coinOf(locals.app, params.coin);
		const { node } = await chosenKdf(activations, url);
		const method = methodOf(coin, url);
		if (node === null || method === null) error(404, { message: activationForm.noMethod });
		const form = await request.formData();
		const begin = async (asked: Parameters<typeof activations.begin>[0]['params']) => {
			const denial = await policy.authorizeActivation(member, node.id, {
				method,
				coin: coin.ticker
			});
			if (denial !== null) {
				const problem = denialSentence(denial);
				return takesEvmForm(coin)
					? fail(403, { evm: { typed: evmTypedOf(form), errors: {} }, problem })
					: refused(403, typedOf(form), {}, problem);
			}
			const { id, joined } = await activations.begin({
				node: node.id,
				coin: coin.ticker,
				method,
				params: asked,
				by: account.name
			});
			redirect(303, `/kdf/tasks/${id}${joined ? '?joined=1' : ''}`);
		};
		if (takesEvmForm(coin)) {
			const typed = evmTypedOf(form);
			const wantsSigner = typed.key === 'remote';
			const read = readEvmForm(typed, {
				coin,
				method,
				tokens: await tokensOf(locals.app, coin),
				sessions: wantsSigner
					? (await sessionsOf(locals.app, node.id)).map(({ topic }) => topic)
					: [],
				mayName: mayTrade(locals.identity).admin
			});
			return read.ok ? begin(read.params) : evmRefused(typed, read.errors);
		}
		const typed = typedOf(form);
		const offer: Offer = {
			coin,
			method,
			servers: await activations.serversOf(coin, takesSockets(node)),
			sockets: takesSockets(node),
			mayName: mayTrade(locals.identity).admin
		};
		const read = readForm(typed, offer);
		if (!read.ok) return refused(400, typed, read.errors, null);
		return begin(read.params);
	},

	disable: async ({ request, locals, params, url }) => {
		const { account } = requireMember(locals);
		if (!mayTrade(locals.identity).admin) error(403, { message: kdfList.adminOnly });
		const coin = await coinOf(locals.app, params.coin);
		const { node } = await chosenKdf(locals.app.activations, url);
		if (node === null) error(404, { message: kdfList.notConfigured });
		const force = (await request.formData()).get('force') === 'yes';
		try {
			const { passive } = await locals.app.activations.disable(
				node.id,
				coin.ticker,
				force,
				account.name
			);
			return {
				done: words.disabled(coin.ticker, passive)
			};
		} catch (cause) {
			if (!isAppError(cause, 'activation.call-failed')) throw cause;
			const {
				what,
				next,
				said: told
			} = explainActivation(
				{ node: node.id, coin: coin.ticker, method: 'enable' },
				cause.params.failure
			);
			return refused(409, null, {}, `${what} ${next}`, told);
		}
	},

	swaps: async ({ request, locals, params, url }) => {
		const { account } = requireMember(locals);
		if (!mayTrade(locals.identity).admin) error(403, { message: kdfList.adminOnly });
		const coin = await coinOf(locals.app, params.coin);
		const { node } = await chosenKdf(locals.app.activations, url);
		if (node === null) error(404, { message: kdfList.notConfigured });
		const typed = await readTexts(request, { confirmations: text, notarization: text });
		const { swaps: said } = activeWords;
		if (
			!/^\d{1,4}$/.test(typed.confirmations) ||
			Number(typed.confirmations) > MOST_CONFIRMATIONS
		) {
			return fail(400, { swaps: { typed, errors: { confirmations: said.fault } } });
		}
		const wanted = {
			confirmations: Number(typed.confirmations),
			notarization: typed.notarization === 'yes'
		};
		try {
			const { activations } = locals.app;
			const now = await activations.setSwaps(node.id, coin.ticker, wanted, account.name);
			const done = said.done(coin.ticker, now.confirmations, now.notarization);
			const more =
				wanted.notarization && !now.notarization ? ` ${said.notNotarized(coin.ticker)}` : '';
			return { done: `${done}${more}` };
		} catch (cause) {
			if (!isAppError(cause, 'activation.call-failed')) throw cause;
			const {
				what,
				next,
				said: told
			} = explainActivation(
				{ node: node.id, coin: coin.ticker, method: 'enable' },
				cause.params.failure
			);
			return refused(409, null, {}, `${what} ${next}`, told);
		}
	},

	import: async ({ request, locals, params, url }) => {
		const { account } = requireMember(locals);
		if (!mayTrade(locals.identity).admin) error(403, { message: kdfList.adminOnly });
		const coin = await coinOf(locals.app, params.coin);
		const { node } = await chosenKdf(locals.app.activations, url);
		if (node === null) error(404, { message: kdfList.notConfigured });
		const rescan = (await request.formData()).get('rescan') === 'yes';
		try {
			const { daemon, address } = await locals.app.activations.native.importAddress(
				node.id,
				coin,
				rescan,
				account.name
			);
			return { done: words.watched(daemon, address) };
		} catch (cause) {
			if (isAppError(cause, 'daemon')) {
				const { what, next } = explainDaemon(cause.coded);
				return refused(502, null, {}, `${what} ${next}`);
			}
			if (!isAppError(cause, 'activation')) throw cause;
			return refused(409, null, {}, cause.message);
		}
	}
};
