/** Texts of the notarizations pages. */
import { isMainChain } from '#lib/chain/mainChain.ts';
import { count, plural } from '#lib/text/plural.ts';

const NOTARIES = 64;

export const notarizationsPage = {
	title: (chain: string): string =>
		isMainChain(chain) ? 'Notarizations on KMD' : `Notarizations of ${chain}`,
	lead: (chain: string): string =>
		isMainChain(chain)
			? 'Notaries record blocks of other chains here. Cross-chain proofs build on these records.'
			: `Notarized blocks are final. Notaries record ${chain} on KMD and write the result back.`,
	filter: { label: 'Notarizations', of: 'Notarized chain', all: 'All' },
	none: {
		what: 'notarizations',
		title: 'No notarizations yet',
		of: (chain: string): string => `Notaries have not recorded a block of ${chain} on KMD.`,
		chain: (chain: string): string =>
			`Until the first one, only the miners of ${chain} secure its blocks, and nothing can be proven to other chains.`
	},
	picture: {
		title: (points: number, chain: string): string => `Last ${count(points)} of ${chain}`,
		note: 'use the filter to see another chain'
	},
	caption: 'Notarizations, newest first',
	columns: {
		chain: 'Chain',
		notarized: 'Notarized block',
		interval: 'Interval',
		recorded: 'Recorded',
		signers: 'Signers',
		mom: 'MoM depth',
		transaction: 'Transaction',
		ccid: 'CCid',
		onKmd: 'On KMD'
	},
	/** Name of the group in which the daemon lists a notarized chain. */
	group: (name: string): string => `${name} group`,
	late: (blocks: number, times: number): string =>
		`${plural(blocks, 'block')}, ${times.toFixed(1)}× median`,
	blocks: (blocks: number): string => plural(blocks, 'block'),
	block: 'block',
	signers: (signers: number): string => `${signers} of ${NOTARIES}`,
	unknown: 'Unknown',
	noMom: 'None',
	momomDepth: (depth: number): string => `MoMoM depth ${depth}`,
	files: 'notarizations'
} as const;

export const notarizationTimeline = {
	region: (chain: string): string => `Timeline of ${chain}`,
	label: (points: number, chain: string, late: number, times: number, median: string): string =>
		`${plural(points, 'notarization')} of ${chain}, ${late} later than ${times}× the median of ${median}`,
	firstNotary: 'Notary 0',
	lastNotary: '63',
	signed: (points: number): string => `Signed (of ${points})`,
	median: (median: string): string => `median ${median}`,
	/** Tooltip of a bar. @param times interval as a multiple of the median */
	point: (point: {
		chain: string;
		height: number;
		time: string;
		gap: { duration: string; blocks: number; times: number | null } | null;
		signers: number;
	}): string => {
		const { chain, height, time, gap, signers } = point;
		const times = gap === null || gap.times === null ? '' : `, ${gap.times.toFixed(1)}× median`;
		const after =
			gap === null
				? ''
				: `, ${gap.duration} and ${plural(gap.blocks, 'block')} after the previous one${times}`;
		return `${chain} ${count(height)}, ${time}${after}, ${signers === 0 ? 'signers unknown' : plural(signers, 'signer')}`;
	},
	above: 'Above: interval between notarizations.',
	normal: 'Normal',
	late: (times: number, late: number): string => `Late: more than ${times}× median (${late})`,
	below: (blocks: number | null): string =>
		`Below: signers among the ${NOTARIES} notaries${blocks === null ? '' : `; median distance ${plural(blocks, 'block')}`}.`
} as const;

export const notaryGrid = {
	label: (active: number): string =>
		`${active} of ${NOTARIES} notaries signed at least once in this view.`,
	notary: (number: number, signed: number, of: number): string =>
		`Notary ${number}: ${signed} of ${of}`,
	active: (active: number): string => `${active} of ${NOTARIES} signed at least once.`
} as const;

export const notarizationPage = {
	title: (chain: string, height: number): string =>
		`Notarization of ${chain} at block ${count(height)}`,
	notAnId: 'A transaction ID has 64 hex digits.',
	unknown: (chain: string): string => `The index of ${chain} has no notarization with this ID.`,
	facts: {
		title: 'Details',
		chain: 'Chain',
		block: 'Notarized block',
		hashName: 'block hash',
		recorded: 'Recorded',
		recordedIn: 'in block',
		recordedOn: (chain: string): string => `of ${chain},`,
		transaction: 'Transaction ID',
		transactionName: 'transaction ID',
		onKmd: 'Notarization on KMD',
		onKmdHint: 'The notarization on KMD that this one writes back',
		onKmdName: 'KMD transaction ID',
		mom: 'MoM',
		momHint: 'Merkle root of these blocks. Proves any transaction in them.',
		momDepth: (blocks: number): string => `of ${plural(blocks, 'block')}`,
		momom: 'MoMoM',
		momomHint:
			'Merkle root of the MoMs of all chains with this CCid. Imports on this chain are checked against it.',
		ccid: 'CCid',
		none: 'None'
	},
	signers: {
		title: 'Signers',
		note: (signers: number): string =>
			signers === 0 ? 'unknown' : `${signers} of ${NOTARIES} notaries`,
		unknown: 'Not reported by the daemon',
		numbers: (signers: readonly number[]): string =>
			`Numbers ${signers.join(', ')} of the notary list that was valid at this block.`
	}
} as const;
