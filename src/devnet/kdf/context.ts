import type { JsonValue } from '#lib/rpc/json.ts';
import type { ActiveCoins } from './coins.ts';
import type { CoinEntry } from './coinsFile.ts';
import type { Device } from './device.ts';
import type { KdfKeys } from './keys.ts';
import type { KdfRules } from './rules.ts';
import type { Sessions } from './sessions.ts';
import type { Streams } from './streams.ts';
import type { Tasks } from './tasks.ts';

/** State that the node's methods work on. */
export interface KdfContext {
	readonly rules: KdfRules;
	readonly keys: KdfKeys;
	readonly coins: ActiveCoins;
	readonly tasks: Tasks;
	readonly device: Device;
	/** True once `task::init_trezor` found the device; reset by a restart. */
	deviceReady: boolean;
	/** Whether the proving keys of shielded coins exist at their usual place on the node's disk. */
	hasZcashParams(): boolean;
	readonly sessions: Sessions;
	/** Listeners of the event stream; unused with the interface document, which has none. */
	readonly streams: Streams;
	/** Finds a ticker's entry in the coins file. */
	entry(ticker: string): CoinEntry | undefined;
	/** Finds the entry of the token with this contract. */
	entryOfContract(contract: string): CoinEntry | undefined;
	/** Unix seconds of the network's clock. */
	clock(): number;
	/** Stops the node shortly after, like the method `stop`. */
	stop(): void;
}

/** A version 2 method; receives `params`. */
export type V2Method = (context: KdfContext, params: JsonValue) => JsonValue | Promise<JsonValue>;

/** A legacy method; receives the whole body. */
export type LegacyMethod = (
	context: KdfContext,
	body: { readonly [name: string]: JsonValue }
) => JsonValue | Promise<JsonValue>;
