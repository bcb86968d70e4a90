/**
 * Real processes: a devnet, one or several servers of the product over one database, and optional proxies
 * between them.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { formatCoins, parseCoins } from '#lib/chain/amount.ts';
import {
	ARRIVED,
	BEFORE_BURN,
	type MigrationState
} from '#lib/server/cross-chain/migration/states.ts';
import { openDatabase, type Db } from '#lib/server/database.ts';
import { startDevnetProcess, type DevnetProcess } from '../../support/devnet.ts';
import { startProduct, type Product } from '../../support/product.ts';
import { signIn, type ProductClient } from '../../support/productClient.ts';
import { startFaultProxy, type FaultProxy, type NextFault } from './faultProxy.ts';
import { judge, type ChainBurn, type ChainImport, type Findings, type Row } from './judge.ts';
import type { Chance } from './random.ts';
import type { Tally } from './tally.ts';

const CHAINS = ['KMD', 'ALPHA', 'BETA'] as const;
const ROUTES = [
	{ source: 'ALPHA', destination: 'BETA' },
	{ source: 'BETA', destination: 'ALPHA' }
] as const;
/** States that a migration does not leave without a member. */
const ENDS: readonly MigrationState[] = [...ARRIVED, 'stuck', 'discarded', 'needs-approval'];

export interface WorldOptions {
	name: string;
	chance: Chance;
	tally: Tally;
	/** Number of servers over one database; more than one needs PostgreSQL. */
	replicas?: number;
	databaseUrl?: string;
	nextFault?: NextFault;
	/** The data folder; by default a temporary one. */
	folder?: string;
	/** Further settings of the server. */
	env?: Record<string, string>;
}

export class World {
	readonly options: WorldOptions;
	readonly folder: string;
	devnet: DevnetProcess;
	products: Product[] = [];
	db!: Db;
	#client!: ProductClient;
	readonly #proxies = new Map<string, FaultProxy & { target: { url: string } }>();
	/** Heights and burns that existed before the first migration. */
	readonly #before = new Map<string, { height: number; burns: Set<string> }>();
	#amounts = 0;

	private constructor(options: WorldOptions, folder: string, devnet: DevnetProcess) {
		this.options = options;
		this.folder = folder;
		this.devnet = devnet;
	}

	static async open(options: WorldOptions): Promise<World> {
		const folder = options.folder ?? mkdtempSync(join(tmpdir(), 'komodeck-faults-'));
		const dir = mkdtempSync(join(tmpdir(), 'komodeck-faults-devnet-'));
		const devnet = await startDevnetProcess({ dir });
		const world = new World(options, folder, devnet);
		try {
			await world.#begin();
			return world;
		} catch (error) {
			await world.close();
			throw error;
		}
	}

	get #config(): string {
		return join(this.folder, 'komodeck.json');
	}

	get dataDir(): string {
		return join(this.folder, 'data');
	}

	async #begin(): Promise<void> {
		const daemons = [];
		for (const chain of CHAINS) {
			const { url, user, password } = this.devnet.chains.get(chain)!;
			const target = { url };
			const proxy = await startFaultProxy(target, this.options.nextFault ?? (() => null));
			this.#proxies.set(chain, { ...proxy, target });
			daemons.push({ chain, url: proxy.url, user, password });
			const { blocks } = await this.devnet.rpc<{ blocks: number }>(chain, 'getinfo');
			this.#before.set(chain, { height: blocks, burns: new Set(await this.#burnsOf(chain)) });
		}
		mkdirSync(this.dataDir, { recursive: true });
		writeFileSync(this.#config, JSON.stringify({ daemons }));
		const { replicas = 1, databaseUrl } = this.options;
		for (let n = 0; n < replicas; n++) this.products.push(await this.#launch());
		this.#client = await signIn(this.products[0]!.url);
		this.db = await openDatabase({
			dataDir: this.dataDir,
			...(databaseUrl === undefined ? {} : { url: databaseUrl })
		});
	}

	#launch(port?: number): Promise<Product> {
		const { databaseUrl, env } = this.options;
		return startProduct({ dataDir: this.dataDir, config: this.#config, port, databaseUrl, env });
	}

	/** Kills a server as `kill -9` does, and starts it again at its port. */
	async killServer(n: number): Promise<void> {
		const product = this.products[n]!;
		this.options.tally.count('kills', 'server');
		await product.kill();
		this.products[n] = await this.#launch(product.port);
	}

	/** Stops a server in an orderly way, as for an update, and starts it again at its port. */
	async rollServer(n: number): Promise<void> {
		const product = this.products[n]!;
		this.options.tally.count('runs', `rolled servers of ${this.options.name}`);
		await product.stop();
		this.products[n] = await this.#launch(product.port);
	}

	/** Kills devnet and starts it again: transactions in its mempools may be lost. */
	async killDevnet(): Promise<void> {
		this.options.tally.count('kills', 'devnet');
		const { process: child, dir, basePort } = this.devnet;
		const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()));
		child.kill('SIGKILL');
		await gone;
		this.devnet = await startDevnetProcess({ dir, basePort });
	}

	/** Blocks and notarizations by the rest of the network; a devnet that is not running makes none. */
	async round(): Promise<void> {
		const { control } = this.devnet;
		try {
			for (const { source } of ROUTES) await control.mine(source);
			for (const { source } of ROUTES) await control.notarize(source);
			for (const { source } of ROUTES) await control.mine(source);
			await control.mine('KMD', 2);
		} catch (error) {
			if (error instanceof TypeError) return;
			throw error;
		}
	}

	/** A block on each chain, which makes change spendable. */
	async mine(): Promise<void> {
		for (const { source } of ROUTES) {
			await this.devnet.control.mine(source).catch((error: unknown) => {
				if (!(error instanceof TypeError)) throw error;
			});
		}
	}

	/** An amount that is unique in the run, so that burns can be told apart. */
	#amount(): bigint {
		this.#amounts += 1;
		return 1_000_000n + BigInt(this.#amounts) * 101n;
	}

	/**
	 * Drafts and confirms a migration through the forms, with retries like a member.
	 * @returns its id
	 */
	async begin(route = ROUTES[this.#amounts % 2]!): Promise<string | null> {
		const daemon = this.devnet.chains.get(route.destination)!;
		const { daemons } = await this.devnet.control.state();
		const { address } = daemons.find(({ id }) => id === daemon.id)!;
		const fields = {
			...route,
			address,
			amount: formatCoins(this.#amount()),
			proof: 'notarizations',
			policy: 'automatic'
		};
		let why = '';
		for (let attempt = 0; attempt < 8; attempt++) {
			try {
				const drafted = await this.#client.submit('/migrations/new', fields);
				if (drafted.kind === 'refused') why = drafted.shown;
				else {
					const id = drafted.location.slice('/migrations/'.length);
					const confirmed = await this.#client.submit(`${drafted.location}?/confirm`, {});
					if (confirmed.kind === 'redirect') {
						this.options.tally.count('runs', `migrations of ${this.options.name}`);
						return id;
					}
					why = confirmed.shown;
				}
			} catch (error) {
				why = String(error);
			}
			await this.mine();
			await pause(300);
		}
		this.options.tally.failed(
			`${this.options.name}: a migration cannot be begun: ${why.slice(0, 400)}`
		);
		return null;
	}

	/** The states of all migrations, by id; retried while the database is unavailable. */
	async rows(): Promise<Row[]> {
		for (let attempt = 0; ; attempt++) {
			try {
				const rows = await this.db.selectFrom('migrations').selectAll().execute();
				return rows.map((row) => ({
					id: row.id,
					source: row.source,
					destination: row.destination,
					amount: BigInt(row.amount),
					burn: row.burn_txid,
					state: row.state,
					reason: row.reason
				}));
			} catch (error) {
				if (attempt === 20) throw error;
				await pause(250);
			}
		}
	}

	/** Makes rounds until all migrations have ended, or until the timeout; `between` injects faults. */
	async carry(
		timeout: number,
		between: () => Promise<void> = () => Promise.resolve()
	): Promise<void> {
		const end = Date.now() + timeout;
		while (Date.now() < end) {
			await between();
			await this.round();
			const rows = await this.rows();
			if (rows.every(({ state }) => [...ENDS, ...BEFORE_BURN].includes(state))) return;
			// The engine polls every two seconds, and a round of notarizations needs many signatures.
			await pause(1_000);
		}
	}

	async #burnsOf(chain: string): Promise<string[]> {
		const all = await this.devnet.rpc<{ txid: string }[]>(
			chain,
			'getwalletburntransactions',
			'100000'
		);
		return all.map(({ txid }) => txid);
	}

	/** All burns and imports of this run in blocks. */
	async #chains(): Promise<{ burns: ChainBurn[]; imports: ChainImport[] }> {
		const burns: ChainBurn[] = [];
		const imports: ChainImport[] = [];
		for (const { source: chain } of ROUTES) {
			const before = this.#before.get(chain)!;
			for (const txid of await this.#burnsOf(chain)) {
				if (before.burns.has(txid)) continue;
				const tx = await this.devnet.rpc<{
					confirmations?: number;
					vout: { value: number; target?: string }[];
				}>(chain, 'getrawtransaction', txid, 1);
				if ((tx.confirmations ?? 0) < 1) continue;
				const burn = tx.vout.at(-1)!;
				// Burns of tokens belong to the network's generated history: only coins migrate here.
				if (burn.value === 0) continue;
				const destination = ROUTES.find(({ source }) => source === chain)!.destination;
				burns.push({ txid, source: chain, destination, value: parseCoins(burn.value.toFixed(8)) });
			}
			const { blocks } = await this.devnet.rpc<{ blocks: number }>(chain, 'getinfo');
			for (let height = Math.max(1, before.height - 20); height <= blocks; height++) {
				const found = await this.devnet.rpc<{
					imports: { txid: string; export: { txid?: string } }[];
				}>(chain, 'getimports', String(height));
				for (const { txid, export: burn } of found.imports) {
					imports.push({ txid, destination: chain, burn: burn.txid ?? '' });
				}
			}
		}
		return { burns, imports };
	}

	/**
	 * Compares the chains with the database; repeated for a while, because pending transactions may still be
	 * confirmed.
	 */
	async compare(timeout: number): Promise<Findings> {
		const end = Date.now() + timeout;
		for (;;) {
			const { burns, imports } = await this.#chains();
			const findings = judge(await this.rows(), burns, imports);
			const open = findings.lost.length + findings.stopped.length;
			if (open === 0 || findings.doubled.length > 0 || Date.now() >= end) return findings;
			await this.round();
			await pause(1_000);
		}
	}

	async close(): Promise<void> {
		await (this.db as Db | undefined)?.close().catch(() => undefined);
		for (const product of this.products) await product.stop();
		for (const proxy of this.#proxies.values()) await proxy.stop();
		await this.devnet.stop();
		rmSync(this.devnet.dir, { recursive: true, force: true });
		if (this.options.folder === undefined) rmSync(this.folder, { recursive: true, force: true });
	}
}
