/** What the forms of a migration say. */

export const migrationForm = {
	title: 'Migrate coins',
	lead: 'Coins are burned on the source chain and re-created on the destination. You review the burn before it is sent.',
	tabs: {
		label: 'What to migrate',
		coins: 'Coins',
		token: 'Token',
		custom: 'Advanced (coin control)'
	},
	noWallet: {
		title: 'You have no wallet yet',
		text: 'An admin assigns wallets on the page of your account. Until then you cannot build transactions.'
	},
	from: 'From',
	to: 'To',
	chooseChain: 'Choose a chain',
	payer: (daemon: string): string => `Paid from wallet ${daemon}`,
	available: 'available',
	unknownBalance: 'The daemon does not report the balance.',
	sameChain: (chain: string): string => `${chain} – same chain`,
	otherCcid: (chain: string, ccid: number): string => `${chain} – no route (CCid ${ccid})`,
	noCcid: (chain: string): string => `${chain} – no route`,
	noRoutes: (chain: string): string =>
		`No chain here shares the CCid of ${chain}, so nothing can be migrated from it.`,
	recipient: 'Recipient address',
	recipientHint: 'Starts with R. Make sure you control its private key.',
	ownWalletLabel: (chain: string): string => `Own wallet on ${chain}`,
	ownWallet: (chain: string): string => `Use own wallet on ${chain}`,
	amount: 'Amount',
	amountHint: 'Amount received. The import fee of 0.0001 is added.',
	max: 'Max',
	proof: 'Proof method',
	proofs: {
		notarizations: 'Automatic (notarization)',
		approvals: 'Manual (5 notary approvals, publishes the burn)'
	},
	policy: 'Import',
	policies: {
		automatic: 'Automatic',
		ask: 'Requires 1 approval',
		'ask-two': 'Requires 2 approvals'
	},
	review: 'Review migration',
	stopped: {
		title: 'Nothing was built or sent.',
		fields: 'Fix the marked fields.'
	},
	cost: {
		title: 'Cost and arrival',
		total: 'Total debited',
		about: 'about',
		importFee: 'Import fee',
		networkFee: 'Network fee',
		arrives: 'Amount received',
		time: 'Arrival',
		usual: (range: string): string => `usually ${range}`,
		unknownTime: 'depends on the notaries',
		left: 'Left of your daily limit',
		leftCount: (count: string): string => `${count} ${count === '1' ? 'migration' : 'migrations'}`,
		missing: (amount: string, ticker: string): string =>
			`Insufficient balance: ${amount} ${ticker} missing.`,
		overLimit: (amount: string, ticker: string): string =>
			`Over your daily limit by ${amount} ${ticker}.`,
		noneLeft: 'Your daily limit of migrations is used up.'
	},
	checks: {
		title: 'Pre-flight checks',
		items: [
			'Both chains and KMD are online, and share a CCid.',
			'Both chains are notarized, the destination often enough for a proof.',
			'The recipient is a normal address, not a token contract.',
			'The wallet can pay with at most ten UTXOs.',
			'The burn that the daemon builds is exactly what you asked for.'
		]
	},
	results: { ok: 'Passed', warn: 'Warning', fail: 'Blocked' },
	checksLabel: 'Checks'
} as const;
