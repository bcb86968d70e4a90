/**
 * Activation of coins on trading nodes: which coins can be activated, the open activations, and who may begin
 * or end them.
 */
import type { Gateway } from '../chains/daemon/types.ts';
import type { AuditTrail } from '../platform/audit-trail/trail.ts';
import type { Config } from '../platform/config/types.ts';
import type { Database } from '../platform/database/database.ts';
import { AppError } from '../platform/errors/appError.ts';
import type { RunnerParts } from '../platform/jobs/runner.ts';
import type { Cipher } from '../platform/secrets/encrypt.ts';
import type { KdfGateway, KdfInfo } from './client/kdfTypes.ts';
import type { Egress } from './egress/egress.ts';
import type { KdfTables } from './tables.ts';
import { createActiveCoins } from './holdings/activeCoin.ts';
import { createActiveList, type ActiveList } from './holdings/activeList.ts';
import { createCoinChanges, type CoinChanges } from './holdings/coinChanges.ts';
import { createCoinEgress } from './servers/coinEgress.ts';
import { createCoinServers, type CoinServers } from './servers/coinServers.ts';
import { createCoins, type Coins } from './coins/coins.ts';
import type { ActivationRow } from './activation/activationRow.ts';
import { firstState } from './servers/namedServers.ts';
import { ActivationEngine } from './activation/engine.ts';
import { createHoldings, type Holdings } from './holdings/holdings.ts';
import { DEVICE, type ActivationMethod } from './coins/methods.ts';
import { createNative, type Native } from './activation/native.ts';
import { newActivationId } from './activation/newActivationId.ts';
import {
	judgedPort,
	kdfPortOver,
	pagePortOver,
	type JudgeCall,
	type KdfPort
} from './calls/kdfPort.ts';
import { createMemberChanges } from './activation/memberChanges.ts';
import { createPads, holderOf, type Pads } from './activation/pads.ts';
import type { Plain } from './client/plain.ts';
import { createRemote, type Remote } from './remote-signers/remote.ts';
import {
	createListedServers,
	type FormerAdminRefusal,
	type ListedServers,
	type ServerAdmin
} from './servers/listedServers.ts';
import { createSigning, type Signing } from './signing/signing.ts';
import { refusalOf, type ActivationRights } from './activation/rights.ts';
import { isOpen } from './activation/states.ts';
import { ActivationStore, type EventRow } from './activation/store.ts';
import { createSwapSettings } from './holdings/swapSettings.ts';

export interface Activations extends ActiveList, CoinChanges, CoinServers {
	/** The configured trading nodes. */
	nodes(): Promise<KdfInfo[]>;
	coins: Coins;
	listed: ListedServers;
	egress: Egress;
	/** Reads which address would sign. */
	signing: Pick<Signing, 'signer'>;
	/**
	 * Signs, and has addresses listed, for a member.
	 * @param judge decides about each call right before it is sent
	 */
	signingBy(judge: JudgeCall): Signing;
	native: Native;
	remote: Remote;
	pads: Pads;
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
	 * Allows calls to a node again after it refused the password.
	 * @throws {AppError} `account.not-admin`
	 */
	confirm(node: string, by: ServerAdmin): Promise<KdfInfo | undefined>;
	start(): void;
	/** Advances all activations that are due now. */
	advanceDue(): Promise<void>;
	stop(): Promise<void>;
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

export async function createActivations(parts: ActivationParts): Promise<Activations> {
	const { db, audit, gateway, nodes: kdfGateway, config, devnet } = parts;
	const onError = parts.onError ?? (() => undefined);
	const port: KdfPort = kdfPortOver(kdfGateway);
	const pagePort = pagePortOver(kdfGateway);
	const store = new ActivationStore({ db, audit, cipher: parts.cipher, clock: parts.clock });
	const changes = createMemberChanges({ db, audit, clock: parts.clock });
	const coins = createCoins(config.coinsFile);
	const listed = createListedServers(db, audit, parts.refuseFormerAdmin);
	const servers = createCoinServers(coins, listed);
	const egress = createCoinEgress({
		coins,
		listed: async () => [...config.privateServers, ...(await listed.opened())],
		devnet
	});
	const engine = new ActivationEngine({
		nodes: port,
		egress,
		store,
		refusal: (row) => refusalOf(parts.rights, servers, row),
		onUnrequested: ({ id, begun_by: person }) => parts.rights.giveBackActivation(person, id),
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

	return {
		nodes: () => kdfGateway.nodes(),
		coins,
		listed,
		egress,
		signing: createSigning(port),
		signingBy: (judge) => createSigning(judgedPort(port, judge)),
		native: createNative({ gateway, nodes: pagePort, audit, daemons: config.daemons, coins }),
		remote: createRemote(port, pagePort, audit),
		pads: createPads(store, changes, port),
		...servers,
		...createActiveList(pagePort, coins, store),
		...createCoinChanges({ port, nodes: kdfGateway, audit, holdings, swaps, store, onError }),
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
		confirm: (node, by) =>
			kdfGateway.confirm(node, by.name, (entry) =>
				db.transaction().execute(async (trx) => {
					await audit.append(entry, trx);
					await parts.refuseFormerAdmin(trx, by);
				})
			),
		start() {
			kdfGateway.listen((node, task) => void engine.hint(node, task).catch(onError));
			runner.start();
		},
		advanceDue: () => runner.advanceDue(),
		stop: () => engine.stop()
	};
}
