import type {
	CountedInt64,
	Int64,
	NullableInt64,
	NullableText
} from '../../platform/database/columns.ts';
import type { ElectrumProtocol } from '../egress/electrumServer.ts';
import type { ActivationMethod } from '../coins/methods.ts';
import type { ActivationState } from './states.ts';

/** An activation of a coin on a trading node, open or ended. */
export interface ActivationsTable {
	id: string;
	/** Id of the trading node. */
	node: string;
	/** Ticker; for the set-up of a hardware wallet {@link DEVICE}. */
	coin: string;
	method: ActivationMethod;
	/** JSON object: native parameters of the call. Encrypted: an address may hold a provider's key. */
	params: string;
	/** `node coin` while it is open, so that there is only one; null when it has ended. */
	open_key: NullableText;
	state: ActivationState;
	/** Number of the try, counted from 1. */
	attempt: Int64;
	/** Id of the node's task. */
	task_id: NullableInt64;
	/** Id of a finished task whose result is stored here, and not yet removed from the node. */
	forget_task: NullableInt64;
	/** Step of the task, as the node names it; JSON. */
	step: NullableText;
	/** JSON array: results of the last check of the servers. Encrypted. */
	probes: NullableText;
	/** JSON: the node's result. */
	result: NullableText;
	/** JSON: a Failure, why it waits or ended. */
	failure: NullableText;
	/** Why it does not advance now: a message of `lib/messages/activation/reasons.ts`, JSON. */
	reason: NullableText;
	/** Who requested its end. */
	cancel_by: NullableText;
	/** Since when the device waits for input. */
	action_since: NullableInt64;
	/** Who holds the PIN pad, and until when. */
	pin_holder: NullableText;
	pin_holder_until: NullableInt64;
	/** Number of PINs that were sent to this task. */
	pins: CountedInt64;
	/** Number of PINs in a row that the device refused, earlier activations included. */
	wrong_pins: CountedInt64;
	begun_by: string;
	/** The activation that this one repeats. */
	repeats: NullableText;
	due_at: NullableInt64;
	lease_owner: NullableText;
	lease_until: NullableInt64;
	/** Grows with every lease, so that writes of a stale worker are refused. */
	fencing_token: Int64;
	/** Unix milliseconds, as all times here. */
	attempt_since: Int64;
	state_since: Int64;
	created_at: Int64;
	updated_at: Int64;
}

/** Events of activations, in order. */
export interface ActivationEventsTable {
	activation: string;
	/** Number of the event, counted from 1 within an activation. */
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
	/** 1: any certificate is accepted. */
	any_certificate: Int64;
	/** 1: it may be in a private network. */
	private: Int64;
	added_by: string;
	added_at: Int64;
}

/** What swaps of a coin wait for, as last set from here. */
export interface SwapSettingsTable {
	node: string;
	coin: string;
	/** Null when it was not set since the coin was last disabled. */
	confirmations: NullableInt64;
	/** 1: swaps wait for a notarization. Null as above. */
	notarization: NullableInt64;
	set_at: Int64;
}

export interface ActivationTables {
	activations: ActivationsTable;
	activation_events: ActivationEventsTable;
	listed_servers: ListedServersTable;
	swap_settings: SwapSettingsTable;
}
