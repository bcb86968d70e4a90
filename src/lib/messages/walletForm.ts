/** Why a wallet cannot be used by a form now, and why a transaction's state could not be read. */
export const walletForm = {
	noWallet: (chain: string): string => `No daemon with a wallet is configured for ${chain}.`,
	noPubkey: (daemon: string): string =>
		`The daemon ${daemon} runs without a pubkey, so it cannot create token transactions. Start it with -pubkey=, the public key of one of its wallet's keys.`,
	/** `why`: the reason that the daemon cannot be asked now. */
	olderBalance: (why: string): string => `${why} The balance shown is an older one.`,
	silent: (daemon: string): string => `${daemon} has not answered in time.`
} as const;
