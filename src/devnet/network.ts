import { crc32 } from 'node:zlib';
import { CHAINS, NOTARY_COUNT, paramsOf, type ChainSpec } from './chains.ts';
import { Daemon } from './daemon/daemon.ts';
import { writeConf, writeDevnetFile, writeKdfConf } from './files.ts';
import { Ledger } from './ledger/ledger.ts';
import { Notaries } from './notary/notaries.ts';
import {
	daemonIds,
	newRecord,
	readRecordFor,
	renewedRecord,
	type NetworkOptions
} from './networkRecord.ts';
import { profileOf, type Profile } from './profile.ts';
import type { Peer } from './rpc/context.ts';
import { Saver } from './saver.ts';
import { DataFolderError, basePortOf, chainFolder, writeRecord } from './store.ts';
import type { NetworkRecord } from './store.ts';
import { Trading, newKdfAccess } from './trading.ts';
import { keyFor, type Key } from './wallet/keys.ts';

/** Returns the network magic of an asset chain, derived from name and supply as in the daemon. */
const magicOf = (spec: ChainSpec): number => {
	const supply = Buffer.alloc(8);
	supply.writeBigUInt64LE(BigInt(spec.premine));
	return crc32(Buffer.concat([supply, Buffer.from(spec.name, 'ascii')])) | 0;
};

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
	readonly #saver: Saver;
	#closed = false;

	private constructor(dir: string, record: NetworkRecord, dataCarrierSize?: number) {
		this.dir = dir;
		this.#record = record;
		this.#saver = new Saver(dir, () => this.#write());
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
		const basePort = basePortOf(record);
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
	 * Opens the network of a folder, or creates a new one there.
	 * @param past builds the history of a new network
	 */
	static open(options: NetworkOptions, past: (network: Network) => void): Network {
		const found = readRecordFor(options);
		if (found && found.profile !== options.profile) {
			throw new DataFolderError(
				'other-profile',
				`${options.dir} holds a network of profile ${found.profile}, not ${options.profile}`
			);
		}
		// A reset was interrupted: some chains are from before it, some from after it.
		if (found?.ready === false) return Network.renew(options, past);
		const record = found ?? newRecord(options);
		const network = new Network(options.dir, record, options.dataCarrierSize);
		if (!found) {
			past(network);
			record.ready = true;
			network.save();
		}
		return network;
	}

	/**
	 * Recreates the network of a folder: the same keys and passwords, but new chains with the same kind of
	 * history. The previous network must be closed.
	 */
	static renew(options: NetworkOptions, past: (network: Network) => void): Network {
		const record = renewedRecord(readRecordFor(options) ?? newRecord(options));
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

	/** Returns the chain's other daemons, and the miner, which has no RPC port. */
	#peersOf(spec: ChainSpec, id: string): Peer[] {
		const since = this.#record.createdAt;
		const others = daemonIds(spec)
			.filter((other) => other !== id)
			.map((other) => ({ port: this.#record.daemons[other]!.port - 1, since }));
		return [{ port: this.#record.control.port + 1, since }, ...others];
	}

	/**
	 * Unix seconds. The control API can advance the clock; while history is built, it has a clock of its own.
	 */
	now(): number {
		return this.#pastClock ?? Math.floor(Date.now() / 1000) + this.#record.clockAhead;
	}

	/** Sets the clock for building history, or returns to the real one with null. */
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

	/** @throws RangeError for an unknown chain */
	ledger(name: string): Ledger {
		const ledger = this.ledgers.get(name);
		if (!ledger) throw new RangeError(`there is no chain ${name}`);
		return ledger;
	}

	/**
	 * Finds a daemon; `BETA:notary-1` is accepted for `BETA-notary-1`. @throws RangeError for an unknown
	 * daemon
	 */
	daemon(id: string): Daemon {
		const daemon = this.daemons.get(id.replace(':', '-'));
		if (!daemon) throw new RangeError(`there is no daemon ${id}`);
		return daemon;
	}

	get assetChains(): Ledger[] {
		return [...this.ledgers.values()].filter((ledger) => !ledger.isMain);
	}

	/**
	 * Mines blocks with the pending transactions. Coinbases pay a public key (hex), by default the
	 * treasury's.
	 */
	mine(chain: string, count = 1, pubkey = this.treasury.pubkeyHex): string[] {
		const blocks = this.ledger(chain).mine({ count, pubkey });
		this.saveSoon();
		return blocks.map((block) => block.hash);
	}

	/** Performs a whole round for one chain: notarization, KMD block, back-notarization, block. */
	notarizeWhole(chain: string): { notarization: string | null; backNotarization: string | null } {
		const notarization = this.notarize([this.ledger(chain)])[0] ?? null;
		this.mine('KMD');
		const backNotarization = this.backNotarize(chain);
		return { notarization, backNotarization };
	}

	/** Sends notarizations of chains to KMD, after funding the notaries if necessary. */
	notarize(chains: readonly Ledger[]): (string | null)[] {
		const kmd = this.ledger('KMD');
		if (this.notaries.refill(kmd, chains.length + 1)) kmd.mine();
		const sent = chains.map((chain) => this.notaries.notarize(chain));
		this.saveSoon();
		return sent;
	}

	/**
	 * Sends a chain's back-notarization and mines it; with `early` before its notarization on KMD is
	 * confirmed.
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
	 * Starts or stops automatic mining and notarizing. After some time without submitted transactions it
	 * continues at a tenth of the pace, so that an idle network stays small.
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

	#write(): void {
		for (const [name, ledger] of this.ledgers) ledger.saveTo(chainFolder(this.dir, name));
		writeRecord(this.dir, this.#record);
	}

	/** Writes everything to disk. */
	save(): void {
		this.#saver.save();
	}

	/** Saves within half a second; repeated calls are combined. */
	saveSoon(): void {
		if (this.#record.ready && !this.#closed) this.#saver.saveSoon();
	}

	/** Opens all ports, then writes the files through which clients find the daemons. */
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

	/** Writes the configuration and coins files of the trading node. */
	writeKdfFiles(): void {
		const { access, context, certificate } = this.trading.node;
		writeKdfConf(this.dir, access, { hasEvents: !context.rules.seedForms, certificate });
		this.trading.writeCoins();
	}

	/**
	 * Closes the network. Everything done until its last port closed is on disk then; nothing is written
	 * afterwards.
	 */
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
