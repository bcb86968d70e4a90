/** Labels of the team's address book, as pages receive them. */

/** The label of a public key, address, token or chain. */
export interface Label {
	/** The label, with hidden characters made visible. */
	label: string;
	/** Id of the address book entry. */
	entry: string;
	/** Member who last edited it. */
	by: string;
	/** For an address of a labeled key, which of its addresses it is; otherwise empty. */
	form: string;
}

/** Labels by the pubkey, address, tokenid or chain name that a page shows. */
export type Labels = Readonly<Record<string, Label>>;
