import type { JsonValue } from '#lib/rpc/json.ts';
import type { ActiveCoins } from './coins.ts';
import type { CoinEntry } from './coinsFile.ts';
import type { Device } from './device.ts';
import type { KdfKeys } from './keys.ts';
import type { KdfRules } from './rules.ts';
import type { Sessions } from './sessions.ts';
import type { Streams } from './streams.ts';
import type { Tasks } from './tasks.ts';

/** What the methods of the node work on. */
export interface KdfContext {
	readonly rules: KdfRules;
	readonly keys: KdfKeys;
	readonly coins: ActiveCoins;
	readonly tasks: Tasks;
	readonly device: Device;
	/** True once `task::init_trezor` found the device; lost at a restart. */
	deviceReady: boolean;
	/** The proving keys of shielded coins lie in their usual place on the node's disk. */
	hasZcashParams(): boolean;
	readonly sessions: Sessions;
	/** Who listens to events; the interface document has none. */
	readonly streams: Streams;
	/** The entry of a ticker in the coins file. */
	entry(ticker: string): CoinEntry | undefined;
	/** The entry of a token with this contract. */
	entryOfContract(contract: string): CoinEntry | undefined;
	/** Seconds of the network's clock. */
	clock(): number;
	/** Ends the node soon, as `stop` does. */
	stop(): void;
}

/** A method of the second protocol: takes what stands in `params`. */
export type V2Method = (context: KdfContext, params: JsonValue) => JsonValue | Promise<JsonValue>;

/** A method of the first protocol: takes the whole body. */
export type LegacyMethod = (
	context: KdfContext,
	body: { readonly [name: string]: JsonValue }
) => JsonValue | Promise<JsonValue>;
