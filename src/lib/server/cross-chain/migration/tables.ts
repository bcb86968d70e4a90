import type { Int64, NullableInt64, NullableText } from '../../platform/database/columns.ts';
import type { MigrationPolicy, MigrationPath, MigrationState } from './states.ts';
import type { StepId } from './steps.ts';

/** Coins or a token on their way from one chain to another. */
export interface MigrationsTable {
	id: string;
	path: MigrationPath;
	/** Chain names. */
	source: string;
	destination: string;
	/** The daemon whose wallet pays, and the ones that build and take the import. */
	source_daemon: string;
	destination_daemon: string;
	kmd_daemon: string;
	/** The shared id of both chains (`ac_cc`). */
	ccid: Int64;
	/** Key of the paying wallet when the burn was built; another one stops the migration. */
	pubkey: NullableText;
	/** The token that is carried, by its id on the source; null for coins. */
	tokenid: NullableText;
	/** Its name when the burn was built. */
	token_name: NullableText;
	/** Who receives on the destination chain: an address, for a token a public key. */
	address: string;
	/** What arrives: satoshi, or units of the token. */
	amount: Int64;
	/** Serialized outputs of the import, hex. */
	payouts: NullableText;
	burn_txid: NullableText;
	/** Height of the destination chain before the burn was sent: no import of it is older. */
	import_scan_from: Int64;
	created_by: string;
	policy: MigrationPolicy;
	state: MigrationState;
	/** Who let the import be sent, where the policy asks. */
	approved_by: NullableText;
	/** The second person, where the policy asks two. */
	approved_too: NullableText;
	/** When the engine looks again; null when it has nothing to do. */
	due_at: NullableInt64;
	lease_owner: NullableText;
	lease_until: NullableInt64;
	/** Grows with every lease: what a stale worker writes is refused. */
	fencing_token: Int64;
	/** Why it waits or stands still: a message of `lib/messages/migration/reasons.ts`, JSON. */
	reason: NullableText;
	/** Since when it is in its state. Unix milliseconds, as all times here. */
	state_since: Int64;
	created_at: Int64;
	updated_at: Int64;
}

/** One step that was begun. The bytes of a step are chosen once, by compare-and-set. */
export interface MigrationStepsTable {
	migration: string;
	step: StepId;
	/** The transaction of this step; only what stands here is ever sent. */
	hex: NullableText;
	txid: NullableText;
	/** JSON object: what the step found, in the shape that `evidence.ts` gives it. */
	evidence: string;
	started_at: NullableInt64;
	done_at: NullableInt64;
}

/** What happened, in order. */
export interface MigrationEventsTable {
	migration: string;
	/** Counts from 1 within a migration. */
	seq: Int64;
	time: Int64;
	step: StepId;
	/** What happened: a message of `lib/messages/migration/events.ts`, JSON. */
	message: string;
	/** JSON object. */
	detail: string;
	/** How often it happened: what repeats itself is counted. */
	times: Int64;
	/** When it happened last; null where it was written before that was noted. */
	last_time: NullableInt64;
}

export interface MigrationTables {
	migrations: MigrationsTable;
	migration_steps: MigrationStepsTable;
	migration_events: MigrationEventsTable;
}
