/** Structure of a help topic: plain data, so that its page needs no script. */

interface HelpLink {
	readonly label: string;
	readonly href: string;
}

/** A section; its parts are displayed in this order. */
export interface HelpSection {
	/** Anchor of the section; stable, because pages link to it. */
	readonly id: string;
	readonly title: string;
	/** Steps to be done in order. */
	readonly steps?: readonly string[];
	readonly text?: readonly string[];
	readonly points?: readonly string[];
	/** Command to copy into a terminal. */
	readonly code?: string;
	readonly links?: readonly HelpLink[];
}

export interface HelpTopic {
	readonly title: string;
	/** One line, shown below the title and next to links to the topic. */
	readonly lead: string;
	readonly sections: readonly HelpSection[];
}
