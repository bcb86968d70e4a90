import type { NoticeMessage } from '#lib/messages/notices/catalogue.ts';
import type { Access } from '../policy/permissions.ts';

/**
 * An audience: the members who meet all given conditions. Of these, only members who can log in and whose
 * role is notified of the kind get the notice.
 */
export interface Audience {
	/** Members by name. */
	members?: readonly string[];
	/** A right that the member's role has: the one that the linked page requires. */
	right: Access;
	/** A daemon whose wallet the member may use. */
	wallet?: string;
}

/** An event that causes notices. */
export interface NoticeEvent {
	/** Identifies the event: no member is notified of the same source twice. */
	source: string;
	message: NoticeMessage;
	/** Path of the page where the matter is handled. */
	path: string;
	/** Members of any of these audiences. */
	to: readonly Audience[];
	/** Name of the member who caused the event and is not notified. */
	except?: string;
	/** When it happened, Unix milliseconds. */
	at: number;
}
