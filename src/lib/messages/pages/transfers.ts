/** Texts of the lists of cross-chain transfers: of all chains, and of one. */
import { count, plural } from '#lib/text/plural.ts';
import { MISSING_IMPORT } from '../missingImport.ts';

export const transfersPage = {
	title: 'Transfers',
	lead: 'Every burn with its import on the destination chain.',
	reconciliation: 'Reconciliation',
	routes: 'Routes',
	pending: {
		title: 'In the mempool',
		caption: 'Pending burns',
		columns: { from: 'From', to: 'To', amount: 'Amount', burn: 'Burn', migration: 'Migration' },
		token: 'Token',
		show: 'Show migration',
		recover: 'Recover migration'
	}
} as const;

export const chainTransfersPage = {
	title: (chain: string): string => `Transfers of ${chain}`,
	lead: {
		in: (chain: string): string => `Burns on other chains toward ${chain}, with their imports.`,
		out: (chain: string): string =>
			`Burns on ${chain} toward other chains, with their imports there.`
	},
	direction: 'Direction',
	ways: {
		out: (chain: string): string => `Burned on ${chain}`,
		in: (chain: string): string => `Burned toward ${chain}`
	},
	imports: 'Imports by block',
	burns: 'Wallet burns',
	all: 'All chains'
} as const;

export const transferList = {
	filter: 'Transfers',
	ends: { from: 'From', to: 'To' },
	anyChain: 'Any chain',
	state: 'State',
	states: { all: 'All', open: 'In progress', done: 'Imported' },
	what: 'Asset',
	assets: { all: 'Coins and tokens', coins: 'Coins', tokens: 'Tokens' },
	none: {
		filtered: 'No transfers match these filters',
		filteredIndexed: 'No indexed transfers match these filters',
		filteredHint: 'Choose other chains or another state.',
		empty: 'No transfers yet',
		emptyHint: 'Burns appear here once confirmed, with their imports.'
	},
	caption: 'Burns and their imports, newest first',
	files: 'transfers'
} as const;

export const transferTable = {
	columns: {
		from: 'From',
		to: 'To',
		amount: 'Amount',
		burn: 'Burn',
		burned: 'Burned',
		import: 'Import',
		state: 'State',
		proof: 'Proof',
		migration: 'Migration'
	},
	baseUnits: (units: bigint): string => (units === 1n ? 'base unit' : 'base units'),
	of: 'of',
	block: (height: number): string => `block ${count(height)}`,
	notImported: MISSING_IMPORT.open,
	states: { ...MISSING_IMPORT, open: 'In progress', done: 'Imported' },
	after: (duration: string): string => `after ${duration}`,
	since: (duration: string): string => `for ${duration}`,
	proofs: { txproof: 'Notarization', approvals: 'Notary approvals', merkleblock: 'Merkle block' },
	show: 'Show',
	recover: 'Recover'
} as const;

export const burnsPage = {
	title: (chain: string): string => `Wallet burns on ${chain}`,
	lead: 'Burns of a daemon’s wallet, with the state of each import.',
	noWallet: {
		title: 'No wallet',
		text: (chain: string): string => `No daemon with a wallet is configured for ${chain}.`
	},
	form: {
		label: 'Wallet burns',
		daemon: 'Daemon',
		count: 'Number of burns',
		countHint: 'Newest first. The daemon scans its whole wallet.',
		show: 'Show'
	},
	faults: {
		daemon: (chain: string): string => `Choose a daemon of ${chain} that has a wallet.`,
		count: (most: number): string => `Enter a whole number from 1 to ${most}.`
	},
	unavailable: {
		text: 'Only the daemon knows the burns of its wallet. The index has',
		link: 'all confirmed burns'
	},
	note: 'newest first',
	burns: (burns: number): string => plural(burns, 'burn'),
	none: {
		title: 'No burns',
		text: (daemon: string): string =>
			`The wallet of ${daemon} has no burns. New burns can take a few seconds to appear.`
	},
	caption: 'Burns of the wallet, newest first',
	columns: {
		burn: 'Burn',
		to: 'To',
		burned: 'Burned',
		received: 'Amount received',
		state: 'State',
		import: 'Import',
		migration: 'Migration'
	},
	selfImport: 'Self-import',
	ccid: (ccid: number): string => `CCid ${ccid}`,
	unknownCcid: 'CCid unknown',
	unknown: 'Unknown',
	states: {
		waiting: 'Pending',
		lost: 'Not on the chain',
		imported: 'Imported',
		...MISSING_IMPORT,
		unknown: 'Unknown'
	},
	recover: 'Recover',
	explained: (ticker: string): string =>
		`“Burned” is reported by the daemon and includes the import fee of 0.0001 ${ticker}, which is not received.`
} as const;

export const importsPage = {
	title: (chain: string): string => `Imports into ${chain}`,
	lead: 'Amounts that each import created, by block.',
	form: {
		label: 'Block',
		block: 'Block',
		hint: 'Height or hash. Compares the imports of a block with what the daemon reports.',
		show: 'Show',
		all: 'All imports'
	},
	faults: {
		form: 'A block has a height, or a hash of 64 hex digits.',
		unknown: (chain: string): string => `${chain} has no such block.`
	},
	list: {
		title: 'Imports, newest first',
		none: {
			title: 'No imports yet',
			text: (chain: string): string => `No indexed block of ${chain} has an import.`
		},
		caption: (chain: string): string => `Imports into ${chain}, newest first`,
		files: 'imports'
	},
	columns: {
		block: 'Block',
		import: 'Import',
		kind: 'Kind',
		from: 'From',
		to: 'To',
		proof: 'Proof',
		created: 'Amount created',
		fee: 'Fee',
		daemonAmount: 'Daemon: amount',
		daemonBurned: 'Daemon: burned'
	},
	proofLink: 'Proof',
	proofOf: (txid: string): string => `Proof of the import ${txid}`,
	selfImport: 'Self-import (no burn)',
	unnamedSource: 'Source chain not named',
	proofs: {
		txproof: 'Notarization',
		approvals: 'Notary approvals',
		merkleblock: 'Merkle block',
		source: 'Issuer’s key'
	},
	block: {
		title: (height: number): string => `Block ${count(height)}`,
		orphaned: {
			title: 'Orphaned by a reorganization',
			text: 'This block is not part of the chain any more. Its imports count only where they are confirmed again.'
		},
		hash: 'Hash',
		hashName: 'block hash',
		created: 'Amount created',
		createdHint: 'Sum of all payouts, decoded by Komodeck.',
		and: 'and',
		tokenUnits: (units: bigint): string =>
			units === 1n ? 'base unit of a token' : 'base units of tokens',
		indexed: 'Total in the index',
		indexedHint: 'All outputs of these imports, with the marker of a token.',
		notIndexed: 'No import of this block is indexed, or the block is not indexed yet.',
		none: 'None',
		unknown: 'Unknown',
		daemon: 'Total reported by the daemon',
		daemonHint: {
			same: 'TotalImported adds up the first output of each import only, which is all there is here.',
			differs:
				'TotalImported adds up the first output of each import only: further payouts are missing, and the marker of a token counts as coins.'
		},
		imports: 'Imports',
		noImports: { title: 'No imports', text: 'This block has no imports.' },
		caption: (height: number): string => `Imports of block ${count(height)}`,
		kinds: {
			coins: 'Coins',
			token: 'Token',
			'self-import': 'Self-import',
			unread: 'Not recognized'
		},
		unreadable: 'Not recognized',
		noAddress: 'No address',
		explained:
			'The daemon’s “amount” is the value of an import’s second output, which for a single payout is the proof and holds nothing; its “burned” is the value of the burn with the import fee.'
	}
} as const;
