import type { JsonValue } from '#lib/rpc/json.ts';
import type { Params } from '../daemon/params.ts';
import type { LedgerApi } from '../ledger/api.ts';
import type { Key, PublicKey } from '../wallet/keys.ts';
import type { Wallet } from '../wallet/wallet.ts';

/** How a network behaves where the released daemon stands in the way of what was promised. */
export interface Rules {
	/** Release 0.9.0 builds token burns only towards a chain called LABS. */
	tokenBurnsOnlyToLabs: boolean;
	/** Funding puts change at any place among the outputs. */
	changeAnywhere: boolean;
	addressIndex: boolean;
	spentIndex: boolean;
	timestampIndex: boolean;
	/** The daemon knows the keys of the notaries. */
	notaryTable: boolean;
	/** The forms and meanings of the interface document instead of the release's. */
	seedForms: boolean;
}

/** A neighbour as `getpeerinfo` lists it. */
export interface Peer {
	port: number;
	/** Seconds. */
	since: number;
}

/** What the methods of one daemon work on. */
export interface DaemonContext {
	readonly id: string;
	readonly ledger: LedgerApi;
	readonly wallet: Wallet;
	readonly rules: Rules;
	readonly rpcPort: number;
	readonly p2pPort: number;
	/** Seconds at which the daemon started. */
	readonly startedAt: number;
	/** Now, in seconds. */
	readonly clock: () => number;
	/** `ac_supply` in coins and the network magic; undefined on the main chain. */
	readonly issue?: { premine: number; magic: number };
	/** Height of the main chain and where a notarization stands in it; undefined on the main chain. */
	readonly parent?: LedgerApi;
	readonly peers: () => readonly Peer[];
	/** Whether it keeps where each transaction is (`-txindex`), as it does unless it is told otherwise. */
	txIndex: boolean;
	/** Blocks that its first peer claims to have; nobody proves them. */
	claimed: number;
	/** Whether it was started with a wallet, as it is unless it is told otherwise (`-disablewallet`). */
	hasWallet: boolean;
	/** Its first blocks were stored by a release that kept no sums of coins: it knows none of later blocks either. */
	upgraded: boolean;
	/** `ac_perc` of its chain as `getinfo` tells it; 0 where there is none. Blocks are as without it. */
	commission: number;
	/** Threads with which the daemon mines; 0 when it does not. */
	miningThreads: number;
	/** Mines blocks at once and returns their hashes. */
	readonly mine: (count: number) => string[];
	/** Makes a new key and keeps it. */
	readonly newKey: () => Key;
	/** Keeps a key that was given from outside. */
	readonly keepKey: (key: Key) => void;
	/** Watches an address without its key, from now on. */
	readonly keepWatch: (address: string) => void;
	/** Remembers a `-pubkey` that was set at run time. */
	readonly keepPubkey: (key: PublicKey) => void;
	/** Method names that are served, for `help`. */
	readonly served: readonly string[];
}

export type Handler = (context: DaemonContext, params: Params) => JsonValue;
