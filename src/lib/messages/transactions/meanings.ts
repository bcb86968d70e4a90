/** Descriptions of the inputs and outputs of Komodeck's transactions. */
import { z } from 'zod';
import { catalogueOf, entry, STORED, type MessageOf } from '../catalogue.ts';

const MEANINGS = {
	...STORED,
	'input.coins': entry({}, () => 'Coins'),
	'input.token': entry({}, () => 'Units of the token'),
	change: entry({}, () => 'Change, back to this wallet'),
	'token.marker': entry({}, () => 'Listing marker (not refundable)'),
	'token.supply': entry({}, () => 'The units, to this wallet'),
	'token.facts': entry({}, () => 'Name, description and creator'),
	'token.burned': entry({}, () => 'Base units, burned permanently'),
	'token.paid': entry({}, () => 'Units, to the recipient'),
	'token.left': entry({}, () => 'Token change'),
	'token.move': entry({}, () => 'Which token it is, and who receives'),
	'coins.paid': entry({}, () => 'To the recipient'),
	'split.part': entry({}, () => 'One part, back to this wallet'),
	claimed: entry({}, () => 'The coins and their interest, back to this wallet'),
	consolidated: entry({}, () => 'Everything, back to this wallet in one output'),
	'self-import.payment': entry({}, () => 'To the recipient, from the wallet'),
	'self-import.amount': entry({}, () => 'Names the amount that the import creates'),
	'self-import.created': entry({}, () => 'Created, to the recipient'),
	/** `object`: id of the object that replaces a burn. */
	'self-import.proof': entry(
		{ object: z.string() },
		({ object }) =>
			`Proof: the source transaction, and the object ${object.slice(0, 10)}… that stands for a burn`
	),
	'approval.own': entry({}, () => 'Back to the notary'),
	'approval.proof': entry({}, () => 'The proof of the burn')
} as const;

/** Description of an input or output, as it is stored with the review. */
export type Meaning = MessageOf<typeof MEANINGS>;

export const meanings = catalogueOf(MEANINGS);
