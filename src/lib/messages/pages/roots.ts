/** Texts of the pages for the two Merkle roots: of blocks (MoM), and of the MoMs of many chains (MoMoM). */
import { count, plural } from '#lib/text/plural.ts';

/** Texts that both pages share. */
export const rootPages = {
	compute: 'Compute',
	lookUp: 'Look up',
	unavailable: 'Some data is unavailable',
	roots: 'Roots',
	nothingToCompare: 'Nothing to compare'
} as const;

export const momPage = {
	title: 'MoM',
	lead: (chain: string): string =>
		`The Merkle root of a range of blocks, as notaries record it. Computed from the blocks of ${chain} in both ways that the range can be read, and compared with the daemon.`,
	fields: { height: 'Height', depth: 'Number of blocks' },
	readings: {
		down: 'Height is the last block, counted down',
		up: 'Height is the first block, counted up'
	},
	verdicts: {
		down: 'The daemon reads the height as the last block.',
		up: 'The daemon reads the height as the first block.',
		both: 'The daemon’s MoM matches both readings.',
		none: 'The daemon’s MoM matches neither reading.'
	},
	table: {
		caption: 'Merkle root of the blocks, by reading',
		columns: { reading: 'Reading', blocks: 'Blocks', mom: 'MoM', compared: 'Daemon' },
		range: (first: number, last: number): string => `${count(first)} to ${count(last)}`,
		outside: 'Outside the chain',
		match: 'Matches',
		mismatch: 'Mismatch',
		daemon: 'Result of calc_MoM',
		noneOfDaemon: 'None: the range is outside the chain',
		noResponse: 'No response'
	},
	ask: {
		title: 'Query the daemon',
		height: 'Height',
		heightHint: 'Finds the MoM that covers this height (height_MoM).',
		txid: 'Transaction ID',
		txidHint: 'Checks whether a notarization covers it (txnotarizedconfirmed).',
		notCovered: (height: number): string => `None covers height ${count(height)} yet`,
		notarizedHeight: 'Notarized height',
		depth: 'Blocks covered',
		onKmd: 'Notarization on KMD',
		notarized: 'Notarized',
		notNotarized: 'Not notarized yet',
		proof: 'View Merkle proof'
	},
	links: { momom: 'MoMoM of this chain', proof: 'Verify a Merkle proof' }
} as const;

/** Result of comparing the MoMoM computed here with the daemon's. */
export type MomomVerdict =
	| { code: 'no-momom' | 'broken-list' | 'not-computed' | 'mismatch' }
	| { code: 'behind'; indexed: number | null }
	| { code: 'match'; moms: number };

export const momomPage = {
	title: 'MoMoM',
	lead: 'The Merkle root of the MoMs of all chains with one CCid, as notaries record it on a chain. Computed from the notarizations on KMD and compared with the daemon.',
	fields: {
		symbol: 'Chain',
		kmdheight: 'Height on KMD',
		kmdheightHint: 'The daemon starts 5 blocks below this height.',
		ccid: 'CCid'
	},
	facts: {
		height: 'Searched from',
		block: (height: number): string => `Block ${count(height)} of KMD`,
		computed: 'Computed MoMoM',
		tooFew: (indexed: number | null): string =>
			indexed === null
				? 'Not enough notarizations'
				: `Not enough notarizations; indexed up to block ${count(indexed)}`,
		behind: 'Not computed',
		daemon: 'MoMoM of the daemon',
		none: 'None',
		newest: 'Latest notarization of the chain'
	},
	table: {
		title: 'MoMs',
		note: (moms: number): string => plural(moms, 'MoM'),
		caption: 'MoMs under the MoMoM',
		columns: { mom: 'MoM', recordedBy: 'Recorded by', compared: 'Found in' },
		record: (symbol: string, height: number): string => `${symbol} in block ${count(height)}`,
		notIndexed: 'Not in the index',
		unknown: 'Unknown',
		both: 'Index and daemon',
		index: 'Index only',
		daemon: 'Daemon only'
	},
	ask: {
		title: 'Find a notarization with the daemon',
		from: 'From height',
		fromHint: 'Searches downward; 0 starts at the tip.',
		of: 'Notarized chain',
		limit: 'Blocks to search',
		limitHint: 'Default: 1440',
		block: 'Block',
		notarization: 'Notarization',
		record: 'Record',
		none: 'No notarization in these blocks.'
	},
	copied: { mom: 'MoM', momom: 'MoMoM', txid: 'transaction ID' }
} as const;

export function momomVerdictMessage(verdict: MomomVerdict): string {
	switch (verdict.code) {
		case 'no-momom':
			return 'No MoMoM at this height: the last 1440 blocks hold fewer than seven notarizations of the chain.';
		case 'broken-list':
			return 'The daemon’s MoMoM is not the Merkle root of the MoMs it lists.';
		case 'not-computed':
			return 'The daemon’s MoMoM is the Merkle root of the MoMs it lists. The index has too few notarizations to compute it.';
		case 'behind':
			return verdict.indexed === null
				? 'Not compared: KMD is not indexed yet.'
				: `Not compared: KMD is indexed only up to block ${count(verdict.indexed)}.`;
		case 'match':
			return `The computed MoMoM matches the daemon’s: Merkle root of ${plural(verdict.moms, 'MoM')}.`;
		case 'mismatch':
			return 'The computed MoMoM does not match the daemon’s.';
	}
}

/** Errors of the fields of these forms. */
export const rootFieldFaults = {
	notWhole: 'Enter a whole number.',
	tooSmall: (least: number): string => `Enter at least ${least}.`,
	tooLarge: (most: number): string => `Enter at most ${most}.`,
	notAChain: 'Enter the name of a chain, 1 to 64 characters.',
	notATxid: 'A transaction ID has 64 hex digits.'
} as const;
