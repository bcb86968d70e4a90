/** Labels of the team's address book as pages carry them. */

/** What the team calls one key, address, token or chain. */
export interface Label {
	/** With what it hides made visible. */
	label: string;
	/** Id of the entry in the book. */
	entry: string;
	/** Who wrote it last. */
	by: string;
	/** Which of a key's addresses it is, in words; empty for the thing itself. */
	form: string;
}

/** Labels by the key, address, tokenid or chain name that a page shows. */
export type Labels = Readonly<Record<string, Label>>;
