/** Texts of the block page. */
import { count, plural } from '#lib/text/plural.ts';

export const blockPage = {
	title: (height: number | null, id: string): string =>
		`Block ${height === null ? id : count(height)}`,
	notAnId: 'A block has a height, or a hash of 64 hex digits.',
	unknown: (chain: string, id: string): string => `${chain} has no block ${id}.`,
	previous: 'Previous block',
	next: 'Next block',
	orphaned: {
		title: 'Orphaned by a reorganization',
		text: (chain: string): string =>
			`This block is not part of ${chain} any more. Its transactions may be in another block, or pending.`
	},
	facts: {
		title: 'Details',
		hash: 'Hash',
		hashName: 'block hash',
		time: 'Time',
		interval: 'Interval',
		since: 'after the previous block',
		sameTime: 'Same time as the previous block',
		earlier: (duration: string): string =>
			`Its time is ${duration} before that of the previous block`,
		miner: 'Mined by',
		minerHint: 'The address of the first output of the block reward.',
		noMiner: 'No address',
		reward: 'Block reward',
		rewardHint: 'New coins and fees together.',
		fees: 'Fees',
		unknownFees: 'Unknown (not all of them are indexed)',
		unknownFeesOfMain: 'Unknown (not all of them are indexed, or interest may be part of them)',
		confirmations: 'Confirmations',
		deep: (blocks: number): string => `${plural(blocks, 'block')} deep; final once notarized`,
		finality: 'Finality',
		notInChain: 'Not part of the chain',
		notarized: 'Notarized',
		notNotarized: 'Not notarized yet',
		unknown: 'Unknown',
		size: 'Size',
		bytes: (bytes: number): string => `${count(bytes)} bytes`,
		merkleRoot: 'Merkle root',
		merkleRootName: 'Merkle root',
		difficulty: 'Difficulty',
		bits: 'bits',
		version: 'Version'
	},
	transactions: {
		title: 'Transactions',
		note: (total: number): string => plural(total, 'transaction'),
		caption: (height: number): string => `Transactions of block ${count(height)}`,
		files: 'transactions',
		pages: 'Pages of transactions'
	},
	header: {
		json: 'JSON from the daemon',
		source: 'Source: index.',
		load: 'Load full header from the daemon',
		loadHint: ': Merkle root, difficulty and JSON.'
	}
} as const;
