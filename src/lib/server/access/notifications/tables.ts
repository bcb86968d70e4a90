import type { ColumnType } from 'kysely';
import type { NoticeChannel, NoticeKind } from '#lib/messages/notices/kinds.ts';
import type {
	CountedInt64,
	Int64,
	NullableInt64,
	NullableText
} from '../../platform/database/columns.ts';

/** What a member was told. */
export interface NoticesTable {
	id: string;
	account_id: string;
	/** What it is about, once for each member: `audit:<seq>`, `migration:<id>:done:<time>`. */
	source: string;
	kind: NoticeKind;
	/** A message of `lib/messages/notices`, JSON. */
	message: string;
	/** The page that does the thing: a path. */
	path: string;
	/** 1: it stands in the list; 0: it only goes out over other channels. */
	bell: Int64;
	/** Unix milliseconds, as all times here. */
	created_at: Int64;
	read_at: NullableInt64;
}

/** How much of a member's list is unread, and when that last changed. */
export interface NoticeInboxesTable {
	account_id: string;
	unread: Int64;
	changed_at: Int64;
}

/** What a member chose otherwise than usual. */
export interface NoticePreferencesTable {
	account_id: string;
	kind: NoticeKind;
	channel: NoticeChannel;
	/** 0 or 1. */
	chosen: Int64;
}

/** Where notices of a member go by email, and what they say. */
export interface NoticeSettingsTable {
	account_id: string;
	/** Verified; nothing goes to any other. */
	email: NullableText;
	/** An address whose link was not opened yet. */
	pending_email: NullableText;
	/** SHA-256 of what stands in the link, hex. */
	pending_hash: NullableText;
	pending_until: NullableInt64;
	/** Links that were sent since `links_since`. */
	links_sent: CountedInt64;
	links_since: NullableInt64;
	/** Mails that went out since `mails_since`. */
	mails_sent: CountedInt64;
	mails_since: NullableInt64;
	/** 1: browser notifications hold the sentence, with its names and amounts. */
	push_details: CountedInt64;
}

/** A browser that takes notifications of a member. */
export interface PushSubscriptionsTable {
	id: string;
	account_id: string;
	/** The session in which it was added: with its end the browser hears no more. */
	session: string;
	/** SHA-256 of the endpoint, hex. */
	endpoint_hash: string;
	/** JSON with endpoint and keys, encrypted: whoever has them can send to the browser. */
	subscription: string;
	created_at: Int64;
}

/** A server that is told of what happens. */
export interface WebhooksTable {
	id: string;
	url: string;
	/** JSON array of kinds. */
	kinds: string;
	/** Encrypted: signing needs it. */
	secret: string;
	/** The one before a rotation, and until when it signs too. */
	previous_secret: NullableText;
	previous_until: NullableInt64;
	created_by: string;
	created_at: Int64;
	/** Since when deliveries fail; null: the last one arrived. */
	failing_since: NullableInt64;
	disabled_at: NullableInt64;
}

export type DeliveryState = 'waiting' | 'delivered' | 'failed';

/** Something that goes out, and what came of it. */
export interface DeliveriesTable {
	id: string;
	/** `mail:<account>`, `push:<subscription>`, `webhook:<webhook>`. */
	destination: string;
	/** Of the same source one goes to a destination. */
	source: string;
	/** JSON: what it is made of. */
	body: string;
	state: DeliveryState;
	attempts: CountedInt64;
	/** The last HTTP status; null where no answer came. */
	status: NullableInt64;
	/** Why the last attempt failed: a code of the errors. */
	failure: NullableText;
	created_at: Int64;
	/** When it is tried next; null when it has ended. */
	due_at: NullableInt64;
	ended_at: NullableInt64;
}

/** One piece of work that repeats itself, or a destination whose queue is drained. */
export interface NoticeJobsTable {
	id: string;
	due_at: NullableInt64;
	lease_owner: NullableText;
	lease_until: NullableInt64;
	fencing_token: CountedInt64;
	/** Where it goes on: the last event of the audit log that it saw. */
	position: CountedInt64;
}

/** A state that is watched, as it was last told. */
export interface NoticeWatchesTable {
	key: string;
	/** What members were told, or what stood at the beginning: `good` or `bad`. */
	told: ColumnType<'good' | 'bad', 'good' | 'bad', 'good' | 'bad'>;
	/** What is seen now, and since when without a break. */
	seen: ColumnType<'good' | 'bad', 'good' | 'bad', 'good' | 'bad'>;
	since: Int64;
	/** Grows with each change that was told. */
	episode: Int64;
	looked_at: Int64;
}

/** The key pair of Web Push, encrypted. One row. */
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
