import type {
	CountedInt64,
	Int64,
	NullableInt64,
	NullableText
} from '../../platform/database/columns.ts';
import type { ElectrumProtocol } from '../egress/electrum.ts';
import type { ActivationMethod } from './methods.ts';
import type { ActivationState } from './states.ts';

/** A coin that is being activated on a trading node, or was. */
export interface ActivationsTable {
	id: string;
	/** Id of the trading node. */
	node: string;
	/** Ticker; for the set-up of a hardware wallet {@link DEVICE}. */
	coin: string;
	method: ActivationMethod;
	/** JSON object: native parameters of the call. Encrypted: an address may hold a provider's key. */
	params: string;
	/** `node coin` while it is under way: one at a time; null when it has ended. */
	open_key: NullableText;
	state: ActivationState;
	/** Counts from 1. */
	attempt: Int64;
	/** Task of the node. */
	task_id: NullableInt64;
	/** A finished task whose result is stored here and still kept by the node. */
	forget_task: NullableInt64;
	/** The node's word for its step; JSON. */
	step: NullableText;
	/** JSON array: what the last look at the servers gave. Encrypted. */
	probes: NullableText;
	/** JSON: the node's result. */
	result: NullableText;
	/** JSON: a Failure; why it waits or ended. */
	failure: NullableText;
	/** What stands in the way now: a message of `lib/messages/activation/reasons.ts`, JSON. */
	reason: NullableText;
	/** Who asked for its end. */
	cancel_by: NullableText;
	/** Since when the node waits for a person. */
	action_since: NullableInt64;
	/** Who has the PIN pad, and until when. */
	pin_holder: NullableText;
	pin_holder_until: NullableInt64;
	/** PINs that were handed to this task. */
	pins: CountedInt64;
	/** PINs in a row that the device refused, earlier activations included. */
	wrong_pins: CountedInt64;
	begun_by: string;
	/** The activation that this one repeats. */
	repeats: NullableText;
	due_at: NullableInt64;
	lease_owner: NullableText;
	lease_until: NullableInt64;
	/** Grows with every lease: what a stale worker writes is refused. */
	fencing_token: Int64;
	/** Unix milliseconds, as all times here. */
	attempt_since: Int64;
	state_since: Int64;
	created_at: Int64;
	updated_at: Int64;
}

/** What happened, in order. */
export interface ActivationEventsTable {
	activation: string;
	/** Counts from 1 within an activation. */
	seq: Int64;
	time: Int64;
	/** What happened: a message of `lib/messages/activation/events.ts`, JSON. */
	message: string;
}

/** Servers that an admin added to those of the coins file. */
export interface ListedServersTable {
	coin: string;
	/** `host:port`. */
	url: string;
	protocol: ElectrumProtocol;
	/** 1: any certificate is taken. */
	any_certificate: Int64;
	/** 1: it may be in a private network. */
	private: Int64;
	added_by: string;
	added_at: Int64;
}

/** What swaps of a coin wait for, as it was set from here last. */
export interface SwapSettingsTable {
	node: string;
	coin: string;
	/** Null where nothing was set since the coin was disabled last. */
	confirmations: NullableInt64;
	/** 1: a notarization is waited for. Null as above. */
	notarization: NullableInt64;
	set_at: Int64;
}

export interface ActivationTables {
	activations: ActivationsTable;
	activation_events: ActivationEventsTable;
	listed_servers: ListedServersTable;
	swap_settings: SwapSettingsTable;
}
