import type { ColumnType } from 'kysely';
import type { NoticeChannel, NoticeKind } from '#lib/messages/notices/kinds.ts';
import type {
	CountedInt64,
	Int64,
	NullableInt64,
	NullableText
} from '../../platform/database/columns.ts';

/** A notice of one member. */
export interface NoticesTable {
	id: string;
	account_id: string;
	/** Identifies the event, unique for each member: `audit:<seq>`, `migration:<id>:done:<time>`. */
	source: string;
	kind: NoticeKind;
	/** A message of `lib/messages/notices`, JSON. */
	message: string;
	/** Path of the page where the matter is handled. */
	path: string;
	/** 1: shown in the list; 0: sent over other channels only. */
	bell: Int64;
	/** Unix milliseconds, like all times in this file. */
	created_at: Int64;
	read_at: NullableInt64;
}

/** Number of a member's unread notices, and when the list last changed. */
export interface NoticeInboxesTable {
	account_id: string;
	unread: Int64;
	changed_at: Int64;
}

/** A member's choice that differs from the default. */
export interface NoticePreferencesTable {
	account_id: string;
	kind: NoticeKind;
	channel: NoticeChannel;
	/** 0 or 1. */
	chosen: Int64;
}

/** A member's email address for notices, and their settings. */
export interface NoticeSettingsTable {
	account_id: string;
	/** The verified address; mails go to no other. */
	email: NullableText;
	/** An address whose link was not opened yet. */
	pending_email: NullableText;
	/** SHA-256 of the token in the link, hex. */
	pending_hash: NullableText;
	pending_until: NullableInt64;
	/** Number of links sent since `links_since`. */
	links_sent: CountedInt64;
	links_since: NullableInt64;
	/** Number of mails sent since `mails_since`. */
	mails_sent: CountedInt64;
	mails_since: NullableInt64;
	/** 1: push notifications show the full sentence, with its names and amounts. */
	push_details: CountedInt64;
}

/** A browser that receives a member's notices. */
export interface PushSubscriptionsTable {
	id: string;
	account_id: string;
	/** The session in which it was added: when that ends, the browser receives nothing more. */
	session: string;
	/** SHA-256 of the endpoint, hex. */
	endpoint_hash: string;
	/** JSON with endpoint and keys, encrypted: whoever has them can send to the browser. */
	subscription: string;
	created_at: Int64;
}

/** A server that receives notices by HTTP. */
export interface WebhooksTable {
	id: string;
	url: string;
	/** JSON array of kinds. */
	kinds: string;
	/** Encrypted rather than hashed, because signing needs it. */
	secret: string;
	/** The secret before the last rotation, and until when it also signs. */
	previous_secret: NullableText;
	previous_until: NullableInt64;
	created_by: string;
	created_at: Int64;
	/** Since when deliveries fail; null: the last one arrived. */
	failing_since: NullableInt64;
	disabled_at: NullableInt64;
}

export type DeliveryState = 'waiting' | 'delivered' | 'failed';

/** A delivery, and its outcome. */
export interface DeliveriesTable {
	id: string;
	/** `mail:<account>`, `push:<subscription>`, `webhook:<webhook>`. */
	destination: string;
	/** Unique for each destination, so that an event is delivered once. */
	source: string;
	/** JSON: the data from which the message is built. */
	body: string;
	state: DeliveryState;
	attempts: CountedInt64;
	/** The last HTTP status; null where no response came. */
	status: NullableInt64;
	/** Why the last attempt failed: an error code with its parameters, JSON. */
	failure: NullableText;
	created_at: Int64;
	/** When it is tried next; null when it has ended. */
	due_at: NullableInt64;
	ended_at: NullableInt64;
}

/** A repeating job, a reader's position, or a destination whose queue is processed. */
export interface NoticeJobsTable {
	id: string;
	due_at: NullableInt64;
	lease_owner: NullableText;
	lease_until: NullableInt64;
	fencing_token: CountedInt64;
	/** Position of a reader: the last audit event read, or Unix milliseconds. */
	position: CountedInt64;
}

/** A watched state, and what members were last notified of. */
export interface NoticeWatchesTable {
	key: string;
	/** The state that members were last notified of; `good` before the first notice. */
	told: ColumnType<'good' | 'bad', 'good' | 'bad', 'good' | 'bad'>;
	/** The state seen now, and since when without interruption. */
	seen: ColumnType<'good' | 'bad', 'good' | 'bad', 'good' | 'bad'>;
	since: Int64;
	/** Grows with each change that members are notified of. */
	episode: Int64;
	looked_at: Int64;
}

/** The key pair of Web Push, encrypted. A single row. */
export interface VapidKeysTable {
	id: Int64;
	encrypted: string;
}

export interface NotificationTables {
	notices: NoticesTable;
	notice_inboxes: NoticeInboxesTable;
	notice_preferences: NoticePreferencesTable;
	notice_settings: NoticeSettingsTable;
	push_subscriptions: PushSubscriptionsTable;
	webhooks: WebhooksTable;
	deliveries: DeliveriesTable;
	notice_jobs: NoticeJobsTable;
	notice_watches: NoticeWatchesTable;
	vapid_keys: VapidKeysTable;
}
