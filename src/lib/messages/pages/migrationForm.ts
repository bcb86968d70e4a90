/** Texts of the migration forms. */
import { formatUnits } from '#lib/chain/tokenUnits.ts';
import { isolated } from '#lib/text/isolated.ts';
import { count, plural } from '#lib/text/plural.ts';
import { moveToken } from './tokenForms.ts';

export const migrationForm = {
	title: 'Migrate coins',
	lead: 'Coins are burned on the source chain and re-created on the destination. You review the burn before it is sent.',
	tabs: {
		label: 'What to migrate',
		coins: 'Coins',
		token: 'Token',
		custom: 'Advanced (coin control)'
	},
	sourceChain: 'Source chain',
	from: 'From',
	to: 'To',
	chooseChain: 'Choose a chain',
	payer: (daemon: string): string => `Paid from wallet ${daemon}`,
	available: 'available',
	unknownBalance: 'The daemon does not report the balance.',
	sameChain: (chain: string): string => `${chain} – same chain`,
	otherCcid: (chain: string, ccid: number): string => `${chain} – no route (CCid ${ccid})`,
	noRoutes: (chain: string): string =>
		`No chain here shares the CCid of ${chain}, so nothing can be migrated from it.`,
	recipient: 'Recipient address',
	recipientHint: 'Starts with R. Make sure you control its private key.',
	ownWalletLabel: (chain: string): string => `Own wallet on ${chain}`,
	ownWallet: (chain: string): string => `Use own wallet on ${chain}`,
	amount: 'Amount',
	amountHint: (ticker: string): string =>
		`Amount received. An import fee of ${`0.0001 ${ticker}`.trim()} is added.`,
	max: 'Max',
	proof: 'Proof method',
	proofs: {
		notarizations: 'Automatic (notarization)',
		approvals: 'Manual (5 notary approvals)'
	},
	proofHint:
		'How the burn is proven to the destination. Notary approvals publish its amount and recipient.',
	policy: 'Import',
	policies: {
		automatic: 'Automatic',
		ask: 'Requires 1 approval',
		'ask-two': 'Requires 2 approvals'
	},
	policyHint:
		'Whether the import is sent as soon as the proof is complete, or after members approve it.',
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
		left: 'Left of your spending limit',
		leftCount: (migrations: bigint): string => plural(migrations, 'migration'),
		missing: (amount: string, ticker: string): string =>
			`Insufficient balance: ${amount} ${ticker} missing.`,
		overLimit: (amount: string, ticker: string): string =>
			`Over your spending limit by ${amount} ${ticker}.`,
		noneLeft: 'Your spending limit for migrations is used up.'
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

/** Texts of the form for a token. */
export const tokenMigration = {
	title: 'Migrate a token',
	lead: 'The token is burned on the source chain and re-created on the destination with the same name, description and data. You review the burn before it is sent.',
	showTokens: 'Show tokens',
	unavailable: (chain: string): string => `No token of ${chain} can be migrated now`,
	none: (chain: string): string => `The wallet of ${chain} holds no tokens.`,
	linked: 'the token of the link',
	token: 'Token',
	/** While the index does not know all tokens of the wallet. */
	tokenHint: 'ID of the token: 64 hex digits. The index may lack tokens of the wallet.',
	chooseToken: 'Choose a token',
	/** One option: the token's name, the wallet's balance, and the beginning of its id. */
	held: (name: string, units: bigint, decimals: number, tokenid: string): string =>
		[
			isolated(name.trim()) || 'Token without a name',
			...(units > 0n
				? [decimals === 0 ? plural(units, 'base unit') : formatUnits(units, decimals)]
				: []),
			`${tokenid.slice(0, 8)}…`
		].join(', '),
	recipient: 'Recipient public key',
	recipientHint: '66 hex digits, starts with 02 or 03. An address cannot receive tokens.',
	amount: 'Amount',
	fungible: {
		title: 'Fungible tokens',
		warning:
			'Only non-fungible tokens are sure to migrate. Few networks let fungible tokens migrate, and notaries approve none.',
		forbidden: 'An admin of this installation forbids the migration of fungible tokens.'
	},
	amountOfOne: '1: a non-fungible token migrates as one unit.',
	amountHint: (decimals: number): string =>
		decimals === 0 ? moveToken.baseUnitsHint : moveToken.decimalsHint(decimals),
	amountHintUnknown: 'In base units, or with the decimals the token is shown with.',
	checks: [
		'The daemon supports token burns (release 0.9.0 does not).',
		'The token fits into the burn and the import.',
		'The wallet holds the amount, and the recipient is a public key.',
		'Both chains are notarized, the destination often enough for a proof.',
		'The burn that the daemon builds is exactly what you asked for.'
	]
} as const;

/** Texts of the form for selected UTXOs. */
export const customMigration = {
	title: 'Migrate selected UTXOs',
	lead: 'Choose the UTXOs to spend and the recipients on the destination. You review the burn before it is sent.',
	showUtxos: 'Show UTXOs',
	unavailable: (chain: string): string => `The wallet of ${chain} is unavailable`,
	noWallet: (chain: string): string => `No daemon with a wallet is configured for ${chain}.`,
	utxos: 'Selected UTXOs',
	walletHas: (utxos: number): string => `The wallet has ${plural(utxos, 'UTXO')} with`,
	/** Follows the total; `shown`: number of UTXOs in the list, null for all. */
	rest: (shown: number | null): string =>
		`${shown === null ? '' : `; the ${count(shown)} largest are shown`}. Missing amounts are taken from the largest other UTXOs; change is returned.`,
	selected: (utxos: number): string => `${plural(utxos, 'UTXO')} selected`,
	burnSize: (bytes: number, most: number): string =>
		`burn of about ${count(bytes)} of ${count(most)} bytes`,
	recipients: 'Recipients',
	recipientsHint: (ticker: string): string =>
		`One per line: address, comma or space, amount received. An import fee of ${`0.0001 ${ticker}`.trim()} is added.`,
	rawInstead: 'Or paste a raw transaction instead',
	raw: 'Raw transaction in hex',
	rawHint:
		'Its outputs become the payouts of the import. Its inputs must be UTXOs of this wallet; it may have none.',
	how: {
		title: 'How the burn is created',
		steps: [
			'The daemon composes a transaction that pays the recipients.',
			'It converts the payments into one burn, and adds fee and change.',
			'The burn must be the last output; otherwise the change is funded again.',
			'The wallet signs; Komodeck decodes and verifies the bytes.',
			'You confirm. From then on it is a migration like any other.'
		]
	}
} as const;
