/** What a topic of the help is made of: data, so that its page sends text and no script for it. */

interface HelpLink {
	readonly label: string;
	readonly href: string;
}

/** Shown in the order of its members. */
export interface HelpSection {
	/** Anchor of the section; stable, pages lead to it. */
	readonly id: string;
	readonly title: string;
	/** What is done one after the other. */
	readonly steps?: readonly string[];
	readonly text?: readonly string[];
	readonly points?: readonly string[];
	/** To be copied into a terminal. */
	readonly code?: string;
	readonly links?: readonly HelpLink[];
}

export interface HelpTopic {
	readonly title: string;
	/** One line, below the title and beside links to the topic. */
	readonly lead: string;
	readonly sections: readonly HelpSection[];
}
