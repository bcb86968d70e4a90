/** Wallets that a member may use: all, or those of these daemons. */
export interface ChosenWallets {
	readonly every: boolean;
	/** Ids of daemons. */
	readonly daemons: readonly string[];
}

/** Renders chosen wallets for the audit log and the list of invitations. */
export const walletChoiceWords = ({ every, daemons }: ChosenWallets): string =>
	every ? 'every wallet' : daemons.length === 0 ? 'none' : daemons.join(', ');
