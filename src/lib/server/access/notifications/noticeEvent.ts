import type { NoticeMessage } from '#lib/messages/notices/catalogue.ts';
import type { Access } from '../policy/permissions.ts';

/**
 * Whom something concerns: who fits everything that is given. Of these only members hear who can log in and whose
 * role hears of the kind.
 */
export interface Audience {
	/** Members by name. */
	members?: readonly string[];
	/** A right that their role gives: that of the page which the notice leads to. */
	right: Access;
	/** A daemon whose wallet they may use. */
	wallet?: string;
}

/** Something that members are told of. */
export interface NoticeEvent {
	/** Names the happening: nobody is told of it twice. */
	source: string;
	message: NoticeMessage;
	/** The page that does the thing, a path of ours. */
	path: string;
	/** Whoever fits any of these. */
	to: readonly Audience[];
	/** Who did it, and needs no word of it. */
	except?: string;
	/** When it happened, Unix milliseconds. */
	at: number;
}
