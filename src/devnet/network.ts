import { randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { CHAINS, NOTARY_COUNT, paramsOf, type ChainSpec } from './chains.ts';
import { Daemon } from './daemon/daemon.ts';
import { writeConf, writeDevnetFile, writeKdfConf } from './files.ts';
import { Ledger } from './ledger/ledger.ts';
import { Notaries } from './notary/notaries.ts';
import { profileOf, type Profile } from './profile.ts';
import type { Peer } from './rpc/context.ts';
import { DataFolderError, chainFolder, newAccess, readRecord, writeRecord } from './store.ts';
import type { NetworkRecord } from './store.ts';
import { Trading, newKdfAccess } from './trading.ts';
import { keyFor, type Key } from './wallet/keys.ts';

interface NetworkOptions {
	dir: string;
	basePort: number;
	profile: string;
	/** Fixes all keys and the history; random unless given. */
	seed?: string | undefined;
	/** A past without anything but funded wallets. */
	bare?: boolean;
	/** Asset chains that have only just begun; their past is bare. */
	young?: boolean;
	/** `datacarriersize` of the asset chains instead of the profile's. */
	dataCarrierSize?: number | undefined;
}

/** Ports behind the base port: the control API, then each daemon two apart (its p2p port lies between). */
const CONTROL_OFFSET = 0;

/** The magic number of an asset chain, as the daemon derives it from name and supply. */
const magicOf = (spec: ChainSpec): number => {
	const supply = Buffer.alloc(8);
	supply.writeBigUInt64LE(BigInt(spec.premine));
	return crc32(Buffer.concat([supply, Buffer.from(spec.name, 'ascii')])) | 0;
};

const daemonIds = (spec: ChainSpec): string[] => [
	spec.name,
	...Array.from({ length: spec.notaryDaemons }, (_, n) => `${spec.name}-notary-${n + 1}`)
];

const freshRecord = ({ basePort, profile, seed }: NetworkOptions): NetworkRecord => {
	const ids = CHAINS.flatMap(daemonIds);
	return {
		format: 1,
		profile,
		seed: seed ?? randomBytes(32).toString('hex'),
		createdAt: Math.floor(Date.now() / 1000),
		clockAhead: 0,
		control: { port: basePort + CONTROL_OFFSET, password: randomBytes(24).toString('hex') },
		daemons: Object.fromEntries(ids.map((id, n) => [id, newAccess(basePort + 2 + 2 * n)])),
		ready: false
	};
};

/** Between two attempts to write to a disk that takes nothing. Milliseconds. */
const SAVE_AGAIN_MS = 2_000;

/** All chains, their daemons and notaries, and the folder they live in. */
export class Network {
	readonly dir: string;
	readonly profile: Profile;
	readonly ledgers = new Map<string, Ledger>();
	readonly daemons = new Map<string, Daemon>();
	readonly notaries: Notaries;
	readonly notaryKeys: readonly Key[];
	readonly treasury: Key;
	readonly trading: Trading;
	readonly #record: NetworkRecord;
	#pastClock: number | null = null;
	#timer: NodeJS.Timeout | null = null;
	#lastSend = 0;
	#saveTimer: NodeJS.Timeout | null = null;
	#isUnsaved = false;
	#closed = false;

	private constructor(dir: string, record: NetworkRecord, dataCarrierSize?: number) {
		this.dir = dir;
		this.#record = record;
		this.profile = profileOf(record.profile, dataCarrierSize);
		const { seed } = record;
		this.notaryKeys = Array.from({ length: NOTARY_COUNT }, (_, n) => keyFor(seed, `notary ${n}`));
		this.treasury = keyFor(seed, 'treasury');
		const notaries = this.notaryKeys.map((key) => key.pubkeyHex);
		for (const spec of CHAINS) {
			const params = paramsOf(spec, this.profile, seed, notaries, this.treasury.pubkeyHex);
			const options = { clock: () => this.now() };
			this.ledgers.set(
				spec.name,
				record.ready
					? Ledger.loadFrom(chainFolder(dir, spec.name), params, options)
					: new Ledger(params, options)
			);
		}
		this.notaries = new Notaries(this.ledger('KMD'), this.notaryKeys, this.treasury);
		for (const spec of CHAINS) {
			daemonIds(spec).forEach((id, n) => this.daemons.set(id, this.#daemon(spec, id, n)));
		}
		const basePort = record.control.port - CONTROL_OFFSET;
		record.node ??= newKdfAccess(seed, basePort);
		this.trading = new Trading({
			dir,
			seed,
			basePort,
			access: record.node,
			profile: this.profile,
			ledgers: this.ledgers,
			treasury: this.treasury,
			clock: () => this.now(),
			since: record.createdAt,
			touched: () => {
				this.#lastSend = Date.now();
				this.saveSoon();
			}
		});
	}

	/**
	 * Opens the network of a folder, or makes a new one there.
	 * @param past makes the first history of a new one
	 */
	static open(options: NetworkOptions, past: (network: Network) => void): Network {
		const found = readRecord(options.dir);
		if (found && found.profile !== options.profile) {
			throw new DataFolderError(
				'other-profile',
				`${options.dir} holds a network of profile ${found.profile}, not ${options.profile}`
			);
		}
		// Some of its chains are of before the reset that was broken off, some of after it.
		if (found?.ready === false) return Network.renew(options, past);
		const record = found ?? freshRecord(options);
		const network = new Network(options.dir, record, options.dataCarrierSize);
		if (!found) {
			past(network);
			record.ready = true;
			network.save();
		}
		return network;
	}

	/**
	 * The network of a folder as it was at first: the same keys, passwords and ports, its chains begun anew with the same
	 * kind of past. The network that was there must be closed.
	 */
	static renew(options: NetworkOptions, past: (network: Network) => void): Network {
		const { daemons, ...kept } = readRecord(options.dir) ?? freshRecord(options);
		const fresh = Object.fromEntries(
			Object.entries(daemons).map(([id, { port, user, password }]) => [
				id,
				{ port, user, password, newKeys: 0, importedKeys: [] }
			])
		);
		const createdAt = Math.floor(Date.now() / 1000);
		const record: NetworkRecord = {
			...kept,
			daemons: fresh,
			createdAt,
			clockAhead: 0,
			ready: false
		};
		const network = new Network(options.dir, record, options.dataCarrierSize);
		past(network);
		writeRecord(options.dir, record);
		record.ready = true;
		network.save();
		return network;
	}

	#daemon(spec: ChainSpec, id: string, n: number): Daemon {
		const { seed } = this.#record;
		const main = spec.name === 'KMD';
		return new Daemon({
			id,
			ledger: this.ledger(spec.name),
			parent: main ? undefined : this.ledger('KMD'),
			access: this.#record.daemons[id]!,
			seed,
			key: n === 0 ? keyFor(seed, `wallet ${spec.name}`) : this.notaryKeys[n - 1]!,
			rules: this.profile,
			clock: () => this.now(),
			issue: main ? undefined : { premine: spec.premine, magic: magicOf(spec) },
			peers: () => this.#peersOf(spec, id),
			keep: () => this.saveSoon(),
			mine: (count, pubkey) => this.mine(spec.name, count, pubkey),
			touched: () => {
				this.#lastSend = Date.now();
				this.saveSoon();
			}
		});
	}

	/** A chain's other daemons, and the miner, which has no RPC port. */
	#peersOf(spec: ChainSpec, id: string): Peer[] {
		const since = this.#record.createdAt;
		const others = daemonIds(spec)
			.filter((other) => other !== id)
			.map((other) => ({ port: this.#record.daemons[other]!.port - 1, since }));
		return [{ port: this.#record.control.port + 1, since }, ...others];
	}

	/** Seconds; the control API can put the clock forward, and the past has a clock of its own. */
	now(): number {
		return this.#pastClock ?? Math.floor(Date.now() / 1000) + this.#record.clockAhead;
	}

	/** Sets the clock of the past, or goes back to the present with null. */
	setClock(seconds: number | null): void {
		this.#pastClock = seconds;
	}

	advanceClock(seconds: number): void {
		this.#record.clockAhead += seconds;
		this.saveSoon();
	}

	get control(): { port: number; password: string } {
		return this.#record.control;
	}

	/** @throws RangeError for a chain that is not here */
	ledger(name: string): Ledger {
		const ledger = this.ledgers.get(name);
		if (!ledger) throw new RangeError(`there is no chain ${name}`);
		return ledger;
	}

	/** @throws RangeError for a daemon that is not here; `BETA:notary-1` is `BETA-notary-1` too */
	daemon(id: string): Daemon {
		const daemon = this.daemons.get(id.replace(':', '-'));
		if (!daemon) throw new RangeError(`there is no daemon ${id}`);
		return daemon;
	}

	get assetChains(): Ledger[] {
		return [...this.ledgers.values()].filter((ledger) => !ledger.isMain);
	}

	/** Mines blocks with what waits in the mempool; the coinbases pay a hex key, the treasury's unless given. */
	mine(chain: string, count = 1, pubkey = this.treasury.pubkeyHex): string[] {
		const blocks = this.ledger(chain).mine({ count, pubkey });
		this.saveSoon();
		return blocks.map((block) => block.hash);
	}

	/** A whole round for one chain: notarization, KMD block, back-notarization, block. */
	notarizeWhole(chain: string): { notarization: string | null; backNotarization: string | null } {
		const notarization = this.notarize([this.ledger(chain)])[0] ?? null;
		this.mine('KMD');
		const backNotarization = this.backNotarize(chain);
		return { notarization, backNotarization };
	}

	/** Sends the notarizations of chains to KMD, topping the notaries up first where needed. */
	notarize(chains: readonly Ledger[]): (string | null)[] {
		const kmd = this.ledger('KMD');
		if (this.notaries.refill(kmd, chains.length + 1)) kmd.mine();
		const sent = chains.map((chain) => this.notaries.notarize(chain));
		this.saveSoon();
		return sent;
	}

	/**
	 * Sends a chain's back-notarization and mines it; `early` does so before its notarization on KMD
	 * is mined.
	 */
	backNotarize(chain: string, early = false): string | null {
		const ledger = this.ledger(chain);
		if (this.notaries.refill(ledger, 1)) ledger.mine();
		const txid = this.notaries.backNotarize(ledger, early);
		if (txid !== null) ledger.mine();
		this.saveSoon();
		return txid;
	}

	get isAutomatic(): boolean {
		return this.#timer !== null;
	}

	/**
	 * Lets the network mine and notarize by itself, or stops that. When nobody has sent anything for a
	 * while it goes on at a tenth of its pace, so that a network left alone stays small.
	 */
	setAutomatic(on: boolean): void {
		if (this.#timer) clearInterval(this.#timer);
		this.#timer = null;
		if (!on) return;
		const { blockEveryMs, blocksPerRound, idleAfterMs, idleFactor } = this.profile;
		this.#lastSend = Date.now();
		let ticks = 0;
		let steps = 0;
		this.#timer = setInterval(() => {
			ticks += 1;
			const idle = Date.now() - this.#lastSend > idleAfterMs;
			if (idle && ticks % idleFactor !== 0) return;
			steps += 1;
			const place = steps % blocksPerRound;
			if (place === 1) this.notarize(this.assetChains);
			for (const chain of this.ledgers.keys()) this.mine(chain);
			if (place === 1) for (const { symbol } of this.assetChains) this.backNotarize(symbol);
		}, blockEveryMs);
	}

	/** Writes everything to disk. */
	save(): void {
		if (this.#saveTimer) clearTimeout(this.#saveTimer);
		this.#saveTimer = null;
		for (const [name, ledger] of this.ledgers) ledger.saveTo(chainFolder(this.dir, name));
		writeRecord(this.dir, this.#record);
	}

	/** Saves within half a second, however often it is asked. */
	saveSoon(): void {
		if (!this.#record.ready || this.#closed || this.#saveTimer) return;
		this.#saveTimer = setTimeout(() => this.#saveOrSay(), 500);
	}

	/** A full disk ends no network: it goes on in memory, says so once, and saves as soon as it is able to. */
	#saveOrSay(): void {
		try {
			this.save();
			if (this.#isUnsaved) process.stderr.write(`devnet: ${this.dir} is written again.\n`);
			this.#isUnsaved = false;
		} catch (cause) {
			if (!this.#isUnsaved) {
				const why = cause instanceof Error ? cause.message : String(cause);
				process.stderr.write(
					`devnet: cannot write to ${this.dir} (${why}). It goes on; what happens from now on is lost if it ends before it is able to write.\n`
				);
			}
			this.#isUnsaved = true;
			this.#saveTimer = setTimeout(() => this.#saveOrSay(), SAVE_AGAIN_MS);
		}
	}

	/** Listens on all ports, then writes the files by which others find the daemons. */
	async listen(controlUrl: string): Promise<void> {
		await Promise.all([
			this.trading.open(),
			...[...this.daemons.values()].map((daemon) => daemon.http.open())
		]);
		for (const { id, ledger, access, key } of this.daemons.values()) {
			writeConf(this.dir, id, ledger.params, access, key.pubkeyHex, this.profile);
		}
		this.writeKdfFiles();
		const { node } = this.trading;
		writeDevnetFile(
			this.dir,
			[...this.daemons.values()].map(({ id, ledger, access, key }) => ({
				id,
				chain: ledger.symbol,
				url: `http://127.0.0.1:${access.port}/`,
				user: access.user,
				password: access.password,
				pubkey: key.pubkeyHex
			})),
			{ url: `http://127.0.0.1:${node.access.port}`, password: node.access.password },
			{ url: controlUrl, password: this.control.password }
		);
	}

	/** The trading node's own files. */
	writeKdfFiles(): void {
		const { access, context, certificate } = this.trading.node;
		writeKdfConf(this.dir, access, { hasEvents: !context.rules.seedForms, certificate });
		this.trading.writeCoins();
	}

	/** Ends it. What was done until its last port closed is on disk then, and nothing is written any more. */
	async close(): Promise<void> {
		this.setAutomatic(false);
		await Promise.all([
			this.trading.close(),
			...[...this.daemons.values()].map((daemon) => daemon.http.close())
		]);
		this.#closed = true;
		this.save();
	}
}
