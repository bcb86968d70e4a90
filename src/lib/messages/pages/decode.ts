/** Texts of the decoder page, apart from the decoded parts. */
import { count } from '#lib/text/plural.ts';

export const decodePage = {
	title: 'Decoder',
	lead: 'Paste raw hex to decode a transaction, block, header, payouts, proof, notarization or script. Decoded by Komodeck; nothing is sent to a daemon.',
	hex: 'Hex',
	hint: 'Spaces and line breaks are ignored.',
	tooLong: (digits: number, most: number): string =>
		`${count(digits)} digits are too many: up to ${count(most)} can be decoded.`,
	button: 'Decode',
	link: 'Link to this result',
	result: 'Result',
	alternatives: 'Other possible readings',
	otherHashes: (chains: readonly string[]): string =>
		`Block hashes are computed as for chains that use Equihash. Those of ${chains.join(', ')} are unknown: there, bytes do not tell the hash of a block.`
} as const;
