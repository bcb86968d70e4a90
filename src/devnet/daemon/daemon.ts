import { hexToBytes } from '#lib/chain/bytes.ts';
import type { JsonValue } from '#lib/rpc/json.ts';
import type { LedgerApi } from '../ledger/api.ts';
import type { DaemonContext, Peer, Rules } from '../rpc/context.ts';
import { helpText } from '../rpc/help.ts';
import type { Params } from '../rpc/params.ts';
import { handlerOf, servedMethods } from '../rpc/registry.ts';
import { refuseWithoutWallet } from '../rpc/withoutWallet.ts';
import type { DaemonAccess } from '../store.ts';
import { keyFor, keyOf, publicKey, type Key, type PublicKey } from '../wallet/keys.ts';
import { Wallet } from '../wallet/wallet.ts';
import { Faults } from './fault.ts';
import { DaemonHttp } from './http.ts';
import { fromSeedForms, toSeedForms } from './seedForms.ts';

interface DaemonOptions {
	id: string;
	ledger: LedgerApi;
	/** Ledger of the main chain; undefined for the main chain's own daemon. */
	parent: LedgerApi | undefined;
	access: DaemonAccess;
	seed: string;
	/** Key of `-pubkey`. */
	key: Key;
	rules: Rules;
	clock: () => number;
	issue: { premine: number; magic: number } | undefined;
	peers: () => readonly Peer[];
	/** Mines blocks whose coinbases pay a public key (hex). */
	mine: (count: number, pubkey?: string) => string[];
	/** Called when state that survives restarts has changed. */
	keep: () => void;
	/** Called after a method that changed the size of the mempool. */
	touched: () => void;
}

/** One daemon: a wallet and an HTTP server on top of its chain's ledger. */
export class Daemon {
	readonly id: string;
	readonly ledger: LedgerApi;
	readonly wallet: Wallet;
	readonly faults = new Faults();
	readonly http: DaemonHttp;
	readonly key: Key;
	readonly access: DaemonAccess;
	readonly context: DaemonContext;

	constructor(options: DaemonOptions) {
		const { id, ledger, access, seed, key } = options;
		this.id = id;
		this.ledger = ledger;
		this.key = key;
		this.access = access;
		const made = Array.from({ length: access.newKeys }, (_, n) => keyFor(seed, `new ${id} ${n}`));
		const imported = access.importedKeys.map((hex) => keyOf(hexToBytes(hex)));
		this.wallet = new Wallet(ledger, [key, ...made, ...imported], key);
		this.context = {
			id,
			ledger,
			wallet: this.wallet,
			rules: options.rules,
			rpcPort: access.port,
			p2pPort: access.port - 1,
			startedAt: options.clock(),
			clock: options.clock,
			...(options.issue ? { issue: options.issue } : {}),
			...(options.parent ? { parent: options.parent } : {}),
			peers: options.peers,
			txIndex: true,
			addressIndex: options.rules.addressIndex,
			spentIndex: options.rules.spentIndex,
			claimed: 0,
			hasWallet: true,
			upgraded: false,
			commission: 0,
			miningThreads: 0,
			mine: (count) => options.mine(count, this.wallet.pubkey?.pubkeyHex),
			served: servedMethods,
			newKey: () => {
				const next = keyFor(seed, `new ${id} ${access.newKeys}`);
				access.newKeys += 1;
				this.wallet.add(next);
				options.keep();
				return next;
			},
			keepKey: (added: Key) => {
				this.wallet.add(added);
				access.importedKeys.push(Buffer.from(added.privateKey).toString('hex'));
				options.keep();
			},
			keepWatch: (address) => {
				this.wallet.watch(address);
				access.watched = [...new Set([...(access.watched ?? []), address])];
				options.keep();
			},
			keepPubkey: (own: PublicKey) => {
				access.pubkey = own.pubkeyHex;
				options.keep();
			}
		};
		for (const address of access.watched ?? []) this.wallet.watch(address);
		if (access.pubkey !== undefined) this.wallet.pubkey = publicKey(hexToBytes(access.pubkey));
		this.http = new DaemonHttp({
			port: access.port,
			credentials: `${access.user}:${access.password}`,
			faults: this.faults,
			dispatcher: {
				call: (method, params) => this.#answer(method, params, options.touched),
				help: (method) => helpText(method, ledger.symbol, access.port)
			}
		});
	}

	/** Handles a call from outside, in the dialect of the network's profile. */
	#answer(method: string, params: Params, touched: () => void): JsonValue | undefined {
		if (!this.context.rules.seedForms) return this.call(method, params, touched);
		const result = this.call(method, fromSeedForms(method, params), touched);
		return result === undefined ? undefined : toSeedForms(method, params, result);
	}

	/** Runs a method; undefined when it is not served. */
	call(method: string, params: Params, touched: () => void = () => {}): JsonValue | undefined {
		const handler = handlerOf(method);
		if (!handler) return undefined;
		if (!this.context.hasWallet) refuseWithoutWallet(method);
		const before = this.ledger.mempool.size;
		const result = handler(this.context, params);
		if (this.ledger.mempool.size !== before) touched();
		return result;
	}
}
