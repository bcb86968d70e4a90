/** Texts of the list of migrations, and of the page that recovers one. */
import { plural } from '#lib/text/plural.ts';

export const migrationList = {
	title: 'Migrations',
	lead: 'Move coins and tokens between chains. Migrations complete automatically.',
	recover: 'Recover a migration',
	migrate: 'Migrate coins',
	login: 'Log in to migrate',
	resumed: (migrations: number): string => `${plural(migrations, 'migration')} resumed.`,
	stillStopped: (migrations: number, why: string): string =>
		`${plural(migrations, 'migration')} still stopped: ${why}`,
	stopped: {
		title: (migrations: number): string => plural(migrations, 'stopped migration'),
		text: 'Action is required. What was burned stays importable.',
		show: 'Show stopped migrations',
		retry: 'Retry all'
	},
	list: 'migrations',
	filters: {
		label: 'Filter migrations',
		all: 'All',
		/** Source or destination. */
		chain: 'Chain',
		order: 'Order',
		orders: { '-created': 'Newest first', created: 'Oldest first' }
	},
	empty: {
		title: 'No migrations yet',
		noMatch: 'No migrations match',
		text: 'A migration burns coins on one chain, waits for notaries to prove the burn, and re-creates the coins on another.'
	},
	caption: 'Migrations',
	columns: {
		route: 'Route',
		amount: 'Amount',
		state: 'State',
		started: 'Started',
		by: 'Started by'
	},
	to: 'to',
	unnamedToken: 'of a token'
} as const;

export const recoverMigration = {
	title: 'Recover a migration',
	lead: 'Track or finish a burn that was created outside this console, by transaction ID or recovery file.',
	txid: 'Transaction ID',
	txidHint: 'Of the burn on the source chain, or of the import on the destination.',
	chain: 'Chain',
	chooseChain: 'Choose a chain',
	recipient: 'Recipient',
	recipientHint:
		'An address, or for a token a public key. Required when the recipient is not known here: the burn holds only a hash.',
	payouts: 'Payouts',
	payoutsHint:
		'Hex, as the daemon returned it with the burn. Required when the burn pays several recipients.',
	file: 'Or its recovery file',
	fileHint:
		'The JSON file exported by another installation. Komodeck verifies everything on the chains.',
	open: 'Recover migration',
	faults: {
		txid: 'A transaction ID has 64 hexadecimal digits.',
		chain: 'Choose the chain on which this transaction is.',
		address: 'Enter an address or a compressed public key. A character may be wrong.',
		payouts: 'Payouts are hexadecimal, at most 400\u202f000 digits.'
	}
} as const;
