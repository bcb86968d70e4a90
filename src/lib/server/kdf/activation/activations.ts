/**
 * Activation of coins on trading nodes: which coins can be activated, the open activations, and who may begin
 * or end them.
 */
import { isIP } from 'node:net';
import { demands } from '#lib/rpc/kdf/demands.ts';
import {
	kdfDefinition,
	type KdfMethod,
	type KdfParams,
	type KdfResult
} from '#lib/rpc/kdf/index.ts';
import type { Access } from '#lib/rpc/method.ts';
import { reported } from '#lib/rpc/tolerant.ts';
import type { Gateway } from '../../chains/daemon/types.ts';
import type { AuditTrail } from '../../platform/audit-trail/trail.ts';
import type { Config } from '../../platform/config/types.ts';
import type { Database } from '../../platform/database/database.ts';
import type { CodesOf } from '#lib/messages/errors/index.ts';
import { AppError, isAppError } from '../../platform/errors/appError.ts';
import type { RunnerParts } from '../../platform/jobs/runner.ts';
import { readListedPrivate, type ListedPrivate } from '../../platform/net/ranges.ts';
import type { Cipher } from '../../platform/secrets/encrypt.ts';
import type { KdfGateway, KdfInfo, MadeCall } from '../client/kdfTypes.ts';
import { createEgress, type Egress } from '../egress/egress.ts';
import type { ElectrumServer } from '../egress/electrumServer.ts';
import { readTarget, readUrl, targetText } from '../egress/target.ts';
import type { KdfTables } from '../tables.ts';
import { createActiveCoins } from './activeCoin.ts';
import { createCoins, type CoinBook, type Coins } from './coins/coins.ts';
import { hasContract, type Coin } from './coins/parse.ts';
import { firstState, type ActivationRow } from './transition.ts';
import { ActivationEngine } from './engine.ts';
import type { Failure } from '#lib/messages/errors/activation.ts';
import { serverKey } from './form/fields.ts';
import { isByNode, mayBeDone } from './failure.ts';
import { createHoldings, type Holdings } from './holdings.ts';
import { DEVICE, firstCallOf, type ActivationMethod } from './methods.ts';
import { createNative, type Native } from './native.ts';
import { newActivationId } from './newActivationId.ts';
import { noteAsked, noteChange } from './noteChange.ts';
import { kdfPortOver, pagePortOver, type KdfPort } from './kdfPort.ts';
import { createMemberChanges } from './memberChanges.ts';
import { createPads, holderOf, type Pads } from './pin.ts';
import type { Plain } from '../client/plain.ts';
import { createRemote, type Remote } from './remote.ts';
import { createListedServers, type FormerAdminRefusal, type ListedServers } from './servers.ts';
import { createSigning, type Signing } from './signing.ts';
import { isOpen } from './states.ts';
import { ActivationStore, type EventRow } from './store.ts';
import { createSwapSettings, type SwapSettings } from './swapSettings.ts';

/** Active coins of a node. `tickers` is null when the node does not answer now; `failure` then says why. */
export interface ActiveCoins {
	tickers: ReadonlySet<string> | null;
	failure: Failure | null;
}

export interface Activations {
	/** The configured trading nodes. */
	nodes(): Promise<KdfInfo[]>;
	coins: Coins;
	listed: ListedServers;
	egress: Egress;
	signing: Signing;
	native: Native;
	remote: Remote;
	pads: Pads;
	/**
	 * Returns the servers of a coin, from the coins file and the admin's list; with `sockets` also those for
	 * WebSockets.
	 */
	serversOf(coin: Coin, sockets: boolean): Promise<ElectrumServer[]>;
	/** Whether a server address or swap contract is listed for a coin, so that using it takes no admin. */
	isListed(ticker: string, url: string): Promise<boolean>;
	active(node: string): Promise<ActiveCoins>;
	/**
	 * Returns the coins that can sign messages, in the order of the coins file: the active ones, or those activated from
	 * here when the node cannot list them. `known`: whether the node listed them.
	 */
	signers(node: string): Promise<{ coins: Coin[]; known: boolean }>;
	/** Current balances of active coins. */
	holdings: Holdings;
	/** Reads an active coin for its page. */
	look: ReturnType<typeof createActiveCoins>;
	/** Returns the latest successful activation of a coin from here; null when it was activated elsewhere. */
	latestActive(node: string, coin: string): Promise<ActivationRow | null>;
	/** The newest activation of each coin of a node. */
	status: ActivationStore['status'];
	list: ActivationStore['list'];
	get(id: string): Promise<ActivationRow | null>;
	events(id: string): Promise<EventRow[]>;
	/**
	 * Returns the activation that waits for a task of a node, and who holds its PIN pad now; null when none does.
	 */
	workOf(
		node: string,
		task: { id: number; method: string }
	): Promise<{ id: string; by: string; pad: string | null } | null>;
	/**
	 * Begins an activation, or joins the open one of the same coin. `id`: the id under which it was counted;
	 * absent when nothing was counted.
	 */
	begin(asked: {
		id?: string;
		node: string;
		coin: string;
		method: ActivationMethod;
		params: { [name: string]: Plain };
		by: string;
	}): Promise<{ id: string; joined: boolean }>;
	/**
	 * Begins an ended activation once more, with the same parameters.
	 * @param next as the `id` of {@link begin}
	 * @throws {AppError} `activation`
	 */
	repeat(id: string, by: string, next?: string): Promise<{ id: string; joined: boolean }>;
	/**
	 * Requests the end of an activation.
	 * @throws {AppError} `activation.ended` with its final state, or `work.denied`
	 */
	cancel(id: string, by: string): Promise<void>;
	/** Makes the next try due immediately. @throws {AppError} `activation` */
	hurry(id: string, by: string): Promise<void>;
	/**
	 * Disables a coin. `passive`: whether it stays loaded for its tokens; null when the node does not report it.
	 * @throws {AppError} `activation.call-failed`
	 */
	disable(
		node: string,
		coin: string,
		force: boolean,
		by: string
	): Promise<{ passive: boolean | null }>;
	/**
	 * Changes what swaps of an active coin wait for, and returns what the node then has.
	 * @throws {AppError} `activation.call-failed`
	 */
	setSwaps(node: string, coin: string, swaps: SwapSettings, by: string): Promise<SwapSettings>;
	/** Allows calls to a node again after it refused the password. */
	confirm(node: string, by: string): Promise<KdfInfo | undefined>;
	start(): void;
	/** Advances all activations that are due now. */
	advanceDue(): Promise<void>;
	stop(): Promise<void>;
}

/** Decides who may begin activations, and end those of other members. */
interface ActivationRights {
	/**
	 * Returns why a node must not be asked to activate something for this member; null when it may.
	 * @param needs the access that the call requires
	 * @param act what is attempted: a refusal is then recorded
	 * @param id id of the activation
	 */
	activationRefusal(
		person: string,
		node: string,
		needs: Access,
		act: string,
		id: string
	): Promise<AppError<CodesOf<'wallet' | 'policy'>> | null>;
	/** Reverses what was counted for a member's activation when its node was asked for nothing. */
	giveBackActivation(person: string, id: string): Promise<void>;
	/**
	 * Returns why this member must not end an activation; null when they may.
	 * @param act what is attempted: a refusal is then recorded
	 */
	endRefusal(
		person: string,
		work: { kind: 'activation'; id: string; by: string; daemon: string },
		act: string
	): Promise<AppError<CodesOf<'wallet'>> | null>;
}

interface ActivationParts {
	db: Database<KdfTables>;
	audit: AuditTrail;
	cipher: Cipher;
	gateway: Gateway;
	nodes: KdfGateway;
	/** Decides who may begin activations, and end them. */
	rights: ActivationRights;
	refuseFormerAdmin: FormerAdminRefusal;
	config: Pick<Config, 'daemons' | 'coinsFile' | 'privateServers'>;
	/** Whether the coins file is that of devnet: its servers on this machine may be reached. */
	devnet: boolean;
	onError?: (error: unknown) => void;
	/** Called with the outcome of each step. */
	onStep?: RunnerParts['onStep'];
	news?: RunnerParts['news'];
	clock?: (() => number) | undefined;
}

/** Returns the servers of the coins file that are given by IP address: those of devnet on this machine. */
function onThisMachine({ coins }: CoinBook): ListedPrivate[] {
	const places = new Set([
		...coins.flatMap(({ servers }) => servers.map(({ url }) => url)),
		...coins.flatMap(({ nodes, lightServers }) =>
			[...nodes.map(({ url }) => url), ...lightServers].map((url) =>
				targetText(readUrl(url, ['http', 'https']).target)
			)
		)
	]);
	return [...places].flatMap((place) =>
		isIP(readTarget(place).host) === 0 ? [] : (readListedPrivate(place) ?? [])
	);
}

export async function createActivations(parts: ActivationParts): Promise<Activations> {
	const { db, audit, gateway, nodes: kdfGateway, config, devnet } = parts;
	const port: KdfPort = kdfPortOver(kdfGateway);
	const pagePort = pagePortOver(kdfGateway);
	const store = new ActivationStore({ db, audit, cipher: parts.cipher, clock: parts.clock });
	const changes = createMemberChanges({ db, audit, clock: parts.clock });
	const coins = createCoins(config.coinsFile);
	const listed = await createListedServers(db, audit, parts.refuseFormerAdmin);
	let own: ListedPrivate[] = [];
	const open = createEgress({
		listed: () => [...config.privateServers, ...listed.opened(), ...own]
	});
	const lookAtOwn = async (): Promise<void> => {
		if (devnet) own = onThisMachine(await coins.book());
	};
	const egress: Egress = {
		dial: async (target, options) => {
			await lookAtOwn();
			return open.dial(target, options);
		},
		http: async (address, options) => {
			await lookAtOwn();
			return open.http(address, options);
		},
		webSocket: async (address, options) => {
			await lookAtOwn();
			return open.webSocket(address, options);
		}
	};
	const engine = new ActivationEngine({
		nodes: port,
		egress,
		store,
		refusal: refusalOf,
		onUnasked: ({ id, begun_by: person }) => parts.rights.giveBackActivation(person, id),
		listener: (node) => kdfGateway.listener(node),
		onError: parts.onError,
		onStep: parts.onStep,
		news: parts.news
	});
	const { runner } = engine;
	// In the background queue: balances of coins with slow servers must not delay calls that members make.
	const background = kdfPortOver(kdfGateway, { priority: 'background' });
	const holdings = createHoldings(background, Date.now, pagePort);
	const swaps = createSwapSettings(db, parts.clock);
	const latest = (node: string, tickers: readonly string[]) => store.latestActive(node, tickers);

	async function serversOfCoin(coin: Coin, sockets: boolean): Promise<ElectrumServer[]> {
		const added = (await listed.list()).filter((one) => one.coin === coin.ticker);
		const known = new Set(added.map(serverKey));
		return [
			...[...coin.servers, ...(sockets ? coin.socketServers : [])].filter(
				(server) => !known.has(serverKey(server))
			),
			...added.map(({ url, protocol, disable_cert_verification: any }) => ({
				url,
				protocol,
				...(any === true ? { disable_cert_verification: true } : {})
			}))
		];
	}

	async function isListed(ticker: string, url: string): Promise<boolean> {
		const coin = await coins.find(ticker);
		if (!coin) return false;
		if (coin.bchdUrls.includes(url) || coin.lightServers.includes(url)) return true;
		if (coin.nodes.some((one) => one.url === url || one.ws_url === url)) return true;
		if (hasContract(coin, url)) return true;
		return (await serversOfCoin(coin, true)).some((server) => server.url === url);
	}

	/**
	 * Returns why the member who began an activation may not have it begin now: account, role, rules or
	 * server lists may have changed since.
	 */
	async function refusalOf(row: ActivationRow): Promise<Failure | null> {
		const { node, method, params, begun_by: person } = row;
		if (row.unreadable === true) {
			return { kind: 'refused', type: 'RequestUnreadable', message: '', data: null };
		}
		const call = firstCallOf(method);
		const { access, servers } = demands(call, JSON.parse(params) as KdfParams<KdfMethod>);
		const listed = await Promise.all(servers.map(({ ticker, url }) => isListed(ticker, url)));
		const needs = listed.includes(false) ? 'admin' : access;
		const act = kdfDefinition(call).name;
		const no = await parts.rights.activationRefusal(person, node, needs, act, row.id);
		if (no === null) return null;
		const closed = no.code === 'wallet.account-closed';
		const rule = 'rule' in no.params ? no.params.rule : null;
		const data = { person, closed, rule };
		return { kind: 'refused', type: 'NotAllowedNow', message: '', data };
	}

	async function existing(id: string): Promise<ActivationRow> {
		const row = await store.get(id);
		if (row) return row;
		throw new AppError('activation.unknown');
	}

	async function begin(
		asked: Parameters<Activations['begin']>[0] & {
			repeats?: string;
		}
	): Promise<{ id: string; joined: boolean }> {
		const params = JSON.stringify(asked.params);
		const begun = await store.begin({
			id: newActivationId(),
			...asked,
			params,
			state: firstState(params)
		});
		runner.wake();
		return begun;
	}

	const onError = parts.onError ?? (() => undefined);
	async function asking(node: string, made: MadeCall): Promise<() => Promise<void>> {
		const takeBack = await noteAsked(swaps, node, made);
		// The caller gets the node's answer even if this fails.
		return () => takeBack().catch(onError);
	}
	kdfGateway.watch({
		asking,
		async taken(node, taken) {
			try {
				await noteChange({ holdings, swaps, store }, node, taken);
			} catch (error) {
				// The node has executed the call: its answer is returned even if this fails.
				onError(error);
			}
		}
	});
	/** Makes a call for a page that changes what swaps wait for. */
	async function change<M extends KdfMethod>(
		node: string,
		method: M,
		params: KdfParams<M>
	): Promise<KdfResult<M>> {
		const takeBack = await asking(node, { method, params });
		try {
			return await port.call(node, method, params);
		} catch (error) {
			const failure = isAppError(error, 'activation.call-failed') ? error.params.failure : null;
			if (failure !== null && !mayBeDone(failure) && failure.kind !== 'misfit') await takeBack();
			throw error;
		}
	}

	async function active(node: string): Promise<ActiveCoins> {
		try {
			const enabled = await pagePort.call(node, 'get_enabled_coins', {});
			return { tickers: new Set(enabled.coins.map(({ ticker }) => ticker)), failure: null };
		} catch (error) {
			if (!isAppError(error, 'activation.call-failed')) throw error;
			return { tickers: null, failure: error.params.failure };
		}
	}

	return {
		nodes: () => kdfGateway.nodes(),
		coins,
		listed,
		egress,
		signing: createSigning(port),
		native: createNative({ gateway, nodes: pagePort, audit, daemons: config.daemons, coins }),
		remote: createRemote(port, pagePort, audit),
		pads: createPads(store, changes, port),
		serversOf: serversOfCoin,
		isListed,
		active,
		async signers(node) {
			const [{ coins: all }, { tickers, failure }] = await Promise.all([
				coins.book(),
				active(node)
			]);
			const cannotList = failure !== null && isByNode(failure);
			const fromHere = cannotList ? await store.status(node) : null;
			const signs = ({ ticker }: Coin): boolean =>
				tickers?.has(ticker) ?? fromHere?.get(ticker)?.state === 'active';
			return { coins: all.filter(signs), known: tickers !== null };
		},
		holdings,
		look: createActiveCoins({ pages: pagePort, holdings, swaps, latest }),
		latestActive: async (node, coin) => (await latest(node, [coin])).get(coin) ?? null,
		status: (node) => store.status(node),
		list: (filter) => store.list(filter),
		get: (id) => store.get(id),
		events: (id) => store.events(id),
		async workOf(node, task) {
			const row = await store.ofTask(node, task);
			return row && { id: row.id, by: row.begun_by, pad: holderOf(row, store.now) };
		},
		begin,
		async repeat(id, by, next = newActivationId()) {
			const row = await existing(id);
			if (isOpen(row.state)) return { id, joined: true };
			if (row.unreadable === true) throw new AppError('activation.unreadable');
			return begin({
				id: next,
				node: row.node,
				coin: row.coin,
				method: row.method,
				params: JSON.parse(row.params) as { [name: string]: Plain },
				by,
				repeats: id
			});
		},
		async cancel(id, by) {
			const row = await existing(id);
			const work = { kind: 'activation', id, by: row.begun_by, daemon: row.node } as const;
			const no = await parts.rights.endRefusal(by, work, 'activation cancelled');
			if (no !== null) throw new AppError('work.denied', { why: no.coded, certain: 'not-ended' });
			if (isOpen(row.state) && (await changes.cancel(id, by))) {
				runner.wake();
				return;
			}
			const now = await existing(id);
			const coin = now.coin === DEVICE ? null : now.coin;
			throw new AppError('activation.ended', { coin, state: now.state });
		},
		async hurry(id, by) {
			await existing(id);
			if (!(await changes.hurry(id, by))) {
				throw new AppError('activation.not-waiting');
			}
			runner.wake();
		},
		async disable(node, coin, force, by) {
			await audit.append({
				actor: by,
				action: 'coin.disabled',
				target: coin,
				detail: { node, force }
			});
			const { result } = await change(node, 'disable_coin', {
				coin,
				...(force ? { force_disable: true } : {})
			});
			holdings.forget(node, coin);
			await swaps.forget(node, coin);
			return { passive: reported(result, 'passivized') ?? null };
		},
		async setSwaps(node, coin, { confirmations, notarization }, by) {
			await audit.append({
				actor: by,
				action: 'coin.settings',
				target: coin,
				detail: { node, confirmations, notarization }
			});
			const first = await change(node, 'set_required_confirmations', { coin, confirmations });
			const taken = first.result.confirmations;
			await swaps.save(node, coin, { confirmations: taken });
			const second = await change(node, 'set_requires_notarization', {
				coin,
				requires_notarization: notarization
			});
			const waits = second.result.requires_notarization;
			await swaps.save(node, coin, { notarization: waits });
			return { confirmations: taken, notarization: waits };
		},
		confirm: (node, by) => kdfGateway.confirm(node, by),
		start() {
			kdfGateway.listen((node, task) => void engine.hint(node, task).catch(onError));
			runner.start();
		},
		advanceDue: () => runner.advanceDue(),
		stop: () => engine.stop()
	};
}
