import type { JsonValue } from '#lib/rpc/json.ts';
import type { LedgerApi } from '../ledger/api.ts';
import type { Key, PublicKey } from '../wallet/keys.ts';
import type { Wallet } from '../wallet/wallet.ts';
import type { Params } from './params.ts';

/** Behavior that depends on the network's profile. */
export interface Rules {
	/** Release 0.9.0 builds token burns only for a destination called LABS. */
	tokenBurnsOnlyToLabs: boolean;
	/** Whether funding may insert change at any position among the outputs. */
	changeAnywhere: boolean;
	addressIndex: boolean;
	spentIndex: boolean;
	timestampIndex: boolean;
	/** Whether the daemon knows the notaries' public keys. */
	notaryTable: boolean;
	/** Uses the formats and semantics of the interface document instead of the release's. */
	seedForms: boolean;
}

/** A peer in `getpeerinfo`. */
export interface Peer {
	port: number;
	/** Unix seconds of the connection. */
	since: number;
}

/** State that the methods of one daemon work on. */
export interface DaemonContext {
	readonly id: string;
	readonly ledger: LedgerApi;
	readonly wallet: Wallet;
	readonly rules: Rules;
	readonly rpcPort: number;
	readonly p2pPort: number;
	/** Unix seconds at which the daemon started. */
	readonly startedAt: number;
	/** Returns the current Unix seconds. */
	readonly clock: () => number;
	/** `ac_supply` in coins and the network magic; undefined on the main chain. */
	readonly issue?: { premine: number; magic: number };
	/** Ledger of the main chain, for its height and notarizations; undefined on the main chain itself. */
	readonly parent?: LedgerApi;
	readonly peers: () => readonly Peer[];
	/** Whether it has the transaction index (`-txindex`); on by default. */
	txIndex: boolean;
	/** Whether it has the index of addresses (`-addressindex`); initially as in `rules`. */
	addressIndex: boolean;
	/** Whether it has the index of the inputs that spent outputs (`-spentindex`); initially as in `rules`. */
	spentIndex: boolean;
	/** Number of blocks that its first peer claims to have, without proof. */
	claimed: number;
	/** Whether it was started with a wallet; off with `-disablewallet`. */
	hasWallet: boolean;
	/**
	 * Whether its first blocks were stored by a release without coin totals; then later blocks have no totals
	 * either.
	 */
	upgraded: boolean;
	/** `ac_perc` as reported by `getinfo`; 0 for none. Blocks are not affected. */
	commission: number;
	/** Number of mining threads; 0 when mining is off. */
	miningThreads: number;
	/** Mines blocks at once and returns their hashes. */
	readonly mine: (count: number) => string[];
	/** Creates a new key and saves it. */
	readonly newKey: () => Key;
	/** Saves an imported key. */
	readonly keepKey: (key: Key) => void;
	/** Watches an address without its key, and saves that. */
	readonly keepWatch: (address: string) => void;
	/** Saves a `-pubkey` set at run time. */
	readonly keepPubkey: (key: PublicKey) => void;
	/** Names of the served methods, for `help`. */
	readonly served: readonly string[];
}

export type Handler = (context: DaemonContext, params: Params) => JsonValue;
