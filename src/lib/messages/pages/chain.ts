/** Texts of the summary page of a chain. */
import { count, plural } from '#lib/text/plural.ts';

export const chainPage = {
	title: (chain: string): string => `${chain} summary`,
	attention: (chain: string): string => `${chain} needs attention`,
	unknown: 'Unknown',
	chain: {
		title: 'Chain',
		height: 'Height',
		tip: 'Last block',
		peers: 'Peers',
		mempool: 'Mempool transactions',
		tokens: 'Tokens',
		tokenCount: (tokens: number | bigint): string => plural(tokens, 'token'),
		ccid: 'CCid',
		ccidHint: 'Coins and tokens can migrate between chains with the same CCid (100 or higher).',
		noCcid: 'None: crypto-conditions are off',
		version: 'Daemon version'
	},
	notarization: {
		title: 'Notarization',
		none: (chain: string): string =>
			`Not notarized yet: notaries have not recorded a block of ${chain} on another chain.`,
		unknown: 'Unknown: the index holds no notarization of this chain.',
		height: 'Notarized height',
		heightHint: 'Blocks up to this height are final.',
		behind: (blocks: number): string => `(${plural(blocks, 'block')} behind tip)`,
		transaction: 'Notarization transaction',
		copied: 'notarization transaction'
	},
	wallet: {
		title: 'Daemon wallet',
		balance: 'Balance',
		noWallet: 'No wallet',
		pubkey: 'Public key',
		copied: 'wallet public key',
		none: 'None',
		endpoint: 'RPC endpoint',
		last: 'Last successful response'
	},
	charts: {
		label: 'Charts',
		interval: {
			title: 'Block interval',
			usual: (time: string): string => `median ${time}`,
			unit: 'Seconds since the block before',
			when: (height: number): string => `Block ${count(height)}`,
			seconds: (seconds: number): string => `${count(seconds)} s`
		},
		transactions: {
			title: 'Transactions per day',
			unit: 'Transactions',
			count: (transactions: number): string => count(transactions),
			last: (transactions: number): string => `${count(transactions)} on the last day`
		},
		lag: {
			title: 'Notarization lag',
			unit: 'Time from block to notarization',
			usual: (time: string): string => `median ${time}`,
			when: (height: number): string => `Block ${count(height)}`
		},
		flow: { title: 'Burned and imported', note: 'coins, all time' }
	},
	blocks: {
		title: 'Latest blocks',
		all: 'All blocks',
		caption: (chain: string): string => `Latest blocks of ${chain}`
	},
	more: {
		title: 'More tools',
		links: {
			addresses: { label: 'Addresses', words: 'by balance, highest first' },
			mempool: { label: 'Mempool', words: 'unconfirmed transactions' },
			imports: { label: 'Imports by block', words: 'from other chains' },
			proof: { label: 'Verify a Merkle proof', words: 'of a notarized transaction' },
			momom: { label: 'MoMoM', words: 'Merkle root of the notarized chains' },
			mom: { label: 'MoM calculator', words: 'Merkle root of notarized blocks' },
			indexing: { label: 'Index', words: 'progress, pause and reindex' },
			burns: { label: 'Burns of a wallet', words: 'with the state of each import' },
			consolidate: {
				label: 'Consolidate UTXOs',
				words: 'needed when a burn would need more than 10 inputs'
			}
		}
	}
} as const;
