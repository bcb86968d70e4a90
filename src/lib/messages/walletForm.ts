/** Texts of forms about the wallet that builds and pays, and why it cannot be used now. */
export const walletForm = {
	daemon: 'Daemon',
	pubkey: 'Public key',
	walletPubkey: 'wallet public key',
	balance: 'Available balance',
	noBalance: 'not reported by the daemon',
	notBuilt: {
		title: 'Nothing was built',
		open: 'Open the transaction that spends these UTXOs',
		transactions: 'Transactions',
		single: 'More UTXOs let you prepare several transactions at once.',
		split: 'Split UTXOs'
	},
	noWallet: (chain: string): string => `No daemon with a wallet is configured for ${chain}.`,
	withoutWallet: (daemon: string): string =>
		`The daemon ${daemon} was started without a wallet, so it builds nothing. Start it without -disablewallet.`,
	noPubkey: (daemon: string): string =>
		`The daemon ${daemon} runs without a pubkey, so it cannot create token transactions. Start it with -pubkey=, the public key of one of its wallet’s keys.`,
	noTokens: (daemon: string): string =>
		`The daemon ${daemon} builds no token transactions: it keeps no addressindex or no spentindex, or its chain has no tokens. Start it with addressindex=1 and spentindex=1, and once with -reindex.`,
	utxos: {
		caption: 'UTXOs that can be spent',
		columns: { spend: 'Spend', amount: 'Amount', utxo: 'UTXO', confirmations: 'Confirmations' },
		spend: (vout: number, txid: string): string => `Spend output ${vout} of ${txid}`,
		gone: 'is not among these UTXOs any more. Untick it to go on without it.'
	},
	/** `why`: the reason for which the daemon cannot be reached now. */
	olderBalance: (why: string): string => `${why} The balance shown is an older one.`,
	silent: (daemon: string): string => `${daemon} has not answered in time.`
} as const;
