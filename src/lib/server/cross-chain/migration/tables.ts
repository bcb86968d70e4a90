import type { Int64, NullableInt64, NullableText } from '../../platform/database/columns.ts';
import type { MigrationPolicy, MigrationPath, MigrationState } from './states.ts';
import type { StepId } from './steps.ts';

/** A migration of coins or a token from one chain to another. */
export interface MigrationsTable {
	id: string;
	path: MigrationPath;
	/** Chain names. */
	source: string;
	destination: string;
	/** The daemons of the source (whose wallet pays), the destination, and KMD. */
	source_daemon: string;
	destination_daemon: string;
	kmd_daemon: string;
	/** The shared id of both chains (`ac_cc`). */
	ccid: Int64;
	/** Key of the paying wallet when the burn was built; null for a burn made elsewhere. */
	pubkey: NullableText;
	/** The migrated token, by its id on the source; null for coins. */
	tokenid: NullableText;
	/** Its name when the burn was built. */
	token_name: NullableText;
	/** Recipient on the destination chain: an address, for a token a public key. */
	address: string;
	/** What arrives: satoshi, or units of the token. */
	amount: Int64;
	/** Serialized outputs of the import, hex. */
	payouts: NullableText;
	burn_txid: NullableText;
	/** First block of the destination that may contain the import. */
	import_scan_from: Int64;
	created_by: string;
	policy: MigrationPolicy;
	state: MigrationState;
	/** Who approved the import, when the policy requires it. */
	approved_by: NullableText;
	/** The second member, when the policy requires two. */
	approved_too: NullableText;
	/** When the engine checks again; null when it has nothing to do. */
	due_at: NullableInt64;
	lease_owner: NullableText;
	lease_until: NullableInt64;
	/** Increases with every lease, so that writes of a stale worker are refused. */
	fencing_token: Int64;
	/** Why it waits or has stopped: a message of `lib/messages/migration/reasons.ts`, JSON. */
	reason: NullableText;
	/** When it entered its state. Unix milliseconds, as all times here. */
	state_since: Int64;
	created_at: Int64;
	updated_at: Int64;
}

/** One step of a migration. The bytes of a step are written by compare-and-set. */
export interface MigrationStepsTable {
	migration: string;
	step: StepId;
	/** The transaction of this step; only these bytes are ever sent. */
	hex: NullableText;
	txid: NullableText;
	/** JSON object: facts that the step found, in the shape of `evidence.ts`. */
	evidence: string;
	started_at: NullableInt64;
	done_at: NullableInt64;
}

/** Events of a migration, in order. */
export interface MigrationEventsTable {
	migration: string;
	/** Counts from 1 within a migration. */
	seq: Int64;
	time: Int64;
	step: StepId;
	/** A message of `lib/messages/migration/events.ts`, JSON. */
	message: string;
	/** JSON object. */
	detail: string;
	/** Number of occurrences, since a repeated event is counted instead of stored again. */
	times: Int64;
	/** Time of the last occurrence; null for events older than this column. */
	last_time: NullableInt64;
}

export interface MigrationTables {
	migrations: MigrationsTable;
	migration_steps: MigrationStepsTable;
	migration_events: MigrationEventsTable;
}
